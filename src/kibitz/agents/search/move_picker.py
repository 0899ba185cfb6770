"""The move picker: listing the moves, making the position after one, picking the next to search.

A level of the search holds a row of choices, and one position: the one after the move being searched.
"""

from kibitz.agents.search.control import CHOICES, ROOT
from kibitz.agents.search.filters import filtered
from kibitz.core.calls import copy, moves, play
from kibitz.core.contract import SIZE
from kibitz.core.native import helper, offset

SEARCHED_OR_PRUNED = -1e18  # the order of a choice that has been searched, or is to be skipped


@helper
def list_moves(s, state, listed):
    """Write the legal moves that the filter keeps; return how many there are."""
    return filtered(s.rules, s.filters, s.control[ROOT], state, s.dice, listed, moves(s.rules, state, listed))


@helper
def first_choice(s, level):
    """Return the index of the first choice of a level."""
    return level * s.control[CHOICES]


@helper
def place_of(s, level):
    """Return where a level keeps its position."""
    return offset(s.states, level * s.rules[SIZE])


@helper
def child_of(s, state, level, move):
    """Return the position after a move, stored as that of the level."""
    after = place_of(s, level)
    copy(s.rules, state, after)
    play(s.rules, after, move)
    return after


@helper
def next_choice(order, n):
    """Return the index of the choice with the highest order, the first of equals."""
    best, most = 0, order[0]
    for i in range(1, n):
        if order[i] > most:
            best, most = i, order[i]
    return best
