"""Choices by number."""


def write(view, move: int) -> str:
    """Return the number of a choice."""
    return str(move)


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return text.strip()
