"""A view of Focus as plain data: the stacks, and what each seat has in reserve and has captured."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.contract import OVER
from kibitz.games.focus.notation import NAMES, pieces_on, write
from kibitz.games.focus.rules import (
    CAPTURED,
    COUNT,
    IN_ALL,
    MOST_TURNS,
    NONE,
    OF_EACH,
    RESERVE,
    SEAT,
    SEAT_NAMES,
    TURNS,
    WAITING,
    WINNER,
)


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what all seats see; stacks are listed from the bottom up."""
    colours = SEAT_NAMES[: int(view[COUNT])]
    stacks = {name: [SEAT_NAMES[owner] for owner in pieces_on(view, at)] for at, name in NAMES.items()}
    return {
        "turn": None if view[SEAT] == OVER else int(view[SEAT]),
        "stacks": stacks,
        "reserve": {colour: int(view[RESERVE + k]) for k, colour in enumerate(colours)},
        "captured": {colour: _captured(view, k) for k, colour in enumerate(colours)},
        "must_place": [colour for k, colour in enumerate(colours) if int(view[WAITING]) >> k & 1],
        "to_win": {"of_each": int(view[OF_EACH]), "in_all": int(view[IN_ALL])},
        "turns": int(view[TURNS]),
        "most_turns": MOST_TURNS,
        "winner": None if view[WINNER] == NONE else int(view[WINNER]),
    }


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    return [write(view, move) for move in legal]


def _captured(view: np.ndarray, captor: int) -> dict[str, int]:
    """Return how many pieces of each other colour a seat has captured."""
    lanes = int(view[CAPTURED + captor])
    return {SEAT_NAMES[other]: lanes >> 8 * other & 255 for other in range(int(view[COUNT])) if other != captor}
