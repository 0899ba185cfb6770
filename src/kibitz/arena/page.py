"""The page of a report: one HTML file that needs nothing else, with every figure's numbers under it."""

from collections.abc import Iterable, Sequence
from math import log10
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from kibitz import __version__
from kibitz.arena import chart
from kibitz.arena.chart import Line, Scale
from kibitz.arena.markup import document, tag
from kibitz.arena.sheet import duration, span

SURE = 0.05  # a p value below it is called clear
FASTEST = 1e-6  # seconds: what is kept is rounded to it, and a logarithm knows no 0
MOST_COMPOSITIONS = 60  # shown; all are in --json
STYLES = ("s1", "s2", "s3", "s4", "s5", "s6")

Data = dict[str, Any]


def page(data: Data) -> str:
    """Return the whole page."""
    title = f"{data['plan']['game']}: {data['plan']['scheme']} of {len(data['plan']['agents'])} agents"
    parts = [part for part in (section(data) for section in _SECTIONS) if part is not None]
    links = [tag("a", part[0].text or "", href=f"#{part.get('id')}") for part in parts]
    return document(
        tag("html",
            tag("head",
                tag("meta", charset="utf-8"),
                tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
                tag("title", f"{title} – Kibitz"),
                tag("style", Path(__file__).with_name("page.css").read_text(encoding="utf-8"))),
            tag("body",
                tag("main", tag("h1", title), _lead(data), _facts(data), tag("nav", links), parts),
                _footer(data)),
            lang="en")
    )  # fmt: skip


# What stands above the figures


def _lead(data: Data) -> list[Element]:
    told = []
    left = data["planned"] - data["played"]
    if left > 0:
        told.append(_p(f"This run is not finished: {left:,} of {data['planned']:,} games are still to be played, and all "
                       "numbers below are of the games so far.", "alert"))  # fmt: skip
    if not data["standings"]:
        return [*told, _p("No game has been played yet, so there is nothing to show but the plan.", "lead")]
    best = data["standings"][0]
    lead = [tag("strong", best["agent"]), f" leads with a rating of {_points(best['rating'])} "
            f"(95 % interval {_points_span(best['interval'])}) and {best['win_rate']:.1%} of its games won"]  # fmt: skip
    if len(data["standings"]) > 1:
        sure = data["better"][0][1]
        lead += [f"; that it is stronger than {data['standings'][1]['agent']}, the next, is {_chance(sure)} likely"]
    return [*told, tag("p", lead, ".", class_="lead")]


def _facts(data: Data) -> Element:
    facts = [("games", f"{data['played']:,}"), ("different games", f"{data['distinct']:,}")]
    facts += [(_REASONS[reason], f"{count:,}") for reason, count in data["reasons"].items()]
    if data.get("speed"):
        facts += [("a game took", duration(data["speed"]["seconds_per_game"])),
                  ("all thinking", _long(data["speed"]["seconds"]))]  # fmt: skip
    facts += [("begun", f"{data['begun']} UTC")]
    return tag("dl", [tag("div", tag("dt", name), tag("dd", value)) for name, value in facts], class_="facts")


def _footer(data: Data) -> Element:
    return tag("footer", tag("p", f"Made by Kibitz {__version__} from run {data['run']}."), tag("p", "The same numbers: ", tag(
        "code", f"kibitz report {data['run']} --json"), ", and one row a game and seat with ", tag("code", "--csv FILE"),
        " or ", tag("code", "--parquet FILE"), ". Methods: docs/statistics.md of Kibitz."))  # fmt: skip


# The figures, from the top


def _standings(data: Data) -> Element | None:
    if not data["standings"]:
        return None
    head = ("agent", "rating", "games", "won", "drawn", "lost", "win rate", "mean payoff", "time a move")
    rows = [
        (_agent(row), _two(_points(row["rating"]), _points_span(row["interval"])), row["games"], row["wins"],
         row["draws"], row["losses"], _two(f"{row['win_rate']:.1%}", span(row["win_interval"])),
         f"{row['mean_payoff']:.3f}", duration(row["seconds_per_move"]))
        for row in data["standings"]
    ]  # fmt: skip
    return _section(
        "Standings", _table(head, rows), [_p(note, "note") for note in data["notes"]],
        _p("Whether all agents may be equally strong: " + _verdict(data["equally_strong"]), "note"),
        _p("Won: earned more than every other seat. Drawn: shared the most with others. The payoff of a game is 0 to 1. "
           "Below a rating and a rate of wins: the 95 % interval.", "note"),
    )  # fmt: skip


def _ratings(data: Data) -> Element | None:
    rows = data["standings"]
    if not rows:
        return None
    numbers = [(_agent(row), row["rating"], row["interval"], f"{_points(row['rating'])} ± {_half(row['interval']):.0f}")
               for row in rows]  # fmt: skip
    return _section(
        "Ratings", _intervals(numbers, 0.0, _points),
        _data(("agent", "rating", "from", "to"),
              [(_agent(row), f"{row['rating']:.2f}", *(f"{end:.2f}" for end in row["interval"])) for row in rows]),
        _how("Plackett-Luce strengths from finishing orders on the scale of Elo, where 400 points are odds of 10 to 1; "
             "0 is the mean of these agents, and intervals count blocks of games on one deal, not games.", "Ratings"),
    )  # fmt: skip


def _better(data: Data) -> Element | None:
    rows = data["standings"]
    if len(rows) < 2:
        return None
    head = ("agent", *(f"{row['rank']}" for row in rows))
    cells = []
    for row, chances in zip(rows, data["better"], strict=True):
        tints = (_own() if chance is None else _tinted(tag("td", _chance(chance)), 2 * chance - 1) for chance in chances)
        cells.append([_agent(row), *tints])
    return _section(
        "Who is stronger", _p("How likely the agent of the row is stronger than that of the column."),
        _table(head, cells),
        _data(("agent", "than", "likely"), [
            (_agent(row), _agent(other), f"{chance:.6g}")
            for row, chances in zip(rows, data["better"], strict=True)
            for other, chance in zip(rows, chances, strict=True) if chance is not None]),
        _how("From the ratings and how their errors go together, taken as normal.", "Ratings"),
    )  # fmt: skip


def _cross(data: Data) -> Element | None:
    met = data.get("encounters")
    if not met:
        return None
    rows, many = data["standings"], len(data["seat_names"]) > 2
    by_ranks = {(pair["rank"], pair["other_rank"]): pair for pair in met}
    cells = [[_agent(row), *(_cross_cell(by_ranks, row["rank"], other["rank"]) for other in rows)] for row in rows]
    counted = "finished before – level with – behind it" if many else "wins – draws – losses"
    numbers = [(_pair(pair), pair["difference"], pair["interval"], f"{pair['difference']:+.3f}, p {_p_value(pair['p_holm'])}")
               for pair in met]  # fmt: skip
    head = ("agent", "other", "games", "before", "level", "behind", "mean payoff", "other's", "difference", "from",
            "to", "p", "p (Holm)", "blocks")  # fmt: skip
    table = [
        (_agent(pair), _other(pair), pair["games"], pair["before"], pair["level"], pair["behind"],
         f"{pair['mean_payoff']:.4f}", f"{pair['other_mean_payoff']:.4f}", f"{pair['difference']:+.4f}",
         *(f"{end:+.4f}" for end in pair["interval"]), _p_value(pair["p"]), _p_value(pair["p_holm"]), pair["blocks"])
        for pair in met
    ]  # fmt: skip
    rough = any(pair["rough"] for pair in met)
    return _section(
        "Cross table",
        _p(f"Mean payoff of the row's agent in games with the column's, and {counted}"
           + (", counted for every pair of their seats." if many else ".")),
        _table(("agent", *(str(row["rank"]) for row in rows)), cells),
        tag("h3", "What one earns more than another in the same games"),
        _intervals(numbers, 0.0, lambda value: f"{value:+.2g}" if value else "0"),
        _data(head, table),
        _p("There are few blocks: intervals are a rough guide.", "note") if rough else None,
        _how("Paired over common deals, with 95 % intervals from resampled blocks; p values are corrected for the number "
             f"of pairs by Holm's method, and differences with p below {SURE} are clear.",
             "by how much is one agent better than another?"),
    )  # fmt: skip


def _seats(data: Data) -> Element | None:
    if not data["standings"]:
        return None
    found, seats = data["seats"], data["seats"]["seats"]
    fair = found["decided"] / data["played"] / len(seats)
    numbers = [(tag("span", seat["name"]), seat["win_rate"], seat["win_interval"],
                f"{seat['win_rate']:.1%} ({seat['wins']:,})") for seat in seats]  # fmt: skip
    worth = [] if found["kept"] else [_points(seat["points"]) for seat in seats]
    spans = [] if found["kept"] else [_points_span(seat["interval"]) for seat in seats]
    head = ("seat", "games", "won", "drawn", "lost", "win rate", "95 % interval", "mean payoff",
            *(("worth", "95 % interval") if worth else ()))  # fmt: skip
    rows = [
        (seat["name"], seat["games"], seat["wins"], seat["draws"], seat["losses"], f"{seat['win_rate']:.2%}",
         span(seat["win_interval"]), f"{seat['mean_payoff']:.4f}", *([worth[at], spans[at]] if worth else []))
        for at, seat in enumerate(seats)
    ]  # fmt: skip
    by_seat = [
        [_agent(row), *(_seat_cell(cell, row["win_rate"]) for cell in row["by_seat"])] for row in data["standings"]
    ]
    told = "The agents kept their seats, so this shows the agents as much as the seats." if found["kept"] else (
        "A seat is worth, in points of the rating and apart from who sat there: "
        + ", ".join(f"{seat['name']} {points}" for seat, points in zip(seats, worth, strict=True)) + ".")  # fmt: skip
    return _section(
        "Seats", _intervals(numbers, fair, lambda value: f"{value:.0%}"), _data(head, rows),
        _p("Dashed: what every seat would win if seats were equal. Whether they may be: " + _verdict(found["equal"])),
        _p(told),
        tag("h3", "Agents by seat"), _p("Rate of wins in each seat, and wins – draws – losses.", "note"),
        _table(("agent", *data["seat_names"]), by_seat),
        _how("Intervals of rates by Wilson's method; the test of seats counts a deal once, however many games were "
             "played on it.", "do all seats win equally often?"),
    )  # fmt: skip


def _compositions(data: Data) -> Element | None:
    found = data.get("compositions")
    if not found:
        return None
    rows = []
    for table in found[:MOST_COMPOSITIONS]:
        for at, row in enumerate(table["agents"]):
            rows.append((
                f"{table['games']:,}" if at == 0 else "", _agent(row), row["seats"], row["wins"],
                _tinted(tag("td", f"{row['win_rate']:.1%}"), row["win_rate"] - row["fair"]), span(row["win_interval"]),
                f"{row['fair']:.1%}", f"{row['mean_payoff']:.3f}",
            ))  # fmt: skip
    more = len(found) - MOST_COMPOSITIONS
    return _section(
        "Tables with copies",
        _p("Who won where several copies of an agent sat at one table; a win of any copy counts. "
           "The fair share is that of the seats."),
        _table(("games", "agent", "seats", "won", "win rate", "95 % interval", "fair share", "payoff a seat"), rows, 1),
        _p(f"{more} more compositions are in --json.", "note") if more > 0 else None,
    )  # fmt: skip


def _lengths(data: Data) -> Element | None:
    found = data.get("lengths")
    if not found:
        return None
    bars = [(_bin(entry), entry["games"]) for entry in found["bins"]]
    told = (f"Games had {found['mean']:.1f} moves on average, half of them at most {found['median']:g}; the shortest "
            f"{found['shortest']:,}, the longest {found['longest']:,}.")  # fmt: skip
    return _section(
        "Length of games", _p(told),
        tag("figure", tag("figcaption", "Games by number of moves", class_="note"),
            chart.histogram(bars, "Games by number of moves", told)),
        _data(("moves", "games"), bars),
    )  # fmt: skip


def _times(data: Data) -> Element | None:
    found = data.get("times")
    if not found:
        return None
    speed = data["speed"]
    told = f"{data['played']:,} games with {speed['plies']:,} moves took {_long(speed['seconds'])} of thinking"
    if speed["games_per_second"]:
        told += (f": {_rate(speed['games_per_second'])} games or {_rate(speed['moves_per_second'])} moves a second "
                 "for one worker")  # fmt: skip
    rows = [(_agent(row), row["moves"], duration(row["seconds"]), _time(row["seconds_per_move"]), _time(row["longest"]))
            for row in found]  # fmt: skip
    return _section(
        "Time", _p(told + "."),
        _table(("agent", "moves", "in all", "mean a move", "longest move"), rows), *_time_course(data, found),
    )  # fmt: skip


def _time_course(data: Data, found: Sequence[Data]) -> list[Element | None]:
    head = tag("h3", "Time a move over the game")
    if data["no_course"]:
        return [head, _p(f"There is no such figure: {data['no_course']}.")]
    lines = {row["rank"]: [((part["from"] + part["to"]) / 2, max(FASTEST, part["median"])) for part in row["course"]]
             for row in found}  # fmt: skip
    plies = [part[end] for row in found for part in row["course"] for end in ("from", "to")]
    across = chart.round_scale([0, max(plies)], lambda value: f"{value:g}")
    down = chart.power_scale([y for points in lines.values() for _, y in points], duration)
    panels = []
    for row in found:
        if row["course"]:
            others = [Line("other", points) for rank, points in lines.items() if rank != row["rank"]]
            told = (f"From {duration(lines[row['rank']][0][1])} at the beginning to "
                    f"{duration(lines[row['rank']][-1][1])} at the end.")  # fmt: skip
            shown = chart.plot([*others, Line("s1", lines[row["rank"]])], across, down,
                               f"Time a move of {row['agent']}", told)  # fmt: skip
            panels.append(_panel(row, shown))
    table = [(_agent(row), _bin(part), part["moves"], duration(part["median"]), duration(part["longest"]))
             for row in found for part in row["course"]]  # fmt: skip
    return [
        head, _p("Median by number of moves made before; grey: the other agents. Each line up is ten times as long.", "note"),
        tag("div", panels, class_="panels"), _data(("agent", "after moves", "moves", "median", "longest"), table),
    ]  # fmt: skip


def _values(data: Data) -> Element | None:
    found = data.get("values")
    if found is None:
        return None
    if not found:
        return _section("Values over the game", _p(f"There is no such figure: {data['no_values']}."))
    names = data["seat_names"]
    seat_lines = [[(STYLES[seat % len(STYLES)], name, row["by_seat"][seat]) for seat, name in enumerate(names)]
                  for row in found]  # fmt: skip
    ends = [[("s1", "in games it won", row["won"]), ("s2", "in the others", row["not_won"])] for row in found]
    return _section(
        "Values over the game",
        _p("What an agent thought its own seat was worth when it had to move, on average, from the first tenth of a game "
           "to the last. Every agent has a scale of its own. Moves at which it saw the end of the game are left out of the "
           "mean; the numbers say how many."),
        tag("h3", "By seat"), _legend(seat_lines[0]), _value_panels(found, seat_lines),
        _value_data(found, seat_lines, "seat"),
        tag("h3", "Did it know?"), _legend(ends[0]), _value_panels(found, ends), _value_data(found, ends, "games"),
    )  # fmt: skip


def _value_panels(found: Sequence[Data], lines: Sequence[Sequence[tuple[str, str, Data]]]) -> Element:
    panels = []
    for row, drawn in zip(found, lines, strict=True):
        points = {name: [(part + 0.5, mean) for part, mean in enumerate(means["mean"])] for _, name, means in drawn}
        known = [mean for line in points.values() for _, mean in line if mean is not None]
        parts = len(drawn[0][2]["mean"])
        across = Scale(0, parts, [0, parts / 2, parts], lambda at, parts=parts: _PART[at / parts])  # type: ignore[misc]
        down = chart.round_scale(known, lambda value: f"{value:.4g}", 3)
        told = f"Mean values lie between {min(known):.4g} and {max(known):.4g}."
        shown = chart.plot([Line(style, points[name]) for style, name, _ in drawn], across, down,
                           f"Values of {row['agent']}", told)  # fmt: skip
        panels.append(_panel(row, shown))
    return tag("div", panels, class_="panels")


def _value_data(found: Sequence[Data], lines: Sequence[Sequence[tuple[str, str, Data]]], what: str) -> Element:
    parts = len(lines[0][0][2]["mean"])
    rows = [
        (_agent(row), name, *map(_value_cell, means["mean"], means["moves"], means["sure"]))
        for row, drawn in zip(found, lines, strict=True)
        for _, name, means in drawn
    ]  # fmt: skip
    return _data(("agent", what, *(f"tenth {part + 1}" for part in range(parts))), rows)


def _faults(data: Data) -> Element | None:
    found = data.get("faults")
    if not found or not found["games"]:
        return None
    rows = [(_agent(row), _REASONS[row["reason"]], row["games"]) for row in found["agents"]]
    more = found["games"] - len(found["told"])
    return _section(
        "Faults", _p(f"In {found['games']:,} games a seat failed; it lost, and the others shared the win."),
        _table(("agent", "how", "games"), rows),
        tag("details", tag("summary", "What was told"), tag("ul", [tag("li", told) for told in found["told"]]),
            _p(f"{more:,} more are in the ledger.") if more > 0 else None),
    )  # fmt: skip


def _plan(data: Data) -> Element:
    plan = data["plan"]
    limits = {name: value for name, value in plan["limits"].items() if value}
    rows = [
        ("game", plan["game"]), ("rules", "" if data["rules"] is None else f"version {data['rules']}"),
        ("agents", tag("ol", [tag("li", tag("code", agent)) for agent in plan["agents"]])), ("scheme", plan["scheme"]),
        ("hero", plan["hero"]), ("games planned", f"{data['planned']:,}"), ("seed", str(plan["seed"])),
        ("openings", f"{plan['openings']} random moves" if plan["openings"] else "none"),
        ("stop", plan["stop"] and ", ".join(f"{name} {value}" for name, value in plan["stop"].items())),
        ("limits", ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in limits.items()) or "none"),
        ("hooks", ", ".join(plan["hooks"])), ("run", tag("code", data["run"])), ("begun", f"{data['begun']} UTC"),
        ("played by", f"Kibitz {data['kibitz']}"), ("digest", tag("code", data["digest"])),
    ]  # fmt: skip
    return _section(
        "What was played",
        _p("Every seating of the scheme was played equally often, all seatings of a block on the same deal. "
           "The digest is equal for equal results."),
        tag("div", tag("table", tag("tbody", [
            tag("tr", tag("th", name, scope="row", class_="name"), tag("td", value, class_="words"))
            for name, value in rows if value])), class_="scroll"),
    )  # fmt: skip


_SECTIONS = (
    _standings, _ratings, _better, _cross, _seats, _compositions, _lengths, _times, _values, _faults, _plan,
)  # fmt: skip
_REASONS = {
    "won": "won", "drawn": "drawn", "cap": "drawn by the limit of moves", "time": "out of time", "nodes": "too many nodes",
    "memory": "out of memory", "illegal": "illegal move", "crash": "crashed",
}  # fmt: skip
_PART = {0.0: "first move", 0.5: "half", 1.0: "last move"}


# Parts of figures


def _section(title: str, *parts: Any) -> Element:
    name = title.lower().replace(" ", "-")
    return tag("section", tag("h2", title), *parts, id=name)


def _p(text: Any, style: str = "") -> Element:
    return tag("p", text, class_=style) if style else tag("p", text)


def _how(told: str, section: str) -> Element:
    return _p(f"{told} More: docs/statistics.md, “{section}”.", "note")


def _intervals(rows: Iterable[tuple[Element, float, Sequence[float], str]], reference: float, label: Any) -> Element:
    """Return rows with a name, a dot with its error bar, and the numbers."""
    rows = list(rows)
    scale = chart.round_scale([reference, *(end for _, _, ends, _ in rows for end in ends)], label)
    lines = [
        tag("tr", tag("th", name, class_="name", scope="row"),
            tag("td", chart.interval(value, ends, scale, reference, shown), class_="pic"),
            tag("td", shown, class_="figures"))
        for name, value, ends, shown in rows
    ]  # fmt: skip
    last = tag("tr", tag("td"), tag("td", chart.axis(scale), class_="pic"), tag("td"))
    return tag("figure", tag("table", tag("tbody", lines, last), class_="rows"))


def _panel(row: Data, shown: Element) -> Element:
    return tag("figure", tag("figcaption", _agent(row), title=row["agent"]), shown)


def _legend(lines: Sequence[tuple[str, str, Data]]) -> Element:
    strokes = [
        tag("li", tag("svg", tag("polyline", points="0,6 34,6", class_=style), width=34, height=12, aria_hidden="true"), name)
        for style, name, _ in lines
    ]
    return tag("ul", strokes, class_="legend")


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]], named: int = 0) -> Element:
    """Return a table; cells in the column `named`, and all that are elements but no cells, are names."""
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
    return tag("div", tag("table", tag("thead", tag("tr", top)), tag("tbody", body)), class_="scroll")


def _data(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Element:
    return tag("details", tag("summary", "The numbers"), _table(head, rows))


def _agent(row: Data) -> Element:
    return tag("span", tag("span", f"{row['rank']}", class_="rank"), f" {row['agent']}")


def _other(pair: Data) -> Element:
    return _agent({"rank": pair["other_rank"], "agent": pair["other"]})


def _pair(pair: Data) -> Element:
    return tag("span", _agent(pair), tag("small", " over "), _other(pair))


def _two(above: str, below: str) -> Element:
    return tag("td", above, tag("br"), tag("small", below))


def _own() -> Element:
    return tag("td", "·", class_="self")


def _tinted(cell: Element, strength: float) -> Element:
    """Return a cell made blue for more and orange for less than even, -1 to 1."""
    colour = "23, 100, 171" if strength > 0 else "214, 110, 30"
    cell.set("style", f"background: rgba({colour}, {0.4 * min(1.0, abs(strength)):.2f})")
    return cell


def _cross_cell(by_ranks: dict[tuple[int, int], Data], rank: int, other: int) -> Element:
    if rank == other:
        return _own()
    pair = by_ranks.get((min(rank, other), max(rank, other)))
    if pair is None:
        return tag("td", tag("small", "never met"))
    mine = rank < other
    payoff = pair["mean_payoff" if mine else "other_mean_payoff"]
    counts = [pair[name] for name in (("before", "level", "behind") if mine else ("behind", "level", "before"))]
    difference = pair["difference"] if mine else -pair["difference"]
    shown = _two(f"{payoff:.3f}", " – ".join(f"{number:,}" for number in counts))
    return _tinted(shown, difference)


def _seat_cell(cell: Data, usual: float) -> Element:
    if not cell["games"]:
        return tag("td", tag("small", "never"))
    rate = cell["wins"] / cell["games"]
    counts = f"{cell['wins']:,} – {cell['draws']:,} – {cell['losses']:,}"
    return _tinted(_two(f"{rate:.1%}", counts), 3 * (rate - usual))


def _value_cell(mean: float | None, moves: int, sure: int) -> Element:
    return _two("–" if mean is None else f"{mean:.4g}", f"{moves:,}" + (f" + {sure:,} sure" if sure else " moves"))


# Numbers as text


def _points(value: float) -> str:
    return f"{value:+.0f}".replace("+0", "0") if abs(value) < 0.5 else f"{value:+.0f}"


def _points_span(ends: Sequence[float]) -> str:
    return f"{_points(ends[0])} … {_points(ends[1])}"


def _half(ends: Sequence[float]) -> float:
    return (ends[1] - ends[0]) / 2


def _chance(chance: float) -> str:
    if chance > 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if chance < 0.0005 else f"{100 * chance:.1f} %"


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _verdict(found: Data) -> str:
    if found["method"] == "too few games":
        return "there are too few games to tell."
    p = f"p {_p_value(found['p'])}" if found["p"] < 0.001 else f"p = {_p_value(found['p'])}"
    answer = "clearly not" if found["p"] < SURE else "nothing speaks against it"
    return f"{answer} ({p}; {found['method']} {found['statistic']:.1f} with {found['freedom']} degrees of freedom)."


def _bin(entry: Data) -> str:
    return f"{entry['from']}" if entry["from"] == entry["to"] else f"{entry['from']}–{entry['to']}"


def _time(seconds: float | None) -> str:
    return "–" if seconds is None else duration(seconds)


def _long(seconds: float) -> str:
    """Return a time of any length as text."""
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return duration(seconds)


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.{max(1, 1 - int(log10(number)))}f}"
