"""Symmetries of the board: 32 turns map lines to lines, eight of them squares to squares too."""

from itertools import permutations

import numpy as np

_ALL = 1 << 16


def _turns() -> list[list[int]]:
    """Return the turns as lists of where each cell goes, those that keep squares first."""
    reverse = (3, 2, 1, 0)
    found = []
    # Rows and columns change places in the same way, up to a reversal; the ends of a diagonal stay ends of a diagonal.
    for order in sorted(permutations(range(4)), key=lambda order: order not in ((0, 1, 2, 3), reverse)):
        for columns in (order, order[::-1]):
            images = [4 * order[cell // 4] + columns[cell % 4] for cell in range(16)]
            if order[0] + order[3] == 3:
                found += [images, [4 * (cell % 4) + cell // 4 for cell in images]]
    return found


TURNS = np.array(_turns(), dtype=np.int64)  # turn x cell: where the cell goes
CELL_BEFORE = np.argsort(TURNS, axis=1)  # turn x cell: where the cell comes from
KEEPING_SQUARES = 8  # the first so many of TURNS


def _images() -> np.ndarray:
    """Return turn x half x byte: where the cells of half a board go, as a bit mask."""
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    halves = TURNS.reshape(len(TURNS), 2, 8)
    return (bits[None, None] << halves[:, :, None]).sum(axis=3).astype(np.uint16)


TURNED = _images()


def _most_normal(turns: int) -> np.ndarray:
    """Return for every set of cells which of the first turns make the least number of it, as a bit mask."""
    sets = np.arange(_ALL)
    images = np.stack([TURNED[turn, 0, sets & 0xFF] | TURNED[turn, 1, sets >> 8] for turn in range(turns)])
    least = images == images.min(axis=0)
    return (least << np.arange(turns)[:, None]).sum(axis=0).astype(np.uint32)


MOST_NORMAL = _most_normal(len(TURNS))
MOST_NORMAL_WITH_SQUARES = _most_normal(KEEPING_SQUARES)
