"""One seat left in a game: the shortest way to win."""

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search import path
from kibitz.agents.search.budget import clock
from kibitz.core.game import Game
from kibitz.core.playout import who

NO_LIMIT = 2**62


class Alone:
    """Finds the shortest way to win where nobody else can do more than pass."""

    def __init__(self, game: Game, limit: int, nodes: int | None, seconds: float | None):
        self.game, self.nodes, self.seconds = game, nodes, seconds
        self._way = path.way_for(game, limit)

    def decide(self, view: np.ndarray) -> Decision | None:
        """Return the first move of a shortest way; None if there is none, or none was found within the budget."""
        seat, way, rules = int(who(self.game.rules, view)), self._way, self.game.rules
        way.control[:] = 0
        way.control[path.NODE_LIMIT] = self.nodes or NO_LIMIT
        with clock(self.seconds, self._stop):
            own = int(path.find_way(rules, way, view, seat))
        if own == 0:
            return None
        line = np.empty(own * self.game.seats, dtype=np.int64)
        n = int(path.with_passes(rules, way, view, seat, own, line))
        return Decision(int(line[0]), line=line[:n].tolist(), nodes=int(way.control[path.NODES]), depth=own, exact=True)

    def _stop(self) -> None:
        self._way.control[path.STOP] = 1
