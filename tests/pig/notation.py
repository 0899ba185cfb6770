"""Moves of Pig as text."""

from kibitz.rules import CHANCE

from .rules import HOLD, SEAT


def write(view, move):
    """Return the text of a move, or of what the die shows."""
    if view[SEAT] == CHANCE:
        return f"rolls {move}"
    return "hold" if move == HOLD else "roll"


def fold(text):
    """Return a text in lower case without spaces around it."""
    return text.strip().lower()
