"""Colonizers moves as text: a colonist picked, `omnium` or `modules`, `keep …`, `name …`, `build …`, or `nothing`."""

from functools import cache

import numpy as np

from kibitz.games.colonizers.cards import MODULES
from kibitz.games.colonizers.cells import COLONIST_NAMES, DRAW, KEEP, PHASE, PICK, POWER
from kibitz.games.colonizers.rules import NOTHING, TAKE_OMNIUM

PASSES = (NOTHING,)


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return text_of(int(view[PHASE]), int(move))


def drawn_by(view: np.ndarray) -> str:
    """Say how a drawn game, in which nobody earns anything, came to its end."""
    return "the end of the deck"


@cache
def text_of(phase: int, move: int) -> str:
    """Return the text of a move in a phase."""
    if move == NOTHING:
        return "nothing"
    if phase == PICK:
        return COLONIST_NAMES[move]
    if phase == DRAW:
        return "omnium" if move == TAKE_OMNIUM else "modules"
    if phase == POWER:
        return f"name {COLONIST_NAMES[move]}"
    return f"{'keep' if phase == KEEP else 'build'} {MODULES[move // 4].name}"


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared; hyphens are spaces."""
    return " ".join(text.lower().replace("-", " ").split())
