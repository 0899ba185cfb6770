"""Hints for a search in Quarto."""

import numpy as np

from kibitz.core.bits import list_bits, lowest, popcount
from kibitz.core.contract import hint
from kibitz.core.hashing import hash_cells
from kibitz.core.heuristics import Opening
from kibitz.core.native import helper
from kibitz.games.quarto.policies import pieces_to_win, winning_pieces
from kibitz.games.quarto.rules import (
    CLEAR,
    FREE,
    FULL,
    HAND,
    NONE,
    POOL,
    SEAT,
    SET,
    SPREAD,
    SQUARES,
    matching_lanes,
    piece_on,
    winning_cells,
)
from kibitz.games.quarto.symmetries import IMAGES, ORIGINS, TO_LEAST, TO_LEAST_WITH_SQUARES

# The report's agents play Monte Carlo until the seventh piece is placed.
OPENING = Opening("flat(playouts=100, policy=novice)", until=7)
LOST = 17  # more than there are pieces
KEPT_FREE = 7  # with fewer free cells, searching a position again costs no more than keeping it


@hint
def may_end(state):
    # Placing a piece ends the game if it wins or is the last.
    if state[HAND] == NONE:
        return 0
    return 1 if winning_cells(state, state[HAND]) != 0 or popcount(state[FREE]) == 1 else 0


@hint
def turns_left(state):
    # Every turn places a piece, except one that begins without a piece in hand.
    return popcount(state[FREE]) + (1 if state[HAND] == NONE else 0)


@hint
def safe_moves(state, out):
    if state[HAND] != NONE:
        return -1
    return list_bits(state[POOL] & ~winning_pieces(state), out)


@hint
def end_order(state, move):
    # Fewer safe pieces to hand over mean a smaller tree.
    piece = state[HAND]
    if piece == NONE:
        return 0
    having, lacking = state[SET] | SPREAD[piece] << move, state[CLEAR] | SPREAD[15 ^ piece] << move
    dangerous = pieces_to_win(having, lacking, state[FREE] & ~(1 << move), state[SQUARES])
    left = popcount(state[POOL] & ~dangerous)
    return -left if left else -LOST


@helper
def _image(board, symmetry):
    """Return the image of some cells under a symmetry."""
    return np.int64(IMAGES[symmetry, 0, board & 0xFF]) | np.int64(IMAGES[symmetry, 1, board >> 8])


@helper
def _normal_lanes(state, cell, symmetry):
    """Return for each attribute the cells that agree with the piece that moves to a cell, in ascending order."""
    lanes = matching_lanes(state, piece_on(state, ORIGINS[symmetry, cell]))
    a, b = _image(lanes & FULL, symmetry), _image(lanes >> 16 & FULL, symmetry)
    c, d = _image(lanes >> 32 & FULL, symmetry), _image(lanes >> 48 & FULL, symmetry)
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a | b << 16 | c << 32 | d << 48


@hint
def normal_key(state):
    # The board is moved so that the taken cells make the least number, and attributes are flipped so that the piece on
    # the first of them has them all. The boards of agreement with it, sorted, do not depend on the order of attributes.
    taken = FULL & ~state[FREE]
    if state[HAND] != NONE or taken == 0 or popcount(state[FREE]) < KEPT_FREE:
        return 0
    ways = np.int64(TO_LEAST_WITH_SQUARES[taken] if state[SQUARES] else TO_LEAST[taken])
    board = _image(taken, lowest(ways))
    lanes = _normal_lanes(state, lowest(board), lowest(ways))
    ways &= ways - 1
    while ways:
        lanes = min(lanes, _normal_lanes(state, lowest(board), lowest(ways)))
        ways &= ways - 1
    return hash_cells((lanes, board | (state[SEAT] << 16) | (state[SQUARES] << 17)), 2)
