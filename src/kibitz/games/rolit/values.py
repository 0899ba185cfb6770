"""Values of a Rolit position: what the literature counts, and what is expected of the discs at the end."""

import numpy as np

from kibitz.core.bits import popcount
from kibitz.core.heuristics import value
from kibitz.core.native import helper
from kibitz.games.rolit.rules import COLOURS, COUNT, DISCS, PLACES, enclosing, mask_of, occupied
from kibitz.games.rolit.stability import stable_discs

USUAL = "outlook"

# Discs that a seat has at the end, fitted by least squares to 15,000 games with 2 to 4 seats by policy(squares). The
# columns: an even share of the board; a disc on an edge, next to a corner along the edge, diagonally two from a corner,
# or elsewhere; a stable disc, wherever it lies; a square where the seat could enclose discs, were it to move.
SHARE, EDGE, CORNERED, SWEET, INNER, STABLE, MOBILITY = range(7)
OUTLOOK = np.array([  # a row for every ten moves played
    [1.03, 1.14, -2.10, 0.20, -0.55, 2.52, 0.09],
    [1.00, 0.94, -2.08, 0.43, -0.15, 2.33, -0.02],
    [0.90, 0.94, -1.94, 0.52, -0.08, 2.14, 0.01],
    [0.81, 0.84, -1.54, 0.49, -0.01, 1.82, 0.01],
    [0.71, 0.68, -1.19, 0.45, 0.09, 1.31, 0.07],
    [0.26, 0.57, -0.13, 0.57, 0.39, 0.90, 1.03],
])  # fmt: skip
STAGE = 10
LEAST = 0.1  # discs that a seat is always expected to have, so that shares stay positive


def _near(column: int, row: int) -> tuple[int, int]:
    """Return how far a square is from the two nearest edges, the nearer first."""
    across, along = min(column, 7 - column), min(row, 7 - row)
    return min(across, along), max(across, along)


ON_EDGE = mask_of(place for place in PLACES if _near(*place) in ((0, 2), (0, 3)))
AT_CORNER = mask_of(place for place in PLACES if _near(*place) == (0, 1))
AT_SWEET = mask_of(place for place in PLACES if _near(*place) == (2, 2))
ELSEWHERE = mask_of(place for place in PLACES if _near(*place)[0] > 0) & ~AT_SWEET


@value(unit="discs", total=64.0)
def discs(state, weights, seat):
    """Discs of the seat's colour."""
    return popcount(state[DISCS + seat])


@value(mobility=1, stable=10)
def weighted(state, weights, out):
    """Squares where the seat could enclose discs, were it to move, and discs never to be turned, ten times as much."""
    full, stable = occupied(state), stable_discs(state)
    for seat in range(state[COUNT]):
        own = state[DISCS + seat]
        out[seat] = weights[0] * popcount(enclosing(own, full)) + weights[1] * popcount(own & stable)


@helper
def _expected(own, full, stable, seats):
    """Return how many discs a seat is expected to have at the end."""
    stage, loose = min(popcount(full) - COLOURS, 59) // STAGE, own & ~stable
    total = OUTLOOK[stage, SHARE] * 64 / seats + OUTLOOK[stage, STABLE] * popcount(own & stable)
    total += OUTLOOK[stage, EDGE] * popcount(loose & ON_EDGE) + OUTLOOK[stage, CORNERED] * popcount(loose & AT_CORNER)
    total += OUTLOOK[stage, SWEET] * popcount(loose & AT_SWEET) + OUTLOOK[stage, INNER] * popcount(loose & ELSEWHERE)
    return total + OUTLOOK[stage, MOBILITY] * popcount(enclosing(own, full))


@value(shares=True)
def outlook(state, weights, out):
    """Discs expected at the end, as a share of all seats': by where they lie, which are stable, and mobility."""
    full, stable = occupied(state), stable_discs(state)
    for seat in range(state[COUNT]):
        out[seat] = max(LEAST, _expected(state[DISCS + seat], full, stable, state[COUNT]))
