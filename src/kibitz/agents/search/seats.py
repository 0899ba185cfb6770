"""What the agents in which every seat plays for itself have in common: they set up `vector` and tell it what to do."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search import vector
from kibitz.agents.search.deepening import NO_NODE_LIMIT, TreeSearch
from kibitz.agents.search.transpositions import FIRST_SLOTS
from kibitz.core.contract import GUARD
from kibitz.core.dice import derive, dice

CELL_BYTES = 8
NO_TABLE = 0


class EverySeat(TreeSearch):
    """Every seat for itself."""

    def set_up(self, options: Mapping[str, Any], total: float = 0.0, **told: int) -> None:
        """Take the common options and make the arrays; `told` are cells of control by name."""
        self.take(options)
        game, choices = self.game, self.game.most_moves
        self.levels = self.levels_within(self.limit // 2, self._stack_bytes)
        slots = self._slots_within(self.limit - self._stack_bytes(self.levels)) if self._has_table(told) else NO_TABLE
        self.told = {
            "NODE_LIMIT": self.nodes or NO_NODE_LIMIT, "MOST_LEVELS": self.levels, "BY_MOVES": int(self.by_moves),
            "WIDTH": self.width, "CHOICES": choices, "TARGET": -1, "MOST_SLOTS": slots, **told,
        }  # fmt: skip
        places, rows = self.levels * choices, self.levels + 2
        self._arrays = vector.Search(
            rules=game.rules, value=self.value.handle, weights=self.value.weights,
            control=np.zeros(vector.CONTROL_CELLS, dtype=np.int64), total=np.array([total]),
            states=np.empty((self.levels + 1) * game.size + GUARD, dtype=np.int64),
            listed=np.empty(places + GUARD, dtype=np.int64), order=np.empty(places),
            nexts=np.empty(places, dtype=np.int64),
            worth=np.zeros(rows * game.seats), sure=np.zeros(rows * game.seats),
            stage=np.zeros(2 * rows, dtype=np.int64), line=np.full(rows * rows, -1, dtype=np.int64),
            keys=np.zeros(slots, dtype=np.int64), notes=np.zeros(slots, dtype=np.int64),
            shares=np.zeros(slots * game.seats), rng=dice(derive(self.seed, 1)),
            sieve=self.sieve, dice=dice(0), itself=vector.maxn.handle,
        )  # fmt: skip
        self._worths = np.zeros((game.most_moves, game.seats))

    def _has_table(self, told: Mapping[str, int]) -> bool:
        """Tell whether positions may come again, and are then worth the same: not where chance or bounds decide."""
        comes_again = self.game.has("key") or not self.game.has("extent")  # a long state keeps its past
        exact = told.get("PRUNE", vector.NOT) in (vector.NOT, vector.SHALLOW) and told.get("TIES") != vector.RANDOM
        return comes_again and exact

    def _stack_bytes(self, levels: int) -> int:
        """Return how much the arrays take that have a place for each level, and those of fixed size."""
        game, rows = self.game, levels + 2
        by_level = (levels + 1) * game.size + 3 * levels * game.most_moves + rows * (2 * game.seats + 2 + rows)
        return CELL_BYTES * (by_level + game.most_moves * (game.seats + 1) + vector.CONTROL_CELLS)

    def _slots_within(self, limit: int) -> int:
        """Return how many entries of the table fit, as a power of two; none if they are too few to be of use."""
        slots = 1 << max(limit // (CELL_BYTES * (2 + self.game.seats)), 1).bit_length() - 1
        return slots if slots >= FIRST_SLOTS else NO_TABLE

    def reset(self, seat: int) -> None:
        """Begin a new decision."""
        control = self._arrays.control
        slot_mask = control[vector.SLOT_MASK]
        control[:] = 0
        control[vector.SLOT_MASK] = slot_mask
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
        short = self.short()
        judged = ~np.isnan(scores)
        found = dict(zip(tried[judged].tolist(), scores[judged].tolist(), strict=True))
        move, values = int(tried[best]), self._worths[best].tolist()
        line = self.line(state, move, self.depth, float(scores[best]))
        shares = dict(zip(tried[judged].tolist(), self._worths[: len(tried)][judged].tolist(), strict=True))
        return Decision(move, values, line, found, shares, depth=self.depth - short, exact=exact, short=short > 0)

    def search(self, state: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> tuple[int, bool]:
        """Search to one depth."""
        control = self._arrays.control
        self._forget()
        best = int(vector.search_root(self._arrays, state, depth, tried, scores, self._worths))
        return best, bool(control[vector.HORIZON] == 0)

    def _forget(self) -> None:
        """Begin to count what the depth ends, with an empty table."""
        control = self._arrays.control
        control[vector.HORIZON] = control[vector.SHORT] = control[vector.FILLED] = 0
        self._arrays.notes[: control[vector.SLOT_MASK] + 1] = 0
        control[vector.SLOT_MASK] = FIRST_SLOTS - 1

    def values(self, state: np.ndarray, seat: int, score: float, best: int) -> list[float]:
        """Return what the search backed up."""
        return self._worths[best].tolist()

    def line(self, state: np.ndarray, first: int, depth: int, score: float) -> list[int]:
        """Return the play that the last search expects, if it begins with that move."""
        line = self._arrays.line[: self.levels + 1].tolist()
        return line[: [*line, -1].index(-1)] if line[0] == first else [first]

    def allow(self, nodes: int) -> None:
        """Let the search go on for so many more positions."""
        control = self._arrays.control
        control[vector.STOP], control[vector.NODE_LIMIT] = 0, control[vector.NODES] + nodes

    def stop(self) -> None:
        """Make the search end at its next position."""
        self._arrays.control[vector.STOP] = 1

    def stopped(self) -> bool:
        """Tell whether the budget is used up."""
        return bool(self._arrays.control[vector.STOP])

    def short(self) -> int:
        """Return how much of the depth was left where the levels ended."""
        return int(self._arrays.control[vector.SHORT])

    def counts(self) -> dict[str, Any]:
        """Return positions searched and cut-offs."""
        control = self._arrays.control
        return {"nodes": int(control[vector.NODES]), "cutoffs": int(control[vector.CUTOFFS])}
