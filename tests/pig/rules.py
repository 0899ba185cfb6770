"""Pig: roll a die as often as you like and add up; a 1 loses the turn's points. The first to reach the target wins."""

from kibitz.rules import CHANCE, OVER, Option, cells, rule

SEATS = (2, 4)
MOST_MOVES = 6
MOVES_BELOW = 7
PAYOFF_SUM = 1
OPTIONS = {"target": Option(20, "the points that win", least=2, most=100)}
HOLD, ROLL = 0, 1
SIDES = 6

CELLS = cells(
    SEAT=1,  # the seat to move, CHANCE while the die rolls, or OVER
    COUNT=1,  # the number of seats
    TARGET=1,  # the points that win
    ROLLER=1,  # the seat whose turn it is
    POINTS=1,  # what it has rolled in this turn
    SCORE=4,  # the points of each seat
)
SEAT, COUNT, TARGET, ROLLER, POINTS, SCORE = CELLS


@rule
def deal(state, options, rng):
    state[COUNT] = options[0]
    state[TARGET] = options[1]


@rule
def moves(state, out):
    if state[SEAT] == CHANCE:
        for side in range(SIDES):
            out[side] = side + 1
        return SIDES
    out[0], out[1] = HOLD, ROLL
    return 2


@rule
def odds(state, out):
    for side in range(SIDES):
        out[side] = 1
    return SIDES


@rule
def play(state, move):
    if state[SEAT] != CHANCE and move == ROLL:
        state[SEAT] = CHANCE
        return
    if state[SEAT] == CHANCE and move > 1:
        state[POINTS] += move
        state[SEAT] = state[ROLLER]
        if state[SCORE + state[ROLLER]] + state[POINTS] >= state[TARGET]:
            state[SCORE + state[ROLLER]] += state[POINTS]
            state[SEAT] = OVER
        return
    if state[SEAT] != CHANCE:  # the seat holds
        state[SCORE + state[ROLLER]] += state[POINTS]
    state[POINTS] = 0
    state[ROLLER] = (state[ROLLER] + 1) % state[COUNT]
    state[SEAT] = state[ROLLER]


@rule
def payoff(state, out):
    for seat in range(state[COUNT]):
        out[seat] = 1.0 if state[SCORE + seat] >= state[TARGET] else 0.0
