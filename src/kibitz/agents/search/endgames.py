"""Once seats are out of the game: two that are left search by alpha-beta, one takes its shortest path to a win."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.alphabeta.alphabeta_arrays import VERSUS
from kibitz.agents.search.alphabeta.alphabeta_engine import AlphaBeta
from kibitz.agents.search.evaluation import judge_position
from kibitz.agents.search.iterative_deepening import IterativeDeepening
from kibitz.agents.search.settings import MEGABYTE, read_settings
from kibitz.agents.search.shortest_path import ShortestPath
from kibitz.core.errors import BadValue
from kibitz.core.playout import play_legal, still_in, who

FOR_TWO_SEATS, FOR_ONE = 5 / 8, 1 / 8  # of the agent's memory
MEMORY_LEFT = 1 - FOR_TWO_SEATS - FOR_ONE  # for its search as long as all seats are in the game


class Endgames:
    """The searches for one or two seats that are left; `driver` searches as long as there are more."""

    def __init__(self, agent: Agent, options: Mapping[str, Any], driver: IterativeDeepening):
        self.agent, self.options, self.driver = agent, options, driver

    def consider(self, view: np.ndarray, top: int) -> list[Decision]:
        """Return the best moves, best first; nothing where more seats are left, or the search fails."""
        rivals = self._rivals(view)
        if rivals == []:
            found = self.path.decide(view)
            return [self._judged(view, found), *self._others(view, found.move, top - 1)] if found else []
        if rivals is None or len(rivals) > 1 or self.two_seats is None:
            return []
        driver, engine = self.two_seats
        engine.rival = rivals[0]
        return driver.consider(view, top)

    def rehearse(self, view: np.ndarray) -> None:
        """Load or compile the code of both searches."""
        game = self.agent.game
        self._rivals(view)
        ShortestPath(game, MEGABYTE, nodes=1, seconds=None).decide(view)
        if self.two_seats is not None:
            driver, engine = self.two_seats
            engine.rival = (int(who(game.rules, view)) + 1) % game.seats
            driver.rehearse(view)

    @cached_property
    def two_seats(self) -> tuple[IterativeDeepening, AlphaBeta] | None:
        """The search between two; None where it does not fit into the memory."""
        try:
            settings = read_settings(self.agent, self.options, FOR_TWO_SEATS)
            engine = AlphaBeta(settings, VERSUS)
        except BadValue:
            return None
        return IterativeDeepening(settings, engine, self.driver.in_order), engine

    @cached_property
    def path(self) -> ShortestPath:
        """The search of one seat."""
        settings = self.driver.settings
        limit = int(settings.memory * MEGABYTE * FOR_ONE)
        return ShortestPath(settings.game, limit, settings.nodes, settings.seconds)

    def _rivals(self, view: np.ndarray) -> list[int] | None:
        """Return the other seats still in the game; None for a seat that is out of it."""
        game = self.agent.game
        seat, bits = int(who(game.rules, view)), int(still_in(game.rules, view))
        rivals = [other for other in range(game.seats) if other != seat and bits >> other & 1]
        return rivals if bits >> seat & 1 else None

    def _judged(self, view: np.ndarray, found: Decision) -> Decision:
        """Return a decision with what the end of its line is worth to each seat."""
        game, value = self.agent.game, self.driver.settings.value
        end, worth = view.copy(), np.empty(game.seats)
        room = game.new_moves()
        for move in found.line:
            play_legal(game.rules, end, move, room)
        control = self.driver.engine.control.cells
        judge_position(game.rules, value.handle, value.weights, control, end, worth)
        return replace(found, values=worth.tolist(), considered={found.move: float(worth[who(game.rules, view)])})

    def _others(self, view: np.ndarray, taken: int, top: int) -> list[Decision]:
        """Return the best moves but one that is taken already."""
        return [one for one in self.driver.consider(view, top + 1) if one.move != taken][:top] if top else []
