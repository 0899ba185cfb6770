"""Measures of a Chexers position: steps, costs, pieces that touch or stand in traps.

Costs, traps and strategy points are those of report 2 (the MoZi agent; University of Melbourne, 2019). It shows some
hexes for red only. Here a seat's strategy points are the four corners of the board that are not its exits, its
destination strategy points the two that are, and its traps the hexes between two strategy points where a rival exits.
"""

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.native import helper
from kibitz.games.chexers.rules import (
    AT_EXIT,
    EXIT_HEXES,
    EXITS,
    HEXAGON,
    PIECES,
    STEPS_TO_EXIT,
    apart,
    bit_of,
    mask_of,
    steps_to,
)

CORNERS = mask_of(place for place in HEXAGON.places if sorted(map(abs, (*place, sum(place)))) == [0, 3, 3])
STRATEGY_POINTS = np.array([CORNERS & ~int(EXIT_HEXES[seat]) for seat in range(3)])
TRAPS = np.array([int(EXIT_HEXES[seat - 1] | EXIT_HEXES[seat - 2]) & ~CORNERS for seat in range(3)])
WALLS = mask_of(place for place in HEXAGON.places if apart(place, (0, 0)) == HEXAGON.radius)
TO_EXIT, TO_CORNER, TO_WALL, TO_TRAP, TO_CENTRE, CLOSENESS = range(6)  # the tables below; all but the last are steps
TABLES = np.array([
    STEPS_TO_EXIT,
    steps_to(EXIT_HEXES & CORNERS),
    steps_to([WALLS] * 3),
    steps_to(TRAPS),
    steps_to([mask_of([(0, 0)])] * 3) * (HEXAGON.radius < STEPS_TO_EXIT),  # of pieces far from their exits
    1 / np.sqrt(STEPS_TO_EXIT + 1),  # leaving the board is a step too
])  # fmt: skip
APART = np.zeros((64, 64), dtype=np.int64)
for _one in HEXAGON.places:
    for _other in HEXAGON.places:
        APART[bit_of(_one), bit_of(_other)] = apart(_one, _other)


@helper
def summed(mask, seat, table):
    """Return the sum of a table over the hexes of a mask."""
    total = 0.0
    while mask:
        total += TABLES[table, seat, lowest(mask)]
        mask &= mask - 1
    return total


@helper
def walking(state, seat):
    return popcount(state[PIECES + seat])


@helper
def owned(state, seat):
    """Return how many pieces a seat has, those brought out included."""
    return popcount(state[PIECES + seat]) + state[EXITS + seat]


@helper
def in_touch(state, seat):
    own = state[PIECES + seat]
    beside = (own << 1) | (own >> 1) | (own << 8) | (own >> 8) | (own << 7) | (own >> 7)
    return popcount(own & beside)


@helper
def cost_of(state, seat):
    return 0.5 * summed(state[PIECES + seat], seat, TO_EXIT) + walking(state, seat)


@helper
def cost_of_nearest(mask, seat, most):
    """Return the average steps to an exit of the `most` pieces nearest to one; if `most` is 0, the sum over all."""
    if most == 0:
        return summed(mask, seat, TO_EXIT)
    total, taken = 0, 0
    for steps in range(7):
        more = min(popcount(mask & AT_EXIT[seat, steps]), most - taken)
        total += more * steps
        taken += more
    return total / taken if taken else 0.0


@helper
def steps_of_four(state, seat):
    return cost_of_nearest(state[PIECES + seat], seat, 4)


@helper
def _nearest_apart(bit, mask):
    best = 7
    while mask:
        best = min(best, APART[bit, lowest(mask)])
        mask &= mask - 1
    return best


@helper
def cost_between(pieces, hexes):
    """Return the steps from each of the fewer, pieces or hexes, to the nearest of the others, summed."""
    seekers, sought = (hexes, pieces) if popcount(pieces) >= popcount(hexes) else (pieces, hexes)
    total = 0.0
    while seekers:
        total += _nearest_apart(lowest(seekers), sought)
        seekers &= seekers - 1
    return total


@helper
def cost_to_points(own, held, points):
    """Return the cost between pieces that hold no point and empty points."""
    return cost_between(own & ~held, points & ~own)


@helper
def steps_to_goal(state, seat):
    return cost_to_points(state[PIECES + seat], STRATEGY_POINTS[seat], STRATEGY_POINTS[seat])


@helper
def steps_to_walls(state, seat):
    return summed(state[PIECES + seat], seat, TO_WALL)


@helper
def trapped(state, seat):
    return popcount(state[PIECES + seat] & TRAPS[seat])


@helper
def basic(state, seat, cost):
    return owned(state, seat) - cost * cost_of(state, seat)


FEATURES = 12  # that report 2 names, of a seat


@helper
def _partners(own):
    """Return the neighbours of each piece, and the steps to all others, both summed over pieces."""
    beside, far, pieces = 0, 0, own
    while pieces:
        piece = lowest(pieces)
        pieces &= pieces - 1
        others = pieces  # every pair is visited once
        while others:
            steps = APART[piece, lowest(others)]
            beside, far = beside + (2 if steps == 1 else 0), far + 2 * steps
            others &= others - 1
    return beside, far


@helper
def write_features(state, seat, out):
    """Write the features of a seat that report 2 names; Equations 1 to 5 are weighted sums of some of them."""
    own = state[PIECES + seat]
    steps = summed(own, seat, TO_EXIT)
    beside, far = _partners(own)
    out[0] = owned(state, seat)
    out[1] = walking(state, seat)
    out[2] = state[EXITS + seat]
    out[3] = trapped(state, seat)
    out[4] = steps
    out[5] = steps / max(walking(state, seat), 1)
    out[6] = steps_of_four(state, seat)
    out[7] = steps_to_goal(state, seat)
    out[8] = steps_to_walls(state, seat)
    out[9] = summed(own, seat, TO_CORNER)
    out[10] = beside
    out[11] = far
