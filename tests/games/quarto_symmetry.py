"""Symmetries of Quarto: 32 of the board (8 with squares) times 384 relabellings of the pieces.

A relabelling permutes the four attributes and flips any of them. The least form of a position always gives piece 0 to
its first taken cell, because some flip does; so only board symmetries and permutations need trying.
"""

from itertools import permutations

import numpy as np

from kibitz.core.native import compiled
from kibitz.games.quarto.rules import FREE, HAND, NONE, SET, SQUARES

EMPTY = 16  # in a list of cells: no piece; sorts after every piece
UNHELD = 16  # in the last place of a form: no piece in hand


def _board_symmetries(squares: bool) -> np.ndarray:
    """Permutations of the cells that map lines to lines: SYM[s, cell] is where the cell goes."""
    reverse = (3, 2, 1, 0)
    if squares:
        orders: list[tuple[int, ...]] = [(0, 1, 2, 3), reverse]
    else:  # orders of the rows that keep {0, 3} and {1, 2} as opposite pairs
        orders = [order for order in permutations(range(4)) if order[0] + order[3] == 3]
    found = []
    for rows in orders:
        for columns in (rows, tuple(reverse[i] for i in rows)):
            for transposed in (False, True):
                image = [4 * rows[cell // 4] + columns[cell % 4] for cell in range(16)]
                found.append([4 * (i % 4) + i // 4 for i in image] if transposed else image)
    return np.array(found, dtype=np.int64)


def _relabellings() -> np.ndarray:
    """Permutations of the attributes, as tables from piece to piece."""
    return np.array(
        [
            [sum((piece >> k & 1) << order[k] for k in range(4)) for piece in range(16)]
            for order in permutations(range(4))
        ],
        dtype=np.int64,
    )


STANDARD = _board_symmetries(squares=False)
WITH_SQUARES = _board_symmetries(squares=True)
RELABELLINGS = _relabellings()


@compiled
def _least_form(cells, hand, boards, relabellings, turned, out):
    """Write the least image of (cells, hand) over all symmetries."""
    first = True
    for s in range(boards.shape[0]):
        for cell in range(16):
            turned[boards[s, cell]] = cells[cell]
        flip = hand if hand != UNHELD else 0
        for cell in range(16):
            if turned[cell] != EMPTY:
                flip = turned[cell]
                break
        for r in range(relabellings.shape[0]):
            better = first
            for i in range(17):
                piece = turned[i] if i < 16 else hand
                image = piece if piece == EMPTY else relabellings[r, piece ^ flip]
                if not better and image > out[i]:
                    break
                if better or image < out[i]:
                    out[i] = image
                    better = True
            first = False


def canonical(state: np.ndarray) -> tuple[int, ...]:
    """Return the least image under all symmetries: the piece on each of 16 cells, then that in hand; 16 for none."""
    cells = np.full(16, EMPTY, dtype=np.int64)
    for cell in range(16):
        if not state[FREE] >> cell & 1:
            cells[cell] = sum(int(state[SET] >> (16 * k + cell) & 1) << k for k in range(4))
    hand = UNHELD if state[HAND] == NONE else int(state[HAND])
    boards = WITH_SQUARES if state[SQUARES] else STANDARD
    out = np.empty(17, dtype=np.int64)
    _least_form(cells, hand, boards, RELABELLINGS, np.empty(16, dtype=np.int64), out)
    return tuple(out.tolist())
