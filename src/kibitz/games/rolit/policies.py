"""Quick policies for Rolit, and the agents behind its levels."""

import numpy as np

from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.dice import below, unit
from kibitz.core.heuristics import policy
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.rolit.rules import DISCS, SEAT, bit, choices, occupied, turned_by
from kibitz.games.rolit.squares import BEST, RANKED

LEVELS = {
    "beginner": "policy(grab)",
    "club": "maxn(depth=2)",
    "strong": "mcts(seconds=1)",
}


@helper
def _among(found, rng):
    return nth(found, below(rng, popcount(found)))


@policy(epsilon=Option(0.05, "how often any move is taken", least=0.0, most=1.0))
def squares(view, weights, rng):
    """A square of the best rank, corners before all, at random among equals; sometimes any move."""
    found = choices(view)
    if unit(rng) >= weights[0]:
        for k in range(BEST):
            best = found & RANKED[BEST - k]
            if best != 0:
                return _among(best, rng)
    return _among(found, rng)


@policy
def grab(view, weights, rng):
    """The move that turns most discs, at random among equals."""
    own, full, left = view[DISCS + view[SEAT]], occupied(view), choices(view)
    most, best = -1, np.int64(0)
    while left != 0:
        square = lowest(left)
        left ^= bit(square)
        turned = popcount(turned_by(own, full, square))
        if turned > most:
            most, best = turned, np.int64(0)
        if turned == most:
            best |= bit(square)
    return _among(best, rng)
