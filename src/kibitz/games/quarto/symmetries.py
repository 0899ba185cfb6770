"""Symmetries of the board: 32 permutations of its cells preserve lines, and eight of them also preserve squares."""

from collections.abc import Callable
from itertools import permutations

import numpy as np

from kibitz.games.quarto.notation import piece_on
from kibitz.games.quarto.rules import ATTRIBUTES, HAND, NONE, SEAT, SQUARES

REVERSE = (3, 2, 1, 0)


def _symmetries() -> list[list[int]]:
    """Return each symmetry as a list of where the cells go, those that preserve squares first."""
    # Rows and columns are permuted alike, up to a reversal; opposite ones stay opposite, for the diagonals.
    found = []
    for rows in sorted(permutations(range(4)), key=lambda rows: rows not in ((0, 1, 2, 3), REVERSE)):
        for columns in (rows, rows[::-1]):
            if rows[0] + rows[3] == 3:
                moved = [4 * rows[cell // 4] + columns[cell % 4] for cell in range(16)]
                found += [moved, [4 * (cell % 4) + cell // 4 for cell in moved]]
    return found


SYMMETRIES = np.array(_symmetries(), dtype=np.int64)  # [symmetry, cell]: where the cell goes
ORIGINS = np.argsort(SYMMETRIES, axis=1)  # [symmetry, cell]: where it comes from
KEEPING_SQUARES = 8  # symmetries, the first ones, preserve squares


def _images() -> np.ndarray:
    """Return [symmetry, half, byte]: where the cells of half a board go, as a bit mask."""
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    halves = SYMMETRIES.reshape(len(SYMMETRIES), 2, 8)
    return (bits << halves[:, :, None]).sum(axis=3).astype(np.uint16)


IMAGES = _images()


def _to_least(symmetries: int) -> np.ndarray:
    """Return [set of cells]: which of the first symmetries give its least image, as a bit mask."""
    images = [(IMAGES[symmetry, 1, :, None] | IMAGES[symmetry, 0]).ravel() for symmetry in range(symmetries)]
    least, found = np.minimum.reduce(images), np.zeros(1 << 16, dtype=np.uint32)
    for symmetry, image in enumerate(images):
        found |= (image == least).astype(np.uint32) << np.uint32(symmetry)
    return found


TO_LEAST = _to_least(len(SYMMETRIES))
TO_LEAST_WITH_SQUARES = _to_least(KEEPING_SQUARES)


def _renamings() -> np.ndarray:
    """Return [renaming, piece]: the pieces after attributes are permuted and flipped; NOT_A_PIECE stays."""
    found: list[list[int]] = []
    for order in permutations(range(ATTRIBUTES)):
        moved = np.array([sum((piece >> old & 1) << new for new, old in enumerate(order)) for piece in range(16)])
        found += [[*(moved ^ flipped).tolist(), NOT_A_PIECE] for flipped in range(16)]
    return np.array(found, dtype=np.uint8)


NOT_A_PIECE = 16
RENAMINGS = _renamings()
_AT_ONCE = 12  # numbers of five bits that fit into one integer
_WEIGHTS = 32 ** np.arange(_AT_ONCE)[::-1]


def normal_form(view: np.ndarray) -> tuple[bytes, Callable[[int], int]]:
    """Return a normal form that symmetric positions share, and a function that translates moves into it."""
    board = np.array([piece_on(view, cell) for cell in range(16)])
    board[board == NONE] = NOT_A_PIECE
    hand = NOT_A_PIECE if view[HAND] == NONE else int(view[HAND])
    symmetries = KEEPING_SQUARES if view[SQUARES] else len(SYMMETRIES)
    # The forms of all renamings and symmetries, one row each: the piece in hand, then those on the cells.
    cells = RENAMINGS[:, board[ORIGINS[:symmetries]]]
    hands = np.broadcast_to(RENAMINGS[:, hand, None, None], (*cells.shape[:2], 1))
    forms = np.concatenate([hands, cells], axis=2).reshape(-1, 17)
    first = forms[:, :_AT_ONCE] @ _WEIGHTS  # compared before the rest
    candidates = np.flatnonzero(first == first.min())
    least = int(candidates[(forms[candidates, _AT_ONCE:] @ _WEIGHTS[_AT_ONCE - 17 :]).argmin()])
    renaming, symmetry = divmod(least, symmetries)
    names = SYMMETRIES[symmetry] if hand != NOT_A_PIECE else RENAMINGS[renaming]
    return bytes([int(view[SEAT]), int(view[SQUARES])]) + forms[least].tobytes(), lambda move: int(names[move])
