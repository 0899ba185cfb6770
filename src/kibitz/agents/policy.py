"""A policy of the game as an agent."""

from typing import Any

import numpy as np

from kibitz.agents.agent import Agent, Decision
from kibitz.core.options import Option
from kibitz.core.playout import pick_once
from kibitz.core.spec import Spec


class PolicyAgent(Agent):
    """Follow one of the game's quick policies; its name alone is the short form."""

    OPTIONS = {"name": Option(Spec("random"), "a policy of the game, or random", kind="policy")}

    def prepare(self, name: Spec, **_: Any) -> None:
        """Find the policy."""
        self.policy = self.game.policy(name)

    def decide(self, view: np.ndarray) -> Decision:
        """Return what the policy picks."""
        chosen = self.policy
        assert chosen is not None
        cells = self.game.new_state()  # a policy that writes against the rules, even past the view, harms nothing
        cells[: self.game.size] = view
        return Decision(int(pick_once(self.game.rules, chosen.handle, chosen.weights, cells, self.rng, self._scratch)))
