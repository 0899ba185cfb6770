"""A view of Chexers as plain data: the colour on each hex, what is out, how often the position has occurred."""

from typing import Any

import numpy as np

from kibitz.core.contract import OVER
from kibitz.games.chexers.notation import hex_name
from kibitz.games.chexers.notation import texts as texts
from kibitz.games.chexers.rules import (
    EXITS,
    HEXAGON,
    LENGTH,
    MOST_TURNS,
    NONE,
    OCCURRENCES,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TURNS,
    WINNER,
    bit_of,
)

_NAMES = {bit_of(place): hex_name(place) for place in HEXAGON.places}
_EMPTY: dict[str, str | None] = dict.fromkeys(_NAMES.values())


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what all seats see."""
    cells = view[:LENGTH].tolist()
    board = _EMPTY.copy()
    for colour, pieces in zip(SEAT_NAMES, cells[PIECES : PIECES + 3], strict=True):
        while pieces:
            lowest = pieces & -pieces
            board[_NAMES[lowest.bit_length() - 1]] = colour
            pieces ^= lowest
    return {
        "turn": None if cells[SEAT] == OVER else cells[SEAT],
        "board": board,
        "exits": dict(zip(SEAT_NAMES, cells[EXITS : EXITS + 3], strict=True)),
        "turns": cells[TURNS],
        "most_turns": MOST_TURNS,
        "occurrences": cells[OCCURRENCES],
        "winner": None if cells[WINNER] == NONE else cells[WINNER],
    }
