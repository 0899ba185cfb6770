"""Intervals and the number of games, against SciPy and the table of the notes."""

import pytest
from scipy import stats

from kibitz.arena.results.statistics.interval import games_needed, wilson
from kibitz.core.errors import BadValue


def test_wilson_is_the_library_s():
    for wins, n in ((0, 30), (11, 1050), (5, 10), (976, 1000), (30, 30), (1, 1)):
        for level in (0.9, 0.95):
            expected = stats.binomtest(wins, n).proportion_ci(level, method="wilson")
            assert wilson(wins, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert wilson(0, 0) == (0.0, 1.0)


def test_wilson_holds_where_the_textbook_interval_fails():
    assert wilson(0, 30) == pytest.approx((0, 0.114), abs=5e-4)
    assert wilson(11, 1050) == pytest.approx((0.0059, 0.0187), abs=5e-5)


@pytest.mark.parametrize(
    ("share", "needed"),
    [
        (1 / 2, (4904, 2178, 783, 194)),
        (1 / 3, (4398, 1962, 711, 180)),
        (1 / 4, (3736, 1672, 610, 157)),
        (1 / 6, (2801, 1261, 465, 122)),
    ],
)
def test_games_needed_to_see_an_agent_better_than_its_share(share, needed):
    assert tuple(games_needed(share, points) for points in (0.02, 0.03, 0.05, 0.10)) == needed


def test_the_games_needed_give_the_power_promised():
    games = games_needed(0.25, 0.05)
    least = stats.binom.isf(0.025, games, 0.25)
    assert stats.binom.sf(least, games, 0.30) == pytest.approx(0.8, abs=0.03)  # counts are whole


def test_impossible_differences_are_refused():
    for rate, difference in ((0.5, 0.5), (0.5, 0), (0, 0.1)):
        with pytest.raises(BadValue, match="between 0 and 1"):
            games_needed(rate, difference)
