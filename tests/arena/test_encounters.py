"""Encounters: pairs of agents are judged together, so that many pairs do not make a difference of nothing."""

import numpy as np
import pytest
from rich.console import Console

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.encounters import encounters
from kibitz.arena.results.statistics.interval import LEVEL
from kibitz.arena.results.tournament_result import standings
from kibitz.arena.show.report.report_data import _better
from kibitz.arena.show.tournament_table import tournament_table
from kibitz.arena.tournament import play_tournament
from tests.arena.test_agent_rows import games_of


def _round_robin(agents, blocks, payoffs_of):
    """Games in which every agent meets every other in both seats of each block; who wins, a function says."""
    pairs = [(one, other) for one in range(agents) for other in range(agents) if one != other]
    seatings = pairs * blocks
    return games_of(seatings, [payoffs_of(*pair) for pair in seatings], np.repeat(np.arange(blocks), len(pairs)))


ALIKE_P = 0.5 ** (12 / (1.5 * 6 / 5))  # an equal agent wins 12 games, of which 1.8 tell as much as one


def test_p_values_of_three_pairs_are_corrected_by_hand():
    """Agent a always beats b, b always beats c, and a always draws with c, in six blocks.

    A difference of 1 in all of them has p = ALIKE_P, and none has p = 1. Holm: the least of three counts three times;
    the next twice, but not less than the one before.
    """
    score = {(0, 1): (1, 0), (1, 0): (0, 1), (1, 2): (1, 0), (2, 1): (0, 1), (0, 2): (0.5, 0.5), (2, 0): (0.5, 0.5)}
    found = encounters(_round_robin(3, 6, lambda *pair: score[pair]), (0, 1, 2), LEVEL)
    assert [(pair.agent, pair.other) for pair in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [pair.p for pair in found] == pytest.approx([ALIKE_P, 1.0, ALIKE_P])
    assert [pair.p_holm for pair in found] == pytest.approx([3 * ALIKE_P, 1.0, 3 * ALIKE_P])


def test_a_single_pair_is_not_corrected():
    (pair,) = encounters(_round_robin(2, 6, lambda one, other: (one == 0, other == 0)), (0, 1), LEVEL)
    assert pair.p == pair.p_holm == pytest.approx(ALIKE_P)


# Agents a and b beat c and d, which draw; a beats b where it moves first, and draws else.
SCORES = {(0, 1): (1, 0), (1, 0): (0.5, 0.5)} | {
    pair: (1, 0) if pair[0] < 2 else (0, 1) for pair in ((0, 2), (0, 3), (1, 2), (1, 3), (2, 0), (3, 0), (2, 1), (3, 1))
}


def _equal_agents(rng, agents=5, blocks=25):
    def toss(one, other):
        won = rng.random() < 0.5
        return (won, not won)

    return _round_robin(agents, blocks, toss)


def test_equal_agents_seldom_seem_to_differ_in_any_of_ten_pairs():
    """The chance of a false claim about any pair is at most 5 %; without the correction it would be about 30 %."""
    rng, runs = np.random.default_rng(20), 120
    alone = corrected = 0
    for _ in range(runs):
        found = encounters(_equal_agents(rng), range(5), LEVEL)
        alone += min(pair.p for pair in found) < 0.05
        corrected += min(pair.p_holm for pair in found) < 0.05
    assert alone > 0.15 * runs
    assert corrected <= 12  # of 120 at 5 %: more have a chance of 1 %


def test_ratings_of_equal_agents_seldom_seem_to_differ_either():
    rng, runs = np.random.default_rng(21), 30
    alone = corrected = 0
    for _ in range(runs):
        data = _better(standings(_equal_agents(rng), stopped=False))
        alone += _least(data["better_p"]) < 0.05
        corrected += _least(data["better_p_holm"]) < 0.05
    assert alone > 0.15 * runs
    assert corrected <= 5  # of 30 at 5 %: more have a chance of 1 %


def _least(table):
    return min(cell for line in table for cell in line if cell is not None)


def test_the_note_on_the_first_two_goes_by_the_corrected_value():
    """Agent a earns half a game more than b in seven blocks: alone p = (2 / 3)**8 = 0.039, the fifth least of six."""
    found = standings(_round_robin(4, 7, lambda *pair: SCORES.get(pair, (0.5, 0.5))), stopped=False)
    first = found.encounters[0]
    assert (first.agent, first.other, first.difference) == ("a", "b", 0.5)
    assert (first.p, first.p_holm) == (pytest.approx((2 / 3) ** 8), pytest.approx(2 * (2 / 3) ** 8))
    assert sum("do not show that" in note for note in found.notes) == 1


def test_the_table_of_a_tournament_shows_both_p_values_and_says_which_counts():
    result = play_tournament(Plan.make("quarto", ["random", "novice", "greedy"], games=60))
    assert [pair.rank for pair in result.encounters] == [1, 1, 2]
    assert set(result.as_dict()["encounters"][0]) >= {"p", "p_holm", "difference", "interval"}
    console = Console(width=80, highlight=False, record=True)
    for part in tournament_table(result):
        console.print(part)
    shown = " ".join(console.export_text().split())
    assert "p alone" in shown
    assert "corrected for 3 pairs by Holm's method" in shown
