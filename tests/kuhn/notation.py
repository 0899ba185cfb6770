"""Moves of Kuhn poker by name."""

NAMES = ("pass", "bet", "silver")


def write(view, move: int) -> str:
    """Return the name of a move."""
    return NAMES[move]


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return text.strip().lower()
