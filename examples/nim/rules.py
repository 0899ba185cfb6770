"""Nim: 21 sticks, each seat in turn takes one to three of them, and whoever takes the last one wins.

A move is the number of sticks taken, minus one.
"""

from kibitz.rules import OVER, Option, cells, rule

VERSION = 1
SEATS = (2, 4)
MOST_MOVES = 3
MOVES_BELOW = 3
PAYOFF_SUM = 1
MOST_STICKS = 50
OPTIONS = {"sticks": Option(21, "sticks at the start", least=1, most=MOST_STICKS)}
CELLS = cells(
    STICKS=1,  # how many are left
    LAST=1,  # the seat that took the last one
    COUNT=1,  # seats
    SEAT=1,  # the seat to move, or OVER
)
STICKS, LAST, COUNT, SEAT = CELLS


@rule
def deal(state, options, rng):
    state[COUNT], state[STICKS] = options[0], options[1]


@rule
def moves(state, out):
    n = min(state[STICKS], MOST_MOVES)
    for i in range(n):
        out[i] = i
    return n


@rule
def play(state, move):
    state[STICKS] -= move + 1
    state[LAST] = state[SEAT]
    state[SEAT] = (state[SEAT] + 1) % state[COUNT] if state[STICKS] else OVER


@rule
def payoff(state, out):
    for seat in range(state[COUNT]):
        out[seat] = 1.0 if seat == state[LAST] else 0.0
