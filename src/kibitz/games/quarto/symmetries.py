"""Symmetries of the board: 32 ways to move its cells keep lines lines, eight of them keep squares squares too."""

from itertools import permutations

import numpy as np

REVERSE = (3, 2, 1, 0)


def _symmetries() -> list[list[int]]:
    """Return each symmetry as a list of where the cells go, those that keep squares first."""
    # Rows and columns are moved in the same way, up to a reversal; opposite ones stay opposite, for the diagonals.
    found = []
    for rows in sorted(permutations(range(4)), key=lambda rows: rows not in ((0, 1, 2, 3), REVERSE)):
        for columns in (rows, rows[::-1]):
            if rows[0] + rows[3] == 3:
                moved = [4 * rows[cell // 4] + columns[cell % 4] for cell in range(16)]
                found += [moved, [4 * (cell % 4) + cell // 4 for cell in moved]]
    return found


SYMMETRIES = np.array(_symmetries(), dtype=np.int64)  # symmetry x cell: where the cell goes
ORIGINS = np.argsort(SYMMETRIES, axis=1)  # symmetry x cell: where it comes from
KEEPING_SQUARES = 8  # the first so many of SYMMETRIES


def _images() -> np.ndarray:
    """Return symmetry x half x byte: where the cells of half a board go, as a bit mask."""
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    halves = SYMMETRIES.reshape(len(SYMMETRIES), 2, 8)
    return (bits << halves[:, :, None]).sum(axis=3).astype(np.uint16)


IMAGES = _images()


def _to_least(symmetries: int) -> np.ndarray:
    """Return for every set of cells which of the first symmetries give the least image of it, as a bit mask."""
    images = [(IMAGES[symmetry, 1, :, None] | IMAGES[symmetry, 0]).ravel() for symmetry in range(symmetries)]
    least, found = np.minimum.reduce(images), np.zeros(1 << 16, dtype=np.uint32)
    for symmetry, image in enumerate(images):
        found |= (image == least).astype(np.uint32) << np.uint32(symmetry)
    return found


TO_LEAST = _to_least(len(SYMMETRIES))
TO_LEAST_WITH_SQUARES = _to_least(KEEPING_SQUARES)
