"""The encoding of a Quarto position for networks."""

from kibitz.core.bits import lowest, popcount
from kibitz.core.native import helper
from kibitz.games.quarto.policies import winning_pieces
from kibitz.games.quarto.rules import (
    ATTRIBUTES,
    CLEAR,
    FREE,
    FULL,
    HAND,
    LINES,
    NONE,
    POOL,
    SEAT,
    SET,
    SQUARES,
    STANDARD_LINES,
    WINNER,
    piece_on,
    winning_cells,
)
from kibitz.games.quarto.values import HAVING
from kibitz.networks.encoding import encoding, symmetry

_KINDS = 2 * ATTRIBUTES  # an attribute that pieces have, or lack
MOST_LINES = 7  # more lines count as seven
_COUNTS = 17
# The first row of each part of the encoding.
_PLACED = 0  # pieces on the board, with a piece in hand or without
_SAFE = _PLACED + 2 * _COUNTS  # pieces of the pool that do not win at once, with a piece in hand or without
_HAND = _SAFE + 2 * _COUNTS  # the piece in hand, if it does not win at once or if it does
_CELLS = _HAND + 2 * 16  # the piece on each cell
_POOL = _CELLS + 16 * 16  # for each kind, the pieces of the pool that are of it
_LINES = _POOL + _KINDS * 9  # for each kind and 1 to 3 pieces, the lines with that many pieces, all of the kind
LENGTH = _LINES + _KINDS * 3 * (MOST_LINES + 1)
MOST = 3 + 16 + _KINDS + _KINDS * 3


@helper
def _of_kind(view, kind):
    """Return the cells with pieces of a kind."""
    k = kind >> 1
    return ((view[SET] if kind & 1 else view[CLEAR]) >> 16 * k) & FULL


@helper
def _list_lines(view, kind, n, out):
    """List for 1 to 3 pieces how many lines hold that many, all of a kind; return the next place."""
    own, free = _of_kind(view, kind), view[FREE]
    ones, twos, threes = 0, 0, 0
    for i in range(len(LINES) if view[SQUARES] else STANDARD_LINES):
        line = LINES[i]
        if line & ~(own | free) == 0:
            held = popcount(line & own)
            ones += held == 1
            twos += held == 2
            threes += held == 3
    at = _LINES + kind * 3 * (MOST_LINES + 1)
    out[n] = at + min(ones, MOST_LINES)
    out[n + 1] = at + (MOST_LINES + 1) + min(twos, MOST_LINES)
    out[n + 2] = at + 2 * (MOST_LINES + 1) + min(threes, MOST_LINES)
    return n + 3


@encoding(length=LENGTH, most=MOST)
def lines(view, seat, out):
    """Pieces on cells, in hand and in the pool; safe pieces; open lines by attribute and by pieces on them."""
    hand, pool = view[HAND], view[POOL]
    holding = 0 if hand == NONE else 1
    out[0] = _PLACED + holding * _COUNTS + 16 - popcount(view[FREE])
    out[1] = _SAFE + holding * _COUNTS + popcount(pool & ~winning_pieces(view))
    n = 2
    if holding:
        out[2] = _HAND + hand + (16 if winning_cells(view, hand) else 0)
        n = 3
    taken = FULL & ~view[FREE]
    while taken:
        cell = lowest(taken)
        out[n] = _CELLS + 16 * cell + piece_on(view, cell)
        taken &= taken - 1
        n += 1
    for kind in range(_KINDS):
        having = HAVING[kind >> 1]
        out[n] = _POOL + kind * 9 + popcount(pool & (having if kind & 1 else ~having))
        n = _list_lines(view, kind, n + 1, out)
    return n


@symmetry
def turned(state, out):
    out[SEAT] = 1 - state[SEAT]
    out[WINNER] = NONE if state[WINNER] == NONE else 1 - state[WINNER]
