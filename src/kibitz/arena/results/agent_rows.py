"""Rows of agents and seats: wins, places and payoffs over the games of a run, with intervals and tests from blocks."""

from dataclasses import dataclass, replace

import numpy as np

from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.row import AgentRow, SeatRow
from kibitz.arena.results.statistics.fairness import equal_means, holm
from kibitz.arena.results.statistics.interval import LEVEL, mean_in_range, wilson_of_blocks
from kibitz.arena.results.statistics.outcome import outcomes, place_shares


def agent_rows(games: GameColumns, level: float = LEVEL) -> list[AgentRow]:
    """Return a row for every agent, in their order, with intervals of this level."""
    counts = _Counts.of(games, level)
    rows = [counts.agent(number) for number in range(len(games.agents))]
    compared = [at for at, row in enumerate(rows) if row.seats_p is not None]
    for at, p in zip(compared, holm([rows[at].seats_p or 0.0 for at in compared]), strict=True):
        rows[at] = replace(rows[at], seats_p=p)
    return rows


def seat_rows(games: GameColumns, level: float = LEVEL) -> tuple[SeatRow, ...]:
    """Return a row for every seat, all agents together."""
    return _Counts.of(games, level).by_seat(np.ones_like(games.seatings, dtype=bool))


@dataclass(frozen=True)
class _Counts:
    """Games and what is counted in them."""

    games: GameColumns
    block: np.ndarray  # [game], numbered from 0
    won: np.ndarray  # [game, seat]
    drew: np.ndarray  # [game, seat]
    shares: np.ndarray  # [game, seat, place]
    level: float

    @classmethod
    def of(cls, games: GameColumns, level: float) -> "_Counts":
        """Count games."""
        block = np.unique(games.blocks, return_inverse=True)[1]
        return cls(games, block, *outcomes(games.payoffs), place_shares(games.payoffs), level)

    def agent(self, number: int) -> AgentRow:
        """Return the row of an agent."""
        mine = self.games.seatings == number
        n, wins, draws = int(mine.sum()), int(self.won[mine].sum()), int(self.drew[mine].sum())
        places = self.shares[mine].sum(axis=0)
        moves = int(self.games.moves[mine].sum())
        return AgentRow(
            agent=self.games.agents[number], name=self.games.called[number], games=n, wins=wins, draws=draws,
            losses=n - wins - draws, win_rate=wins / max(1, n), win_interval=self._interval(self.won, mine),
            places=tuple(places.round(6).tolist()), mean_place=_mean_place(places),
            mean_payoff=float(self.games.payoffs[mine].sum()) / max(1, n),
            payoff_interval=self._mean_interval(self.games.payoffs, mine), by_seat=self.by_seat(mine),
            seats_p=self._seats_p(mine), seconds_per_move=float(self.games.seconds[mine].sum()) / max(1, moves) or None,
        )  # fmt: skip

    def by_seat(self, mine: np.ndarray) -> tuple[SeatRow, ...]:
        """Return the row of each seat over the games in which it is one of these seats."""
        seats = np.eye(mine.shape[1], dtype=bool)
        return tuple(self._seat(seat, mine & seats[seat]) for seat in range(len(seats)))

    def _seat(self, seat: int, mine: np.ndarray) -> SeatRow:
        n, wins, draws = int(mine.sum()), int(self.won[mine].sum()), int(self.drew[mine].sum())
        return SeatRow(
            seat=seat, games=n, wins=wins, draws=draws, losses=n - wins - draws, win_rate=wins / max(1, n),
            win_interval=self._interval(self.won, mine), mean_place=_mean_place(self.shares[mine].sum(axis=0)),
            mean_payoff=float(self.games.payoffs[mine].sum()) / max(1, n),
            payoff_interval=self._mean_interval(self.games.payoffs, mine),
        )  # fmt: skip

    def _interval(self, scores: np.ndarray, mine: np.ndarray) -> tuple[float, float]:
        """Return the interval of the mean of scores from 0 to 1, of these seats."""
        return wilson_of_blocks(*self._by_block(scores, mine), self.level)

    def _mean_interval(self, payoffs: np.ndarray, mine: np.ndarray) -> tuple[float, float]:
        """Return the interval of the mean payoff of these seats."""
        scoring = self.games.scoring
        return mean_in_range(*self._by_block(payoffs, mine), scoring.least, scoring.most, self.level)

    def _by_block(self, scores: np.ndarray, mine: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums of the scores of these seats, and the number of the seats, by block."""
        earned = np.bincount(self.block, weights=(scores * mine).sum(axis=1))
        return earned, np.bincount(self.block, weights=mine.sum(axis=1))

    def _seats_p(self, mine: np.ndarray) -> float | None:
        """Return the p value of equal payoffs in all seats, from the blocks with a game in each seat."""
        held, earned = (
            np.stack([np.bincount(self.block, weights=column) for column in table.T], axis=1)
            for table in (mine, self.games.payoffs * mine)
        )
        whole = (held > 0).all(axis=1)
        found = equal_means(earned[whole] / held[whole])
        return None if found.method == "too few games" else found.p


def _mean_place(places: np.ndarray) -> float:
    return float(places @ np.arange(1, len(places) + 1)) / max(1.0, float(places.sum()))
