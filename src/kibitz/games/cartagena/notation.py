"""Cartagena moves as text: `3 hat` (a pirate on space 3 plays a hat; 0 is the start), `back 14`, `stop`, `draw`."""

from functools import cache

import numpy as np

from kibitz.games.cartagena.cells import MAX_TURNS
from kibitz.games.cartagena.passage import SIGN_NAMES
from kibitz.games.cartagena.rules import BACK, DRAW, STOP

PASSES = (STOP,)


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return text_of(int(move))


def drawn_by(view: np.ndarray) -> str:
    """Say how a drawn game came to its end."""
    return f"the limit of {view[MAX_TURNS]} turns"


@cache
def text_of(move: int) -> str:
    """Return the text of a move, which is the same in every position."""
    if move == STOP:
        return "stop"
    if move == DRAW:
        return "draw"
    if move >= BACK:
        return f"back {move - BACK}"
    return f"{move >> 3} {SIGN_NAMES[move & 7]}"


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return " ".join(text.split()).lower()
