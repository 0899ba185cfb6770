"""Max^n: every seat for itself."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search import speculative, vector
from kibitz.agents.search.alone import Alone
from kibitz.agents.search.duel import Duel
from kibitz.agents.search.lookahead import judge_once
from kibitz.agents.search.seats import EverySeat
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import play_legal, still_in, who

TIES = {"leftmost": vector.LEFTMOST, "paranoid": vector.PARANOID, "random": vector.RANDOM}

DUEL_SHARE, ALONE_SHARE = 5 / 8, 1 / 8  # of the memory, for the searches that follow once seats are out of the game


class Maxn(EverySeat):
    """Assume that every seat chooses what is best for itself (Luckhardt and Irani 1986)."""

    OPTIONS = {
        **EverySeat.COMMON,
        "ties": Option("leftmost", "which of equal moves a seat takes: the first, that worst for me, or any",
                       choices=tuple(TIES)),
        "prune": Option("auto", "cut off what cannot matter; auto is shallow where the value declares its total",
                        choices=("auto", "shallow", "last-branch", "speculative", "none")),
        "lazy": Option(True, "judge a position at the horizon for the mover first, for all seats only if it is chosen"),
        "reduce": Option(True, "when seats are out of the game, search two by alpha-beta, one by its shortest way"),
        "avoid": Option(False, "prefer positions that have not occurred in this game"),
        "root": Option("own", "how the mover compares what it may get: by its own worth, or all worths from seat 1 on",
                       choices=("own", "lexicographic")),
    }  # fmt: skip

    def prepare(self, ties: str, prune: str, lazy: bool, reduce: bool, avoid: bool, root: str, **options: Any) -> None:
        """Prune only where the value says how much there is to share."""
        total = self.game.value(options["value"] or self.game.usual_value).nature.total
        if prune in ("shallow", "last-branch", "speculative"):
            self._check_pruning(prune, total, root)
        if prune == "last-branch" and ties != "leftmost":
            raise BadValue("maxn: prune=last-branch is for ties=leftmost")
        self.speculative, self.avoid = prune == "speculative", avoid
        width = self.game.usual_width if options["width"] is None else options["width"]
        if self.speculative and (self.game.seats != 3 or ties != "leftmost" or width or avoid):
            raise BadValue("maxn: prune=speculative is for three seats, ties=leftmost, width=0 and avoid=false")
        if avoid and not (self.game.has("repeats") and not self.game.hidden):
            raise BadValue(f"maxn: avoid=true needs an open game that counts repetitions, and {self.game} is none")
        pruned = vector.LAST_BRANCH if prune == "last-branch" else vector.SHALLOW
        pruned = pruned if total and prune != "none" and root == "own" else vector.NOT
        # A paranoid tie and the last branch look at the worths of others sooner.
        lazy = lazy and ties != "paranoid" and prune != "last-branch"
        self._reduces = reduce and root == "own" and self.game.has("alive") and self.game.seats > 2
        self.share = 1 - DUEL_SHARE - ALONE_SHARE if self._reduces else 1.0
        self._options: Mapping[str, Any] = options
        self.set_up(
            options, total=total, TIES=TIES[ties], PRUNE=pruned, LEXICOGRAPHIC=int(root != "own"), LAZY=int(lazy)
        )

    def _check_pruning(self, prune: str, total: float, root: str) -> None:
        if not total:
            raise BadValue(f"maxn: prune={prune} needs a value that declares its total, and {self.game}'s does not")
        if root != "own":
            raise BadValue(f"maxn: prune={prune} needs root=own: it cuts off what is worth too little to the mover")

    def search(self, state: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> tuple[int, bool]:
        """Search to one depth; speculation knows no scores but that of the best move."""
        if not self.speculative or len(tried) < len(self.legal(state)):
            return super().search(state, depth, tried, scores)
        arrays = self._arrays._replace(itself=speculative.speculate.handle)
        arrays.control[vector.HORIZON] = arrays.control[vector.SHORT] = 0
        if not speculative.search_speculatively(arrays, state, depth):
            return -1, False
        best = int(np.flatnonzero(tried == arrays.line[0])[0])
        self._worths[best] = arrays.worth[: self.game.seats]
        scores[best] = arrays.worth[int(arrays.control[vector.ROOT])]
        return best, bool(arrays.control[vector.HORIZON] == 0)

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best move; once seats are out of the game, by the search that fits those left."""
        return (self._decisions_reduced(view, 1) or [super().decide(view)])[0]

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first, each with a search of its own."""
        return self._decisions_reduced(view, top) or super().consider(view, top)

    def _decisions_reduced(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return what the search for one or two seats finds; nothing where that does not fit."""
        rivals = self._rivals_left(view)
        if rivals == []:
            way = self._alone.decide(view)
            return [self._judged(view, way), *self._others(view, way.move, top - 1)] if way else []
        if rivals and len(rivals) == 1 and self._duel:
            return self._duel.against(rivals[0]).consider(view, top)
        return []

    def _judged(self, view: np.ndarray, way: Decision) -> Decision:
        """Return a decision with what the end of its line is worth to each seat."""
        end, worth = view.copy(), np.empty(self.game.seats)
        for move in way.line:
            play_legal(self.game.rules, end, move, self._room)
        judge_once(self.game.rules, self.value.handle, self.value.weights, end, worth)
        return replace(way, values=worth.tolist(), considered={way.move: float(worth[who(self.game.rules, view)])})

    def _others(self, view: np.ndarray, taken: int, top: int) -> list[Decision]:
        """Return the best moves but one that is taken already."""
        return [found for found in super().consider(view, top + 1) if found.move != taken][:top] if top else []

    def _rivals_left(self, view: np.ndarray) -> list[int] | None:
        """Return the other seats still in the game; None where nothing is to be reduced."""
        if not self._reduces:
            return None
        seat, bits = int(who(self.game.rules, view)), int(still_in(self.game.rules, view))
        rivals = [other for other in range(self.game.seats) if other != seat and bits >> other & 1]
        return rivals if bits >> seat & 1 else None

    @cached_property
    def _duel(self) -> Duel | None:
        """The search between two; None where it does not fit into the memory."""
        try:
            duel = Duel(self.text, self.game, self.seed, {**self._options, "share": DUEL_SHARE})
        except BadValue:
            return None
        duel.avoid = self.avoid
        return duel

    @cached_property
    def _alone(self) -> Alone:
        return Alone(self.game, int(self.memory * 2**20 * ALONE_SHARE), self.nodes, self.seconds)
