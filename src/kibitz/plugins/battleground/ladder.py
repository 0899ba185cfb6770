"""The ladder: ratings of all players, updated game by game (openskill, Plackett-Luce), and their mean payoffs.

Where all seats of a game earn the same, nobody is rated. Where payoffs count, the ladder is sorted by them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from openskill.models import PlackettLuce

from kibitz.arena.results.game_columns import GameColumns
from kibitz.core.scoring import Scoring
from kibitz.plugins.battleground.battleground_messages import LadderEntry


@dataclass
class LadderRating:
    """What one name has done."""

    name: str
    rating: Any  # with mu, the estimate of the skill, and sigma, its uncertainty
    games: int = 0
    wins: int = 0
    payoff: float = 0.0  # total

    @property
    def skill(self) -> float:
        """A lower bound of the skill, by which the ladder is sorted."""
        return float(self.rating.ordinal())

    @property
    def mean_payoff(self) -> float:
        """The payoff of a game, on average."""
        return self.payoff / max(1, self.games)

    def entry(self) -> LadderEntry:
        """Return it as sent to browsers."""
        return LadderEntry(
            name=self.name, skill=self.skill, mu=self.rating.mu, sigma=self.rating.sigma, games=self.games,
            wins=self.wins, mean_payoff=self.mean_payoff,
        )  # fmt: skip


class Ladder:
    """The ratings of one game's players."""

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring
        self._model = PlackettLuce()
        self._rungs: dict[str, LadderRating] = {}

    def add(self, names: Sequence[str], payoffs: Sequence[float]) -> None:
        """Update the ratings with a game."""
        rungs = [self._rungs.setdefault(name, LadderRating(name, self._model.rating(name=name))) for name in names]
        rated = [[rung.rating] for rung in rungs]
        if not self.scoring.shared:
            rated = self._model.rate(rated, scores=[float(payoff) for payoff in payoffs])
        best = max(payoffs)
        for rung, (rating,), payoff in zip(rungs, rated, payoffs, strict=True):
            rung.rating = rating
            rung.games += 1
            rung.wins += payoff == best and list(payoffs).count(best) == 1
            rung.payoff += float(payoff)

    def add_all(self, agents: Sequence[str], games: GameColumns, order: Iterable[int]) -> None:
        """Update the ratings with games of a ledger, in an order of their numbers."""
        place = {number: at for at, number in enumerate(games.numbers.tolist())}
        for at in (place[number] for number in order if number in place):
            self.add([agents[agent] for agent in games.seatings[at].tolist()], games.payoffs[at].tolist())

    def rungs(self) -> list[LadderRating]:
        """Return all who have played, the best first."""
        by_wins = self.scoring.by_wins
        return sorted(
            self._rungs.values(), key=lambda rung: (-(rung.skill if by_wins else rung.mean_payoff), rung.name)
        )

    def skill(self, name: str) -> float:
        """Return the lower bound of the skill of a name."""
        return self._rungs[name].skill if name in self._rungs else 0.0
