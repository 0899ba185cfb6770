"""Values of a Focus position."""

from kibitz.core.bits import popcount
from kibitz.core.heuristics import value
from kibitz.games.focus.measures import held, mobility
from kibitz.games.focus.rules import IN_ALL, RESERVE, TOPS, needed

USUAL = "control"
LEAST = 0.1  # the share of a seat that has nothing, so that all stay positive


@value(unit="captures", per_unit=100, start=600, need=100, stacks=1)
def goal(state, weights, seat):
    """Nijssen: 600 - 100 r + c, for the captures r that a seat still needs and the stacks c that it controls."""
    return weights[0] - weights[1] * needed(state, seat) + weights[2] * popcount(state[TOPS + seat])


@value(unit="captures", per_unit=100, need=100, reserve=80, stacks=3, pieces=8, moves=2)
def control(state, weights, seat):
    """Captures still needed, reserves, stacks controlled, the pieces in them, and the moves they have."""
    worth = weights[1] * state[RESERVE + seat] - weights[0] * needed(state, seat)
    worth += weights[2] * popcount(state[TOPS + seat]) + weights[3] * held(state, seat)
    return worth + weights[4] * mobility(state, seat)


@value(shares=True, near=1, reserve=0.5, pieces=0.1)
def share(state, weights, seat):
    """How near a seat is to winning, with what it controls, as a share of all seats'."""
    near = state[IN_ALL] - needed(state, seat)
    return max(LEAST, weights[0] * near + weights[1] * state[RESERVE + seat] + weights[2] * held(state, seat))
