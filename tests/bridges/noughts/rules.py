"""Noughts and crosses: three in a line win; OpenSpiel has it as tic_tac_toe."""

from kibitz.rules import OVER, cells, rule

SEATS = 2
MOST_MOVES = 9
PAYOFF_SUM = 1

CELLS = cells(
    MINE=2,  # the squares of each seat: bit masks
    SEAT=1,  # the seat to move, or OVER
    WINNER=1,  # the seat that won, or -1
)
MINE, SEAT, WINNER = CELLS
FULL = 0b111_111_111
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


@rule
def deal(state, options, rng):
    state[WINNER] = -1


@rule
def moves(state, out):
    n = 0
    for square in range(9):
        if not (state[MINE] | state[MINE + 1]) >> square & 1:
            out[n] = square
            n += 1
    return n


@rule
def play(state, move):
    seat = state[SEAT]
    state[MINE + seat] |= 1 << move
    state[SEAT] = 1 - seat
    for line in LINES:
        if state[MINE + seat] & line == line:
            state[WINNER] = seat
    if state[WINNER] == seat or state[MINE] | state[MINE + 1] == FULL:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    for seat in range(2):
        out[seat] = 1.0 if state[WINNER] == seat else 0.0
        if state[WINNER] == -1:
            out[seat] = 0.5
