"""A module of a script."""


def last(gameState):
    """Return the index of the last action."""
    return str(len(gameState["Actions"]) - 1)
