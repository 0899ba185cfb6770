"""Positions for tests, set up by playing moves as text."""

from kibitz import games
from kibitz.core.table import Table


def table_after(game_text: str, *moves: str, seed: int = 1) -> Table:
    """Return a table after the moves named."""
    table = Table(games.find(game_text), seed)
    for text in moves:
        table.play(table.read(text))
    return table
