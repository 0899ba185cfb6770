"""Play once seats are out of the game: the last two search by alpha-beta, the last one by shortest path to a win."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.alphabeta.alphabeta_engine import AlphaBeta
from kibitz.agents.search.evaluation import evaluate_position
from kibitz.agents.search.iterative_deepening import Engine, IterativeDeepening
from kibitz.agents.search.settings import MEGABYTE, Settings, read_settings
from kibitz.agents.search.shortest_path import ShortestPath
from kibitz.core.errors import BadValue
from kibitz.core.playout import play_legal, still_in, who

FOR_TWO_SEATS, FOR_ONE = 5 / 8, 1 / 8  # of the agent's memory
MEMORY_LEFT = 1 - FOR_TWO_SEATS - FOR_ONE  # for its search as long as all seats are in the game


class Endgames(IterativeDeepening):
    """Iterative deepening as long as more than two seats are in the game, then the search that fits those left."""

    def __init__(self, agent: Agent, options: Mapping[str, Any], settings: Settings, engine: Engine, in_order: bool):
        super().__init__(settings, engine, in_order)
        self.agent, self.options = agent, options
        self._last: IterativeDeepening | None = None  # the search between two seats, if that was the last

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best move."""
        duel = self._duel(view)
        return self._shortest_path(view) or (duel.decide(view) if duel else self.deepen(view))

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first."""
        duel, path = self._duel(view), self._shortest_path(view)
        if duel:
            return duel.consider(view, top)
        if path is None:
            return super().consider(view, top)
        others = super().consider(view, top) if top > 1 else []
        return [path, *(one for one in others if one.move != path.move)][:top]

    def progress(self) -> dict[str, int]:
        """Return the counters of the search under way."""
        return self._last.progress() if self._last else super().progress()

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code of all searches."""
        game = self.settings.game
        super().warm_up(view)
        self._rivals(view)
        ShortestPath(game, MEGABYTE, nodes=1, seconds=None).warm_up(view)
        if self.two_seats is not None:
            driver, engine = self.two_seats
            engine.rival = (int(who(game.rules, view)) + 1) % game.seats
            driver.warm_up(view)

    @cached_property
    def two_seats(self) -> tuple[IterativeDeepening, AlphaBeta] | None:
        """The search between two seats; None where it does not fit into memory."""
        try:
            settings = read_settings(self.agent, self.options, FOR_TWO_SEATS)
            engine = AlphaBeta(settings, versus=True)
        except BadValue:
            return None
        return IterativeDeepening(settings, engine, self.in_order), engine

    @cached_property
    def path(self) -> ShortestPath:
        """The search of one seat."""
        settings = self.settings
        limit = int(settings.memory * MEGABYTE * FOR_ONE)
        return ShortestPath(settings.game, limit, settings.nodes, settings.seconds)

    def _duel(self, view: np.ndarray) -> IterativeDeepening | None:
        """Return the search between the two seats that are left; None if there are more or fewer."""
        rivals = self._rivals(view)
        self._last = None
        if rivals is not None and len(rivals) == 1 and self.two_seats is not None:
            self._last, engine = self.two_seats
            engine.rival = rivals[0]
        return self._last

    def _rivals(self, view: np.ndarray) -> list[int] | None:
        """Return the other seats still in the game; None for a seat that is out of it."""
        game = self.settings.game
        seat, bits = int(who(game.rules, view)), int(still_in(game.rules, view))
        rivals = [other for other in range(game.seats) if other != seat and bits >> other & 1]
        return rivals if bits >> seat & 1 else None

    def _shortest_path(self, view: np.ndarray) -> Decision | None:
        """Return the decision of a seat alone in the game, if it finds a path to a win, with the values at its end."""
        alone = self._rivals(view) == [] and not self.settings.game.chance
        found = self.path.decide(view) if alone else None
        if found is None:
            return None
        game, value = self.settings.game, self.settings.value
        end, values, scratch = view.copy(), np.empty(game.seats), game.new_moves()
        for move in found.line:
            play_legal(game.rules, end, move, scratch)
        evaluate_position(game.rules, value.handle, value.weights, self.engine.control.cells, end, values)
        return replace(found, values=values.tolist(), considered={found.move: float(values[who(game.rules, view)])})
