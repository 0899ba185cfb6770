"""Frogs: frogs step to free neighbours on a board of 19 hexagons; after 24 moves the most points win.

A move is from * 19 + to, or PASS for a seat that cannot move.
"""

import numpy as np

from kibitz.rules import OVER, Hexagon, cells, rule

SEATS = 2
BOARD_OF = Hexagon(2)
PLACES, DIRECTIONS, FROGS, LAST = 19, 6, 3, 24
NEXT = np.array([[BOARD_OF.step(cell, way) for way in range(DIRECTIONS)] for cell in range(PLACES)], dtype=np.int64)
PASS = PLACES * PLACES
MOST_MOVES = FROGS * DIRECTIONS
CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    BOARD=PLACES,  # 0 free, else the seat plus 1; 3 a stone with a king on it
    PLY=1,  # moves made
    POINTS=2,  # of each seat
)
SEAT, BOARD, PLY, POINTS = CELLS


@rule
def deal(state, options, rng):
    for i in range(FROGS):
        state[BOARD + i] = 1
        state[BOARD + PLACES - 1 - i] = 2
    state[BOARD + PLACES // 2] = 3


@rule
def moves(state, out):
    n = 0
    for start in range(PLACES):
        if state[BOARD + start] == state[SEAT] + 1:
            for end in range(PLACES):
                for way in range(DIRECTIONS):
                    if NEXT[start, way] == end and state[BOARD + end] == 0:
                        out[n] = start * PLACES + end
                        n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def play(state, move):
    if move != PASS:
        state[BOARD + move % PLACES] = state[BOARD + move // PLACES]
        state[BOARD + move // PLACES] = 0
        state[POINTS + state[SEAT]] += move % 3
    state[PLY] += 1
    state[SEAT] = OVER if state[PLY] == LAST else 1 - state[SEAT]


@rule
def payoff(state, out):
    lead = state[POINTS] - state[POINTS + 1]
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]
