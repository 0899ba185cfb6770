"""A view of Rolit as plain data: the colour on each square, how many discs each has, how many moves were made."""

from typing import Any

import numpy as np

from kibitz.core.bits import popcount
from kibitz.core.contract import OVER
from kibitz.games.rolit.notation import SQUARES
from kibitz.games.rolit.notation import texts as texts
from kibitz.games.rolit.rules import COLOURS, COUNT, DISCS, SEAT, SEAT_NAMES

_EMPTY: dict[str, str | None] = dict.fromkeys(SQUARES)


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what all seats see."""
    cells = view.tolist()
    board = _EMPTY.copy()
    counts = {}
    for colour, discs in zip(SEAT_NAMES, cells[DISCS : DISCS + COLOURS], strict=True):
        counts[colour] = popcount(discs)
        for square, name in enumerate(SQUARES):
            if discs >> square & 1:
                board[name] = colour
    return {
        "turn": None if cells[SEAT] == OVER else cells[SEAT],
        "board": board,
        "discs": counts,
        "neutral": list(SEAT_NAMES[cells[COUNT] :]),
        "moves": sum(counts.values()) - COLOURS,
        "winner": _winner([*counts.values()][: cells[COUNT]]) if cells[SEAT] == OVER else None,
    }


def _winner(counts: list[int]) -> int | None:
    """Return the seat that has more discs than each other one, if there is one."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else None
