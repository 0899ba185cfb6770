"""Outcomes of experiments as one Markdown document."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil

from kibitz import __version__
from kibitz.lab.chance_verdicts import chance_count
from kibitz.lab.experiment_outcome import Outcome, TrialOutcome, number_text
from kibitz.lab.finding import Finding
from kibitz.lab.forest_plot import text_plot
from kibitz.lab.report_texts import (
    LEGEND,
    by_seed_text,
    chance_text,
    games_text,
    interval_text,
    made_text,
    notes_of,
    origin_text,
    others_text,
    p_text,
    power_text,
    published_text,
    runs_text,
    scales_text,
    settings_text,
    source_text,
    summary,
    times_text,
    told_above,
    verdict_text,
    whys,
    with_unit,
)

HEADINGS = ("what", "from", "published", "measured", "95 %", "difference", "p, corrected", "verdict")
PLOT = "In plots of differences `+` is none, `:` the margin, `o` what was measured, `-` its 95 % interval."
MOST_POINTS = 12  # of a curve in a table


def markdown(outcomes: Sequence[Outcome]) -> str:
    """Return all outcomes as one Markdown document."""
    parts = ["# Published and measured\n", f"Made by `kibitz experiment report` of Kibitz {__version__}.\n"]
    parts += [f"{_plain(scales_text(outcomes))}\n", f"{LEGEND} {PLOT}\n"]
    for outcome in outcomes:
        parts += _section(outcome)
    if chance := chance_text(chance_count(outcomes)):
        parts += ["## What chance would do\n", f"{chance}\n"]
    return "\n".join(parts)


def _section(outcome: Outcome) -> Iterator[str]:
    yield f"## {_plain(outcome.title)}\n"
    for text in filter(None, (source_text(outcome), *told_above(outcome))):
        yield f"{_plain(text)}\n"
    yield from _table(HEADINGS, (_cells(trial, row) for trial in outcome.trials for row in trial.rows))
    yield f"\n{summary(outcome)}.\n"
    if others := others_text(outcome):
        yield f"{_plain(others)}\n"
    for row in outcome.rows:
        if row.curves:
            yield f"{_plain(row.what)}, by turn:\n"
            yield from _table(("turn", *row.curves), points(row.curves))
            yield ""
    yield from (f"* {_plain(text)}\n" for text in (*whys(outcome), *notes_of(outcome)))
    yield "<details><summary>How it was run</summary>\n"
    for trial in outcome.trials:
        runs = f"runs {runs_text(trial)}" if trial.runs else ""
        told = "; ".join(filter(None, (games_text(trial), power_text(trial), times_text(trial), runs)))
        played = [f"`{trial.game}`"] if trial.game else []
        played += [f"{_plain(name)} `{text}`" if name != text else f"`{text}`" for name, text in trial.agents.items()]
        played += [_plain(f"{key} = {value}") for key, value in trial.options.items()]
        if lines := "; ".join(filter(None, [_plain(told), *played])):
            yield f"* {_plain(trial.what)}: {lines}"
    yield f"\n{_plain(made_text(outcome))}\n\n</details>\n"


def _cells(trial: TrialOutcome, row: Finding) -> tuple[str, ...]:
    fitted, seeds, plot = settings_text(trial), by_seed_text(row), text_plot(row)
    verdict = verdict_text(row)
    return (
        f"{trial.what}: {row.what}", origin_text(trial) if row.published is not None else "",
        published_text(row), f"{with_unit(row.measured, row.unit)}{f' ({seeds})' if seeds else ''}",
        interval_text(row.interval), f"`{plot}`" if plot else "", p_text(row.corrected_p),
        f"{verdict}; {fitted}" if fitted and row.judged else verdict,
    )  # fmt: skip


def points(curves: Mapping[str, Sequence[float]]) -> Iterator[tuple[str, ...]]:
    """Yield rows of a table of curves at equal distances: a turn, and the height of each curve there."""
    turns = max(map(len, curves.values()))
    for turn in range(1, turns + 1, max(1, ceil(turns / MOST_POINTS))):
        yield str(turn), *(number_text(curve[turn - 1]) if turn <= len(curve) else "" for curve in curves.values())


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = ["| " + " | ".join(map(_cell, headings)) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    return lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]


def _cell(text: str) -> str:
    """Return a text that stays in its cell of a Markdown table."""
    return _plain(text).replace("|", "\\|").replace("\n", " ").replace("\r", " ")


def _plain(text: str) -> str:
    """Return a text for Markdown with HTML escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;")
