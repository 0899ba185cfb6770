"""Outcomes of experiments in the terminal."""

from collections.abc import Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from kibitz.lab.experiment_outcome import Outcome
from kibitz.lab.report_texts import (
    by_seed_text,
    games_text,
    interval_text,
    others_text,
    power_text,
    published_text,
    settings_text,
    summary,
    times_text,
    verdict_text,
    whys,
    with_unit,
)

HEADINGS = ("what", "published", "measured", "95 %", "verdict")
WRAPPED = ("what", "published", "measured", "verdict")  # columns that may wrap
TOLD = (games_text, power_text, times_text, settings_text)  # of a trial, below the table
LEAST_WIDTH = 16  # of the first column


def terminal_parts(outcome: Outcome) -> Iterator[Any]:
    """Yield an outcome as parts for the terminal."""
    title = escape(f"{outcome.title} ({outcome.experiment})")
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for number, heading in enumerate(HEADINGS):
        table.add_column(
            heading, justify="left" if number in (0, len(HEADINGS) - 1) else "right", no_wrap=heading not in WRAPPED,
            min_width=LEAST_WIDTH if number == 0 else None,
        )  # fmt: skip
    for trial in outcome.trials:
        table.add_section()
        table.add_row(f"[bold]{escape(trial.what)}")
        for row in trial.rows:
            texts = (
                f"  {row.what}", published_text(row), with_unit(row.measured, row.unit),
                interval_text(row.interval), verdict_text(row),
            )  # fmt: skip
            table.add_row(*map(escape, texts))
    yield table
    for trial in outcome.trials:
        seeds = [f"{row.what} by seed: {by_seed_text(row)}" for row in trial.rows if row.by_seed]
        if told := [text for text in (*(tell(trial) for tell in TOLD), *seeds) if text]:
            yield escape(f"{trial.what}: {'; '.join(told)}.")
    for why in whys(outcome):
        yield escape(f"Why they differ: {why}")
    yield f"{summary(outcome)}."
    if others := others_text(outcome):
        yield escape(others)
