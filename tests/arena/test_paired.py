"""Paired differences: intervals that cover what they promise, and gain from common deals."""

import numpy as np
import pytest

from kibitz.arena.plan.stop_rule import StopRule
from kibitz.arena.results.statistics.interval import LEVEL, LEVEL_AFTER_STOP, wilson_of_blocks
from kibitz.arena.results.statistics.paired import paired_difference
from kibitz.arena.results.statistics.stopping import Call, StopCheck


def _match(rng, games, edge, luck):
    """Two agents change seats on each deal; `luck` is how often the deal alone decides for seat 0 or 1."""
    blocks = np.repeat(np.arange(games // 2), 2)
    seatings = np.tile([(0, 1), (1, 0)], (games // 2, 1))
    favoured = np.where(np.repeat(rng.random(games // 2) < luck, 2), np.repeat(rng.integers(0, 2, games // 2), 2), -1)
    winner = np.where(favoured >= 0, favoured, np.where(rng.random(games) < 0.5 + edge, 0, 1) ^ (seatings[:, 0] == 1))
    return seatings, (winner[:, None] == np.arange(2)).astype(float), blocks


def test_the_interval_covers_the_truth():
    rng = np.random.default_rng(1)
    covered = alarms = 0
    for seed in range(200):
        found = paired_difference(*_match(rng, 200, 0.1, 0.0), 0, 1, seed=seed, resamples=500)
        covered += found.interval[0] <= 0.2 <= found.interval[1]
        alarms += paired_difference(*_match(rng, 200, 0.0, 0.5), 0, 1, seed=seed, resamples=500).p < 0.05
    assert covered >= 182
    assert alarms <= 20


def test_common_deals_narrow_the_interval():
    seatings, payoffs, blocks = _match(np.random.default_rng(2), 2000, 0.1, 0.8)
    paired = paired_difference(seatings, payoffs, blocks, 0, 1)
    as_if_apart = paired_difference(seatings, payoffs, np.arange(len(blocks)), 0, 1)
    assert paired.mean == pytest.approx(as_if_apart.mean)
    assert np.ptp(paired.interval) < 0.6 * np.ptp(as_if_apart.interval)


def test_the_same_seed_gives_the_same_interval_and_order_changes_the_sign():
    games = _match(np.random.default_rng(3), 400, 0.05, 0.2)
    first, again, other = (paired_difference(*games, a, b, seed=7) for a, b in ((0, 1), (0, 1), (1, 0)))
    assert first == again
    assert other.mean == pytest.approx(-first.mean)
    assert other.interval == pytest.approx((-first.interval[1], -first.interval[0]), abs=0.02)


def test_blocks_that_all_end_alike_leave_room_for_what_was_not_seen():
    seatings, blocks = np.tile([(0, 1), (1, 0)], (10, 1)), np.repeat(np.arange(10), 2)
    found = paired_difference(seatings, (seatings == 0).astype(float), blocks, 0, 1)
    assert found.mean == 1.0
    of_wins = wilson_of_blocks(np.full(10, 2.0), np.full(10, 2.0))
    assert found.interval == pytest.approx((2 * of_wins[0] - 1, 1.0))
    assert found.p == pytest.approx(0.5 ** (20 / (1.5 * 10 / 9)))  # 20 games, of which 1.67 tell as much as one
    assert found.rough


def test_agents_who_never_met_on_a_deal_have_no_difference_to_show():
    found = paired_difference(np.array([[0, 1], [2, 1]]), np.array([[1.0, 0], [1, 0]]), np.array([0, 1]), 0, 2)
    assert (found.blocks, found.interval, found.p) == (0, (-1.0, 1.0), 1.0)


def test_points_of_many_values_are_resampled_too():
    rng = np.random.default_rng(4)
    seatings, blocks = np.tile([(0, 1, 2), (1, 2, 0), (2, 0, 1)], (100, 1)), np.repeat(np.arange(100), 3)
    payoffs = rng.random((300, 3)) + 0.2 * (seatings == 0)
    found = paired_difference(seatings, payoffs, blocks, 0, 2, resamples=1000)
    assert found.interval[0] < 0.2 < found.interval[1]
    assert found.p < 0.01


def test_many_different_blocks_are_joined_without_changing_the_interval():
    rng = np.random.default_rng(5)
    blocks, seatings = np.repeat(np.arange(6000), 2), np.tile([(0, 1), (1, 0)], (6000, 1))
    payoffs = rng.random((12000, 2)) + 0.01 * (seatings == 0)
    found = paired_difference(seatings, payoffs, blocks, 0, 1)
    by_block = (payoffs * np.where(seatings == 0, 1, -1)).sum(axis=1).reshape(-1, 2).mean(axis=1)
    assert found.mean == pytest.approx(by_block.mean())
    assert np.ptp(found.interval) == pytest.approx(2 * 1.96 * by_block.std() / 6000**0.5, rel=0.08)


@pytest.mark.parametrize("blocks", [5, 12])
def test_few_blocks_give_wide_intervals_that_agree_with_the_p_value(blocks):
    rng, covered = np.random.default_rng(6), 0
    for _ in range(200):
        found = paired_difference(*_match(rng, 2 * blocks, 0.1, 0.0), 0, 1)
        covered += found.interval[0] <= 0.2 <= found.interval[1]
        if found.interval[0] > -1 and found.interval[1] < 1:
            assert (found.p < 0.05) == (not found.interval[0] <= 0 <= found.interval[1])
    assert covered >= 186


@pytest.mark.parametrize(("blocks", "shown"), [(4, 0.0), (8, 0.85), (12, 0.95), (19, 0.98), (20, 0.98)])
def test_a_much_stronger_agent_is_shown_with_few_blocks_too(blocks, shown):
    """One of two agents wins four games of five, in blocks of six games; what 19 blocks show 20 show too."""
    rng, found = np.random.default_rng(8), []
    for _ in range(60):
        won = rng.random(6 * blocks) < 0.8
        seatings = np.tile([(0, 1), (1, 0)], (3 * blocks, 1))
        payoffs = np.where(seatings == 0, won[:, None], ~won[:, None]).astype(float)
        found.append(paired_difference(seatings, payoffs, np.repeat(np.arange(blocks), 6), 0, 1, resamples=500))
    assert np.mean([difference.p < 0.05 for difference in found]) >= shown
    assert np.mean([difference.interval[0] <= 0.6 <= difference.interval[1] for difference in found]) >= 0.9


def test_a_difference_has_one_width_on_both_sides_of_twenty_blocks():
    rng, widths = np.random.default_rng(9), {}
    for blocks in (19, 20):
        found = [paired_difference(*_match(rng, 2 * blocks, 0.1, 0.2), 0, 1, resamples=500) for _ in range(100)]
        widths[blocks] = np.mean([np.ptp(difference.interval) for difference in found])
    assert widths[19] < 1.15 * widths[20]


def test_a_few_blocks_show_the_same_difference_as_the_share_of_wins():
    rng = np.random.default_rng(10)
    seatings, payoffs, blocks = _match(rng, 24, 0.2, 0.2)
    wins = np.bincount(blocks, weights=(payoffs * (seatings == 0)).sum(axis=1))
    low, high = wilson_of_blocks(wins, np.full(12, 2.0))
    found = paired_difference(seatings, payoffs, blocks, 0, 1)
    assert found.interval == pytest.approx((2 * low - 1, 2 * high - 1))


@pytest.mark.parametrize("level", [LEVEL, LEVEL_AFTER_STOP])
@pytest.mark.parametrize("blocks", [3, 5, 8, 19, 20, 60])
def test_p_is_small_exactly_where_the_interval_does_not_hold_zero(blocks, level):
    rng, found = np.random.default_rng(blocks), set()
    for edge in np.linspace(0, 0.5, 40):
        difference = paired_difference(*_match(rng, 2 * blocks, edge, 0.0), 0, 1, resamples=1000, level=level)
        low, high = difference.interval
        assert (difference.p < 0.05) == (low > 0 or high < 0)
        found.add(difference.p < 0.05)
    assert found == {True, False} or blocks < 10


def test_blocks_that_are_all_a_little_better_have_a_p_value_that_agrees_with_their_interval():
    seatings, blocks = np.tile([(0, 1), (1, 0)], (10, 1)), np.repeat(np.arange(10), 2)
    found = paired_difference(seatings, np.where(seatings == 0, 0.6, 0.4), blocks, 0, 1)
    assert found.interval[0] < 0 < found.p - 0.05


def test_a_stop_rule_makes_no_difference_out_of_chance():
    """Two equal agents; the sequential test chooses the last game."""
    rng, alarms = np.random.default_rng(7), 0
    for _ in range(200):
        check, games = StopCheck(StopRule(better=0.1)), ([], [], [])
        for begin in range(0, 100_000, 200):
            won = rng.random(400) < 0.5
            part = (np.tile([[0, 1], [1, 0]], (200, 1)), np.stack([won, ~won], axis=1) * 1.0)
            part = (*part, begin + np.repeat(np.arange(200), 2))
            for column, more in zip(games, part, strict=True):
                column.append(more)
            if check.feed(*part) != Call.CONTINUE:
                break
        played = (np.concatenate(column)[: check.games] for column in games)
        alarms += paired_difference(*played, 0, 1, resamples=500, level=LEVEL_AFTER_STOP).p < 0.05
    assert alarms <= 200 * 0.06
