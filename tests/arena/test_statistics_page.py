"""The page on statistics names what exists, with the numbers that are used."""

import re
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.results.statistics import fairness, interval, paired, rating, stopping, verdict
from kibitz.arena.results.statistics.interval import games_needed, wilson, wilson_of_blocks
from kibitz.bench import coverage

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, RESULTS = ((DOCS / place / "statistics.md").read_text() for place in ("", "results"))


def test_every_function_named_exists():
    named = re.findall(r"`(interval|fairness|paired|rating|stopping|verdict)\.(\w+)`", PAGE)
    assert len(named) >= 16
    for module, name in named:
        assert hasattr(import_module(f"kibitz.arena.results.statistics.{module}"), name)


def _nothing_won(blocks, size):
    return f"{wilson_of_blocks(np.zeros(blocks), np.full(blocks, float(size)))[1]:.1%}".replace("%", " %")


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
        f"`{interval.PRIOR_WINS} size^{interval.PRIOR_GROWTH}` wins",
        f"{interval.PRIOR_FREEDOM} degrees of freedom",
        f"Kibitz says 0 to {_nothing_won(10, 24)}",
        f"0 of 240 games in 120 blocks of 2 is 0 to\n{_nothing_won(120, 2)}",
        f"computed at {interval.LEVEL_AFTER_STOP:.1%}".replace("%", " %"),
        f"{verdict.expected_false(500):.0f} of 500",
    ):
        assert text in PAGE, text


def test_the_page_of_results_has_the_tables_of_the_simulation():
    heads = [f"| {name} |" for name in (*coverage.METHODS, *coverage.DEALS, *coverage.MEANS, *coverage.RATIOS)]
    heads += [f"| {sizes}: {deals} |" for sizes in coverage.UNEQUAL for deals in (coverage.PLAIN, coverage.TOTAL)]
    heads += [f"| {what}, {coverage.PLAIN}: {how} |" for what in coverage.STRENGTHS for how in ("shown", "covered")]
    heads += [f"| {seats} seats, {size} games a block, {deals} |" for seats, size, deals in coverage.STOPS]
    for head in (*heads, *(f"| {truth} |" for truth in coverage.TRUTHS)):
        assert head in RESULTS, head
    assert "`python -m kibitz.bench.coverage`" in RESULTS
    assert f"{interval.LEVEL_AFTER_STOP:.1%} interval".replace("%", " %") in RESULTS


@pytest.mark.parametrize(
    ("deals", "size", "least", "most"),
    [
        ("independent games", 24, 0.94, 0.99),
        ("correlation 0.2", 6, 0.92, 0.98),
        ("correlation 0.8", 24, 0.91, 0.98),
        ("luck of 347 points", 24, 0.92, 0.99),
        ("every second deal favours a seat", 24, 0.95, 1.0),
    ],
)
def test_a_small_run_of_the_simulation_finds_the_coverage_that_the_page_shows(deals, size, least, most):
    (found,) = coverage.cells(400, deals=[deals], blocks=[30], sizes=[size], shares=[0.35])
    assert least <= found.covered <= most
    assert found.width < 1.5


def test_the_simulation_shows_what_is_wrong_with_simpler_intervals():
    of = {"deals": ["correlation 0.2"], "blocks": [10], "sizes": [24], "shares": [0.1]}
    found = {cell.method: cell for cell in coverage.cells(300, [*coverage.METHODS], **of)}
    assert found["Wilson's, of single games"].covered < 0.75
    assert found["Student's, of the rates of blocks"].covered < 0.92
    assert found["Wilson's, with two imaginary blocks"].width > 1.4 * found[coverage.USED].width
    assert 0.93 <= found[coverage.USED].covered <= 0.99


@pytest.mark.parametrize(("blocks", "least", "most"), [(2, 0.5, 0.65), (3, 0.68, 0.82), (5, 0.91, 1.0)])
def test_two_kinds_of_deals_are_covered_with_five_blocks_and_not_with_fewer(blocks, least, most):
    (found,) = coverage.cells(
        400, deals=["two kinds of deals, such as 10 % and 90 %"], blocks=[blocks], sizes=[120], shares=[0.5]
    )
    assert least <= found.covered <= most
    assert (blocks < interval.LEAST_BLOCKS) == (most < 0.9)


def test_the_tables_of_the_simulation_are_made(monkeypatch, capsys):
    small = {"BLOCKS": (2, 10), "OF_UNEQUAL": (5,), "ORDER_BLOCKS": (4, 20), "FEWER": (2,), "MORE": (10,)}
    for name, few in {**small, "SIZES": (2,), "SHARES": (0.5,)}.items():
        monkeypatch.setattr(coverage, name, few)
    monkeypatch.setattr(coverage, "cells", partial(coverage.cells, blocks=(2, 10), sizes=(2,), shares=(0.5,)))
    coverage.main(4, 2)
    shown = capsys.readouterr().out
    assert shown.count("| --- |") == 10
    assert "nan" not in shown
