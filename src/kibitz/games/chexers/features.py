"""Encodings of a Chexers position for networks.

The board is turned so that the seat's pieces go where red's go, and colours are counted from the seat on.
"""

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.grids import HEX_STEPS
from kibitz.core.native import helper, offset
from kibitz.games.chexers.measures import FEATURES, write_features
from kibitz.games.chexers.rules import (
    ALL_PIECES,
    EXIT,
    EXITS,
    HEXAGON,
    HEXES,
    MOVES_BELOW,
    OCCURRENCES,
    PASS,
    PIECES,
    SEAT,
    TO_DRAW,
    TO_WIN,
    TURNS,
    WINNER,
    bit_of,
    occupied,
)
from kibitz.networks.encoding import encoding, numbering, symmetry

_PLACES = sorted(HEXAGON.places)
_HEXES = len(_PLACES)


def _next_seat(place: tuple[int, int]) -> tuple[int, int]:
    """Return where a hex goes when the board is turned by a third, so that every seat takes the place of the next."""
    q, r = place
    return -q - r, q


# NUMBER[seat, bit] is the number of a hex as the seat sees it; TURNED[bit] is the bit of the hex for the next seat.
NUMBER = np.zeros((3, 64), dtype=np.int64)
TURNED = np.zeros(64, dtype=np.int64)
for _place in _PLACES:
    TURNED[bit_of(_place)] = bit_of(_next_seat(_place))
    _there = _place
    for _seat in range(3):
        NUMBER[_seat, bit_of(_there)] = _PLACES.index(_place)
        _there = _next_seat(_there)

# MOVES_OF[seat, move] is the move of red that corresponds to a seat's move on the turned board.
MOVES_OF = np.full((3, MOVES_BELOW), PASS)
for _place in _PLACES:
    _there, _steps = _place, list(HEX_STEPS)
    for _seat in range(3):
        MOVES_OF[_seat, EXIT + bit_of(_there)] = EXIT + bit_of(_place)
        for _direction, _step in enumerate(_steps):
            MOVES_OF[_seat, 64 * HEX_STEPS.index(_step) + bit_of(_there)] = 64 * _direction + bit_of(_place)
        _there, _steps = _next_seat(_there), [_next_seat(step) for step in _steps]

MOST_JUMPED = 5  # more pieces that can be jumped count as five
_SUPPLY = 3 * _HEXES  # the first row of: exits and pieces of each seat
_SUPPLIES = TO_WIN * (ALL_PIECES + 1)
_JUMPS = _SUPPLY + 3 * _SUPPLIES  # the first row of: pieces that one seat can jump of another
_AGAIN = _JUMPS + 6 * (MOST_JUMPED + 1)  # the first row of: occurrences of the position
LENGTH = _AGAIN + TO_DRAW
MOST = ALL_PIECES + 3 + 6 + 1


@helper
def _jumpable(own, full, empty):
    """Return the pieces that a seat with pieces `own` can jump."""
    up = ((own << 1) & (empty >> 1)) | ((own << 8) & (empty >> 8)) | ((own << 7) & (empty >> 7))
    down = ((own >> 1) & (empty << 1)) | ((own >> 8) & (empty << 8)) | ((own >> 7) & (empty << 7))
    return (up | down) & full


@encoding(length=LENGTH, most=MOST)
def pieces(view, seat, out):
    """Every piece on its hex; exits and pieces of each seat together; how many pieces each can jump of each other."""
    n = 0
    full = occupied(view)
    empty = HEXES & ~full
    for k in range(3):
        who = seat + k - (3 if seat + k > 2 else 0)
        left = view[PIECES + who]
        out[n] = _SUPPLY + k * _SUPPLIES + min(view[EXITS + who], TO_WIN - 1) * (ALL_PIECES + 1) + popcount(left)
        n += 1
        jumped = _jumpable(left, full, empty)
        for step in range(1, 3):
            rival = who + step - (3 if who + step > 2 else 0)
            taken = min(popcount(jumped & view[PIECES + rival]), MOST_JUMPED)
            out[n] = _JUMPS + (2 * k + step - 1) * (MOST_JUMPED + 1) + taken
            n += 1
        while left:
            out[n] = k * _HEXES + NUMBER[seat, lowest(left)]
            left &= left - 1
            n += 1
    out[n] = _AGAIN + min(view[OCCURRENCES], TO_DRAW) - 1
    return n + 1


@encoding(length=3 * FEATURES)
def mozi(view, seat, out):
    """The features of report 2 (the MoZi agent) for each seat: pieces, ways to go, traps, partners."""
    for k in range(3):
        write_features(view, (seat + k) % 3, offset(out, k * FEATURES))


@numbering
def as_red(move, seat):
    """A move as red would make it on the board turned to the seat."""
    return MOVES_OF[seat, move]


@symmetry
def turned(state, out):
    for seat in range(3):
        after = seat + 1 if seat < 2 else 0
        left, mask = state[PIECES + seat], 0
        while left:
            mask |= 1 << TURNED[lowest(left)]
            left &= left - 1
        out[PIECES + after], out[EXITS + after] = mask, state[EXITS + seat]
    out[SEAT] = (state[SEAT] + 1) % 3
    out[OCCURRENCES], out[TURNS], out[WINNER] = state[OCCURRENCES], state[TURNS], state[WINNER]
