"""The page on statistics names what exists, with the numbers that are used."""

import re
from importlib import import_module
from pathlib import Path

from kibitz.arena.results.statistics import fairness, paired, rating, stopping
from kibitz.arena.results.statistics.interval import games_needed, wilson

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "statistics.md").read_text()


def test_every_function_named_exists():
    named = re.findall(r"`(interval|fairness|paired|rating|stopping)\.(\w+)`", PAGE)
    assert len(named) >= 9
    for module, name in named:
        assert hasattr(import_module(f"kibitz.arena.results.statistics.{module}"), name)


def test_the_numbers_are_those_in_use():
    for text in (
        f"{fairness.SIMULATED:,} simulated tables where there are more than {fairness.MOST_TABLES:,}",
        f"counts of {fairness.LEAST_EXPECTED} or more",
        f"{paired.RESAMPLES} resamples",
        f"{paired.FEW_BLOCKS} blocks or more",
        f"{stopping.LEAST_BLOCKS} blocks or more",
        f"fewer than {rating.FEW_BLOCKS} blocks",
        f"0 of 30 gives 0 to {wilson(0, 30)[1]:.1%}".replace("%", " %"),
        f"1/4 and 3 points more: {games_needed(1 / 4, 0.03)}",
    ):
        assert text in PAGE, text
