"""What the agents in which every seat plays for itself have in common: they set up `vector` and tell it what to do."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search import vector
from kibitz.agents.search.deepening import MOST_LEVELS, NO_NODE_LIMIT, TreeSearch
from kibitz.core.dice import derive, dice


class EverySeat(TreeSearch):
    """Every seat for itself."""

    def set_up(self, options: Mapping[str, Any], total: float = 0.0, **told: int) -> None:
        """Take the common options and make the arrays; `told` are cells of control by name."""
        self.take(options)
        game, choices, levels = self.game, self.game.most_moves, MOST_LEVELS + 1
        self.told = {
            "NODE_LIMIT": self.nodes or NO_NODE_LIMIT, "MOST_LEVELS": MOST_LEVELS, "BY_MOVES": int(self.by_moves),
            "WIDTH": self.width, "CHOICES": choices, "TARGET": -1, **told,
        }  # fmt: skip
        self._arrays = vector.Search(
            rules=game.rules, value=self.value.handle, weights=self.value.weights,
            control=np.zeros(vector.CONTROL_CELLS, dtype=np.int64), total=np.array([total]),
            states=np.empty(levels * choices * game.size, dtype=np.int64),
            listed=np.empty(levels * choices, dtype=np.int64), order=np.empty(levels * choices),
            worth=np.zeros((levels + 1) * game.seats), sure=np.zeros((levels + 1) * game.seats),
            line=np.full((levels + 1) * levels, -1, dtype=np.int64), rng=dice(derive(self.seed, 1)),
            sieve=self.sieve, dice=dice(0), itself=vector.maxn.handle,
        )  # fmt: skip
        self._worths = np.zeros((game.most_moves, game.seats))

    def reset(self, seat: int) -> None:
        """Begin a new decision."""
        control = self._arrays.control
        control[:] = 0
        for name, cell in self.told.items():
            control[getattr(vector, name)] = cell
        control[vector.ROOT] = seat

    def tell(self, name: str, cell: int) -> None:
        """Set one cell of control, now and after the next reset."""
        self.told[name] = cell
        self._arrays.control[getattr(vector, name)] = cell

    def deepen(self, state: np.ndarray, seat: int, tried: np.ndarray) -> Decision:
        """Go straight to the full depth where there is no other budget: shallower searches would not help it."""
        if self.seconds is None and self.nodes is None:
            return self._at_once(state, self._narrow(state, seat, tried))
        return super().deepen(state, seat, tried)

    def _at_once(self, state: np.ndarray, tried: np.ndarray) -> Decision:
        scores = np.full(len(tried), np.nan)
        best, exact = self.search(state, self.depth, tried, scores)
        found = dict(zip(tried.tolist(), scores.tolist(), strict=True))
        values, line = self._worths[best].tolist(), self.line(state, 0)
        shares = dict(zip(tried.tolist(), self._worths[: len(tried)].tolist(), strict=True))
        return Decision(int(tried[best]), values, line, found, shares, depth=self.depth, exact=exact)

    def search(self, state: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> tuple[int, bool]:
        """Search to one depth."""
        control = self._arrays.control
        control[vector.HORIZON] = 0
        best = int(vector.search_root(self._arrays, state, depth, tried, scores, self._worths))
        return best, bool(control[vector.HORIZON] == 0)

    def values(self, state: np.ndarray, seat: int, score: float, best: int) -> list[float]:
        """Return what the search backed up."""
        return self._worths[best].tolist()

    def line(self, state: np.ndarray, first: int) -> list[int]:
        """Return the play that the search expects."""
        line = self._arrays.line[: MOST_LEVELS + 1].tolist()
        return line[: line.index(-1)] if -1 in line else line

    def stop(self) -> None:
        """Make the search end at its next position."""
        self._arrays.control[vector.STOP] = 1

    def stopped(self) -> bool:
        """Tell whether the budget is used up."""
        return bool(self._arrays.control[vector.STOP])

    def counts(self) -> dict[str, Any]:
        """Return positions searched and cut-offs."""
        control = self._arrays.control
        return {"nodes": int(control[vector.NODES]), "cutoffs": int(control[vector.CUTOFFS])}
