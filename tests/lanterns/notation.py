"""Moves by name."""

from .rules import NAMED

HINTS = ("low", "high")


def write(view, move: int) -> str:
    """Return the name of a move."""
    return HINTS[move] if move < NAMED else str(move - NAMED + 1)


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return text.strip().lower()
