"""Max^n: every seat for itself."""

from typing import Any

import numpy as np

from kibitz.agents.search import vector
from kibitz.agents.search.seats import EverySeat
from kibitz.core.errors import BadValue
from kibitz.core.options import Option

TIES = {"leftmost": vector.LEFTMOST, "paranoid": vector.PARANOID, "random": vector.RANDOM}


class Maxn(EverySeat):
    """Assume that every seat chooses what is best for itself (Luckhardt and Irani 1986)."""

    OPTIONS = {
        **EverySeat.COMMON,
        "ties": Option("leftmost", "which of equal moves a seat takes: the first, that worst for me, or any",
                       choices=tuple(TIES)),
        "prune": Option("auto", "cut off what cannot matter; auto is shallow where the value declares its total",
                        choices=("auto", "shallow", "speculative", "none")),
    }  # fmt: skip

    def prepare(self, ties: str, prune: str, **options: Any) -> None:
        """Prune only where the value says how much there is to share."""
        total = self.game.value(options["value"] or self.game.usual_value).nature.total
        if prune in ("shallow", "speculative") and not total:
            raise BadValue(f"maxn: prune={prune} needs a value that declares its total, and {self.game}'s does not")
        self.speculative = prune == "speculative"
        if self.speculative and (self.game.seats != 3 or ties != "leftmost" or options["width"]):
            raise BadValue("maxn: prune=speculative is for three seats, ties=leftmost and width=0")
        shallow = vector.SHALLOW if total and prune != "none" else vector.NOT
        self.set_up(options, total=total, TIES=TIES[ties], PRUNE=shallow)
        if self.speculative:
            self._arrays = self._arrays._replace(itself=vector.speculate.handle)

    def search(self, state: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> tuple[int, bool]:
        """Search to one depth; speculation knows no scores but that of the best move."""
        if not self.speculative:
            return super().search(state, depth, tried, scores)
        arrays = self._arrays
        arrays.control[vector.HORIZON] = 0
        if not vector.search_speculatively(arrays, state, depth):
            return -1, False
        best = int(np.flatnonzero(tried == arrays.line[0])[0])
        self._worths[best] = arrays.worth[: self.game.seats]
        scores[:] = -np.inf
        scores[best] = arrays.worth[int(arrays.control[vector.ROOT])]
        return best, bool(arrays.control[vector.HORIZON] == 0)
