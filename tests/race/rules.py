"""Race: take a stone from a heap or play a card; either moves a token on a track.

A track has 24 spaces; after 9 moves the game is over. A move is a heap, or 10 plus the place of a card in the hand.
"""

from kibitz.rules import OVER, UNKNOWN, below, cells, rule

SEATS = 3
HEAPS, EACH, KINDS, LAST, CARD = 4, 4, 6, 9, 10
MOST_MOVES = HEAPS + EACH
NONE = -1
CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    PLACE=6,  # the spaces of the two tokens of each seat
    DIE=2,  # what two dice show
    HEAP=HEAPS,  # the stones in each heap
    HELD=12,  # the four cards of each seat, or NONE: its secret
    STOCK=1,  # cards left
    PLY=1,  # moves made
    SEED=1,  # a secret from everyone
)
SEAT, PLACE, DIE, HEAP, HELD, STOCK, PLY, SEED = CELLS
ALL_CELLS = CELLS.size


@rule
def deal(state, options, rng):
    for i in range(6):
        state[PLACE + i] = 3 * i % 7
    for i in range(2):
        state[DIE + i] = 1 + below(rng, 6)
    for i in range(HEAPS):
        state[HEAP + i] = 2 + 4 * i
    for i in range(SEATS * EACH):
        state[HELD + i] = below(rng, KINDS)
    state[STOCK] = 17
    state[SEED] = below(rng, 1 << 40)


@rule
def moves(state, out):
    n = 0
    for heap in range(HEAPS):
        if state[HEAP + heap] > 0:
            out[n] = heap
            n += 1
    for i in range(EACH):
        if state[HELD + EACH * state[SEAT] + i] != NONE:
            out[n] = CARD + i
            n += 1
    return n


@rule
def play(state, move):
    steps = 2
    if move < CARD:
        state[HEAP + move] -= 1
    else:
        at = HELD + EACH * state[SEAT] + move - CARD
        steps = 1 + state[at]
        state[at] = NONE
    state[PLACE + 2 * state[SEAT]] += steps
    state[DIE] = state[DIE] % 6 + 1
    state[STOCK] -= 1
    state[PLY] += 1
    state[SEAT] = OVER if state[PLY] == LAST else (state[SEAT] + 1) % SEATS


@rule
def payoff(state, out):
    for seat in range(SEATS):
        out[seat] = state[PLACE + 2 * seat] / 100.0


@rule
def view(state, seat, out):
    for i in range(ALL_CELLS):
        out[i] = state[i]
    for i in range(SEATS * EACH):
        if i // EACH != seat and state[HELD + i] != NONE:
            out[HELD + i] = UNKNOWN
    out[SEED] = UNKNOWN


@rule
def guess(view, seat, rng):
    for i in range(SEATS * EACH):
        if view[HELD + i] == UNKNOWN:
            view[HELD + i] = below(rng, KINDS)
    view[SEED] = below(rng, 1 << 40)
