"""What a network is shown of a Cartagena position."""

from kibitz.core.bits import lowest
from kibitz.core.native import helper
from kibitz.games.cartagena.cards import count_of
from kibitz.games.cartagena.cells import (
    ACTIONS,
    ACTIONS_A_TURN,
    DEALT,
    DOUBLES,
    FOURS,
    HAND,
    HELD,
    HIDDEN,
    IN_ROW,
    KINDS,
    MOST_SEATS,
    NONE,
    ONES,
    PLAYED,
    ROW,
    SEAT,
    SEAT_COUNT,
    SINGLES,
    TWOS,
    WINNER,
)
from kibitz.games.cartagena.passage import PIRATES, SLOOP, pirates_of, pirates_on, standing
from kibitz.games.cartagena.values import distance
from kibitz.networks.encoding import encoding, symmetry

_SPACES = SLOOP + 1
MOST_ALIKE = 4  # more cards of a sign count as these
MOST_HELD = 15  # more cards in hand count as these
NEXT_CARDS = 6  # of the row
_STRIDE = 6  # spaces: as far as a sign recurs
_STRIDES = PIRATES * SLOOP // _STRIDE + 1
# Of each seat: its pirates on each space, its cards by sign, all its cards, the way behind it.
_CARDS = _SPACES * PIRATES
_ALL_CARDS = _CARDS + KINDS * MOST_ALIKE
_WAY = _ALL_CARDS + MOST_HELD + 1
_OF_SEAT = _WAY + _STRIDES
# Of all together: the pirates on each space, the next cards of the row, who is to move and what it has done.
_TOGETHER = MOST_SEATS * _OF_SEAT
_NEXT = _TOGETHER + _SPACES * 3
_ACTIONS = _NEXT + NEXT_CARDS * KINDS
LENGTH = _ACTIONS + MOST_SEATS * ACTIONS_A_TURN
MOST = MOST_SEATS * (PIRATES + KINDS + 2) + MOST_SEATS * PIRATES + NEXT_CARDS + 1


@helper
def _list_seat(view, seat, at, n, out, open_):
    """List what a seat has, in rows from `at` on; its cards by sign only if they are open."""
    spaces = standing(view, seat)
    while spaces:
        space = lowest(spaces)
        out[n] = at + space * PIRATES + pirates_of(view, seat, space) - 1
        spaces &= spaces - 1
        n += 1
    if open_:
        for sign in range(KINDS):
            cards = count_of(view[HAND + seat], sign)
            if cards:
                out[n] = at + _CARDS + sign * MOST_ALIKE + min(cards, MOST_ALIKE) - 1
                n += 1
    out[n] = at + _ALL_CARDS + min(view[HELD + seat], MOST_HELD)
    out[n + 1] = at + _WAY + distance(view, seat) // _STRIDE
    return n + 2


@encoding(length=LENGTH, most=MOST)
def passage(view, seat, out):
    """Pirates on spaces, of each seat and of all; cards by sign where they are open; the way behind; the next cards."""
    n, seats = 0, view[SEAT_COUNT]
    for k in range(seats):
        who = (seat + k) % seats
        n = _list_seat(view, who, k * _OF_SEAT, n, out, k == 0 or view[HIDDEN] == 0)
    taken = view[SINGLES] | view[DOUBLES]
    while taken:
        space = lowest(taken)
        out[n] = _TOGETHER + space * 3 + pirates_on(view, space) - 1
        taken &= taken - 1
        n += 1
    row = view[ROW]
    for place in range(min(view[IN_ROW], NEXT_CARDS)):
        out[n] = _NEXT + place * KINDS + (row & 15) - 1
        row >>= 4
        n += 1
    out[n] = _ACTIONS + (view[SEAT] - seat) % seats * ACTIONS_A_TURN + view[ACTIONS]
    return n + 1


@symmetry
def turned(state, out):
    # The history stays as it is: no encoding reads it.
    seats = state[SEAT_COUNT]
    for seat in range(seats):
        after = (seat + 1) % seats
        for cell in (ONES, TWOS, FOURS, HAND, HELD, DEALT, PLAYED):
            out[cell + after] = state[cell + seat]
    out[SEAT] = (state[SEAT] + 1) % seats
    out[WINNER] = NONE if state[WINNER] == NONE else (state[WINNER] + 1) % seats
