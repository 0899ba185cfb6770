"""Playouts on a device: all playouts of all turns at once, each with dice of its own."""

from typing import Any

import numpy as np

from kibitz.core.arrays import Floats, Int64s, UInt64s
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic

MOST_ROWS = 1 << 20  # playouts at a time


class Playouts:
    """Plays turns out by a policy; what comes of it depends neither on the device nor on its threads."""

    def __init__(self, game: Game, policy: BoundHeuristic, device: Any):
        self.game, self.policy, self.device = game, policy, device

    def add(
        self, view: Int64s, seat: int, turns: Int64s, seeds: UInt64s, number: int, playouts: int, wins: bool,
        sums: Floats,
    ) -> None:  # fmt: skip
        """Add to `sums` what each seat earns in the playouts of each turn from playout `number` on, or its wins."""
        most = max(1, MOST_ROWS // len(turns))
        put = self.device.array
        given = put(view), seat, put(np.ascontiguousarray(turns).reshape(-1)), turns.shape[1]
        for begin in range(number, number + playouts, most):
            some = min(most, number + playouts - begin)
            sums += self._sums(given, (begin, put(seeds), int(wins)), len(turns), some)

    def _sums(self, given: tuple[Any, ...], then: tuple[Any, ...], turns: int, playouts: int) -> Floats:
        """Return what each seat earns in all playouts of a turn together, added up here in the same order always."""
        seats = self.game.seats
        out = self.device.arrays.zeros(turns * playouts * seats)
        self.device.play_out(self.policy, turns * playouts, *given, playouts, *then, out)
        if self.device.failed():
            raise BadGame(f"{self.game}: a rule fails in a playout on the graphics card; device=cpu tells which")
        earned = np.asarray(out.get() if hasattr(out, "get") else out)
        return np.asarray(earned.reshape(turns, playouts, seats).sum(axis=1))
