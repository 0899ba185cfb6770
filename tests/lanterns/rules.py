"""Lanterns: nobody sees its own number. Each gives the next seat a hint, and then all name their numbers, for stars.

A number named right is worth two stars, and one that is next to it one star; all seats earn the stars of all.
"""

from kibitz.rules import OVER, UNKNOWN, Payoff, below, cells, rule

SEATS = (2, 3)
USUAL_SEATS = 2
MOST_SEATS = 3
NUMBERS = 4
MOST_MOVES = NUMBERS
MOVES_BELOW = 2 + NUMBERS
LOW, HIGH, NAMED = 0, 1, 2  # moves; NAMED and those after it name a number
RIGHT, NEAR = 2, 1  # stars
SHARED = True

CELLS = cells(
    SEAT=1,
    COUNT=1,
    TURN=1,  # turns made
    NUMBER=MOST_SEATS,  # from 1; hidden from its own seat
    HINT=MOST_SEATS,  # 1 low, 2 high, as the seat before says it
    SAID=MOST_SEATS,  # the number that the seat named, from 1
)
SEAT, COUNT, TURN, NUMBER, HINT, SAID = CELLS
ALL_CELLS = CELLS.size


def scoring(options):
    """Return what can be earned: two stars for each seat."""
    return Payoff("stars", least=0, most=RIGHT * options["seats"])


@rule
def deal(state, options, rng):
    state[COUNT] = options[0]
    for seat in range(state[COUNT]):
        state[NUMBER + seat] = 1 + below(rng, NUMBERS)


@rule
def moves(state, out):
    if state[TURN] < state[COUNT]:
        out[0], out[1] = LOW, HIGH
        return 2
    for number in range(NUMBERS):
        out[number] = NAMED + number
    return NUMBERS


@rule
def play(state, move):
    seat = state[SEAT]
    if move < NAMED:
        state[HINT + (seat + 1) % state[COUNT]] = 1 + move
    else:
        state[SAID + seat] = move - NAMED + 1
    state[TURN] += 1
    state[SEAT] = state[TURN] % state[COUNT] if state[TURN] < 2 * state[COUNT] else OVER


@rule
def payoff(state, out):
    stars = 0
    for seat in range(state[COUNT]):
        off = abs(state[SAID + seat] - state[NUMBER + seat])
        stars += RIGHT if off == 0 else NEAR if off == 1 else 0
    for seat in range(state[COUNT]):
        out[seat] = stars


@rule
def view(state, seat, out):
    for i in range(ALL_CELLS):
        out[i] = state[i]
    out[NUMBER + seat] = UNKNOWN


@rule
def guess(view, seat, rng):
    view[NUMBER + seat] = 1 + below(rng, NUMBERS)
