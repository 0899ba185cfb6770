"""The squares of Rolit by rank: corners are best, the squares next to them worst."""

import numpy as np

from kibitz.games.rolit.rules import BOARD, mask_where

# The corner at the bottom left, from a1 to d1 and up; the other three quarters mirror it.
QUARTER = ((5, 2, 4, 3),
           (2, 1, 3, 3),
           (4, 3, 4, 4),
           (3, 3, 4, 4))  # fmt: skip
BEST = 5


def _rank(column: int, row: int) -> int:
    return QUARTER[min(row, 7 - row)][min(column, 7 - column)]


RANK = np.array([_rank(square % 8, square // 8) for square in BOARD.cells])
RANKED = np.array([mask_where(lambda column, row, rank=rank: _rank(column, row) == rank) for rank in range(BEST + 1)])
