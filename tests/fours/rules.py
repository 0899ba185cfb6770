"""Fours: pieces fall into the columns of a board of 7 by 6; four in a row win.

A move is the number of a column.
"""

import numpy as np

from kibitz.rules import OVER, Square, cells, rule

SEATS = 2
COLUMNS, ROWS = 7, 6
MOST_MOVES = MOVES_BELOW = COLUMNS
SEAT_NAMES = ("blue", "orange")
LINES = np.array(Square(COLUMNS, ROWS).straight_lines(4), dtype=np.int64)
CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    WINNER=1,  # 0 nobody, else the seat plus 1
    PUT=1,  # pieces on the board
    BOARD=COLUMNS * ROWS,  # 0 empty, else the seat plus 1; the lowest row first
)
SEAT, WINNER, PUT, BOARD = CELLS


@rule
def deal(state, options, rng):
    pass


@rule
def moves(state, out):
    n = 0
    for column in range(COLUMNS):
        if state[BOARD + (ROWS - 1) * COLUMNS + column] == 0:
            out[n] = column
            n += 1
    return n


@rule
def play(state, move):
    seat, at = state[SEAT], move
    while state[BOARD + at] != 0:
        at += COLUMNS
    state[BOARD + at] = seat + 1
    state[PUT] += 1
    mine = 0
    for cell in range(COLUMNS * ROWS):
        if state[BOARD + cell] == seat + 1:
            mine |= 1 << cell
    for line in LINES:
        if mine & line == line:
            state[WINNER] = seat + 1
    state[SEAT] = OVER if state[WINNER] != 0 or state[PUT] == COLUMNS * ROWS else 1 - seat


@rule
def payoff(state, out):
    for seat in range(2):
        out[seat] = 0.5 if state[WINNER] == 0 else 0.0
    if state[WINNER] != 0:
        out[state[WINNER] - 1] = 1.0
