"""A view of Quarto as plain data: the board, the piece in hand, the pool."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.core.contract import OVER
from kibitz.games.quarto.notation import piece_name
from kibitz.games.quarto.rules import BOARD, FREE, FULL, HAND, NONE, POOL, SEAT, SET, SQUARES, WINNER

CELL_NAMES = [BOARD.name(cell) for cell in BOARD.cells]
PIECE_NAMES = [piece_name(piece) for piece in range(16)]
_EMPTY: dict[str, str | None] = dict.fromkeys(CELL_NAMES)


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what both seats see."""
    cells = view.tolist()
    taken, lanes, pool, hand = ~cells[FREE] & FULL, cells[SET], cells[POOL], cells[HAND]
    board = _EMPTY.copy()
    while taken:
        cell = (taken & -taken).bit_length() - 1
        lane = lanes >> cell
        board[CELL_NAMES[cell]] = PIECE_NAMES[lane & 1 | lane >> 15 & 2 | lane >> 30 & 4 | lane >> 45 & 8]
        taken &= taken - 1
    return {
        "turn": None if cells[SEAT] == OVER else cells[SEAT],
        "board": board,
        "hand": None if hand == NONE else PIECE_NAMES[hand],
        "pool": _pieces(pool)[:],
        "squares": bool(cells[SQUARES]),
        "winner": None if cells[WINNER] == NONE else cells[WINNER],
    }


@lru_cache(maxsize=1 << 14)
def _pieces(mask: int) -> list[str]:
    return [name for piece, name in enumerate(PIECE_NAMES) if mask >> piece & 1]


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    names = PIECE_NAMES if view[HAND] == NONE else CELL_NAMES
    return [names[move] for move in legal]
