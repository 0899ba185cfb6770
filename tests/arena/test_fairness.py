"""Verdicts on seats and agents: SciPy's figures, published ones, and false alarms as rare as promised."""

import numpy as np
import pytest
from scipy import stats

from kibitz.arena.results.statistics.fairness import equal_means, fair_seats, goodness_of_fit, holm


def _games_won_by(winners, seats):
    return (np.asarray(winners)[:, None] == np.arange(seats)).astype(float)


@pytest.mark.parametrize(
    ("counts", "statistic", "p"),
    [((310, 690), 19.2, 0.00001), ((286, 714), 6.912, 0.00856), ((415, 585), 145.2, 0.0), ((135, 865), 70.53, 0.0)],
)
def test_the_figures_of_the_colonizers_thesis(counts, statistic, p):
    """Wins and last places of a seat against B(1000, 1/4), section 5.1; 70.54 there."""
    found = goodness_of_fit(np.array(counts), np.array([0.25, 0.75]))
    assert found.statistic == pytest.approx(statistic, abs=0.01)
    assert found.p == pytest.approx(p, abs=5e-6)


def test_seats_are_judged_as_the_library_judges_counts():
    winners = np.repeat([0, 1, 2, 3], [310, 213, 251, 226])
    found = fair_seats(_games_won_by(winners, 4))
    expected = stats.chisquare([310, 213, 251, 226])
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found.df, found.method, found.expected) == (3, "chi-square", (250,) * 4)


def test_a_draw_says_nothing_about_who_wins():
    decided = _games_won_by(np.repeat([0, 1], [60, 40]), 2)
    with_draws = np.concatenate([decided, np.full((50, 2), 0.5)])
    assert fair_seats(with_draws) == fair_seats(decided)


def test_all_tables_of_few_games_are_looked_at_and_none_say_nothing():
    found = fair_seats(_games_won_by([0] * 6, 3))
    assert found.method == "exact"
    assert found.p == pytest.approx(3 * (1 / 3) ** 6)
    assert goodness_of_fit(np.array([13, 2, 0, 0]), np.full(4, 0.25)).p == pytest.approx(1444 / 4**15)
    assert goodness_of_fit(np.array([0, 4]), np.array([0.25, 0.75])).p == pytest.approx(
        stats.binomtest(0, 4, 0.25).pvalue
    )
    assert goodness_of_fit(np.array([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), np.full(12, 1 / 12)).method == "simulated"
    assert found == fair_seats(_games_won_by([0] * 6, 3))
    assert fair_seats(np.zeros((0, 3))).p == 1.0
    assert fair_seats(np.full((9, 3), 0.5)).method == "too few games"


def test_a_deal_played_many_times_counts_once():
    rng = np.random.default_rng(4)
    alarms = {"games": 0, "blocks": 0}
    blocks = np.repeat(np.arange(60), 6)
    for _ in range(80):
        payoffs = _games_won_by(np.repeat(rng.integers(0, 3, 60), 6), 3)  # the deal decides all its games
        alarms["games"] += fair_seats(payoffs).p < 0.05
        alarms["blocks"] += fair_seats(payoffs, blocks).p < 0.05
    assert alarms["games"] > 40
    assert 1 <= alarms["blocks"] <= 9


def test_equal_means_of_two_columns_is_the_paired_t_test():
    scores = np.random.default_rng(7).random((300, 2)) + [0.0, 0.05]
    assert equal_means(scores).p == pytest.approx(stats.ttest_rel(scores[:, 0], scores[:, 1]).pvalue)
    assert equal_means(np.zeros((9, 3))).p == 1.0
    assert equal_means(np.tile([1.0, 0.0, 0.0], (9, 1))).p < 0.01
    assert equal_means(np.zeros((1, 3))).method == "too few games"


def test_few_rows_are_judged_by_exchanging_columns():
    scores = np.random.default_rng(7).random((60, 2)) + [0.0, 0.15]
    found = equal_means(scores)
    assert found.method == "exchanged"
    assert found.p == pytest.approx(stats.ttest_rel(scores[:, 0], scores[:, 1]).pvalue, abs=0.01)


@pytest.mark.parametrize("rows", [100, 600])
def test_a_column_that_never_varies_is_seen(rows):
    rng = np.random.default_rng(9)
    scores = np.concatenate([np.full((rows, 1), 0.2), rng.permuted(np.tile([0.45, 0.35], (rows, 1)), axis=1)], axis=1)
    assert equal_means(scores).p < 0.001


def test_a_deal_that_suits_one_seat_in_all_its_games_is_no_alarm():
    """The favourite of a deal wins five of its six games; few deals."""
    rng, alarms = np.random.default_rng(10), 0
    for _ in range(200):
        favourite = np.repeat(rng.integers(0, 3, 6), 6)
        winner = np.where(rng.random(36) < 0.8, favourite, rng.integers(0, 3, 36))
        alarms += fair_seats(_games_won_by(winner, 3), np.repeat(np.arange(6), 6)).p < 0.05
    assert alarms <= 20


def test_equal_means_of_payoffs_that_always_sum_to_one():
    rng = np.random.default_rng(8)
    ps = [equal_means(_games_won_by(rng.integers(0, 4, 40), 4)).p for _ in range(80)]
    assert 1 <= (np.array(ps) < 0.05).sum() <= 9


def test_holm_s_correction():
    """The worked example of many textbooks: at 5 % the first and the last are rejected."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []
