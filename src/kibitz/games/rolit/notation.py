"""Rolit moves as text: the square that the disc goes to, as in `f5`."""

from collections.abc import Sequence

import numpy as np

from kibitz.games.rolit.rules import BOARD, COLOURS, DISCS, SEAT, SEAT_NAMES, beside, enclosing, occupied

SQUARES = [BOARD.name(square) for square in BOARD.cells]
_SQUARE_OF = {name: square for square, name in enumerate(SQUARES)}


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return SQUARES[move]


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    return [SQUARES[move] for move in legal]


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return text.strip().lower()


def objection(view: np.ndarray, text: str) -> str:
    """Return why a square cannot be taken; empty for other texts."""
    square = _SQUARE_OF.get(fold(text))
    if square is None or view[SEAT] < 0:
        return ""
    if colour_on(view, square) is not None:
        return f"{SQUARES[square]} is taken"
    if enclosing(view[DISCS + view[SEAT]], occupied(view)) != 0:
        return f"a disc on {SQUARES[square]} encloses nothing, and {SEAT_NAMES[view[SEAT]]} can enclose discs elsewhere"
    return "" if beside(occupied(view)) >> square & 1 else f"there is no disc next to {SQUARES[square]}"


def drawn_by(view: np.ndarray) -> str:
    """Return why nobody won alone."""
    return "equal numbers of discs"


def colour_on(view: np.ndarray, square: int) -> int | None:
    """Return the colour of the disc on a square, if there is one."""
    return next((colour for colour in range(COLOURS) if int(view[DISCS + colour]) >> square & 1), None)
