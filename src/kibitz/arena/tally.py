"""Counting: wins, draws and losses by agent and seat, with intervals that stand up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.arena.batch import Played
from kibitz.arena.statistics.interval import wilson
from kibitz.arena.statistics.outcome import outcomes


@dataclass
class Tally:
    """The score of one agent."""

    agent: str
    games: np.ndarray  # by seat, as are the next two
    wins: np.ndarray
    draws: np.ndarray
    payoff: float = 0.0
    seconds: float = 0.0
    moves: int = 0

    def summary(self) -> dict[str, Any]:
        """Return the score as plain data."""
        games, wins, draws = int(self.games.sum()), int(self.wins.sum()), int(self.draws.sum())
        return {
            "agent": self.agent,
            "wins": wins,
            "draws": draws,
            "losses": games - wins - draws,
            "mean_payoff": self.payoff / games if games else 0.0,
            "win_rate": wins / games if games else 0.0,
            "interval": list(wilson(wins, games)),
            "by_seat": self.by_seat(),
            "seconds_per_move": self.seconds / self.moves if self.moves else 0.0,
        }

    def by_seat(self) -> list[dict[str, int]]:
        """Return the score in each seat as plain data."""
        return [
            {"seat": seat, "games": int(n), "wins": int(w), "draws": int(d), "losses": int(n - w - d)}
            for seat, (n, w, d) in enumerate(zip(self.games, self.wins, self.draws, strict=True))
        ]


@dataclass
class Scores:
    """The scores of all agents of a match."""

    tallies: list[Tally]
    games: int = 0
    plies: int = 0

    @classmethod
    def start(cls, agents: Sequence[str], seats: int) -> "Scores":
        """Return scores of 0."""
        return cls([Tally(agent, *np.zeros((3, seats), dtype=np.int64)) for agent in agents])

    def together(self) -> Tally:
        """Return the score of all agents together: that of the seats."""
        games, wins, draws = (
            np.sum([getattr(tally, what) for tally in self.tallies], axis=0) for what in ("games", "wins", "draws")
        )
        return Tally("all", games, wins, draws)

    def add(self, batch: Played) -> None:
        """Add games played."""
        won, drew = outcomes(batch.payoffs)
        for seat in range(batch.seatings.shape[1]):
            for agent in np.unique(batch.seatings[:, seat]):
                rows = batch.seatings[:, seat] == agent
                tally = self.tallies[agent]
                tally.games[seat] += int(rows.sum())
                tally.wins[seat] += int(won[rows, seat].sum())
                tally.draws[seat] += int(drew[rows, seat].sum())
                tally.payoff += float(batch.payoffs[rows, seat].sum())
                tally.seconds += float(batch.seconds[rows, seat].sum())
                tally.moves += int(batch.moves[rows, seat].sum())
        self.games += len(batch.payoffs)
        self.plies += int(batch.plies.sum())
