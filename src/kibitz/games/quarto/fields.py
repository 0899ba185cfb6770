"""A view of Quarto as plain data: the board, the piece in hand, the pool."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.contract import OVER
from kibitz.games.quarto.notation import piece_name
from kibitz.games.quarto.rules import BOARD, FREE, HAND, NONE, POOL, SEAT, SET, SQUARES, WINNER

CELL_NAMES = [BOARD.name(cell) for cell in BOARD.cells]
PIECE_NAMES = [piece_name(piece) for piece in range(16)]


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what both seats see."""
    cells = view.tolist()
    free, lanes, pool, hand = cells[FREE], cells[SET], cells[POOL], cells[HAND]
    board: dict[str, str | None] = {}
    for name in CELL_NAMES:
        if free & 1:
            board[name] = None
        else:
            board[name] = PIECE_NAMES[lanes & 1 | lanes >> 15 & 2 | lanes >> 30 & 4 | lanes >> 45 & 8]
        free >>= 1
        lanes >>= 1
    return {
        "turn": None if cells[SEAT] == OVER else cells[SEAT],
        "board": board,
        "hand": None if hand == NONE else PIECE_NAMES[hand],
        "pool": [name for piece, name in enumerate(PIECE_NAMES) if pool >> piece & 1],
        "squares": bool(cells[SQUARES]),
        "winner": None if cells[WINNER] == NONE else cells[WINNER],
    }


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    names = PIECE_NAMES if view[HAND] == NONE else CELL_NAMES
    return [names[move] for move in legal]
