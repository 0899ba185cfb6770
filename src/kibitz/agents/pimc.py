"""Perfect-information Monte Carlo: guess worlds, let an agent play each as if it were open, and vote."""

from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, Decision, as_decision
from kibitz.agents.search.determinization import HOW, agree, guess_worlds
from kibitz.core.dice import derive, dice
from kibitz.core.options import Option
from kibitz.core.playout import who
from kibitz.core.spec import Spec


class Pimc(Agent):
    """Guess worlds, ask another agent about each as if nothing were hidden, and take what most of them say."""

    OPTIONS = {
        "agent": Option(Spec("maxn"), "who plays the open worlds", kind="agent"),
        "worlds": Option(10, "how many guesses", least=1, most=100_000),
        "agree": Option("vote", "how worlds agree on a move", choices=HOW),
    }

    def prepare(self, agent: Spec, worlds: int, agree: str, **_: Any) -> None:
        """Build the agent for the game as it is when nothing is hidden."""
        self.inner = build(agent, self.game.opened(), self.seed)
        self.numbers = self.inner.numbers
        self.worlds, self.how = worlds if self.game.hidden else 1, agree
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move that the worlds agree on."""
        only = self.forced(view)
        if only is not None:
            return only
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        rng = dice(derive(self.seed, 3, self._decisions))
        worlds = guess_worlds(self.game, view, seat, rng, self.worlds)
        return agree([as_decision(self.inner.decide(world)) for world in worlds], self.how)

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs."""
        seat = int(who(self.game.rules, view))
        (world,) = guess_worlds(self.game, view, seat, dice(0), 1)
        self.inner.warm_up(world)
