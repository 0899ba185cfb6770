"""Hints for a search in Focus: who is still in, whether the game may end, which moves to try first."""

from kibitz.core.contract import OVER, hint
from kibitz.core.heuristics import move_order
from kibitz.core.native import helper
from kibitz.games.focus.board import OFFSET, TALLEST
from kibitz.games.focus.measures import end_of, fallen, pieces_in, shifted, stacks_won, stranded
from kibitz.games.focus.rules import (
    COUNT,
    EACH,
    HIGH,
    MOST_TURNS,
    PASS,
    SEAT,
    TURNS,
    kinds_of,
    movers,
    needed,
    placing,
    stack_on,
    taken,
)


@hint
def hand_over(state, seat):
    if state[SEAT] != OVER:
        state[SEAT] = seat


@hint
def alive(state):
    # A seat is out once all its pieces are captured; a buried piece may come to the top again.
    seats = 0
    for seat in range(state[COUNT]):
        lost = 0
        for captor in range(state[COUNT]):
            lost += taken(state, seat, captor)
        seats |= (1 if lost < state[EACH] else 0) << seat
    return seats


@helper
def _may_capture(state, seat, least):
    """Return whether a seat has a move that takes at least so many pieces off a stack."""
    if least > TALLEST:
        return False
    if least == 1 and placing(state, seat) & state[HIGH + TALLEST - 1]:
        return True
    for kind in range(4 * (least - 1), kinds_of(state, seat)):
        tall = state[HIGH + TALLEST - 1 + least - (kind >> 2) - 1]
        if shifted(movers(state, seat, kind), OFFSET[kind]) & tall:
            return True
    return False


@hint
def may_end(state):
    # The last turn, enough captured, or nobody else left to move.
    seat = state[SEAT]
    if state[TURNS] >= MOST_TURNS - 1 or stranded(state, seat):
        return 1
    return 1 if _may_capture(state, seat, needed(state, seat)) else 0


@hint
def turns_left(state):
    return MOST_TURNS - state[TURNS]


@move_order
def stacking(state, move):
    """Nijssen: 10 (pieces moved + pieces on the field where they end) + stacks won."""
    if move == PASS:
        return 0
    return 10 * (pieces_in(move) + (stack_on(state, end_of(move)) & 7)) + stacks_won(state, state[SEAT], move)


@move_order
def captures(state, move):
    """Others' pieces captured first, then own ones put in reserve, then as stacking."""
    if move == PASS:
        return 0
    seat = state[SEAT]
    others, own = fallen(state, seat, move)
    height = pieces_in(move) + (stack_on(state, end_of(move)) & 7)
    return 100 * (4 * others + own) + 10 * height + stacks_won(state, seat, move)
