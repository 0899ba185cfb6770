"""A rule that fails now and then: two seats name numbers, and one game in 16 pays what no game may."""

from kibitz.rules import OVER, below, cells, rule

VERSION = 1
SEATS = 2
MOST_MOVES = 16
CELLS = cells(NAMED=1, PLIES=1, SEAT=1)
NAMED, PLIES, SEAT = CELLS


@rule
def deal(state, options, rng):
    state[NAMED] = below(rng, 16)


@rule
def moves(state, out):
    for i in range(16):
        out[i] = i
    return 16


@rule
def play(state, move):
    state[NAMED] = (state[NAMED] + move) % 16
    state[PLIES] += 1
    state[SEAT] = OVER if state[PLIES] == 2 else 1


@rule
def payoff(state, out):
    out[0] = 3.0 if state[NAMED] == 0 else 1.0
    out[1] = 0.0
