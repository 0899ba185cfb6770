"""Gamble: every seat in turn picks one of three numbers and chance one of three; a hash of all decides who wins.

With `skips` a roll may skip the next seat, as it does who cannot move in Ludo: then chance moves again.
"""

from kibitz.rules import CHANCE, OVER, Option, cells, hash_cells, rule, seed_from

SEATS = (2, 4)
MOST_MOVES = 3
PAYOFF_SUM = 1
CHOICES = 3
OPTIONS = {
    "plies": Option(8, "moves until the game ends, those of chance included", least=1, most=400),
    "skips": Option(False, "a roll may skip the next seat"),
    "begins": Option("seat", "who moves first", choices=("seat", "chance")),
}

CELLS = cells(
    SEAT=1,  # the seat to move, CHANCE, or OVER
    COUNT=1,  # the number of seats
    PLIES=1,  # moves until the game ends
    SKIPS=1,  # whether a roll may skip the next seat
    TURN=1,  # turns begun, those of skipped seats included
    PLY=1,  # moves made, those of chance included
    PATH=1,  # the moves made, after a number that makes each deal another game
)
SEAT, COUNT, PLIES, SKIPS, TURN, PLY, PATH = CELLS


@rule
def deal(state, options, rng):
    state[COUNT], state[PLIES], state[SKIPS] = options[0], options[1], options[2]
    state[PATH] = seed_from(rng) >> 20
    if options[3] == 1:
        state[SEAT] = CHANCE


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
    if state[SEAT] != CHANCE:
        state[SEAT] = CHANCE
    else:
        state[TURN] += 1
        skipped = state[SKIPS] == 1 and hash_cells(state, 7) & 1 == 1
        state[SEAT] = CHANCE if skipped else state[TURN] % state[COUNT]
    if state[PLY] >= state[PLIES]:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    for seat in range(state[COUNT]):
        out[seat] = 0.0
    out[(hash_cells(state, 7) & 1023) % state[COUNT]] = 1.0
