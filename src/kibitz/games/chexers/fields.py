"""A view of Chexers as plain data: the colour on each hex, what is out, how often the position has occurred."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.grids import HEX_STEPS
from kibitz.games.chexers.notation import hex_name
from kibitz.games.chexers.rules import (
    EXIT,
    EXITS,
    HEXAGON,
    LENGTH,
    MOST_TURNS,
    NONE,
    OCCURRENCES,
    PASS,
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


def _texts() -> dict[int, tuple[int, str, str]]:
    """Return for each move the bit that decides between a step and a jump, and the texts of both."""
    found = {PASS: (0, "pass", "pass")}
    for (q, r), bit in ((place, bit_of(place)) for place in HEXAGON.places):
        found[EXIT + bit] = (0, f"{_NAMES[bit]} out", f"{_NAMES[bit]} out")
        for direction, (dq, dr) in enumerate(HEX_STEPS):
            near, far = (q + dq, r + dr), (q + 2 * dq, r + 2 * dr)
            if near in HEXAGON.places:
                jump = f"{_NAMES[bit]}x{hex_name(far)}" if far in HEXAGON.places else ""
                found[64 * direction + bit] = (bit_of(near), f"{_NAMES[bit]}-{hex_name(near)}", jump)
    return found


_TEXTS = _texts()


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    red, green, blue = view[PIECES : PIECES + 3].tolist()
    full, found = red | green | blue, []
    for move in legal:
        near, step, jump = _TEXTS[move]
        found.append(jump if full >> near & 1 else step)
    return found
