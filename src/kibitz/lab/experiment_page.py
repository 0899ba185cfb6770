"""Outcomes of experiments as an HTML page without other files."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.arena.show.report.chart import Curve, plot, round_scale
from kibitz.arena.show.report.markup import document, tag
from kibitz.arena.show.report.page_parts import legend
from kibitz.lab.chance_verdicts import chance_count
from kibitz.lab.experiment_outcome import Outcome, TrialOutcome, number_text
from kibitz.lab.finding import Finding
from kibitz.lab.forest_plot import plots
from kibitz.lab.report_texts import (
    LEGEND,
    by_seed_text,
    chance_text,
    difference_text,
    interval_text,
    made_text,
    notes_of,
    origin_text,
    others_text,
    p_text,
    published_text,
    scales_text,
    settings_text,
    source_text,
    summary,
    told_above,
    trial_lines,
    verdict_text,
    whys,
    with_unit,
)

HEADINGS = ("what", "from", "published", "measured", "95 %", "", "difference", "p, corrected", "verdict")
WORDS = (HEADINGS[0], HEADINGS[-1])  # columns of words
STYLES = 6  # of lines in a figure
STYLE = """
main { --wide: min(96vw, 90rem); } body { max-width: 90rem; }
td.plot { min-width: 13rem; padding: 0; } td.plot svg { display: block; }
tr.trial th { text-align: left; color: var(--ink); white-space: normal; padding-top: .8rem; }
tr.trial details { margin: .1rem 0; font-weight: 400; } tr.trial li { overflow-wrap: anywhere; }
td.verdict { text-align: left; white-space: normal; min-width: 9rem; }
"""


def page(outcomes: Sequence[Outcome], ledger: str = "experiments.db") -> str:
    """Return all outcomes as one HTML page without other files; `ledger` is the file with their games."""
    css = Path(__file__).parents[1] / "arena" / "show" / "report" / "page.css"
    title = "Published and measured"
    links = [tag("a", outcome.title, href=f"#{_anchor(outcome, place)}") for place, outcome in enumerate(outcomes)]
    sections = [_section(outcome, _anchor(outcome, place), ledger) for place, outcome in enumerate(outcomes)]
    chance = chance_text(chance_count(outcomes))
    key = legend([("s2", "published", {}), ("s1", "measured, with its 95 % interval", {})])
    return document(
        tag("html",
            tag("head",
                tag("meta", charset="utf-8"),
                tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
                tag("title", f"{title} – Kibitz"),
                tag("style", css.read_text(encoding="utf-8") + STYLE)),
            tag("body",
                tag("main", tag("h1", title), tag("p", scales_text(outcomes)),
                    tag("p", LEGEND.replace("*", "")), key, tag("nav", links), sections,
                    [tag("h2", "What chance would do"), tag("p", chance)] if chance else None),
                tag("footer", tag("p", f"Made by Kibitz {__version__}: kibitz experiment report."))),
            lang="en")
    )  # fmt: skip


def _anchor(outcome: Outcome, place: int) -> str:
    """Return the anchor of a section; a user's own files may have any name."""
    return f"own-{place}" if outcome.file else outcome.experiment


def _section(outcome: Outcome, anchor: str, ledger: str) -> Any:
    head = tag("tr", [tag("th", name, class_="name" if name in WORDS else "number") for name in HEADINGS])
    rows = [row for trial in outcome.trials for row in _rows(trial, ledger)]
    told = [tag("p", text) for text in filter(None, (source_text(outcome), *told_above(outcome)))]
    below = [tag("li", text) for text in (*whys(outcome), *notes_of(outcome))]
    others = others_text(outcome)
    figures = [figure(row.what, row.curves) for row in outcome.rows if row.curves]
    table = tag("table", tag("thead", head), tag("tbody", rows))
    return tag(
        "section", tag("h2", outcome.title), told, tag("div", table, class_="scroll", tabindex=0), figures,
        tag("p", summary(outcome)), tag("p", others) if others else None,
        tag("ul", below) if below else None, tag("p", made_text(outcome), class_="note"),
        id=anchor,
    )  # fmt: skip


def _rows(trial: TrialOutcome, ledger: str) -> Iterator[Any]:
    lines = [tag("li", line) for line in trial_lines(trial, ledger)]
    how = tag("details", tag("summary", "how it was run"), tag("ul", lines)) if lines else None
    yield tag("tr", tag("th", trial.what, how, colspan=len(HEADINGS), scope="rowgroup"), class_="trial")
    for row, drawn in zip(trial.rows, plots(trial.rows), strict=True):
        yield _row(trial, row, drawn)


def _row(trial: TrialOutcome, row: Finding, drawn: Any) -> Any:
    fitted, seeds = settings_text(trial), by_seed_text(row)
    verdict = verdict_text(row)
    return tag(
        "tr", tag("td", row.what, class_="name"), tag("td", origin_text(trial) if row.published is not None else ""),
        tag("td", published_text(row)),
        tag("td", with_unit(row.measured, row.unit), [tag("br"), tag("small", seeds)] if seeds else None,
            class_="words" if isinstance(row.measured, str) else "number"),
        tag("td", interval_text(row.interval)), tag("td", drawn, class_="plot"), tag("td", difference_text(row)),
        tag("td", p_text(row.corrected_p)),
        tag("td", verdict, [tag("br"), tag("small", fitted)] if fitted and row.judged else None, class_="verdict"),
    )  # fmt: skip


def figure(what: str, curves: Mapping[str, Sequence[float]]) -> Any:
    """Return curves over turns as a figure with its legend."""
    styles = {name: f"s{1 + number % STYLES}" for number, name in enumerate(curves)}
    lines = [
        Curve(styles[name], [(turn, height) for turn, height in enumerate(curve, 1)]) for name, curve in curves.items()
    ]
    across = round_scale([1, *(len(curve) for curve in curves.values())], number_text)
    down = round_scale([0.0, *(height for curve in curves.values() for height in curve)], number_text)
    named: list[tuple[str, str, dict[str, Any]]] = [(style, name, {}) for name, style in styles.items()]
    shown = plot(lines, across, down, what, f"A line for each of {', '.join(curves)}, over the turns of a seat.")
    return tag("figure", tag("figcaption", f"{what}, by turn"), legend(named), shown)
