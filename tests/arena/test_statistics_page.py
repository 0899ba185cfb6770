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
    coverage.main(4, 2, 4)
    shown = capsys.readouterr().out
    assert shown.count("| --- |") == 11
    assert "nan" not in shown
    on_page = [_first_heading(table) for table in _tables(RESULTS)]
    for table in _tables(shown):
        assert len({len(row) for row in table}) == 1
        assert _first_heading(table) in on_page


def _tables(text):
    """Return the tables of a page, each as its rows of cells."""
    found = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif found[-1]:
            found.append([])
    return [table for table in found if table]


def _first_heading(table):
    """Return what a table is about, without its numbers of blocks."""
    return re.sub(r", \d+ to \d+ blocks", "", table[0][0])


def _table(first, *others):
    """Return the rows of the table whose headings begin like this, by their first cell."""
    (found,) = [table for table in _tables(RESULTS) if table[0][: 1 + len(others)] == [first, *others]]
    return {row[0]: row[1:] for row in found[2:]}


def test_every_row_of_the_page_has_as_many_cells_as_its_heading():
    tables = _tables(RESULTS)
    assert len(tables) >= 14
    for table in tables:
        assert {len(row) for row in table} == {len(table[0])}, table[0]


def _number(cell):
    return float(cell.removesuffix(" %"))


def test_the_table_of_methods_is_that_of_the_method_in_use_by_deals():
    """All its situations are those of the two tables by deals: 3 numbers of blocks, and 4."""
    methods = _table("interval", "93 to 97 %")
    assert [*methods] == [*coverage.METHODS]
    few, more = _table("deals, 2 to 5 blocks"), _table("deals, 10 to 200 blocks")
    for column in range(5):
        parts = [np.array([_number(rows[name][column]) for name in coverage.DEALS]) for rows in (few, more)]
        whole = min(map(np.min, parts)) if column == 3 else (3 * parts[0].mean() + 4 * parts[1].mean()) / 7
        assert _number(methods[coverage.USED][column]) == pytest.approx(whole, abs=0.6 if column < 3 else 0.06)
    logs = [np.log([float(rows[name][5]) for name in coverage.DEALS]).mean() for rows in (few, more)]
    assert float(methods[coverage.USED][5]) == pytest.approx(np.exp((3 * logs[0] + 4 * logs[1]) / 7), abs=0.01)
    right, below, above = (round(_number(cell)) for cell in methods[coverage.USED][:3])
    assert f"does in {right} % of these situations, covers\nmore in {above} % and less in {below} %" in RESULTS
    assert f"does in {right} % of the situations; it covers more in {above} %" in PAGE


def test_cells_of_the_page_are_what_the_simulation_finds():
    worst = _table("blocks", "lowest coverage")
    for blocks in (2, 3, 5):
        covered, size, share, deals = worst[str(blocks)]
        (found,) = coverage.cells(
            coverage.RUNS, deals=[deals], blocks=[blocks], sizes=[int(size)], shares=[float(share)]
        )
        assert coverage._percent(found.covered) == covered
    widths = _table("times as wide as needed", "2 games a block")
    plain = {"deals": [coverage.PLAIN], "blocks": coverage.MORE[:1], "sizes": [24], "shares": [0.35]}
    (found,) = coverage.cells(coverage.RUNS, ["Wilson's, of single games"], **plain)
    assert f"{found.width:.2f}" == widths["Wilson's, of single games"][2]
    what = "one four times as strong, correlation 0.2"
    shown, covered = coverage._order_found(0.8, coverage.DEALS["correlation 0.2"], 8, coverage.STOPPED_RUNS)
    cells = _table("two agents")
    assert cells[f"{what}: shown"][2] == coverage._percent(shown)
    assert cells[f"{what}: covered"][2] == coverage._percent(covered)


@pytest.mark.parametrize(("share", "games"), [(0.95, 1000), (0.98, 1000)])
def test_a_published_share_that_is_off_by_the_margin_seldom_agrees_near_the_edges(share, games):
    plain, used = np.mean([*coverage._edge_agreed(share, games, 200)], axis=0)
    assert used <= 0.1
    assert used < plain
    cells = _table("off by the margin, towards 50 %")
    assert max(_number(row[1]) for row in cells.values()) <= 5
