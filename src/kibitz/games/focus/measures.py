"""What can be measured in Focus: what a move takes, wins and leaves, and which fields a seat can reach."""

from kibitz.core.bits import popcount
from kibitz.core.native import helper
from kibitz.games.focus.board import OFFSET, TALLEST
from kibitz.games.focus.rules import COUNT, HIGH, PLACE, RESERVE, TOPS, kinds_of, movers, placing, stack_on


@helper
def pieces_in(move):
    """Return how many pieces a move moves or places."""
    return (move >> 8) + 1 if move < PLACE else 1


@helper
def end_of(move):
    """Return the field on which a move ends."""
    return (move & 63) + OFFSET[move >> 6] if move < PLACE else move & 63


@helper
def left_behind(state, move):
    """Return the height of the stack that a move leaves where it starts, and the owner of its top."""
    if move >= PLACE:
        return 0, 0
    stack, pieces = stack_on(state, move & 63), pieces_in(move)
    return (stack & 7) - pieces, (stack >> (3 + 2 * pieces)) & 3


@helper
def fallen(state, seat, move):
    """Return how many pieces of others, and of the seat, come off at the bottom by a move."""
    stack = stack_on(state, end_of(move))
    height, others = stack & 7, 0
    excess = max(height + pieces_in(move) - TALLEST, 0)
    for piece in range(height - excess, height):
        others += ((stack >> (3 + 2 * piece)) & 3) != seat
    return others, excess - others


@helper
def stacks_won(state, seat, move):
    """Return by how many a move changes the number of stacks that the seat controls."""
    height, owner = left_behind(state, move)
    won = 1 - ((state[TOPS + seat] >> end_of(move)) & 1)
    return won - (1 if move < PLACE and (height == 0 or owner != seat) else 0)


@helper
def shifted(mask, offset):
    """Return where the fields of a mask come by an offset."""
    return mask << offset if offset > 0 else mask >> -offset


@helper
def reach_of(state, seat):
    """Return the fields on which a seat could end a move."""
    reach = placing(state, seat)
    for kind in range(kinds_of(state, seat)):
        reach |= shifted(movers(state, seat, kind), OFFSET[kind])
    return reach


@helper
def reach_of_rivals(state, seat):
    """Return the fields on which another seat could end a move."""
    reach = 0
    for other in range(state[COUNT]):
        if other != seat:
            reach |= reach_of(state, other)
    return reach


@helper
def held(state, seat):
    """Return how many pieces are in the stacks that a seat controls."""
    total = 0
    for less in range(TALLEST):
        total += popcount(state[TOPS + seat] & state[HIGH + less])
    return total


@helper
def mobility(state, seat):
    """Return how many moves of pieces on the board a seat has."""
    total = 0
    for kind in range(kinds_of(state, seat)):
        total += popcount(movers(state, seat, kind))
    return total


@helper
def stranded(state, seat):
    """Return whether no other seat than this has a reserve, and the others control one stack at most."""
    stacks, reserves = 0, 0
    for other in range(state[COUNT]):
        if other != seat:
            stacks += popcount(state[TOPS + other])
            reserves += state[RESERVE + other]
    return stacks < 2 and reserves == 0
