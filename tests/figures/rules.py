"""Small trees with worths written down leaf by leaf.

cell 0  PATH    the choices so far, as digits in base BRANCH
cell 1  DEPTH   moves made
cell 2  SEATS_  seats
cell 3  BRANCH  moves at every node
"""

from kibitz.core.options import Option
from kibitz.core.rules import OVER, rule

VERSION = 1
SEATS = (2, 3)
SIZE = 4
MOST_MOVES = 3
OPTIONS = {"branch": Option(2, "moves at every node", least=2, most=3)}
PATH, DEPTH, SEATS_, BRANCH = range(4)
LONGEST = 30


@rule
def deal(state, options, rng):
    state[SEATS_] = options[0]
    state[BRANCH] = options[1]


@rule
def turn(state):
    return state[DEPTH] % state[SEATS_] if state[DEPTH] < LONGEST else OVER


@rule
def moves(state, out):
    for i in range(state[BRANCH]):
        out[i] = i
    return state[BRANCH]


@rule
def play(state, move):
    state[PATH] = state[PATH] * state[BRANCH] + move
    state[DEPTH] += 1


@rule
def payoff(state, out):
    for seat in range(state[SEATS_]):
        out[seat] = 1.0 / state[SEATS_]
