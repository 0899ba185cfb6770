"""A uniform tree of random worths, for tests of searches."""

from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper
from kibitz.core.options import Option

VERSION = 1
SEATS = (2, 6)
USUAL_SEATS = 3
MOST_MOVES = 8
OPTIONS = {
    "branch": Option(3, "moves at every node", least=1, most=8),
    "spread": Option(10, "worths are 1 to this", least=1, most=1_000_000),
    "ends": Option(False, "some nodes are ends"),
    "joins": Option(False, "different ways lead to one node"),
}
CELLS = cells(
    PATH=1,  # a hash of who chose what
    SEAT=1,  # the seat to move, or OVER
    DEPTH=1,  # moves made
    SEED=1,  # from the deal
    BRANCH=1,  # moves at every node
    SPREAD=1,  # worths are whole numbers from 1 to this
    ENDS=1,  # 1 if one node in eight is an end, which some seat wins
    SUM=1,  # by how much the better choices of the root seat exceed those of others, in `ordered`
    COUNT=1,  # seats
    JOINS=1,  # 1 if the order of choices does not matter and the first changes nothing: many ways lead to one node
)
PATH, SEAT, DEPTH, SEED, BRANCH, SPREAD, ENDS, SUM, COUNT, JOINS = CELLS
LONGEST = 40
ENDS_IN = 8


@helper
def noise(state, salt, n):
    """Return a number 0..n-1 that belongs to the node."""
    return (hash_cells(state, 1) ^ (state[SEED] * (salt + 1))) % n


@helper
def _is_end(state):
    return state[DEPTH] >= LONGEST or (state[ENDS] != 0 and state[DEPTH] > 0 and noise(state, 50, ENDS_IN) == 0)


@rule
def deal(state, options, rng):
    state[COUNT] = options[0]
    state[BRANCH] = options[1]
    state[SPREAD] = options[2]
    state[ENDS] = options[3]
    state[JOINS] = options[4]
    state[SEED] = below(rng, 1 << 20) + 1


@rule
def moves(state, out):
    for i in range(state[BRANCH]):
        out[i] = i
    return state[BRANCH]


@rule
def play(state, move):
    if state[SEAT] == 0:
        state[SUM] -= move
    else:
        state[SUM] += move
    if state[JOINS] != 0:
        state[PATH] = (state[PATH] + move * (state[SEAT] * 9 + move + 1) ** 5) % (1 << 50)
    else:
        state[PATH] = (state[PATH] * 31 + state[SEAT] * 9 + move + 1) % (1 << 50)
    state[SEAT] = (state[SEAT] + 1) % state[COUNT]
    state[DEPTH] += 1
    if _is_end(state):
        state[SEAT] = OVER


@rule
def key(state):
    return hash_cells(state, SEAT + 1) ^ state[SEED]


@rule
def payoff(state, out):
    for seat in range(state[COUNT]):
        out[seat] = 0.0
    if state[DEPTH] >= LONGEST:
        for seat in range(state[COUNT]):
            out[seat] = 1.0 / state[COUNT]
    else:
        out[noise(state, 70, state[COUNT])] = 1.0
