"""Bearing off: each seat has two men some steps from home and moves one by each of two dice; the first to be home wins.

A move is the index of the man that the next die moves; where the order of the dice matters, 2 more takes the second
die first.
"""

from kibitz.rules import CHANCE, OVER, below, cells, rule

SEATS = 2
MOST_MOVES = 9
MOVES_BELOW = 9
PAYOFF_SUM = 1
SIDES = 3
FARTHEST = 4
SWAPPED = 2

CELLS = cells(
    SEAT=1,  # the seat to move, CHANCE while the dice roll, or OVER
    ROLLER=1,  # the seat whose turn it is
    DIE=2,  # the dice, 0 once used
    MEN=4,  # the steps that each man still needs, two for each seat
)
SEAT, ROLLER, DIE, MEN = CELLS


@rule
def deal(state, options, rng):
    for man in range(4):
        state[MEN + man] = 1 + below(rng, FARTHEST)
    state[SEAT] = CHANCE


@rule
def moves(state, out):
    if state[SEAT] == CHANCE:
        for roll in range(SIDES * SIDES):
            out[roll] = roll
        return SIDES * SIDES
    n = 0
    for order in range(2 if state[DIE] != 0 and state[DIE + 1] != state[DIE] else 1):
        for man in range(2):
            if state[MEN + 2 * state[SEAT] + man] > 0:
                out[n] = SWAPPED * order + man
                n += 1
    return n


@rule
def odds(state, out):
    for roll in range(SIDES * SIDES):
        out[roll] = 1
    return SIDES * SIDES


@rule
def play(state, move):
    if state[SEAT] == CHANCE:
        state[DIE], state[DIE + 1] = 1 + move // SIDES, 1 + move % SIDES
        state[SEAT] = state[ROLLER]
        return
    first = 0 if state[DIE] != 0 and move < SWAPPED else 1
    man = MEN + 2 * state[SEAT] + move % SWAPPED
    state[man] = max(state[man] - state[DIE + first], 0)
    state[DIE + first] = 0
    if first == 1 and state[DIE] != 0:  # the first die is left: it becomes the last
        state[DIE + 1], state[DIE] = state[DIE], 0
    if state[MEN + 2 * state[SEAT]] + state[MEN + 2 * state[SEAT] + 1] == 0:
        state[SEAT] = OVER
    elif state[DIE + 1] == 0:
        state[ROLLER] = 1 - state[SEAT]
        state[SEAT] = CHANCE


@rule
def payoff(state, out):
    for seat in range(2):
        out[seat] = 1.0 if state[MEN + 2 * seat] + state[MEN + 2 * seat + 1] == 0 else 0.0
