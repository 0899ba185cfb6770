"""Parts of a page: sections, tables, rows with error bars, panels, cells."""

from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from kibitz.arena.show.report import chart
from kibitz.arena.show.report.markup import tag
from kibitz.arena.show.text import number_text
from kibitz.core.scoring import Scoring

MOST_NAMED = 6  # agents in the rows of a matrix; more are numbered
Data = dict[str, Any]


def section(title: str, *parts: Any) -> Element:
    """Return a section with a heading to link to."""
    name = title.lower().replace(" ", "-")
    return tag("section", tag("h2", title), *parts, id=name)


def paragraph(text: Any, style: str = "") -> Element:
    """Return a paragraph."""
    return tag("p", text, class_=style) if style else tag("p", text)


def intervals(
    rows: Iterable[tuple[Element, float, Sequence[float], str]],
    reference: float,
    label: Any,
    styles: Sequence[str] = (),
) -> Element:
    """Return rows with a name, a dot with its error bar, and the numbers; `styles` are those of the rows."""
    rows = list(rows)
    scale = chart.round_scale([reference, *(end for _, _, ends, _ in rows for end in ends)], label)
    lines = [
        tag("tr", tag("th", name, class_="name", scope="row"),
            tag("td", chart.interval(value, ends, scale, reference, shown, style), class_="pic"),
            tag("td", shown, class_="figures"))
        for (name, value, ends, shown), style in zip(rows, styles or [""] * len(rows), strict=True)
    ]  # fmt: skip
    last = tag("tr", tag("td"), tag("td", chart.axis(scale), class_="pic"), tag("td"))
    return tag("figure", tag("table", tag("tbody", lines, last), class_="rows"))


def panel(row: Data, shown: Element) -> Element:
    """Return a small figure of one agent."""
    return tag("figure", tag("figcaption", agent_name(row), title=row["agent"]), shown)


def legend(lines: Sequence[tuple[str, str, Data]]) -> Element:
    """Return the legend of a figure."""
    strokes = [
        tag(
            "li",
            tag("svg", tag("polyline", points="0,6 34,6", class_=style), width=34, height=12, aria_hidden="true"),
            name,
        )
        for style, name, _ in lines
    ]
    return tag("ul", strokes, class_="legend")


def table_of(head: Sequence[str], rows: Iterable[Sequence[Any]], named: int = 0) -> Element:
    """Return a table; names are the cells in the column `named`, and elements that are not cells themselves."""
    body = []
    for row in rows:
        cells = []
        for at, cell in enumerate(row):
            if isinstance(cell, Element) and cell.tag == "td":
                cells.append(cell)
            elif at == named or isinstance(cell, Element):
                cells.append(tag("td", cell, class_="name"))
            else:
                cells.append(tag("td", f"{cell:,}" if isinstance(cell, int) else cell))
        body.append(tag("tr", cells))
    names = {at for row in body for at, cell in enumerate(row) if cell.get("class") == "name"}
    top = [tag("th", name, scope="col", class_="name" if at in names else "number") for at, name in enumerate(head)]
    return tag("div", tag("table", tag("thead", tag("tr", top)), tag("tbody", body)), class_="scroll", tabindex=0)


def matrix(rows: Sequence[Data], cells: Sequence[Sequence[Element]]) -> Element:
    """Return a table of agents by agents; where there are many, they are named by their places in the standings."""
    many = len(rows) > MOST_NAMED
    names = [tag("td", str(row["rank"]), title=row["agent"]) if many else agent_name(row) for row in rows]
    head = ("" if many else "agent", *(str(row["rank"]) for row in rows))
    table = table_of(head, [[name, *line] for name, line in zip(names, cells, strict=True)])
    table.set("class", "scroll dense" if many else "scroll")
    return table


def numbers_under(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Element:
    """Return a figure's numbers, folded up."""
    return tag("details", tag("summary", "The numbers"), table_of(head, rows))


def agent_name(row: Data) -> Element:
    """Return an agent with its place in the standings."""
    number = tag("span", f"{row['rank']} ", class_="rank")
    if row["name"]:
        return tag("span", number, tag("span", row["name"], title=row["agent"]), class_="agent")
    return tag("span", number, tag("span", row["agent"]), class_="agent")


def other_name(pair: Data) -> Element:
    """Return the second agent of a pair."""
    return agent_name({"rank": pair["other_rank"], "agent": pair["other"], "name": pair["other_name"]})


def pair_name(pair: Data, many: bool) -> Element:
    """Return both agents of a pair, by their places alone where there are many."""
    if many:
        names = f"{pair['agent']} over {pair['other']}"
        return tag("span", f"{pair['rank']}", tag("small", " over "), f"{pair['other_rank']}", title=names)
    over = tag("span", f"over {pair['other_rank']} ", class_="rank over")
    return tag(
        "span", agent_name(pair), tag("span", over, tag("span", pair["other_name"] or pair["other"]), class_="agent")
    )


def two_lines(above: str, below: str) -> Element:
    """Return a cell with something small below."""
    return tag("td", above, tag("br"), tag("small", below))


def tinted(cell: Element, strength: float) -> Element:
    """Return a cell made blue for more and orange for less than even, -1 to 1."""
    colour = "23, 100, 171" if strength > 0 else "214, 110, 30"
    cell.set("style", f"background: rgba({colour}, {0.4 * min(1.0, abs(strength)):.2f})")
    return cell


def cross_cell(by_ranks: dict[tuple[int, int], Data], rank: int, other: int, scoring: Scoring) -> Element:
    """Return what the agent of the row earned with that of the column."""
    if rank == other:
        return tag("td", "·", class_="self")
    pair = by_ranks.get((min(rank, other), max(rank, other)))
    if pair is None:
        return tag("td", tag("small", "never met"))
    mine = rank < other
    payoff = pair["mean_payoff" if mine else "other_mean_payoff"]
    counts = [pair[name] for name in (("before", "level", "behind") if mine else ("behind", "level", "before"))]
    difference = pair["difference"] if mine else -pair["difference"]
    shown = two_lines(scoring.mean_text(payoff), " – ".join(f"{number:,}" for number in counts))
    return tinted(shown, difference / scoring.span)


def seat_cell(cell: Data, row: Data, scoring: Scoring) -> Element:
    """Return how an agent did in a seat, beside its whole row."""
    if not cell["games"]:
        return tag("td", tag("small", "never"))
    if not scoring.by_wins:
        mean = two_lines(scoring.mean_text(cell["mean_payoff"]), scoring.span_text(cell["payoff_interval"]))
        return tinted(mean, 3 * (cell["mean_payoff"] - row["mean_payoff"]) / scoring.span)
    rate = cell["wins"] / cell["games"]
    counts = f"{cell['wins']:,} – {cell['draws']:,} – {cell['losses']:,}"
    return tinted(two_lines(f"{rate:.1%}", counts), 3 * (rate - row["win_rate"]))


def team_cell(partners: Data | None, scoring: Scoring) -> Element:
    """Return what agents scored together."""
    if partners is None:
        return tag("td", tag("small", "never"))
    shown = two_lines(scoring.mean_text(partners["mean_payoff"]), scoring.span_text(partners["payoff_interval"]))
    middle = (scoring.least + scoring.most) / 2
    return tinted(shown, 2 * (partners["mean_payoff"] - middle) / scoring.span)


def value_cell(mean: float | None, moves: int, sure: int) -> Element:
    """Return a mean value and the number of moves behind it."""
    counts = f"{moves:,} + {sure:,} sure" if sure else f"{moves:,} moves"
    return two_lines("–" if mean is None else number_text(mean), counts)
