"""Quick policies for Cartagena."""

from collections.abc import Mapping
from typing import Any

from kibitz.core.bits import lowest
from kibitz.core.dice import below, unit
from kibitz.core.heuristics import policy
from kibitz.core.native import helper
from kibitz.games.cartagena.cards import signs_in
from kibitz.games.cartagena.cells import ACTIONS, HAND, SEAT
from kibitz.games.cartagena.passage import SLOOP, pirates_on, space_ahead, space_behind
from kibitz.games.cartagena.rules import BACK, DRAW, STOP, USUAL_SEATS, going, retreating
from kibitz.games.cartagena.values import CARD, DISTANCE, SAVED


def _champion(chosen: Mapping[str, Any]) -> str:
    """Return the text of the strongest agent; each number of seats has its own network."""
    if chosen["version"] != "tortuga":
        return "maxn(seconds=1)"
    network = "champion" if chosen["seats"] == USUAL_SEATS else f"tortuga-{chosen['seats']}"
    return f"maxn(seconds=1, value=net({network}))"


AGENTS = {"champion": _champion}
LEVELS = {
    "beginner": "top3",
    "club": "greedy",
    "strong": "champion",
}

_NONE = (-1, -1e9)  # no move, and less gain than any
_TIE = 1e-6  # far less than any difference in utility


@helper
def _gain_forward(view, space, sign, weights):
    goal = space_ahead(view, space, sign)
    gain = weights[0] * (goal - space) - weights[1]
    return gain + weights[2] if goal == SLOOP else gain


@helper
def _gain_backward(view, space, weights):
    goal = space_behind(view, space)
    gain = weights[0] * (goal - space) + weights[1] * pirates_on(view, goal)
    return gain - weights[2] if space == SLOOP else gain


@helper
def _consider(best, move, gain):
    """Put a move in its place among the best three."""
    first, second, third = best
    if gain > first[1]:
        return ((move, gain), first, second)
    if gain > second[1]:
        return (first, (move, gain), second)
    return (first, second, (move, gain)) if gain > third[1] else best


@helper
def _best_three(view, weights, rng):
    """Return the best three moves by the gain in the mover's utility, equal ones in random order."""
    seat, best = view[SEAT], (_NONE, _NONE, _NONE)
    spaces = going(view, seat)
    while spaces:
        space, hand = lowest(spaces), signs_in(view[HAND + seat])
        while hand:
            sign = lowest(hand) >> 3
            best = _consider(best, 8 * space + sign, _gain_forward(view, space, sign, weights) + _TIE * unit(rng))
            hand &= hand - 1
        spaces &= spaces - 1
    spaces = retreating(view, seat)
    while spaces:
        space = lowest(spaces)
        best = _consider(best, BACK + space, _gain_backward(view, space, weights) + _TIE * unit(rng))
        spaces &= spaces - 1
    if view[ACTIONS]:
        best = _consider(best, STOP, _TIE * unit(rng))
    return best


@policy(distance=DISTANCE, card=CARD, sloop=SAVED)
def top3(view, weights, rng):
    """One of the best three moves by utility, each equally likely."""
    best = _best_three(view, weights, rng)
    found = (best[0][0] >= 0) + (best[1][0] >= 0) + (best[2][0] >= 0)
    return best[below(rng, found)][0] if found else DRAW
