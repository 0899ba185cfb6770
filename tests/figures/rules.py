"""Small trees with worths written down leaf by leaf."""

from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.options import Option

VERSION = 1
SEATS = (2, 3)
MOST_MOVES = 3
OPTIONS = {"branch": Option(2, "moves at every node", least=2, most=3)}
CELLS = cells(
    PATH=1,  # the choices so far, as digits in base BRANCH
    DEPTH=1,  # moves made
    SEATS_=1,  # seats
    BRANCH=1,  # moves at every node
    SEAT=1,  # the seat to move, or OVER
)
PATH, DEPTH, SEATS_, BRANCH, SEAT = CELLS
LONGEST = 30


@rule
def deal(state, options, rng):
    state[SEATS_] = options[0]
    state[BRANCH] = options[1]


@rule
def moves(state, out):
    for i in range(state[BRANCH]):
        out[i] = i
    return state[BRANCH]


@rule
def play(state, move):
    state[PATH] = state[PATH] * state[BRANCH] + move
    state[DEPTH] += 1
    state[SEAT] = state[DEPTH] % state[SEATS_] if state[DEPTH] < LONGEST else OVER


@rule
def payoff(state, out):
    for seat in range(state[SEATS_]):
        out[seat] = 1.0 / state[SEATS_]
