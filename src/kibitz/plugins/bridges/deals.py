"""The deals of a game as outcomes of chance: all of them, if the game lists them, else those of a number of seeds."""

from collections import Counter

import numpy as np

from kibitz.core.dice import dice, dice_all
from kibitz.core.game import Game
from kibitz.core.playout import deal_table, hash_deals
from kibitz.core.seeds import DEAL, derive_seed


class Deals:
    """The possible deals, of which equal ones count as one; a game with only one has no chance node for it."""

    def __init__(self, game: Game, seeds: int):
        self.game = game
        self._listed = game.listed_deals()
        if self._listed is not None:
            total = sum(weight for weight, _ in self._listed)
            self.outcomes = [(outcome, weight / total) for outcome, (weight, _) in enumerate(self._listed)]
            return
        self._seeds = [derive_seed(0, DEAL, number) for number in range(seeds)]
        hashes = np.zeros(seeds, dtype=np.int64)
        rngs = dice_all(np.array(self._seeds, dtype=np.uint64))
        hash_deals(game.rules, game.encoded_options, rngs, game.new_state(), hashes)
        counted = Counter(hashes.tolist())
        first: dict[int, int] = {}
        for number, found in enumerate(hashes.tolist()):
            first.setdefault(found, number)
        self._numbers = list(first.values())
        self.outcomes = [(outcome, counted[found] / seeds) for outcome, found in enumerate(first)]

    def dealt(self, outcome: int) -> np.ndarray:
        """Return the state that an outcome deals, with a guard behind it."""
        cells = self.game.new_state()
        if self._listed is not None:
            cells[: self.game.size] = self._listed[outcome][1]
        else:
            deal_table(self.game.rules, cells, self.game.encoded_options, dice(self._seeds[self._numbers[outcome]]))
        return cells
