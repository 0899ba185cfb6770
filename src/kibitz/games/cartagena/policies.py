"""Quick policies for Cartagena."""

from kibitz.core.bits import lowest
from kibitz.core.dice import below, unit
from kibitz.core.knowledge import policy
from kibitz.core.native import helper
from kibitz.games.cartagena.cards import signs_in
from kibitz.games.cartagena.cells import ACTIONS, HAND, SEAT
from kibitz.games.cartagena.passage import SLOOP, pirates_on, space_ahead, space_behind
from kibitz.games.cartagena.rules import BACK, DRAW, STOP, going, retreating

_NOTHING = -1e9
_TIE = 1e-6  # far less than any difference in utility


@helper
def _gain(view, move, weights):
    """Return by how much a move raises the mover's utility."""
    if move >= STOP:
        return 0.0
    if move >= BACK:
        goal = space_behind(view, move - BACK)
        left_sloop = weights[2] if move - BACK == SLOOP else 0.0
        return weights[0] * (goal - (move - BACK)) + weights[1] * pirates_on(view, goal) - left_sloop
    goal = space_ahead(view, move >> 3, move & 7)
    reached_sloop = weights[2] if goal == SLOOP else 0.0
    return weights[0] * (goal - (move >> 3)) - weights[1] + reached_sloop


@helper
def _consider(best, move, gain):
    """Put a move in its place among the best three, given as (moves, gains) from the best down."""
    first, second, third = best
    if gain > first[1]:
        return ((move, gain), first, second)
    if gain > second[1]:
        return (first, (move, gain), second)
    if gain > third[1]:
        return (first, second, (move, gain))
    return best


@policy(distance=1.0, card=4.0, sloop=5.0)
def top3(view, weights, rng):
    """One of the best three moves by utility, each equally likely."""
    none = (-1, _NOTHING)
    best = (none, none, none)
    seat = view[SEAT]
    left, signs = going(view, seat), signs_in(view[HAND + seat])
    while left:
        hand = signs
        while hand:
            move = 8 * lowest(left) + (lowest(hand) >> 3)
            best = _consider(best, move, _gain(view, move, weights) + _TIE * unit(rng))
            hand &= hand - 1
        left &= left - 1
    left = retreating(view, seat)
    while left:
        move = BACK + lowest(left)
        best = _consider(best, move, _gain(view, move, weights) + _TIE * unit(rng))
        left &= left - 1
    if view[ACTIONS]:
        best = _consider(best, STOP, _TIE * unit(rng))
    if best[0][0] < 0:
        return DRAW
    found = 1 + (best[1][0] >= 0) + (best[2][0] >= 0)
    return best[below(rng, found)][0]
