"""Gamble: every seat in turn picks one of three numbers and chance one of three; a hash of all decides who wins."""

from kibitz.rules import CHANCE, OVER, cells, hash_cells, rule, seed_from

SEATS = (2, 4)
MOST_MOVES = 3
PAYOFF_SUM = 1
CHOICES = 3
PLIES = 8

CELLS = cells(
    SEAT=1,  # the seat to move, CHANCE, or OVER
    COUNT=1,  # the number of seats
    PLY=1,  # moves made, those of chance included
    PATH=1,  # the moves made, after a number that makes each deal another game
)
SEAT, COUNT, PLY, PATH = CELLS


@rule
def deal(state, options, rng):
    state[COUNT] = options[0]
    state[PATH] = seed_from(rng) >> 20


@rule
def moves(state, out):
    for number in range(CHOICES):
        out[number] = number
    return CHOICES


@rule
def odds(state, out):
    for number in range(CHOICES):
        out[number] = 1 + (state[PATH] + number * number) % 4
    return CHOICES


@rule
def play(state, move):
    state[PATH] = state[PATH] * CHOICES + move
    state[PLY] += 1
    state[SEAT] = CHANCE if state[PLY] % 2 == 1 else state[PLY] // 2 % state[COUNT]
    if state[PLY] >= PLIES:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    for seat in range(state[COUNT]):
        out[seat] = 0.0
    out[(hash_cells(state, 4) & 1023) % state[COUNT]] = 1.0
