"""What the two-sided agents have in common: they set up `twosided` and differ in what they tell it."""

from collections.abc import Mapping
from math import isclose
from typing import Any

import numpy as np

from kibitz.agents.search import twosided
from kibitz.agents.search.deepening import MOST_LEVELS, NO_NODE_LIMIT, WON, TreeSearch
from kibitz.agents.search.expected import expected_line
from kibitz.agents.search.lookahead import judge_once
from kibitz.agents.search.transpositions import FIRST_SLOTS, slots_within
from kibitz.core.contract import GUARD
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.core.playout import play_legal, who

HISTORY_CELLS = twosided.HISTORY_MASK + 1
NO_MOVE_LIMIT = 2**30
MOST_LINE = 32
CLOSE = 1e-9
SOONER = 1e-3  # a win later counts a hair less than a win now


class TwoSided(TreeSearch):
    """The root seat against all others."""

    leaf = twosided.OWN
    COMMON = {
        **TreeSearch.COMMON,
        "order": Option(None, "which moves are tried first, before those that cut off elsewhere", kind="order"),
    }

    def set_up(self, options: Mapping[str, Any], **told: int) -> None:
        """Take the common options and make the arrays; `told` are cells of control by name."""
        self.take(options)
        game = self.game
        order = options.get("order")
        self.ranking = game.order(order).handle if order is not None and str(order) != "none" else 0
        places = self._places_within(self.limit // 2, replies=bool(told.get("REPLIES")))
        slots = slots_within(self.limit - self._bytes_for(places))
        self._told = {
            "NODE_LIMIT": self.nodes or NO_NODE_LIMIT, "MOST_LEVELS": MOST_LEVELS, "BY_MOVES": int(self.by_moves),
            "WIDTH": self.width, "WIDE_SEATS": -1, "LEAF": self.leaf, "PLACES": places, "MOST_SLOTS": slots, **told,
        }  # fmt: skip
        self._arrays = twosided.Search(
            rules=game.rules, value=self.value.handle, weights=self.value.weights,
            control=np.zeros(twosided.CONTROL_CELLS, dtype=np.int64),
            states=np.empty((places + 1) * game.size + GUARD, dtype=np.int64),
            listed=np.empty(places + game.most_moves + GUARD, dtype=np.int64),
            movers=np.empty(places, dtype=np.int64), order=np.empty(places), ranks=np.zeros(places, dtype=np.int64),
            worth=np.empty(game.seats), history=np.zeros(game.seats * HISTORY_CELLS),
            killers=np.zeros(MOST_LEVELS, dtype=np.int64), keys=np.zeros(slots, dtype=np.int64),
            scores=np.zeros(slots), notes=np.zeros(slots, dtype=np.int64),
            lines=np.zeros(2 * twosided.LINE_SLOTS, dtype=np.int64), ranking=self.ranking,
            sieve=self.sieve, dice=dice(0), itself=twosided.negamax.handle,
        )  # fmt: skip
        self._searched = 0

    def _places_within(self, limit: int, replies: bool) -> int:
        """Return how many choices fit into so many bytes; no more than there can be on the deepest line."""
        game = self.game
        a_level = game.most_moves * (game.seats - 1 if replies else 1)
        most = (limit - self._bytes_for(0)) // (self._bytes_for(1) - self._bytes_for(0))
        if most < 1:
            least = -(-2 * self._bytes_for(1) // 2**20)
            raise BadValue(f"{self.name}: memory={self.memory} is too little for {game}; it takes {least}")
        return min(most, MOST_LEVELS * a_level + 1)

    def _bytes_for(self, places: int) -> int:
        """Return how much all arrays take but the table."""
        game = self.game
        fixed = (
            game.size + 2 * game.most_moves + game.seats * (HISTORY_CELLS + 1) + MOST_LEVELS + 2 * twosided.LINE_SLOTS
        )
        return 8 * (places * (game.size + 4) + fixed + twosided.CONTROL_CELLS)

    def reset(self, seat: int) -> None:
        """Begin a new decision."""
        control = self._arrays.control
        table = control[twosided.FILLED], control[twosided.SLOT_MASK] or min(FIRST_SLOTS, len(self._arrays.keys)) - 1
        control[:] = 0
        control[twosided.FILLED], control[twosided.SLOT_MASK] = table
        for name, cell in self._told.items():
            control[getattr(twosided, name)] = cell
        control[twosided.ROOT] = seat

    def search(self, state: np.ndarray, depth: int, tried: np.ndarray, scores: np.ndarray) -> tuple[int, bool]:
        """Search to one depth."""
        control = self._arrays.control
        control[twosided.HORIZON] = control[twosided.SHORT] = 0
        if depth == 1:
            self._searched += 1
            # What was found for this seat before holds still, unless in another world, or judged in another light.
            path = (self._searched,) if self.game.hidden or self.value.root_weights else ()
            control[twosided.SALT] = derive(int(control[twosided.ROOT]), *path) >> 1
        exact_scores = self.how == "mean" and self.game.hidden
        best = int(twosided.search_root(self._arrays, state, depth, tried, exact_scores, scores))
        return best, bool(control[twosided.HORIZON] == 0)

    def line(self, state: np.ndarray, first: int, depth: int, score: float) -> list[int]:
        """Return the best play, up to where a seat is skipped."""
        self._end, after = state.copy(), state.copy()
        made, by = np.empty(MOST_LINE, dtype=np.int64), np.empty(MOST_LINE, dtype=np.int64)
        n = int(expected_line(self._arrays, self._end, first, depth, score, made, by))
        line: list[int] = []
        for move, mover in zip(made[:n].tolist(), by[:n].tolist(), strict=True):
            if who(self.game.rules, after) != mover or not play_legal(self.game.rules, after, move, self._room):
                break
            line.append(move)
        return line

    def values_at_end(self, seat: int, score: float) -> list[float] | None:
        """Return what the end of the line is worth to each seat; a clock may have cut the line short."""
        worth = np.empty(self.game.seats)
        judge_once(self.game.rules, self.value.handle, self.value.weights, self._end, worth)
        others = np.delete(worth, seat)
        told = worth[seat] - (others.max() if self.leaf == twosided.AGAINST_BEST else 0.0)
        near = SOONER if abs(score) > WON else CLOSE
        return worth.tolist() if isclose(told, score, rel_tol=near, abs_tol=CLOSE) else None

    def allow(self, nodes: int) -> None:
        """Let the search go on for so many more positions."""
        control = self._arrays.control
        control[twosided.STOP], control[twosided.NODE_LIMIT] = 0, control[twosided.NODES] + nodes

    def stop(self) -> None:
        """Make the search end at its next position."""
        self._arrays.control[twosided.STOP] = 1

    def stopped(self) -> bool:
        """Tell whether the budget is used up."""
        return bool(self._arrays.control[twosided.STOP])

    def short(self) -> int:
        """Return how much of the depth was left where the levels ended."""
        return int(self._arrays.control[twosided.SHORT])

    def counts(self) -> dict[str, Any]:
        """Return positions searched and cut-offs."""
        control = self._arrays.control
        return {"nodes": int(control[twosided.NODES]), "cutoffs": int(control[twosided.CUTOFFS])}
