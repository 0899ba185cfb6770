"""How many games published numbers come from, as a document says, or as is assumed where it does not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import BadValue

KEY = "games"  # of what is published
ASSUMED = 30  # where a document gives means, and neither it nor the trial says of how many games


@dataclass(frozen=True)
class PublishedGames:
    """A number of games; 0 if nothing is known, so that numbers are taken as exact."""

    number: float = 0
    assumed: int = 0  # the same, where it is an assumption that rows have to show

    @classmethod
    def of(cls, published: Mapping[str, Any], assumed: int, usual: int = 0) -> "PublishedGames":
        """Return the number that a document gives, else that which a trial assumes, else the usual assumption."""
        given = published.get(KEY, 0)
        if given and assumed:
            raise BadValue(f"assumed_games is of no use where published.{KEY} says how many there were: {given:g}")
        number = 0 if given else assumed or usual
        return cls(given or number, number)

    def times(self, games: int) -> float:
        """Return how many times as many games were played here; 0 if published numbers are exact."""
        return games / self.number if self.number else 0.0
