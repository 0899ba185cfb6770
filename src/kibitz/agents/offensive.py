"""Directed offensive search."""

from typing import Any

import numpy as np

from kibitz.agents.search.seats import EverySeat
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import value_of

LEADER = "leader"


class Offensive(EverySeat):
    """Choose what is worst for one rival, all others playing for themselves (Zuckerman, Felner and Kraus 2009)."""

    OPTIONS = {
        "target": Option(LEADER, "the seat to harm, from 1, or leader for the one that is ahead", kind="word"),
        **EverySeat.COMMON,
    }

    def prepare(self, target: str, **options: Any) -> None:
        """Take the target."""
        seats = self.game.seats
        if target != LEADER and not (target.isdigit() and 1 <= int(target) <= seats):
            raise BadValue(f"offensive: target={target} does not fit; it takes leader or a seat from 1 to {seats}")
        self.target = -1 if target == LEADER else int(target) - 1
        self.set_up(options)
        self.numbers = f"what the target has, negative, by the value {self.value.text}"

    def deepen(self, state: np.ndarray, seat: int, tried: np.ndarray) -> Any:
        """Find the target in this world first."""
        target = self._leader(state, seat) if self.target < 0 else self.target
        self.tell("TARGET", target if target != seat else -1)
        return super().deepen(state, seat, tried)

    def _leader(self, state: np.ndarray, without: int) -> int:
        """Return the seat, other than one, that is worth most."""
        worth = np.zeros(self.game.seats)
        value_of(self.game.rules, self.value.handle, self.value.weights, state, worth)
        worth[without] = -np.inf
        return int(worth.argmax())
