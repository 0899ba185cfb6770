"""Tic-tac-toe: three in a row on a board of 3 by 3 win. A move is the number of a cell."""

from kibitz.core.bits import list_bits, nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.grids import Square

SEATS = 2
MOST_MOVES = MOVES_BELOW = 9
PAYOFF_SUM = 1
CELLS = cells(
    PIECES=2,  # the pieces of each seat: masks
    SEAT=1,  # the seat to move, or OVER
    WINNER=1,  # 0 nobody, else the seat plus 1
)
PIECES, SEAT, WINNER = CELLS
LINES = tuple(Square(3, 3).straight_lines(3))
FULL = (1 << 9) - 1


@rule
def deal(state, options, rng):
    pass


@rule
def moves(state, out):
    return list_bits(FULL & ~(state[PIECES] | state[PIECES + 1]), out)


@rule
def sample(state, rng):
    free = FULL & ~(state[PIECES] | state[PIECES + 1])
    return nth(free, below(rng, popcount(free)))


@rule
def play(state, move):
    seat = state[SEAT]
    state[PIECES + seat] |= 1 << move
    state[SEAT] = 1 - seat
    for line in LINES:
        if state[PIECES + seat] & line == line:
            state[WINNER] = seat + 1
            state[SEAT] = OVER
    if (state[PIECES] | state[PIECES + 1]) == FULL:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    for seat in range(2):
        out[seat] = 0.5 if state[WINNER] == 0 else 0.0
    if state[WINNER] != 0:
        out[state[WINNER] - 1] = 1.0
