"""Intervals and the number of games, against SciPy, the table of the notes and simulations written apart from them."""

import random

import numpy as np
import pytest
from scipy import stats

from kibitz.arena.plan.stop_rule import StopRule
from kibitz.arena.results.statistics.interval import (
    LEVEL,
    LEVEL_AFTER_STOP,
    games_needed,
    mean_in_range,
    mean_of_blocks,
    ratio_of_blocks,
    wilson,
    wilson_of_blocks,
)
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
    few = wilson_of_blocks(np.array([3, 0, 3]), np.full(3, 3))
    assert few[0] < wilson(2, 3)[0] < wilson(2, 3)[1] < few[1]


def test_where_nothing_varied_the_interval_lies_between_that_of_the_games_and_that_of_the_deals():
    games, deals = (stats.binomtest(0, n).proportion_ci(method="exact").high for n in (240, 10))
    low, high = wilson_of_blocks(np.zeros(10), np.full(10, 24.0))
    assert low == 0
    assert games < high < deals
    assert high == pytest.approx(
        1 - 0.05 ** (25 / 2 / 240 * 10 / 9)
    )  # a block is worth 24 / 12.5 games, few are worth less
    assert wilson_of_blocks(np.zeros(240), np.ones(240))[1] == pytest.approx(1 - 0.05 ** (1 / 240))
    assert wilson_of_blocks(np.eye(1, 10)[0], np.full(10, 24.0))[1] == pytest.approx(high, abs=0.01)  # one win of 240


def test_a_share_and_what_it_lacks_to_1_have_mirror_intervals():
    rng = np.random.default_rng(3)
    for blocks in (1, 2, 3, 10, 40):
        games = rng.integers(1, 25, blocks).astype(float)
        wins = rng.binomial(games.astype(int), 0.2).astype(float)
        low, high = wilson_of_blocks(wins, games)
        assert wilson_of_blocks(games - wins, games) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_blocks_without_a_game_change_nothing():
    wins, games = np.array([3.0, 0, 1, 0, 2]), np.array([6.0, 0, 6, 0, 6])
    assert wilson_of_blocks(wins, games) == wilson_of_blocks(wins[::2], games[::2])
    assert mean_of_blocks(wins, games) == mean_of_blocks(wins[::2], games[::2])


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


def _wins_of_a_deal(dice, size, share, correlation):
    """Wins on one deal, game by game; a negative correlation is how often a seat wins, which the agent has in turn."""
    if correlation < 0 and dice.random() < -correlation:
        return share * size
    rate = share
    if correlation == 1:
        rate = float(dice.random() < share)
    elif correlation > 0:
        strength = 1 / correlation - 1
        rate = dice.betavariate(share * strength, (1 - share) * strength)
    return float(sum(dice.random() < rate for _ in range(size)))


@pytest.mark.parametrize(
    ("blocks", "size", "share", "correlation"),
    [
        (10, 24, 0.3, 0), (10, 24, 0.3, 0.2), (10, 24, 0.98, 0.5), (20, 6, 0.5, 1), (30, 6, 0.1, 0.05),
        (30, 2, 0.5, -0.5), (30, 24, 0.5, -0.3), (30, 120, 0.25, 0.1), (5, 24, 0.5, 0.2), (3, 24, 0.5, 0.2),
        (100, 4, 0.03, 0), (200, 2, 0.75, 0.3),
    ],
)  # fmt: skip
def test_intervals_from_blocks_cover_93_to_98_percent_whatever_deals_do(blocks, size, share, correlation):
    dice, runs, covered = random.Random(5), 500, 0
    for _ in range(runs):
        wins = np.array([_wins_of_a_deal(dice, size, share, correlation) for _ in range(blocks)])
        low, high = wilson_of_blocks(wins, np.full(blocks, float(size)))
        covered += low <= share <= high
    assert 0.93 - 0.02 <= covered / runs <= 0.98 + 0.01  # and the simulation's own error


def test_intervals_of_independent_games_are_not_much_wider_than_if_that_were_known():
    rng, widths = np.random.default_rng(9), []
    for _ in range(100):
        wins = rng.binomial(24, 0.3, 10).astype(float)
        widths.append(np.ptp(wilson_of_blocks(wins, np.full(10, 24.0))) / np.ptp(wilson(wins.sum(), 240)))
    assert 1 < np.mean(widths) < 1.3


def test_a_mean_in_a_known_range_never_leaves_it():
    payoffs, games = np.array([2.0, 1.9, 2.0, 2.0]), np.full(4, 2.0)
    assert mean_of_blocks(payoffs, games)[1] > 1
    low, high = mean_of_blocks(payoffs, games, least=0, most=1)
    assert 0 < low < 0.9875 < high <= 1
    places = mean_of_blocks(5 - 4 * payoffs / 2, np.ones(4), least=1, most=5)
    assert places == pytest.approx(mean_of_blocks((payoffs / 2) * -4 + 5, np.ones(4), least=1, most=5))
    assert 1 <= places[0] < places[1] < 5


def test_payoffs_of_wins_alone_have_the_interval_of_the_share():
    wins, games = np.array([3.0, 1, 4, 2, 2]), np.full(5, 6.0)
    assert mean_of_blocks(wins, games, least=0, most=1) == wilson_of_blocks(wins, games)


def test_a_declared_range_does_not_matter_once_there_are_enough_blocks():
    rng = np.random.default_rng(4)
    sums, games = rng.normal(0.4, 2, 100), np.full(100, 2.0)
    narrow, wide = (mean_in_range(sums, games, -bound, bound) for bound in (20, 2000))
    assert narrow == wide == pytest.approx(mean_of_blocks(sums, games))
    few, fewer = (np.ptp(mean_in_range(sums[:blocks], games[:blocks], -20, 20)) for blocks in (19, 20))
    assert few > fewer  # the range stands for what was not seen


def test_a_mean_payoff_covers_95_percent_however_wide_its_range_is():
    rng, covered = np.random.default_rng(5), 0
    for _ in range(400):
        low, high = mean_in_range(rng.choice([-1.0, 1, 3], (24, 4)).sum(axis=1), np.full(24, 4.0), -200, 200)
        covered += low <= 1 <= high
    assert 0.92 <= covered / 400 <= 0.98


def test_places_and_shares_keep_the_interval_of_a_share_with_any_number_of_blocks():
    first = np.ones(40)
    first[0] = 2  # once second of four
    low, high = mean_of_blocks(first, np.ones(40), least=1, most=4)
    assert 1 < low < 1.025 < high
    assert mean_in_range(first - 1, np.ones(40), 0, 1) == wilson_of_blocks(first - 1, np.ones(40))


def test_blocks_without_any_difference_leave_the_whole_range_open_in_part():
    always = mean_in_range(np.full(100, 3.0), np.full(100, 3.0), -200, 200)
    assert always[0] < 1 < always[1]


def test_counts_are_never_negative():
    events = np.array([0.0, 0, 7, 0, 1])
    assert mean_of_blocks(events, np.ones(5))[0] < 0
    low, high = mean_of_blocks(events, np.ones(5), least=0)
    assert 0 < low < 1.6 < high
    assert mean_of_blocks(np.zeros(5), np.full(5, 4.0), least=0) == wilson_of_blocks(np.zeros(5), np.full(5, 4.0))


def test_one_block_tells_no_mean_and_no_ratio():
    one = np.ones(1)
    assert mean_of_blocks(one, one) is None
    assert mean_of_blocks(one, one, least=0) is None
    assert ratio_of_blocks(one, one, one, one) is None


def test_a_ratio_to_nothing_or_of_nothing_has_no_interval():
    five, nothing = np.ones(5), np.zeros(5)
    assert ratio_of_blocks(nothing, five, five, five) is None
    assert ratio_of_blocks(five, five, nothing, five) is None


def test_a_ratio_counts_the_variance_of_both_and_gains_from_common_deals():
    dice, runs, covered, alone, widths = random.Random(6), 400, 0, 0, []
    games = np.ones(12)
    for _ in range(runs):
        deals = [dice.lognormvariate(0, 0.6) for _ in range(12)]
        ours, theirs = (np.array([deal * dice.lognormvariate(0, 0.3) for deal in deals]) for _ in "ab")
        low, high = ratio_of_blocks(2 * ours, games, theirs, games)
        covered += low <= 2 <= high
        widths.append(high - low)
        low, high = (end / theirs.mean() for end in mean_of_blocks(2 * ours, games))
        alone += high - low
    assert 0.92 <= covered / runs <= 0.98
    assert np.mean(widths) < 0.8 * alone / runs  # deals are common, so they cancel


def test_the_inverse_of_a_ratio_has_the_inverse_interval():
    rng = np.random.default_rng(8)
    ours, theirs, games = rng.gamma(2, 3, 9), rng.gamma(2, 2, 9), rng.integers(1, 5, 9).astype(float)
    low, high = ratio_of_blocks(ours, games, theirs, games)
    assert 0 < low < high
    assert ratio_of_blocks(theirs, games, ours, games) == pytest.approx((1 / high, 1 / low))


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
