"""Connect Four: pieces fall into the columns of a board of 7 by 6; four in a row win.

A move is the number of a column. Column c has the bits 7c to 7c + 5 of a mask, the lowest row first; the bit above
stays free, so that no line goes round an edge.
"""

from kibitz.core.bits import nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.native import helper

SEATS = 2
COLUMNS, ROWS = 7, 6
MOST_MOVES = MOVES_BELOW = COLUMNS
PAYOFF_SUM = 1
CELLS = cells(
    PIECES=2,  # the pieces of each seat: masks
    SEAT=1,  # the seat to move, or OVER
    WINNER=1,  # 0 nobody, else the seat plus 1
)
PIECES, SEAT, WINNER = CELLS
COLUMN = (1 << ROWS) - 1
BOTTOM = sum(1 << 7 * column for column in range(COLUMNS))
TOP = BOTTOM << (ROWS - 1)


@helper
def has_four(mask):
    """Return whether a mask holds four in a row."""
    for step in (1, 6, 7, 8):
        pairs = mask & (mask >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


@rule
def deal(state, options, rng):
    pass


@rule
def moves(state, out):
    open_ = TOP & ~(state[PIECES] | state[PIECES + 1])
    n = 0
    for column in range(COLUMNS):
        if (open_ >> (7 * column + ROWS - 1)) & 1:
            out[n] = column
            n += 1
    return n


@rule
def sample(state, rng):
    open_ = TOP & ~(state[PIECES] | state[PIECES + 1])
    return nth(open_, below(rng, popcount(open_))) // 7


@rule
def play(state, move):
    seat = state[SEAT]
    full = state[PIECES] | state[PIECES + 1]
    mine = state[PIECES + seat] | ((full + (1 << 7 * move)) & (COLUMN << 7 * move))
    state[PIECES + seat] = mine
    state[SEAT] = 1 - seat
    if has_four(mine):
        state[WINNER] = seat + 1
        state[SEAT] = OVER
    elif (state[PIECES] | state[PIECES + 1]) & TOP == TOP:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    for seat in range(2):
        out[seat] = 0.5 if state[WINNER] == 0 else 0.0
    if state[WINNER] != 0:
        out[state[WINNER] - 1] = 1.0
