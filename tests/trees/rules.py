"""A uniform tree of random worths, for tests of searches.

cell 0  PATH     a hash of who chose what
cell 1  TURN     the seat to move
cell 2  DEPTH    moves made
cell 3  SEED     from the deal
cell 4  BRANCH   moves at every node
cell 5  SPREAD   worths are whole numbers from 1 to this
cell 6  ENDS     1 if one node in eight is an end, which some seat wins
cell 7  SUM      by how much the better choices of the root seat exceed those of others, in `ordered`
cell 8  COUNT    seats
cell 9  JOINS    1 if the order of choices does not matter and the first changes nothing: many ways lead to one node
"""

from kibitz.core.dice import below
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.core.rules import OVER, rule

VERSION = 1
SEATS = (2, 6)
USUAL_SEATS = 3
SIZE = 10
MOST_MOVES = 8
OPTIONS = {
    "branch": Option(3, "moves at every node", least=1, most=8),
    "spread": Option(10, "worths are 1 to this", least=1, most=1_000_000),
    "ends": Option(False, "some nodes are ends"),
    "joins": Option(False, "different ways lead to one node"),
}
PATH, TURN, DEPTH, SEED, BRANCH, SPREAD, ENDS, SUM, COUNT, JOINS = range(10)
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
def turn(state):
    return OVER if _is_end(state) else state[TURN]


@rule
def moves(state, out):
    for i in range(state[BRANCH]):
        out[i] = i
    return state[BRANCH]


@rule
def play(state, move):
    if state[TURN] == 0:
        state[SUM] -= move
    else:
        state[SUM] += move
    if state[JOINS] != 0:
        state[PATH] = (state[PATH] + move * (state[TURN] * 9 + move + 1) ** 5) % (1 << 50)
    else:
        state[PATH] = (state[PATH] * 31 + state[TURN] * 9 + move + 1) % (1 << 50)
    state[TURN] = (state[TURN] + 1) % state[COUNT]
    state[DEPTH] += 1


@rule
def hand_over(state, seat):
    state[TURN] = seat


@rule
def key(state):
    return hash_cells(state, TURN + 1) ^ state[SEED]


@rule
def payoff(state, out):
    for seat in range(state[COUNT]):
        out[seat] = 0.0
    if state[DEPTH] >= LONGEST:
        for seat in range(state[COUNT]):
            out[seat] = 1.0 / state[COUNT]
    else:
        out[noise(state, 70, state[COUNT])] = 1.0
