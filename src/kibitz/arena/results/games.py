"""The games of a run, as columns."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from kibitz.arena.play.reason import Reason


@dataclass(frozen=True)
class Games:
    """The games of a run, one row each, in the order of the plan."""

    agents: tuple[str, ...]  # no two alike: an agent that a plan lists twice is one
    numbers: np.ndarray
    blocks: np.ndarray
    seatings: np.ndarray  # the number of the agent by game and seat, as are the payoffs, seconds and moves
    payoffs: np.ndarray
    plies: np.ndarray
    reasons: list[Reason]
    offenders: np.ndarray
    seconds: np.ndarray  # 0 where they were not measured
    moves: np.ndarray
    drawn_by: list[str]  # how a draw came about, empty where the game does not tell
    called: tuple[str, ...]  # by agent: what a bot calls itself, empty for all others

    @property
    def shown(self) -> tuple[str, ...]:
        """What stands for each agent in sentences: what it calls itself, or its text."""
        return tuple(name or text for name, text in zip(self.called, self.agents, strict=True))

    @property
    def draws(self) -> dict[str, int]:
        """How many draws came about in which way, where games tell; the most frequent first."""
        return dict(Counter(filter(None, self.drawn_by)).most_common())
