"""The games of a run, as columns."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from kibitz.arena.play.reason import Reason

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class GameColumns:
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

    def counted(self) -> "GameColumns":
        """Return the games that count: those of a block count together or not at all."""
        void = np.array([reason == Reason.VOID for reason in self.reasons], dtype=bool)
        if not void.any():
            return self
        kept = np.flatnonzero(~np.isin(self.blocks, self.blocks[void]))
        return GameColumns(*(_of_games(getattr(self, column.name), kept) for column in fields(GameColumns)))

    def beside(self, lines: Iterable[Entry]) -> Iterator[Entry]:
        """Yield of what is known of each game what belongs to games that count."""
        counts = set(self.counted().numbers.tolist())
        return (line for number, line in zip(self.numbers.tolist(), lines, strict=True) if number in counts)


def _of_games(column: Any, rows: np.ndarray) -> Any:
    """Return some rows of a column; what is known of agents is a tuple, and stays as it is."""
    if isinstance(column, tuple):
        return column
    return [column[at] for at in rows] if isinstance(column, list) else column[rows]
