"""Minimax for two seats."""

from typing import Any

import numpy as np

from kibitz.agents.search import twosided
from kibitz.agents.search.sides import TwoSided
from kibitz.core.errors import BadValue


class Minimax(TwoSided):
    """Search two-seat games without secrets by alpha-beta, perfectly where the rest of the game fits the budget."""

    OPTIONS = {name: option for name, option in TwoSided.COMMON.items() if name not in ("worlds", "agree")}
    leaf = twosided.AGAINST_BEST

    def prepare(self, **options: Any) -> None:
        """Refuse what is not for two, or hidden."""
        if self.game.seats != 2:
            raise BadValue(f"minimax is for two seats, and {self.game} has {self.game.seats}")
        if self.game.hidden:
            raise BadValue(f"minimax needs a game without secrets, and {self.game} has some; paranoid plays it")
        self.set_up({**options, "worlds": 1, "agree": "vote"})

    def values(self, state: np.ndarray, seat: int, score: float, best: int) -> list[float]:
        """Return the score, shared between the two seats."""
        return [score / 2 if s == seat else -score / 2 for s in range(2)]
