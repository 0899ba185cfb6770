"""Many games side by side: batches on processors and on graphics cards."""

from kibitz.batches.game_batch import GameBatch, device_of
from kibitz.core.game import Game
from kibitz.games import find


def make(game: Game | str, games: int, device: str = "cpu", seed: int = 0) -> GameBatch:
    """Return games side by side, by their number, on all processors ("cpu") or on a graphics card ("gpu")."""
    found = game if isinstance(game, Game) else find(str(game))
    return GameBatch(found, games, device_of(found, device), seed)
