"""Scores: wins and payoffs by agent, added up while games are played."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kibitz.arena.results.game_columns import GameColumns
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
    games: int = 0  # an agent in two seats of a game counts for two
    wins: int = 0
    payoff: float = 0.0
    seconds: float = 0.0
    moves: int = 0

    @property
    def win_rate(self) -> float:
        """Wins a game."""
        return self.wins / max(1, self.games)

    @property
    def mean_payoff(self) -> float:
        """Payoff a game."""
        return self.payoff / max(1, self.games)

    @property
    def seconds_per_move(self) -> float | None:
        """Thinking time a move; None where it was not measured."""
        return self.seconds / max(1, self.moves) or None


@dataclass
class Scores:
    """The scores of all agents."""

    agents: list[Score]
    games: int = 0
    plies: int = 0

    @classmethod
    def of(cls, games: GameColumns) -> "Scores":
        """Return the scores of games."""
        scores = cls([Score(agent) for agent in games.agents])
        scores.add(games)
        return scores

    def add(self, games: Played) -> None:
        """Add games played."""
        if not len(games.plies):
            return
        won, _ = outcomes(games.payoffs)
        for number, score in enumerate(self.agents):
            mine = games.seatings == number
            score.games += int(mine.sum())
            score.wins += int(won[mine].sum())
            score.payoff += float(games.payoffs[mine].sum())
            score.seconds += float(games.seconds[mine].sum())
            score.moves += int(games.moves[mine].sum())
        self.games += len(games.plies)
        self.plies += int(games.plies.sum())
