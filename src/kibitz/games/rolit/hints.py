"""Hints for a search in Rolit: the turns left, and which squares to try first."""

from kibitz.core.bits import popcount
from kibitz.core.contract import OVER, hint
from kibitz.core.heuristics import move_order
from kibitz.games.rolit.rules import DISCS, SEAT, occupied, turned_by
from kibitz.games.rolit.squares import RANK


@hint
def hand_over(state, seat):
    if state[SEAT] != OVER:
        state[SEAT] = seat


@hint
def turns_left(state):
    return popcount(~occupied(state))


@hint
def may_end(state):
    return 1 if popcount(~occupied(state)) == 1 else 0


@move_order
def squares(state, move):
    """Corners first, then the rest of the board by its table, squares next to a corner last."""
    return RANK[move]


@move_order
def turned(state, move):
    """The moves that turn most discs first."""
    return popcount(turned_by(state[DISCS + state[SEAT]], occupied(state), move))
