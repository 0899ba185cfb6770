"""Scores: wins, draws and losses by agent and seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kibitz.arena.results.row import AgentRow, SeatRow
from kibitz.arena.results.statistics.interval import wilson
from kibitz.arena.results.statistics.outcome import outcomes


class Played(Protocol):
    """Games as columns, one row each: those that a score needs."""

    @property
    def seatings(self) -> np.ndarray: ...
    @property
    def payoffs(self) -> np.ndarray: ...
    @property
    def plies(self) -> np.ndarray: ...
    @property
    def seconds(self) -> np.ndarray: ...
    @property
    def moves(self) -> np.ndarray: ...


@dataclass
class Score:
    """The score of one agent."""

    agent: str
    games: np.ndarray  # by seat, as are the next two
    wins: np.ndarray
    draws: np.ndarray
    payoff: float = 0.0
    seconds: float = 0.0
    moves: int = 0

    def row(self) -> AgentRow:
        """Return the score as a row of a result."""
        games, wins, draws = int(self.games.sum()), int(self.wins.sum()), int(self.draws.sum())
        return AgentRow(
            self.agent,
            games,
            wins,
            draws,
            games - wins - draws,
            wins / games if games else 0.0,
            wilson(wins, games),
            self.payoff / games if games else 0.0,
            self.by_seat(),
            self.seconds / self.moves if self.moves else 0.0,
        )

    def by_seat(self) -> tuple[SeatRow, ...]:
        """Return the score in each seat."""
        counts = zip(self.games.tolist(), self.wins.tolist(), self.draws.tolist(), strict=True)
        return tuple(SeatRow(seat, n, won, drawn, n - won - drawn) for seat, (n, won, drawn) in enumerate(counts))


@dataclass
class Scores:
    """The scores of all agents."""

    agents: list[Score]
    games: int = 0
    plies: int = 0

    @classmethod
    def start(cls, agents: Sequence[str], seats: int) -> "Scores":
        """Return scores of 0."""
        return cls([Score(agent, *np.zeros((3, seats), dtype=np.int64)) for agent in agents])

    @classmethod
    def of(cls, agents: Sequence[str], seats: int, games: Played) -> "Scores":
        """Return the scores of games."""
        scores = cls.start(agents, seats)
        scores.add(games)
        return scores

    def by_seat(self) -> tuple[SeatRow, ...]:
        """Return the score of all agents together in each seat."""
        sums = [np.sum([getattr(score, what) for score in self.agents], axis=0) for what in ("games", "wins", "draws")]
        return Score("all", *sums).by_seat()

    def add(self, games: Played) -> None:
        """Add games played."""
        if not len(games.plies):
            return
        won, drew = outcomes(games.payoffs)
        for seat in range(games.seatings.shape[1]):
            for agent in np.unique(games.seatings[:, seat]):
                rows = games.seatings[:, seat] == agent
                score = self.agents[agent]
                score.games[seat] += int(rows.sum())
                score.wins[seat] += int(won[rows, seat].sum())
                score.draws[seat] += int(drew[rows, seat].sum())
                score.payoff += float(games.payoffs[rows, seat].sum())
                score.seconds += float(games.seconds[rows, seat].sum())
                score.moves += int(games.moves[rows, seat].sum())
        self.games += len(games.plies)
        self.plies += int(games.plies.sum())
