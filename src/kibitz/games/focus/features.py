"""Encodings of a Focus position for networks; seats are counted from the one that looks."""

from kibitz.core.bits import lowest, popcount
from kibitz.core.native import helper
from kibitz.games.focus.board import MOST_SEATS, TALLEST
from kibitz.games.focus.measures import held, mobility
from kibitz.games.focus.rules import (
    ALL_PIECES,
    CAPTURED,
    COUNT,
    HIGH,
    IN_ALL,
    RESERVE,
    SEAT,
    STACKS,
    TOPS,
    WAITING,
    WINNER,
    needed,
    stack_on,
    taken,
)
from kibitz.networks.encoding import encoding, symmetry

MOST_HELD = 7  # more pieces in reserve, or captured of a seat, count as seven
_COUNTS = MOST_HELD + 1
# The first row of each part of `stacks`.
_TOPS = 0  # the owner and the height of each stack
_BURIED = _TOPS + 64 * MOST_SEATS * TALLEST  # the owner of each piece under the top, by depth
_HELD = _BURIED + 64 * MOST_SEATS * (TALLEST - 1)  # the reserve of each seat
_TAKEN = _HELD + MOST_SEATS * _COUNTS  # what each seat has captured of each other
_TO_PLACE = _TAKEN + MOST_SEATS * MOST_SEATS * _COUNTS  # the seats whose first turn is to come
LENGTH = _TO_PLACE + MOST_SEATS
MOST = ALL_PIECES + MOST_SEATS + MOST_SEATS * (MOST_SEATS - 1) + MOST_SEATS
PER_SEAT = 5


@helper
def _from(seat, other, seats):
    """Return the number of another seat counted from a seat."""
    return other - seat if other >= seat else other - seat + seats


@helper
def _list_pieces(view, seat, out):
    """List every piece, by field, depth and owner, the top ones by height as well; return how many."""
    n, left, seats = 0, view[HIGH], view[COUNT]
    while left:
        at = lowest(left)
        left &= left - 1
        stack = stack_on(view, at)
        height = stack & 7
        out[n] = _TOPS + (at * MOST_SEATS + _from(seat, (stack >> 3) & 3, seats)) * TALLEST + height - 1
        n += 1
        for depth in range(1, height):
            owner = _from(seat, (stack >> (3 + 2 * depth)) & 3, seats)
            out[n] = _BURIED + (at * MOST_SEATS + owner) * (TALLEST - 1) + depth - 1
            n += 1
    return n


@encoding(length=LENGTH, most=MOST)
def stacks(view, seat, out):
    """Every piece on its field by depth, the heights of stacks, reserves, and what each has captured of each."""
    n, seats = _list_pieces(view, seat, out), view[COUNT]
    for k in range(seats):
        one = (seat + k) % seats
        out[n] = _HELD + k * _COUNTS + min(view[RESERVE + one], MOST_HELD)
        n += 1
        for step in range(1, seats):
            other = (one + step) % seats
            captured = min(taken(view, other, one), MOST_HELD)
            out[n] = _TAKEN + (k * MOST_SEATS + (k + step) % seats) * _COUNTS + captured
            n += 1
        if (view[WAITING] >> one) & 1:
            out[n] = _TO_PLACE + k
            n += 1
    return n


@encoding(length=PER_SEAT * MOST_SEATS)
def measures(view, seat, out):
    """Five numbers a seat: captures still needed, reserve, stacks, pieces in them, moves; all about 0 to 1."""
    seats = view[COUNT]
    for i in range(PER_SEAT * MOST_SEATS):
        out[i] = 0.0
    for k in range(seats):
        one, at = (seat + k) % seats, PER_SEAT * k
        out[at] = needed(view, one) / view[IN_ALL]
        out[at + 1] = view[RESERVE + one] / TALLEST
        out[at + 2] = popcount(view[TOPS + one]) / 13
        out[at + 3] = held(view, one) / 26
        out[at + 4] = mobility(view, one) / 52


@helper
def _turned_owners(stack, seats):
    """Return a stack with every owner replaced by the next seat."""
    turned = stack & 7
    for piece in range(stack & 7):
        owner = (stack >> (3 + 2 * piece)) & 3
        turned |= ((owner + 1) % seats) << (3 + 2 * piece)
    return turned


@symmetry
def turned(state, out):
    seats = state[COUNT]
    for cell in range(16):
        out[STACKS + cell] = 0
    left = state[HIGH]
    while left:
        at = lowest(left)
        left &= left - 1
        out[STACKS + (at >> 2)] |= _turned_owners(stack_on(state, at), seats) << ((at & 3) << 4)
    for seat in range(seats):
        after, captured = (seat + 1) % seats, 0
        for other in range(seats):
            captured |= taken(state, other, seat) << 8 * ((other + 1) % seats)
        out[CAPTURED + after], out[RESERVE + after], out[TOPS + after] = (
            captured,
            state[RESERVE + seat],
            state[TOPS + seat],
        )
        out[WAITING] = out[WAITING] & ~(1 << after) | ((state[WAITING] >> seat) & 1) << after
    for less in range(TALLEST):
        out[HIGH + less] = state[HIGH + less]
    out[SEAT], out[COUNT], out[WINNER], out[IN_ALL] = (state[SEAT] + 1) % seats, seats, state[WINNER], state[IN_ALL]
