"""The size of a chunk: how many games to hand out at a time, learned from those played."""

from collections.abc import Iterator
from itertools import islice

from kibitz.arena.plan.fixture import Fixture

_GROWTH = 4  # the first games may be quicker than most


class ChunkSize:
    """How many games take about the time wished for."""

    def __init__(self, seconds: float, first: int, most: int):
        self.seconds, self.games, self.most = seconds, first, most

    def learn(self, games: int, seconds: float) -> None:
        """Adapt to the time that some games took."""
        fitting = games * self.seconds / max(seconds, 1e-9)
        self.games = max(1, int(min(fitting, self.games * _GROWTH, self.most)))

    def take(self, fixtures: Iterator[Fixture]) -> list[Fixture]:
        """Take the next chunk, which is empty at the end."""
        return list(islice(fixtures, self.games))
