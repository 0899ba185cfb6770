"""Intervals and the number of games, against SciPy and the table of the notes."""

import numpy as np
import pytest
from scipy import stats

from kibitz.arena.plan.stop_rule import StopRule
from kibitz.arena.results.statistics.interval import LEVEL, LEVEL_AFTER_STOP, games_needed, wilson, wilson_of_blocks
from kibitz.arena.results.statistics.stopping import Call, StopCheck
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


def test_blocks_of_one_game_give_wilson_s_interval():
    wins = np.repeat([1.0, 0.0], [300, 700])
    assert wilson_of_blocks(wins, np.ones(1000)) == pytest.approx(wilson(300, 1000), abs=2e-4)
    assert wilson_of_blocks(np.zeros(0), np.zeros(0)) == (0.0, 1.0)


def test_a_block_that_decides_all_its_games_counts_as_one():
    wins = np.repeat([4.0, 0.0], [120, 280])
    assert wilson_of_blocks(wins, np.full(400, 4)) == pytest.approx(wilson(120, 400), abs=2e-3)
    assert wilson_of_blocks(np.full(400, 4.0), np.full(400, 4)) == pytest.approx(wilson(400, 400), abs=1e-3)
    few = wilson_of_blocks(np.array([3, 0, 3]), np.full(3, 3))
    assert few[0] < wilson(2, 3)[0] < wilson(2, 3)[1] < few[1]


def test_blocks_that_are_alike_count_for_more_than_their_games():
    low, high = wilson_of_blocks(np.full(400, 2.0), np.full(400, 4))
    assert low < 0.5 < high
    assert high - low < 0.2 * np.ptp(wilson(800, 1600))


def _rate_of_an_agent_with_luck(rng, blocks, seats, luck):
    """Wins by block of one of three equal agents whom deals favour; all seatings are played on each deal."""
    form = rng.normal(0, luck, (blocks, 1, 3)) + rng.gumbel(size=(blocks, seats, 3))
    return (form.argmax(axis=2) == 0).sum(axis=1)


@pytest.mark.parametrize(("blocks", "luck"), [(4, 2.0), (10, 2.0), (30, 0.0), (30, 1.0), (200, 2.0)])
def test_intervals_from_blocks_cover_what_they_promise_where_deals_favour_an_agent(blocks, luck):
    rng = np.random.default_rng(7)
    found = [_rate_of_an_agent_with_luck(rng, blocks, 6, luck) for _ in range(600)]
    spans = [wilson_of_blocks(wins, np.full(blocks, 6)) for wins in found]
    assert np.mean([low <= 1 / 3 <= high for low, high in spans]) >= 0.93
    if luck:  # what the interval of independent games covers
        spans = [wilson(wins.sum(), 6 * blocks) for wins in found]
        assert np.mean([low <= 1 / 3 <= high for low, high in spans]) < 0.91


@pytest.mark.parametrize("edge", [0.0, 0.05, 0.1])
def test_widened_intervals_cover_95_percent_after_a_stop_rule(edge):
    rng, true, covered = np.random.default_rng(8), 0.5 + edge, {LEVEL: 0, LEVEL_AFTER_STOP: 0}
    for _ in range(300):
        games, check, wins = 0, StopCheck(StopRule(0.1)), np.zeros(0)
        while check.call == Call.CONTINUE:
            won = rng.random(100) < true
            wins = np.append(wins, won)
            blocks = np.arange(games, games + 100)
            check.feed(np.tile([0, 1], (100, 1)), np.stack([won, ~won], axis=1) * 1.0, blocks)
            games += 100
        for level in covered:
            low, high = wilson_of_blocks(wins[: check.games], np.ones(check.games), level)
            covered[level] += low <= true <= high
    assert covered[LEVEL] < 300 * 0.94
    assert covered[LEVEL_AFTER_STOP] >= 300 * 0.93
