"""Greedy: look one move ahead."""

from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.agents.search.evaluation import look_ahead
from kibitz.core.dice import derive, dice
from kibitz.core.options import Option
from kibitz.core.playout import who
from kibitz.core.spec import Spec


class Greedy(Agent):
    """Choose the move after which the position is worth most to the mover."""

    OPTIONS = {
        "value": Option(None, "the value that evaluates positions; the game's usual one if not named", kind="value"),
        "worlds": Option(1, "guesses at what is hidden, averaged", least=1, most=100_000),
    }

    def prepare(self, value: Spec | None, worlds: int, **_: Any) -> None:
        """Find the value."""
        self.value = self.game.value(value or self.game.usual_value)
        self.worlds = worlds if self.game.hidden else 1
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the best move by the value of the position after it."""
        only = self.forced(view)
        if only is not None:
            return only
        seat = int(who(self.game.rules, view))
        self._decisions += 1
        self.value.prepare(view, seat)
        rng = dice(derive(self.seed, self._decisions))
        legal, sums = look_ahead(self.game, self.value, view, seat, self.worlds, rng)
        self.value.refuse_nan(sums)
        moves, values = legal.tolist(), sums / self.worlds
        own = values[:, seat]
        move = self.best_of(moves, own)
        considered = dict(zip(moves, own.tolist(), strict=True))
        move_values = dict(zip(moves, values.tolist(), strict=True))
        nodes = len(moves) * self.worlds
        return Decision(move, move_values[move], [move], considered, move_values, nodes=nodes, depth=1)
