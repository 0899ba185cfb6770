"""Hints for a search in Chinese Checkers: whose turn it is, whether a game may end, which moves to try first."""

from kibitz.core.bits import popcount
from kibitz.core.contract import OVER, hint
from kibitz.core.heuristics import move_filter, move_order
from kibitz.core.native import helper
from kibitz.games.chinese_checkers.measures import gained
from kibitz.games.chinese_checkers.rules import (
    BOARD,
    COUNT,
    EMPTY,
    PASS,
    POINT_WORDS,
    SEAT,
    TURNS,
    TURNS_EACH,
    end_of,
    goal_of,
    start_of,
)
from kibitz.games.chinese_checkers.star import LATTICES


@hint
def hand_over(state, seat):
    # Skipped turns count, but the game does not end between them.
    if state[SEAT] == seat or state[SEAT] == OVER:
        return
    ahead = seat - state[SEAT]
    state[TURNS] += ahead if ahead > 0 else ahead + state[COUNT]
    state[SEAT] = seat


@helper
def _missing(state, seat):
    """Return how many fields of a seat's goal are empty."""
    goal, missing = goal_of(state, seat), 0
    for lattice in range(LATTICES):
        missing += popcount(state[EMPTY + lattice] & POINT_WORDS[state[BOARD], goal, lattice])
    return missing


@hint
def may_end(state):
    # A move fills at most one field, and any seat may fill the last of a goal.
    if state[TURNS] >= TURNS_EACH * state[COUNT] - 1:
        return 1
    for seat in range(state[COUNT]):
        if _missing(state, seat) == 1:
            return 1
    return 0


@move_order
def gain(state, move):
    """The literature: moves that bring a piece farther towards its goal first."""
    return 0 if move == PASS else gained(state, start_of(move), end_of(move))


@move_filter
def onward(state, root, rng, moves, n):
    """No moves that lose distance, unless there are no others."""
    kept = 0
    for k in range(n):
        if moves[k] == PASS or gained(state, start_of(moves[k]), end_of(moves[k])) >= 0:
            moves[kept] = moves[k]
            kept += 1
    return kept if kept > 0 else n
