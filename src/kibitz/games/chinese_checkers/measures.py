"""Measures of how far a seat has come: the steps that its pieces have left, and how far they are from the middle."""

from collections.abc import Callable

import numpy as np

from kibitz.core.bits import lowest
from kibitz.core.native import helper
from kibitz.games.chinese_checkers.rules import BOARD, COUNT, DEPTHS, PIECES, POINT, SEAT
from kibitz.games.chinese_checkers.star import (
    FIELDS,
    LATTICES,
    POINTS,
    Place,
    apart,
    field_of,
    point_of,
    points,
    star,
    turned,
)

SOUTH, NORTH = 0, 3  # points


def _steps_left(place: Place, depth: int) -> int:
    """Return the steps from a place to the northern tip."""
    return apart(place, (-depth, 2 * depth))


def _astray(place: Place, depth: int) -> int:
    """Return how many half fields a place is to the west or east of the middle."""
    return abs(2 * place[0] + place[1])


def _arrived(place: Place, depth: int) -> int:
    """Return 1 for a place in the northern point, else 0."""
    return int(point_of(place, depth) == NORTH)


def _by_home(measure: Callable[[Place, int], int]) -> np.ndarray:
    """Return a measure for pieces that go north, by board, the point where they start, and field."""
    table = np.zeros((len(DEPTHS), POINTS, FIELDS), dtype=np.int64)
    for board, depth in enumerate(DEPTHS):
        for place in star(depth):
            for home in range(POINTS):
                table[board, home, field_of(turned(place, home))] = measure(place, depth)
    return table


STEPS_LEFT, ASTRAY, ARRIVED = map(_by_home, (_steps_left, _astray, _arrived))
# By board: the steps that all pieces of a seat have left at the start.
AT_START = np.array([sum(_steps_left(place, depth) for place in points(depth)[SOUTH]) for depth in DEPTHS])


@helper
def home_of(state, seat):
    """Return the point where a seat starts."""
    return POINT[state[COUNT], seat]


@helper
def summed(state, seat, table):
    """Return the sum of a measure over a seat's pieces."""
    board, home, total = state[BOARD], home_of(state, seat), 0
    for lattice in range(LATTICES):
        left = state[PIECES + LATTICES * seat + lattice]
        while left:
            total += table[board, home, 64 * lattice + lowest(left)]
            left &= left - 1
    return total


@helper
def farthest(state, seat):
    """Return the most steps that a piece of a seat has left."""
    board, home, most = state[BOARD], home_of(state, seat), 0
    for lattice in range(LATTICES):
        left = state[PIECES + LATTICES * seat + lattice]
        while left:
            most = max(most, STEPS_LEFT[board, home, 64 * lattice + lowest(left)])
            left &= left - 1
    return most


@helper
def covered(state, seat):
    """Return the steps that a seat's pieces have come closer to the tip of its goal since the start."""
    return AT_START[state[BOARD]] - summed(state, seat, STEPS_LEFT)


@helper
def gained(state, start, end):
    """Return how many steps closer a move of the seat to move brings its piece."""
    board, home = state[BOARD], home_of(state, state[SEAT])
    return STEPS_LEFT[board, home, start] - STEPS_LEFT[board, home, end]
