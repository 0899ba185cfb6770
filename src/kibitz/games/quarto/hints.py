"""What helps a search in Quarto."""

import numpy as np

from kibitz.core.bits import list_bits, lowest, popcount
from kibitz.core.contract import hint
from kibitz.core.hashing import hash_cells
from kibitz.core.knowledge import Opening
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
    winning_cells,
)
from kibitz.games.quarto.symmetries import CELL_BEFORE, MOST_NORMAL, MOST_NORMAL_WITH_SQUARES, TURNED

# The report's searchers play Monte Carlo before the seventh piece is set.
OPENING = Opening("flat(playouts=100, policy=novice)", until=7)
LOST = 17  # more than there are pieces
FORGOTTEN = 5  # with fewer free cells, to search a position anew costs no more than to find it again


@hint
def may_end(state):
    # A piece that is placed ends the game if it wins or is the last.
    if state[HAND] == NONE:
        return 0
    return 1 if winning_cells(state, state[HAND]) != 0 or popcount(state[FREE]) == 1 else 0


@hint
def turns_left(state):
    # In a turn a piece is placed; the first turn of a seat that has no piece in hand is to hand one over.
    return popcount(state[FREE]) + (1 if state[HAND] == NONE else 0)


@hint
def safe_moves(state, out):
    if state[HAND] != NONE:
        return -1
    return list_bits(state[POOL] & ~winning_pieces(state), out)


@hint
def end_order(state, move):
    # Where few pieces are left that may be handed over, there is least to search.
    piece, free = state[HAND], state[FREE] & ~(1 << move)
    if piece == NONE:
        return 0
    taken = SPREAD[piece] << move
    lacking = SPREAD[15 ^ piece] << move
    left = popcount(state[POOL] & ~pieces_to_win(state[SET] | taken, state[CLEAR] | lacking, free, state[SQUARES]))
    return -left if left else -LOST


@helper
def _turned(board, symmetry):
    """Return the image of some cells under a symmetry."""
    return np.int64(TURNED[symmetry, 0, board & 0xFF]) | np.int64(TURNED[symmetry, 1, board >> 8])


@helper
def _piece_on(state, cell):
    lanes = state[SET] >> cell
    return (lanes & 1) | (lanes >> 15 & 2) | (lanes >> 30 & 4) | (lanes >> 45 & 8)


@helper
def _normal_lanes(state, board, symmetry):
    """Return where pieces agree with that in hand, or else with that whose image is first, in ascending order."""
    piece = state[HAND]
    if piece == NONE:
        piece = _piece_on(state, CELL_BEFORE[symmetry, lowest(board)]) if board != 0 else 0
    lanes = matching_lanes(state, piece)
    a, b = _turned(lanes & FULL, symmetry), _turned(lanes >> 16 & FULL, symmetry)
    c, d = _turned(lanes >> 32 & FULL, symmetry), _turned(lanes >> 48 & FULL, symmetry)
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a | b << 16 | c << 32 | d << 48


@hint
def normal_key(state):
    # A symmetry turns the board, and permutes and flips attributes. The board is turned so that the taken cells make
    # the least number; attributes are flipped so that the piece in hand, or else that on the first taken cell, has
    # them all; then the four boards of agreement with that piece, in ascending order, do not depend on permutations.
    free = state[FREE]
    if state[HAND] != NONE or popcount(free) < FORGOTTEN:
        return 0
    taken = FULL & ~free
    turns = np.int64(MOST_NORMAL_WITH_SQUARES[taken] if state[SQUARES] else MOST_NORMAL[taken])
    board = _turned(taken, lowest(turns))
    lanes = _normal_lanes(state, board, lowest(turns))
    turns &= turns - 1
    while turns:
        lanes = min(lanes, _normal_lanes(state, board, lowest(turns)))
        turns &= turns - 1
    held = 0 if state[HAND] == NONE else 1
    return hash_cells((lanes, board | (state[SEAT] << 16) | (held << 17) | (state[SQUARES] << 18)), 2)
