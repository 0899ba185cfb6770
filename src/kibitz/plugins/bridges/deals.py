"""The deals of a game as outcomes of chance, drawn from a number of seeds; equal deals count as one outcome."""

from collections import Counter

import numpy as np

from kibitz.core.dice import dice_all
from kibitz.core.game import Game
from kibitz.core.playout import hash_deals
from kibitz.core.seeds import DEAL, derive_seed
from kibitz.core.table import Table


class Deals:
    """The possible deals; a game in which all seeds give the same deal has no chance node."""

    def __init__(self, game: Game, seeds: int):
        self.game = game
        self._seeds = [derive_seed(0, DEAL, number) for number in range(seeds)]
        hashes = np.zeros(seeds, dtype=np.int64)
        dice = dice_all(np.array(self._seeds, dtype=np.uint64))
        hash_deals(game.rules, game.encoded_options, dice, game.new_state(), hashes)
        counted = Counter(hashes.tolist())
        first: dict[int, int] = {}
        for number, found in enumerate(hashes.tolist()):
            first.setdefault(found, number)
        self._numbers = list(first.values())
        self.outcomes = [(outcome, counted[found] / seeds) for outcome, found in enumerate(first)]

    def dealt(self, outcome: int) -> np.ndarray:
        """Return the state that an outcome deals, with a guard behind it."""
        cells = self.game.new_state()
        cells[: self.game.size] = Table(self.game, self._seeds[self._numbers[outcome]]).copy_of_truth()
        return cells
