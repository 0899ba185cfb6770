"""Rolit: place a disc and all others' discs that it encloses take its colour; most discs on the full board win.

A mask holds square a1 as bit 0, b1 as bit 1, and so on to h8 as bit 63. Shifts to the right repeat bit 63, so runs are
looked for only on squares where that does no harm. A move is the number of a square.
"""

from collections.abc import Iterable

import numpy as np

from kibitz.core.bits import highest, lowest, nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.grids import Square
from kibitz.core.native import helper
from kibitz.core.options import Option

VERSION = 1
SEATS = (2, 4)
USUAL_SEATS = 4
SEAT_NAMES = ("red", "yellow", "green", "blue")
MOST_MOVES = 60  # no more squares are ever empty
MOVES_BELOW = 64
PAYOFF_SUM = 1
OPTIONS: dict[str, Option] = {}

COLOURS = 4
CELLS = cells(
    DISCS=COLOURS,  # the discs of red, yellow, green and blue, with a seat or neutral: masks
    SEAT=1,  # the seat to move, or OVER
    COUNT=1,  # the number of seats
)
DISCS, SEAT, COUNT = CELLS
BOARD = Square(8, 8)
START = tuple(BOARD.cell(name) for name in ("d5", "e5", "e4", "d4"))  # red, yellow, green, blue
FULL = -1  # all 64 squares
LAST = np.int64(1) << 63  # h8


def mask_of(places: Iterable[tuple[int, int]]) -> np.int64:
    """Return the mask of squares, each a column and a row from 0; those off the board do not count."""
    squares = {8 * row + column for column, row in places if 0 <= column < 8 and 0 <= row < 8}
    return np.uint64(sum(1 << square for square in squares)).astype(np.int64)


PLACES = [(square % 8, square // 8) for square in BOARD.cells]
WITHOUT_A = mask_of((column, row) for column, row in PLACES if column > 0)
WITHOUT_H = mask_of((column, row) for column, row in PLACES if column < 7)
WITHOUT_8 = mask_of((column, row) for column, row in PLACES if row < 7)
# Squares that can lie within a run: along a row, along a column, along a diagonal.
IN_ROW = mask_of((column, row) for column, row in PLACES if 0 < column < 7)
IN_COLUMN = mask_of((column, row) for column, row in PLACES if 0 < row < 7)
IN_DIAGONAL = IN_ROW & IN_COLUMN

UP = ((1, 0), (-1, 1), (0, 1), (1, 1))  # directions in which the numbers of squares rise, as columns and rows


def _rays(sign: int) -> np.ndarray:
    """Return, by direction and square, the squares that lie ahead, up or down."""
    steps = [sign * k for k in range(1, 8)]
    return np.array([
        [mask_of((column + k * dc, row + k * dr) for k in steps) for column, row in PLACES] for dc, dr in UP
    ])  # fmt: skip


RAYS_UP, RAYS_DOWN = _rays(1), _rays(-1)


@helper
def bit(square):
    """Return the mask of a square."""
    return np.int64(1) << square


@helper
def occupied(state):
    """Return the squares with a disc."""
    return state[DISCS] | state[DISCS + 1] | state[DISCS + 2] | state[DISCS + 3]


@helper
def _ends_up(own, others, step):
    """Return the squares that end a run of others' discs which begins at an own one, `step` bits up each."""
    run, pairs = others & (own << step), others & (others << step)
    run |= others & (run << step)
    run |= pairs & (run << 2 * step)
    run |= pairs & (run << 2 * step)
    return run << step


@helper
def _ends_down(own, others, step):
    """Return the squares that end a run of others' discs which begins at an own one, `step` bits down each."""
    run, pairs = others & (own >> step), others & (others >> step)
    run |= others & (run >> step)
    run |= pairs & (run >> 2 * step)
    run |= pairs & (run >> 2 * step)
    return run >> step


@helper
def enclosing(own, full):
    """Return the empty squares where a colour with the discs `own` encloses others' on a board filled as `full`."""
    others = full & ~own
    row, column, diagonal = others & IN_ROW, others & IN_COLUMN, others & IN_DIAGONAL
    ends = _ends_up(own, row, 1) | _ends_down(own, row, 1)
    ends |= _ends_up(own, column, 8) | _ends_down(own, column, 8)
    ends |= _ends_up(own, diagonal, 7) | _ends_down(own, diagonal, 7)
    ends |= _ends_up(own, diagonal, 9) | _ends_down(own, diagonal, 9)
    return ends & ~full


@helper
def beside(full):
    """Return the empty squares next to a disc."""
    wide = full | ((full << 1) & WITHOUT_A) | ((full >> 1) & WITHOUT_H)
    return (wide | (wide << 8) | ((wide >> 8) & WITHOUT_8)) & ~full


@helper
def choices(state):
    """Return the squares that the seat to move may take."""
    full = occupied(state)
    found = enclosing(state[DISCS + state[SEAT]], full)
    return found if found != 0 else beside(full)


@helper
def turned_by(own, full, square):
    """Return the discs that a disc of a colour with the discs `own` turns on an empty square."""
    turned, stops = np.int64(0), own | ~full
    for way in range(len(UP)):
        ray = RAYS_UP[way, square]
        end = lowest((ray & stops) | LAST)
        turned |= ray & ~(np.int64(-1) << end) & -((ray & own) >> end & 1)
        ray = RAYS_DOWN[way, square]
        end = highest((ray & stops) | 1)
        turned |= ray & (np.int64(-2) << end) & -((ray & own) >> end & 1)
    return turned


@rule
def deal(state, options, rng):
    state[COUNT] = options[0]
    for colour in range(COLOURS):
        state[DISCS + colour] = bit(START[colour])


@rule
def moves(state, out):
    n, left = 0, choices(state)
    while left != 0:
        out[n] = lowest(left)
        left ^= bit(out[n])
        n += 1
    return n


@rule
def sample(state, rng):
    found = choices(state)
    return nth(found, below(rng, popcount(found)))


@rule
def play(state, move):
    seat, full = state[SEAT], occupied(state)
    turned = turned_by(state[DISCS + seat], full, move)
    for colour in range(COLOURS):
        state[DISCS + colour] &= ~turned
    state[DISCS + seat] |= turned | bit(move)
    state[SEAT] = seat + 1 if seat + 1 < state[COUNT] else 0
    if full | bit(move) == FULL:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    most, winners = 0, 0
    for seat in range(state[COUNT]):
        discs = popcount(state[DISCS + seat])
        if discs > most:
            most, winners = discs, 0
        winners += discs == most
    for seat in range(state[COUNT]):
        out[seat] = 1 / winners if popcount(state[DISCS + seat]) == most else 0.0


@rule
def progress(state):
    return popcount(occupied(state)) - COLOURS
