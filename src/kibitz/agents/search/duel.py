"""Two seats left in a game of more: alpha-beta between them."""

from typing import Any

import numpy as np

from kibitz.agents.search import twosided
from kibitz.agents.search.sides import TwoSided


class Duel(TwoSided):
    """The seat to move against the only other that can still do more than pass; what counts is who is ahead."""

    leaf = twosided.AGAINST_RIVAL

    def prepare(self, share: float, **options: Any) -> None:
        """Set up, with a share of the memory."""
        self.rival, self.share = 0, share
        self.set_up(options)

    def against(self, rival: int) -> "Duel":
        """Name the other seat."""
        self.rival = rival
        return self

    def reset(self, seat: int) -> None:
        """Begin a new decision."""
        super().reset(seat)
        control = self._arrays.control
        control[twosided.RIVAL] = self.rival
        control[twosided.OUT] = (1 << self.game.seats) - 1 - (1 << seat) - (1 << self.rival)

    def values(self, state: np.ndarray, seat: int, score: float, best: int) -> list[float]:
        """Return the score, shared between the two seats."""
        worth = [0.0] * self.game.seats
        worth[seat], worth[self.rival] = score / 2, -score / 2
        return worth
