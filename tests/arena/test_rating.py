"""Ratings: published figures, an independent library, known strengths found again, and odd data that must not break."""

from itertools import permutations

import choix
import numpy as np
import pytest
from scipy.stats import binom

from kibitz.arena.results.statistics.plackett_luce import places
from kibitz.arena.results.statistics.rating import ELO, notes, rate

# Home and away wins in the American League East, 1987: Agresti, Categorical Data Analysis (2nd ed., 2002), table 10.10
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
HOME_AWAY = [
    [None, (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), None, (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), None, (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), None, (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), None, (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), None, (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), None],
]


def _baseball():
    games = [
        (home, away, won)
        for home, away in permutations(range(7), 2)
        for won, times in zip((1.0, 0.0), HOME_AWAY[home][away], strict=True)
        for _ in range(times)
    ]
    return np.array([game[:2] for game in games]), np.array([(won, 1 - won) for *_, won in games])


def test_bradley_terry_as_published():
    """Agresti 2002, table 10.11: relative to Baltimore, with standard errors of about 0.3."""
    ratings = rate(*_baseball(), prior=0)
    strengths = np.array([rating.points for rating in ratings.agents]) / ELO
    assert (strengths - strengths[6]).round(2).tolist() == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]


def test_home_advantage_as_published():
    """The same table with a home effect: 0.302, and strengths that sum to 1."""
    ratings = rate(*_baseball(), seat_effects=True, prior=0)
    strengths = np.exp([rating.points / ELO for rating in ratings.agents])
    assert (strengths / strengths.sum()).round(3).tolist() == [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044]
    assert round((ratings.seats[0][0] - ratings.seats[1][0]) / ELO, 3) == 0.302


def _simulated(rng, strengths, games, seats, copies=False, seat_worth=0.0):
    """Finishing orders by the model: the largest of strengths with Gumbel noise is first, and so on."""
    agents = len(strengths)
    if copies:
        seatings = rng.integers(0, agents, (games, seats))
    else:
        seatings = np.argsort(rng.random((games, agents)), axis=1)[:, :seats]
    form = np.asarray(strengths)[seatings] + seat_worth + rng.gumbel(size=seatings.shape)
    return seatings, np.argsort(np.argsort(form, axis=1), axis=1) / (seats - 1)


@pytest.mark.parametrize("seats", [2, 4])
def test_choix_finds_the_same_strengths(seats):
    seatings, payoffs = _simulated(np.random.default_rng(1), [1, 0.5, 0, -0.5, -1], 120, seats)
    orders = [tuple(row.tolist()) for row in np.take_along_axis(seatings, np.argsort(-payoffs, axis=1), 1)]
    expected = choix.opt_rankings(5, orders, tol=1e-10)
    ours = [rating.points / ELO for rating in rate(seatings, payoffs, prior=0).agents]
    assert ours == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_known_strengths_lie_in_their_intervals():
    rng, strengths, worth = np.random.default_rng(2), np.array([0.8, 0.2, -0.2, -0.8]), np.array([0.3, 0, -0.3])
    covered, seat_covered = np.zeros(4), np.zeros(3)
    for _ in range(100):
        ratings = rate(*_simulated(rng, strengths, 250, 3, True, worth), seat_effects=True)
        covered += [low <= ELO * s <= high for s, (low, high) in zip(strengths, _spans(ratings), strict=True)]
        seat_covered += [low <= ELO * s <= high for s, (_, (low, high)) in zip(worth, ratings.seats, strict=True)]
    assert (covered >= 89).all()
    assert (seat_covered >= 89).all()


def _spans(ratings):
    return [rating.interval for rating in ratings.agents]


def test_copies_at_one_table_follow_luce_s_formula():
    """Where only a winner is known, an agent with m seats of strength w wins m w / sum of all m w."""
    strong, seatings = 3.0, np.array([[0, 0, 1, 1]] * 4 + [[0, 1, 1, 1]] * 6)
    payoffs = np.zeros((10, 4))
    payoffs[[0, 1, 2], 0] = payoffs[3, 3] = 1  # 3 of 4 = 2 * 3 / (2 * 3 + 2)
    payoffs[[4, 5, 6], 0] = payoffs[[7, 8, 9], 2] = 1  # 3 of 6 = 3 / (3 + 3)
    first, second = rate(seatings, payoffs, prior=0).agents
    assert first.points - second.points == pytest.approx(ELO * np.log(strong), abs=1e-4)


def test_losers_who_share_the_last_place_have_no_order():
    rng = np.random.default_rng(3)
    seatings, payoffs = _simulated(rng, [1, 0, -1, 0.5], 6000, 4)
    winner_only = rate(seatings, (payoffs == 1).astype(float))
    orders = rate(seatings, payoffs)
    for few, full in zip(winner_only.agents, orders.agents, strict=True):
        assert few.points == pytest.approx(full.points, abs=25)


def test_a_draw_is_half_a_win_for_each():
    seatings = np.array([[0, 1]] * 4)
    drawn = rate(seatings, np.array([[1.0, 0], [1, 0], [0.5, 0.5], [0, 1]]), prior=0)
    doubled = rate(np.repeat(seatings, 2, axis=0), np.array([[1.0, 0]] * 5 + [[0, 1.0]] * 3), prior=0)
    assert drawn.agents[0].points == pytest.approx(doubled.agents[0].points, abs=1e-6)


def test_places_count_ties_once():
    assert places(np.array([[0.2, 1, 0.2, 0], [1, 1, 1, 1], [0, 0, 1, 1]])).tolist() == [
        [1, 0, 1, 2], [0, 0, 0, 0], [1, 1, 0, 0],
    ]  # fmt: skip


@pytest.mark.parametrize("games", [10, 100, 1000])
def test_an_agent_that_won_everything_has_a_finite_rating_and_about_the_exact_lower_limit(games):
    ratings = rate(np.tile([0, 1], (games, 1)), np.tile([1.0, 0.0], (games, 1)))
    apart = ratings.agents[0].points - ratings.agents[1].points
    exact = 0.025 ** (1 / games)  # the win rate at which this many wins in a row are just possible (Clopper-Pearson)
    low = apart - 2 * (ratings.agents[0].points - ratings.agents[0].interval[0])
    assert low == pytest.approx(ELO * np.log(exact / (1 - exact)), abs=90)
    assert ratings.groups.above[0]
    assert ratings.groups.below[1]
    assert "could be much higher" in " ".join(notes(ratings, ["a", "b"]))


def test_groups_that_never_met_cannot_be_compared():
    seatings = np.array([[0, 1], [1, 0], [2, 3], [3, 2]] * 20)
    ratings = rate(seatings, np.array([[1.0, 0], [1, 0], [1, 0], [1, 0]] * 20))
    assert ratings.better[0, 2] == pytest.approx(0.5, abs=0.1)
    assert np.ptp(ratings.agents[0].interval) > 200
    assert all(ratings.groups.above + ratings.groups.below)


@pytest.mark.parametrize("agents", [1, 3])
def test_odd_data_give_finite_numbers(agents):
    for seatings in (np.zeros((0, 2), dtype=int), np.zeros((5, 2), dtype=int)):
        ratings = rate(seatings, np.tile([1.0, 0.0], (len(seatings), 1)), agents=agents, seat_effects=True)
        assert len(ratings.agents) == agents
        assert np.isfinite([*_spans(ratings), *(span for _, span in ratings.seats)]).all()
        assert np.isfinite(ratings.better).all()


def test_blocks_widen_or_narrow_the_interval_as_they_should():
    """Every game of a block repeated: the same interval as from the block once, not one half as wide."""
    seatings, payoffs = _simulated(np.random.default_rng(4), [0.5, 0, -0.5], 400, 3)
    once = rate(seatings, payoffs, prior=0)
    copied = rate(np.tile(seatings, (4, 1)), np.tile(payoffs, (4, 1)), np.tile(np.arange(400), 4), prior=0)
    assert np.array(_spans(copied)) == pytest.approx(np.array(_spans(once)), abs=1e-3)


def test_the_interval_is_that_of_a_bootstrap_over_blocks():
    rng = np.random.default_rng(5)
    seatings, payoffs = _simulated(rng, [0.5, 0, -0.5], 200, 3, copies=True)
    drawn = []
    for _ in range(100):
        picked = rng.integers(0, 200, 200)
        drawn.append([rating.points for rating in rate(seatings[picked], payoffs[picked]).agents])
    widths = np.ptp(_spans(rate(seatings, payoffs)), axis=1)
    assert 2 * 1.96 * np.std(drawn, axis=0) == pytest.approx(widths, rel=0.25)


@pytest.mark.parametrize("blocks", [2, 5, 9])
def test_few_blocks_that_decide_all_their_games_give_wide_intervals(blocks):
    """Three equal agents; the deal decides which of them wins all games of its block."""
    rng, covered = np.random.default_rng(3), 0
    seatings = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] * blocks)
    for _ in range(100):
        lucky = np.repeat(rng.integers(0, 3, blocks), 6)
        found = rate(seatings, (seatings == lucky[:, None]).astype(float), np.repeat(np.arange(blocks), 6))
        low, high = found.agents[0].interval
        covered += low <= 0 <= high
        assert found.blocks == blocks
    assert covered >= 90


def _gap(wins, losses, blocks):
    """The rating gap of two agents from `wins` and `losses`, in blocks of equal size."""
    seatings, payoffs = np.tile([0, 1], (wins + losses, 1)), np.repeat([[1.0, 0.0], [0.0, 1.0]], [wins, losses], axis=0)
    first, second = rate(seatings, payoffs, np.arange(wins + losses) * blocks // (wins + losses)).agents
    return first.points - second.points


def test_the_number_of_blocks_changes_no_rating():
    assert _gap(159, 3, 9) == pytest.approx(_gap(159, 3, 162), abs=1e-6)
    assert _gap(159, 3, 9) == pytest.approx(ELO * np.log(159 / 3), abs=70)  # the prior holds 50 to 1 back a little
    assert _gap(177, 3, 10) - _gap(159, 3, 9) == pytest.approx(ELO * np.log(177 / 159), abs=10)


@pytest.mark.parametrize(("blocks", "luck"), [(3, 1.5), (9, 0.0), (10, 0.0), (10, 1.5), (25, 1.5)])
def test_intervals_hold_where_the_deal_favours_an_agent_in_all_games_of_its_block(blocks, luck):
    rng, covered = np.random.default_rng(6), 0
    seatings, block = np.tile(list(permutations(range(3))), (blocks, 1)), np.repeat(np.arange(blocks), 6)
    for _ in range(150):
        form = np.take_along_axis(rng.normal(0, luck, (blocks, 3))[block], seatings, 1) + rng.gumbel(
            size=(len(block), 3)
        )
        low, high = rate(seatings, (form == form.max(axis=1, keepdims=True)) * 1.0, block).agents[0].interval
        covered += low <= 0 <= high
    assert covered >= 150 * 0.9


def test_luck_of_the_deal_narrows_the_gaps_of_ratings_as_the_page_says():
    """A true gap of 200 points; on each deal a seat has luck with a standard deviation of two units of log strength."""
    rng, blocks = np.random.default_rng(9), 3000
    seatings = np.tile([[0, 1], [1, 0]], (blocks, 1))
    form = np.array([200 / ELO, 0])[seatings] + np.repeat(rng.normal(0, 2, (blocks, 2)), 2, axis=0)
    form += rng.gumbel(size=form.shape)
    won = (form == form.max(axis=1, keepdims=True)) * 1.0
    first, second = rate(seatings, won, np.repeat(np.arange(blocks), 2)).agents
    assert first.points - second.points == pytest.approx(100, abs=12)


def _span(wins, losses, blocks=None):
    """The interval of the winner's rating from `wins` and `losses`, in blocks of about equal size."""
    games = wins + losses
    payoffs = np.repeat([[1.0, 0.0], [0.0, 1.0]], [wins, losses], axis=0)
    return rate(np.tile([0, 1], (games, 1)), payoffs, None if blocks is None else np.arange(games) % blocks).agents[0]


@pytest.mark.parametrize("blocks", [1, 2, 9])
def test_in_few_blocks_more_games_never_widen_an_interval(blocks):
    spans = [_span(times * blocks, 0, blocks) for times in (1, 10, 100)]
    assert [span.interval for span in spans] == [pytest.approx(spans[0].interval, abs=1)] * 3  # a block counts once
    assert all(span.interval[0] <= span.points <= span.interval[1] for span in spans)


def test_one_loss_in_nineteen_wins_leaves_the_upper_end_where_the_exact_interval_has_it():
    low, high = _span(19, 1).interval
    assert 2 * high == pytest.approx(1159, abs=100)  # Clopper and Pearson
    assert 2 * low == pytest.approx(192, abs=40)


@pytest.mark.parametrize("gap", [0, 400, 600, 800, 1000])
def test_intervals_cover_large_gaps_of_twenty_games(gap):
    """Exact: the chance of each number of wins of 20 whose interval holds the gap."""
    won = 1 / (1 + 10 ** (-gap / 400))
    spans = [_span(wins, 20 - wins).interval for wins in range(21)]
    covered = [low <= gap / 2 <= high for low, high in spans]
    assert binom.pmf(np.arange(21), 20, won) @ covered >= 0.93


def test_how_likely_an_agent_is_stronger_agrees_with_its_interval():
    for wins, losses in ((9, 0), (8, 2), (14, 6), (15, 5), (16, 4), (20, 0)):
        found = rate(np.tile([0, 1], (wins + losses, 1)), np.repeat([[1.0, 0], [0, 1.0]], [wins, losses], axis=0))
        assert (found.better[0, 1] > 0.975) == (found.agents[0].interval[0] > 0)


def _round_robin(rng, chance):
    """Games of three agents; `chance` is how likely the first of two wins."""
    seatings = np.array([[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] * 20)
    won = np.array([rng.random() < chance[tuple(pair)] for pair in seatings.tolist()])
    return seatings, np.stack([won, ~won], axis=1) * 1.0


def test_a_group_that_nobody_beat_is_named_as_a_group():
    even_first = {(0, 1): 0.5, (1, 0): 0.5, (0, 2): 1, (1, 2): 1, (2, 0): 0, (2, 1): 0}
    text = notes(rate(*_round_robin(np.random.default_rng(1), even_first)), ["A", "B", "C"])
    assert text[1:] == [
        "No other agent ever drew with or beat A or B, so the true ratings of this group could be much higher.",
        "C never drew with or beat another agent, so its true rating could be much lower.",
    ]
    even_last = {(0, 1): 1, (1, 0): 0, (0, 2): 1, (1, 2): 0.5, (2, 0): 0, (2, 1): 0.5}
    text = notes(rate(*_round_robin(np.random.default_rng(1), even_last)), ["A", "B", "C"])
    assert text[1:] == [
        "No agent ever drew with or beat A, so its true rating could be much higher.",
        "None of B and C ever drew with or beat an agent outside this group, so its true ratings could be much lower.",
    ]


def test_agents_that_never_met_are_named_with_those_that_they_met():
    won = np.random.default_rng(1).random(80) < 0.5
    seatings = np.array([[0, 1], [1, 0], [2, 3], [3, 2]] * 20)
    text = notes(rate(seatings, np.stack([won, ~won], axis=1) * 1.0), list("ABCD"))
    assert text[1:] == [
        "Ratings can be compared only among agents that met, at least through others: A and B; C and D."
    ]


def test_copies_that_lose_beside_their_rivals_are_not_level_with_them():
    """The winner is always a copy of the first agent; its other copies and the rivals share the last place."""
    seatings = np.array([(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)] * 20)
    payoffs = (np.cumsum(seatings == 0, axis=1) == 1) & (seatings == 0)
    ratings = rate(seatings, payoffs * 1.0, np.arange(120) // 6)
    assert ratings.groups.above == [True, False]
    assert -3000 < ratings.agents[1].interval[0] < ratings.agents[0].interval[1] < 3000
    assert (
        notes(ratings, ["A", "B"])[1] == "No agent ever drew with or beat A, so its true rating could be much higher."
    )
