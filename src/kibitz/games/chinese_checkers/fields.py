"""A view of Chinese Checkers as plain data: the colour on each field, whose turn it is, who has won."""

from typing import Any

import numpy as np

from kibitz.core.contract import OVER
from kibitz.games.chinese_checkers.notation import NAMES, owners
from kibitz.games.chinese_checkers.notation import texts as texts
from kibitz.games.chinese_checkers.rules import BOARD, COUNT, NONE, SEAT, SEAT_NAMES, TURNS, TURNS_EACH, WINNER


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what all seats see."""
    owner = owners(view)
    return {
        "turn": None if view[SEAT] == OVER else int(view[SEAT]),
        "board": {
            name: SEAT_NAMES[owner[field]] if field in owner else None for field, name in NAMES[view[BOARD]].items()
        },
        "turns": int(view[TURNS]),
        "most_turns": TURNS_EACH * int(view[COUNT]),
        "winner": None if view[WINNER] == NONE else int(view[WINNER]),
    }
