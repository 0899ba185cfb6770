"""Warm-up: positions in which an agent decides off the clock, so that its code is loaded before a game."""

from collections.abc import Iterator
from random import Random

import numpy as np

from kibitz.core.game import Game
from kibitz.core.seeds import DEAL, POSITION, derive_seed
from kibitz.core.table import Table

_FAR = 500  # plies into a game; some games may never end


def warm_up_positions(game: Game, seed: int) -> Iterator[np.ndarray]:
    """Yield the first position and the last with a choice of moves: many agents open from a book and search later."""
    table, luck = Table(game, derive_seed(seed, DEAL)), Random(derive_seed(seed, POSITION))
    first = last = table.view(table.turn)
    while not table.over and table.ply < _FAR:
        moves = table.moves()
        if len(moves) > 1:
            last = table.view(table.turn)
        table.play(luck.choice(moves))
    yield first
    yield last
