"""The expectation of a value over what chance may do, for searches that look one move or one turn ahead."""

from typing import NamedTuple

import numpy as np

from kibitz.agents.search.search_arrays import Float64s, Int64s
from kibitz.core.calls import copy, moves, odds, play, total_odds, turn
from kibitz.core.contract import CHANCE, GUARD, MOST_MOVES, SIZE
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import helper, offset

DEEPEST = 4  # rolls one after the other; after more, the position counts as it is


class Expectation(NamedTuple):
    """Buffers for the outcomes of rolls that follow each other."""

    states: Int64s  # [roll + 1, cell]
    outcomes: Int64s  # [roll, outcome]
    odds: Int64s  # [roll, outcome]
    left: Int64s  # [roll]: the outcomes still to be tried
    share: Float64s  # [roll]: the probability of getting there, over the sum of the weights there
    values: Float64s  # [seat]
    stakes: Float64s  # [1]: what all payoffs together are worth on the scale of the value; 0 where it has no scale


def stakes_of(game: Game, value: BoundHeuristic) -> float:
    """Return what all payoffs together are worth where chance moves, 0 if the value has no scale for that.

    An expectation weighs wins against values, so both must be on one scale.
    """
    return value.properties.total if game.chance else 0.0


def expectation_buffers(game: Game, value: BoundHeuristic) -> Expectation:
    """Return buffers for a game; hardly any where chance does not move."""
    rolls = _rolls(game)
    places = rolls * game.most_moves + GUARD
    return Expectation(
        np.empty((rolls + 1) * game.size + GUARD, dtype=np.int64), np.empty(places, dtype=np.int64),
        np.empty(places, dtype=np.int64), np.empty(rolls + 1, dtype=np.int64), np.empty(rolls + 1),
        np.empty(game.seats), np.array([stakes_of(game, value)]),
    )  # fmt: skip


def expectation_cells(game: Game) -> int:
    """Return how many cells those buffers take."""
    rolls = _rolls(game)
    return (rolls + 1) * (game.size + 2) + 2 * rolls * game.most_moves + 3 * GUARD + game.seats + 1


def _rolls(game: Game) -> int:
    return DEEPEST if game.chance else 0


@helper
def begin_roll(rules, e, level, probability):
    """List what chance may do in the position of a level."""
    state, at = offset(e.states, level * rules[SIZE]), level * rules[MOST_MOVES]
    e.left[level] = moves(rules, state, offset(e.outcomes, at))
    n = odds(rules, state, offset(e.odds, at))
    e.left[level] = min(n, e.left[level])
    e.share[level] = probability / total_odds(e.left[level], offset(e.odds, at))


@helper
def next_outcome(rules, e, level):
    """Play the next outcome of a level into the level below; return its probability."""
    e.left[level] -= 1
    at = level * rules[MOST_MOVES] + e.left[level]
    after = offset(e.states, (level + 1) * rules[SIZE])
    copy(rules, offset(e.states, level * rules[SIZE]), after)
    play(rules, after, e.outcomes[at])
    return e.share[level] * e.odds[at]


@helper
def rolls_again(rules, e, level):
    """Return whether chance moves in the position of a level, and is followed further."""
    return level < DEEPEST and turn(rules, offset(e.states, level * rules[SIZE])) == CHANCE
