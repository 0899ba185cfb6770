"""Quarto: hand your rival the piece to place; four alike in a line win.

A piece is a number 0..15, one bit an attribute. Lanes hold boards side by side in one cell: bits 16k..16k+15 are the
board for attribute k. A move is a cell 0..15 while there is a piece in hand, else the piece 0..15 to hand over.
"""

import numpy as np

from kibitz.core.bits import list_bits, nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.grids import Square
from kibitz.core.native import helper
from kibitz.core.options import Option

VERSION = 1
SEATS = (2, 2)
MOST_MOVES = 16
MOVES_BELOW = 16
PAYOFF_SUM = 1
OPTIONS = {"squares": Option(False, "the nine 2x2 squares count as lines too")}

CELLS = cells(
    SET=1,  # lanes: cells with a piece that has attribute k
    CLEAR=1,  # lanes: cells with a piece that lacks attribute k
    FREE=1,  # empty cells
    POOL=1,  # pieces not yet handed over
    HAND=1,  # the piece to be placed, or NONE
    SEAT=1,  # the seat to move, or OVER
    WINNER=1,  # the seat that won, or NONE
    SQUARES=1,  # 1 if the nine 2x2 squares count as lines
)
SET, CLEAR, FREE, POOL, HAND, SEAT, WINNER, SQUARES = CELLS
NONE = -1
ATTRIBUTES = 4
FULL = 0xFFFF
BOARD = Square(4, 4)

LINES = np.array(BOARD.straight_lines(4) + BOARD.blocks(2), dtype=np.int64)
STANDARD_LINES = 10  # rows, columns and diagonals come first in LINES, then the squares

# SPREAD[piece] has bit 16k set for each attribute k of the piece; LANES[piece] is all of those lanes.
SPREAD = np.array([sum((p >> k & 1) << 16 * k for k in range(ATTRIBUTES)) for p in range(16)], dtype=np.int64)
LANES = np.array([int(s) * FULL for s in SPREAD], dtype=np.uint64).view(np.int64)


def _completing(lines: np.ndarray) -> np.ndarray:
    """Return [set of cells]: the cells that complete a line together with it; all 16 if it holds a line."""
    sets = np.arange(FULL + 1, dtype=np.int64)
    out = np.zeros(FULL + 1, dtype=np.uint16)
    for line in lines:
        missing = line & ~sets
        single = (missing & (missing - 1)) == 0
        out[single] |= missing[single].astype(np.uint16)
        out[missing == 0] = FULL
    return out


COMPLETING = _completing(LINES[:STANDARD_LINES])
COMPLETING_WITH_SQUARES = _completing(LINES)


@helper
def completing(board, squares):
    """Return the cells that complete a line together with the cells of `board`; all if it holds a line."""
    if squares:
        return np.int64(COMPLETING_WITH_SQUARES[board])
    return np.int64(COMPLETING[board])


@helper
def matching_lanes(state, piece):
    """Return in each lane the cells whose piece agrees with `piece` in that attribute."""
    return (state[SET] & LANES[piece]) | (state[CLEAR] & ~LANES[piece])


@helper
def piece_on(state, cell):
    """Return the piece on a cell that is taken."""
    lanes = state[SET] >> cell
    return (lanes & 1) | (lanes >> 15 & 2) | (lanes >> 30 & 4) | (lanes >> 45 & 8)


@helper
def winning_cells(state, piece):
    """Return the free cells where `piece` would win."""
    lanes = matching_lanes(state, piece)
    squares = state[SQUARES]
    found = completing(lanes & FULL, squares) | completing((lanes >> 16) & FULL, squares)
    found |= completing((lanes >> 32) & FULL, squares) | completing((lanes >> 48) & FULL, squares)
    return found & state[FREE]


@helper
def _choices(state):
    return state[POOL] if state[HAND] == NONE else state[FREE]


@rule
def deal(state, options, rng):
    state[FREE] = FULL
    state[POOL] = FULL
    state[HAND] = NONE
    state[WINNER] = NONE
    state[SQUARES] = options[1]


@rule
def moves(state, out):
    return list_bits(_choices(state), out)


@rule
def sample(state, rng):
    choices = _choices(state)
    return nth(choices, below(rng, popcount(choices)))


@rule
def play(state, move):
    piece = state[HAND]
    if piece == NONE:
        state[POOL] ^= 1 << move
        state[HAND] = move
        state[SEAT] = 1 - state[SEAT]
        return
    wins = (winning_cells(state, piece) >> move) & 1
    state[SET] |= SPREAD[piece] << move
    state[CLEAR] |= SPREAD[15 ^ piece] << move
    state[FREE] ^= 1 << move
    state[HAND] = NONE
    if wins:
        state[WINNER] = state[SEAT]
        state[SEAT] = OVER
    elif state[FREE] == 0:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    winner = state[WINNER]
    out[0] = 0.5 if winner == NONE else 1.0 - winner
    out[1] = 0.5 if winner == NONE else 0.0 + winner


@rule
def progress(state):
    return 16 - popcount(state[FREE])
