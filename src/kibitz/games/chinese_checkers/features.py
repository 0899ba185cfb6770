"""Encodings of a Chinese Checkers position for networks.

The board is turned so that the seat starts in the south. What stands for the others goes by the point where they start,
clockwise from the seat's, so that positions with any number of seats look alike.
"""

import numpy as np

from kibitz.core.bits import lowest
from kibitz.core.native import helper
from kibitz.games.chinese_checkers.measures import ARRIVED, AT_START, covered, farthest, home_of, summed
from kibitz.games.chinese_checkers.rules import BOARD, COUNT, PIECES, SEAT
from kibitz.games.chinese_checkers.star import FIELDS, LARGE, LATTICES, POINTS, field_of, star, turned
from kibitz.networks.encoding import encoding

_PLACES = star(LARGE)
_FIELDS = len(_PLACES)
_MOST_PIECES = 10
_TO_MOVE = POINTS * _FIELDS  # the first row of: the seat to move
LENGTH = _TO_MOVE + POINTS
MOST = POINTS * _MOST_PIECES + 1
MEASURES = 4  # numbers that `race` gives for every point

# NUMBER[home, field] is the number of a field on the board turned so that the point `home` is in the south.
NUMBER = np.zeros((POINTS, FIELDS), dtype=np.int64)
for _number, _place in enumerate(_PLACES):
    for _home in range(POINTS):
        NUMBER[_home, field_of(turned(_place, _home))] = _number


@helper
def _points_on(state, seat, other):
    """Return how many points clockwise from the home of a seat another seat starts."""
    ahead = home_of(state, other) - home_of(state, seat)
    return ahead if ahead >= 0 else ahead + POINTS


@encoding(length=LENGTH, most=MOST)
def pieces(view, seat, out):
    """Every piece on its field, and whose turn it is."""
    home, n = home_of(view, seat), 0
    for other in range(view[COUNT]):
        ahead = _points_on(view, seat, other)
        for lattice in range(LATTICES):
            left = view[PIECES + LATTICES * other + lattice]
            while left:
                out[n] = ahead * _FIELDS + NUMBER[home, 64 * lattice + lowest(left)]
                left &= left - 1
                n += 1
    if view[SEAT] >= 0:
        out[n] = _TO_MOVE + _points_on(view, seat, view[SEAT])
        n += 1
    return n


@encoding(length=POINTS * MEASURES)
def race(view, seat, out):
    """For every seat the way it has come, how far its last piece has to go, its pieces in the goal; who moves."""
    for i in range(POINTS * MEASURES):
        out[i] = 0.0
    for other in range(view[COUNT]):
        at = MEASURES * _points_on(view, seat, other)
        out[at] = covered(view, other) / AT_START[view[BOARD]]
        out[at + 1] = farthest(view, other) / (4 * LARGE)
        out[at + 2] = summed(view, other, ARRIVED) / _MOST_PIECES
        out[at + 3] = 1.0 if other == view[SEAT] else 0.0
