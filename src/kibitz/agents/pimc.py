"""Perfect-information Monte Carlo: guess worlds, let an agent play each as if it were open, and vote."""

from typing import Any

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, Decision
from kibitz.core.dice import derive, dice
from kibitz.core.options import Option
from kibitz.core.playout import guess_world, who
from kibitz.core.spec import Spec


class Pimc(Agent):
    """Guess worlds, ask another agent about each as if nothing were hidden, and take what most of them say."""

    OPTIONS = {
        "agent": Option(Spec("maxn"), "who plays the open worlds", kind="agent"),
        "worlds": Option(10, "how many guesses", least=1, most=100_000),
        "agree": Option("vote", "how worlds agree on a move", choices=("vote", "mean")),
    }

    def prepare(self, agent: Spec, worlds: int, agree: str, **_: Any) -> None:
        """Build the agent for the game as it is when nothing is hidden."""
        self.inner = build(agent, self.game.opened(), self.seed)
        self.worlds, self.mean = worlds if self.game.hidden else 1, agree == "mean"
        self._decisions = 0

    def decide(self, view: np.ndarray) -> Decision:
        """Return the move that the worlds agree on."""
        self._decisions += 1
        seat = int(who(self.game.rules, view))
        rng = dice(derive(self.seed, 3, self._decisions))
        asked = []
        for _ in range(self.worlds):
            world = view.copy()
            guess_world(self.game.rules, world, seat, rng)
            asked.append(self.inner.decide(world))
        return agree(asked, self.mean)


def agree(asked: list[Decision], by_mean: bool) -> Decision:
    """Return the decision of several worlds: by votes, or by the mean of what they considered."""
    moves = sorted({decision.move for decision in asked} | {m for decision in asked for m in decision.considered})
    votes = {move: sum(decision.move == move for decision in asked) for move in moves}
    means = {move: float(np.mean([decision.considered.get(move, 0.0) for decision in asked])) for move in moves}
    best = max(moves, key=lambda move: (means[move],) if by_mean else (votes[move], means[move]))
    supporter = next((decision for decision in asked if decision.move == best), asked[0])
    values = [decision.values for decision in asked if decision.values is not None]
    return Decision(
        best, np.mean(values, axis=0).tolist() if values else None, supporter.line, means,
        visits=sum(decision.visits for decision in asked), nodes=sum(decision.nodes for decision in asked),
        cutoffs=sum(decision.cutoffs for decision in asked), depth=min(decision.depth for decision in asked),
        exact=len(asked) == 1 and asked[0].exact,
    )  # fmt: skip
