"""The random agent."""

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.core.heuristics import RANDOM
from kibitz.core.playout import pick_once


class Random(Agent):
    """Choose any legal move, each equally likely."""

    policy = RANDOM

    def decide(self, view: np.ndarray) -> Decision:
        """Return a random legal move."""
        move = pick_once(self.game.rules, RANDOM.handle, RANDOM.weights, view, self.rng, self._scratch)
        return Decision(int(move))
