"""A tally: games by what seats earned and by how long they lasted, with how many there were of each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kibitz.arena.results.statistics.fairness import FEW_ROWS
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.core.arrays import Floats, Int64s


@dataclass(frozen=True)
class Tally:
    """How often games ended in each way, and how often they had each length."""

    payoffs: Floats  # [outcome, seat]: a row for each game if they are few, so that tests may exchange them
    counts: Int64s  # [outcome]
    plies: Int64s  # [length], ascending
    lengths: Int64s  # [length]: how many games were so long

    @classmethod
    def of_games(cls, payoffs: Floats, plies: Int64s) -> "Tally":
        """Return the tally of games, one row each."""
        return cls.of_counts(payoffs, np.ones(len(payoffs), dtype=np.int64), plies, np.ones(len(plies), dtype=np.int64))

    @classmethod
    def of_counts(cls, payoffs: Floats, counts: Int64s, plies: Int64s, lengths: Int64s) -> "Tally":
        """Return a tally in which every outcome and every length occurs once."""
        if len(payoffs) > FEW_ROWS or counts.sum() > FEW_ROWS:
            payoffs, which = np.unique(payoffs, axis=0, return_inverse=True)
            counts = _summed(which.reshape(-1), counts)
        plies, which = np.unique(plies, return_inverse=True)
        return cls(payoffs, counts, plies, _summed(which.reshape(-1), lengths))

    @property
    def games(self) -> int:
        """The number of games."""
        return int(self.counts.sum())

    def first_places(self) -> Int64s:
        """Return by seat how often it was alone in the first place."""
        return np.asarray(self.counts @ outcomes(self.payoffs)[0])

    def last_places(self) -> Int64s:
        """Return by seat how often it was alone in the last place."""
        return np.asarray(self.counts @ outcomes(-self.payoffs)[0])

    def mean(self, column: Floats) -> float:
        """Return the mean over all games of a number that each outcome has."""
        return float((column * self.counts).sum() / self.counts.sum())

    def spread(self, seat: int) -> float:
        """Return the standard deviation of what a seat earned."""
        earned = self.payoffs[:, seat]
        squares = float(((earned - self.mean(earned)) ** 2 * self.counts).sum())
        return float(np.sqrt(squares / (self.games - 1))) if self.games > 1 else 0.0

    def length_at(self, parts: Sequence[float]) -> list[float]:
        """Return the lengths below which these parts of the games stay, between two games in proportion."""
        ends, found = np.cumsum(self.lengths), []
        for part in parts:
            at, between = divmod((self.games - 1) * part, 1)
            places = np.searchsorted(ends, [at, at + (between > 0)], "right")
            low, high = self.plies[places].tolist()
            found.append(low + (high - low) * between)
        return found


def _summed(which: Int64s, counts: Int64s) -> Int64s:
    """Return the sums of counts that belong together."""
    found = np.zeros(int(which.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(found, which, counts)
    return found
