"""Coins: seven coins, each seat in turn takes one or two of them, and whoever takes the last one wins.

A move is the number of coins that are taken, less one.
"""

from kibitz.rules import OVER, cells, rule

SEATS = 2
MOST_MOVES = 2
CELLS = cells(COINS=1, LAST=1, SEAT=1)
COINS, LAST, SEAT = CELLS


@rule
def deal(state, options, rng):
    state[COINS] = 7


@rule
def moves(state, out):
    n = min(state[COINS], MOST_MOVES)
    for i in range(n):
        out[i] = i
    return n


@rule
def play(state, move):
    state[COINS] -= move + 1
    state[LAST] = state[SEAT]
    state[SEAT] = 1 - state[SEAT] if state[COINS] else OVER


@rule
def payoff(state, out):
    out[state[LAST]] = 1.0
    out[1 - state[LAST]] = 0.0
