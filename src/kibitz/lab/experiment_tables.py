"""Outcomes of experiments as tables in the terminal, in Markdown, and as an HTML page without other files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from kibitz import __version__
from kibitz.arena.show.report.chart import Curve, plot, round_scale
from kibitz.arena.show.report.markup import document, tag
from kibitz.arena.show.report.page_parts import legend
from kibitz.arena.show.text import duration
from kibitz.core.user_files import whole_file
from kibitz.lab.finding import Finding
from kibitz.lab.runner import Outcome

HEADINGS = ("what", "published", "measured", "95 %", "same direction", "compatible")
SHORT_HEADINGS = ("what", "published", "measured", "95 %", "way", "fits")  # where there is little room
WRAPPED = ("what", "measured")  # columns that may wrap in a terminal
LEAST_WIDTH = 20  # of the first column there
STYLES = 6  # of lines in a figure
MOST_POINTS = 12  # of a curve in a table
PAGE, TABLE = "results.html", "results.md"


def cells(finding: Finding) -> tuple[str, ...]:
    """Return a finding as texts, one for each heading."""
    interval = "" if finding.interval is None else f"{_number(finding.interval[0])} to {_number(finding.interval[1])}"
    unit = f" {finding.unit}" if finding.unit else ""
    published = "–" if finding.published is None else _number(finding.published)
    published += unit if isinstance(finding.published, float | int) else ""
    return (
        finding.what, published, f"{_number(finding.measured)}{unit}", interval, _answer(finding.direction),
        _answer(finding.compatible),
    )  # fmt: skip


def summary(outcome: Outcome) -> str:
    """Return in a sentence how many findings agree with the published numbers."""
    pointed = [row.direction for row in outcome.rows if row.direction is not None]
    judged = [row.compatible for row in outcome.rows if row.compatible is not None]
    told = [f"{sum(judged)} of {len(judged)} figures compatible"] if judged else []
    told += [f"{sum(pointed)} of {len(pointed)} in the same direction"] if pointed else []
    time = f"{duration(outcome.seconds)} at scale {outcome.scale:g}"
    return f"{', '.join(told)}; {time}" if told else time


def terminal_parts(outcome: Outcome) -> Iterator[Any]:
    """Yield an outcome as parts for the terminal."""
    table = Table(title=escape(f"{outcome.title} ({outcome.experiment})"), title_justify="left")
    for number, heading in enumerate(SHORT_HEADINGS):
        table.add_column(
            heading, justify="left" if number == 0 else "right", no_wrap=heading not in WRAPPED,
            min_width=LEAST_WIDTH if number == 0 else None,
        )  # fmt: skip
    last = ""
    for row in outcome.rows:
        trial, _, what = row.what.partition(": ")
        if trial != last:
            table.add_section()
            table.add_row(f"[bold]{escape(trial)}")
        last = trial
        table.add_row(*map(escape, (f"  {what}", *cells(row)[1:])))
    yield table
    for why in dict.fromkeys(row.why for row in outcome.rows if row.why):
        yield escape(f"Why they differ: {why}")
    yield f"{summary(outcome)}."
    yield "way: whether both point the same way; fits: whether chance alone may be the difference."


def write_pages(outcomes: Sequence[Outcome], folder: Path) -> list[Path]:
    """Write the page and the Markdown table of all outcomes into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in ((PAGE, page(outcomes)), (TABLE, markdown(outcomes))):
        with whole_file(folder / name, overwrite=True) as file:
            file.write(text)
        written.append(folder / name)
    return written


def markdown(outcomes: Sequence[Outcome]) -> str:
    """Return all outcomes as one Markdown document."""
    parts = ["# Published and measured\n", f"Made by `kibitz experiment report` of Kibitz {__version__}.\n"]
    for outcome in outcomes:
        parts += [f"## {_plain(outcome.title)}\n", _plain(_source(outcome)) + "\n"]
        parts += [f"{_plain(text)}\n" for text in _told(outcome)]
        parts += _table(HEADINGS, map(cells, outcome.rows))
        parts += [f"\n{summary(outcome)}.\n"]
        for row in outcome.rows:
            if row.curves:
                parts += [f"{_plain(row.what)}, by turn:\n", *_table(("turn", *row.curves), points(row.curves)), ""]
        parts += [f"* {_plain(why)}\n" for why in dict.fromkeys(row.why for row in outcome.rows if row.why)]
    return "\n".join(parts)


def points(curves: Mapping[str, Sequence[float]]) -> Iterator[tuple[str, ...]]:
    """Yield rows of a table of curves at equal distances: a turn, and the height of each curve there."""
    turns = max(map(len, curves.values()))
    for turn in range(1, turns + 1, max(1, ceil(turns / MOST_POINTS))):
        yield str(turn), *(_number(curve[turn - 1]) if turn <= len(curve) else "" for curve in curves.values())


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = ["| " + " | ".join(map(_cell, headings)) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    return lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]


def _cell(text: str) -> str:
    """Return a text that stays in its cell of a Markdown table."""
    return " ".join(_plain(text).replace("|", "\\|").splitlines())


def _plain(text: str) -> str:
    """Return a text for Markdown with HTML escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def page(outcomes: Sequence[Outcome]) -> str:
    """Return all outcomes as one HTML page without other files."""
    css = Path(__file__).parents[1] / "arena" / "show" / "report" / "page.css"
    title = "Published and measured"
    links = [tag("a", outcome.title, href=f"#{_anchor(outcome, place)}") for place, outcome in enumerate(outcomes)]
    sections = [_section(outcome, _anchor(outcome, place)) for place, outcome in enumerate(outcomes)]
    return document(
        tag("html",
            tag("head",
                tag("meta", charset="utf-8"),
                tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
                tag("title", f"{title} – Kibitz"),
                tag("style", css.read_text(encoding="utf-8"))),
            tag("body",
                tag("main", tag("h1", title), tag("nav", links), sections),
                tag("footer", tag("p", f"Made by Kibitz {__version__}: kibitz experiment report."))),
            lang="en")
    )  # fmt: skip


def _anchor(outcome: Outcome, place: int) -> str:
    """Return the anchor of a section; a user's own files may have any name."""
    return f"own-{place}" if outcome.file else outcome.experiment


def _section(outcome: Outcome, anchor: str) -> Any:
    head = _row("th", HEADINGS)
    rows = [_row("td", cells(row)) for row in outcome.rows]
    told = [tag("p", text) for text in _told(outcome)]
    whys = [tag("li", why) for why in dict.fromkeys(row.why for row in outcome.rows if row.why)]
    figures = [figure(row.what, row.curves) for row in outcome.rows if row.curves]
    return tag(
        "section", tag("h2", outcome.title), tag("p", _source(outcome)), told,
        tag("table", tag("thead", head), tag("tbody", rows)), figures, tag("p", summary(outcome)),
        tag("ul", whys) if whys else None, id=anchor,
    )  # fmt: skip


def figure(what: str, curves: Mapping[str, Sequence[float]]) -> Any:
    """Return curves over turns as a figure with its legend."""
    styles = {name: f"s{1 + number % STYLES}" for number, name in enumerate(curves)}
    lines = [
        Curve(styles[name], [(turn, height) for turn, height in enumerate(curve, 1)]) for name, curve in curves.items()
    ]
    across = round_scale([1, *(len(curve) for curve in curves.values())], _number)
    down = round_scale([0.0, *(height for curve in curves.values() for height in curve)], _number)
    named: list[tuple[str, str, dict[str, Any]]] = [(style, name, {}) for name, style in styles.items()]
    shown = plot(lines, across, down, what, f"A line for each of {', '.join(curves)}, over the turns of a seat.")
    return tag("figure", tag("figcaption", f"{what}, by turn"), legend(named), shown)


def _row(kind: str, texts: Sequence[str]) -> Any:
    first, *others = texts
    return tag("tr", tag(kind, first, class_="name"), [tag(kind, text) for text in others])


def _source(outcome: Outcome) -> str:
    document, place = (outcome.texts.get(key, "") for key in ("document", "place"))
    return f"Source: {document}{', ' if place else ''}{place}." if document else ""


def _told(outcome: Outcome) -> list[str]:
    return [outcome.texts[key] for key in ("about", "choices", "cause") if outcome.texts.get(key)]


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,.6g}"


def _answer(held: bool | None) -> str:
    return "" if held is None else "yes" if held else "no"
