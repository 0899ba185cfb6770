"""The squares of Rolit by rank: corners are best, the squares next to them worst."""

import numpy as np

from kibitz.games.rolit.rules import PLACES, mask_of

# The corner at the bottom left, from a1 to d1 and up; the other three quarters mirror it.
QUARTER = ((5, 2, 4, 3),
           (2, 1, 3, 3),
           (4, 3, 4, 4),
           (3, 3, 4, 4))  # fmt: skip
BEST = 5


def _rank(column: int, row: int) -> int:
    return QUARTER[min(row, 7 - row)][min(column, 7 - column)]


RANK = np.array([_rank(column, row) for column, row in PLACES])
RANKED = np.array([mask_of(place for place in PLACES if _rank(*place) == rank) for rank in range(BEST + 1)])
