"""The worths of the leaves.

Figures 3.1 and 3.2 are two plies with three choices, for the first seat. Figures 3.4, 3.5, 5.1 and 5.2 share one tree
of three plies with two choices. Of its leaves the text names g, j, i and l; the others are chosen so that every search
takes the way that the text says it takes.
"""

import numpy as np

from kibitz.core.heuristics import value

from .rules import PATH, SEATS_

USUAL = "three_seats"
OUTCOMES = np.array([1, -1, 0, 0, 1, 0, -1, 0, 1])  # figure 3.1: the least are -1, 0 and -1
ESTIMATES = np.array([3, 12, 8, 2, 4, 6, 14, 5, 2])  # figures 3.2 and 3.3
LEAVES = np.array(
    [[2, 3, 5], [2, 4, 6], [4, 4, 5], [3, 9, 7], [1, 5, 1], [2, 4, 2], [2, 4, 3], [1, 6, 2]], dtype=np.float64
)  # g h i j k l m n


@value()
def outcomes(state, weights, out):
    """Win, draw or loss of the first seat."""
    out[0] = OUTCOMES[state[PATH]]
    out[1] = -OUTCOMES[state[PATH]]


@value()
def estimates(state, weights, out):
    """What the first seat gets."""
    out[0] = ESTIMATES[state[PATH]]
    out[1] = -ESTIMATES[state[PATH]]


@value(positive=True)
def three_seats(state, weights, out):
    """The tree for three."""
    for seat in range(state[SEATS_]):
        out[seat] = LEAVES[state[PATH], seat]
