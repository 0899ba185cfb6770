"""A race: each seat in turn goes 0 or 1 step, and whoever gets to the goal first wins; after 40 moves it is drawn.

A move is the number of steps. The rules believe in any number, as rules may.
"""

from kibitz.rules import OVER, cells, rule

VERSION = 1
SEATS = 2
MOST_MOVES = 2
MOVES_BELOW = 2
PAYOFF_SUM = 1
GOAL = 5
LAST = 40
CELLS = cells(
    STEPS=SEATS,  # of each seat
    PLIES=1,
    SEAT=1,  # the seat to move, or OVER
)
STEPS, PLIES, SEAT = CELLS


@rule
def deal(state, options, rng):
    pass


@rule
def moves(state, out):
    out[0], out[1] = 0, 1
    return 2


@rule
def play(state, move):
    state[STEPS + state[SEAT]] += move
    state[PLIES] += 1
    over = state[STEPS + state[SEAT]] >= GOAL or state[PLIES] == LAST
    state[SEAT] = OVER if over else 1 - state[SEAT]


@rule
def payoff(state, out):
    for seat in range(SEATS):
        ahead = state[STEPS + seat] - state[STEPS + 1 - seat]
        out[seat] = 0.5 if ahead == 0 else 1.0 if ahead > 0 else 0.0
