"""Pace: how many games to give out at a time, learned from those played."""

from collections.abc import Iterator
from itertools import islice

from kibitz.arena.fixture import Fixture

_GROWTH = 4  # the first games may be quicker than most


class Pace:
    """The size of a chunk of games that takes about as long as wished."""

    def __init__(self, seconds: float, first: int, most: int):
        self.seconds, self.size, self.most = seconds, first, most

    def learn(self, games: int, seconds: float) -> None:
        """Take so many games and the time they took into account."""
        fitting = games * self.seconds / max(seconds, 1e-9)
        self.size = max(1, int(min(fitting, self.size * _GROWTH, self.most)))

    def chunk(self, fixtures: Iterator[Fixture]) -> list[Fixture]:
        """Take the next chunk, which is empty at the end."""
        return list(islice(fixtures, self.size))
