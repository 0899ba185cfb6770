"""The Plackett-Luce model: how likely finishing orders are by the strengths of agents, and of seats where they count.

The model (Luce 1959, Plackett 1975): the first place goes to a seat in proportion to its strength, the second to one of
those left, and so on. Two seats: Bradley and Terry, and Elo's curve. Copies of an agent at one table are seats with
one strength, which is exact.

Ties. Seats that are tied in the last place (all losers, where only a winner is known) have no order: the
likelihood ends before them. All other ties, a draw of all seats too, count as the average of the log likelihood over
the orders they leave open: at a table of two a draw is half a win for each, as in Elo's system.
"""

from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

MOST_DENSE = 2_000_000  # cells of a table of choices; larger ones are kept sparse


class PlackettLuce:
    """The likelihood of games: each is a few choices of one among several items, an item being an agent (in a seat)."""

    def __init__(self, seatings: np.ndarray, payoffs: np.ndarray, agents: int, seat_effects: bool) -> None:
        from scipy import sparse

        seats = seatings.shape[1]
        items = seatings * seats + np.arange(seats) if seat_effects else seatings
        self.size = agents + seats * seat_effects
        self.traits = _traits(agents, seats if seat_effects else 0)
        number = len(self.traits)

        order = places(payoffs)
        by_place = np.lexsort((items, order))  # so that games alike but for the order of seats fall together
        order, items = np.take_along_axis(order, by_place, 1), np.take_along_axis(items, by_place, 1)
        kinds, self.kind_of_game, self.games = _distinct(np.concatenate([order, items], axis=1))
        found = [_choices(tuple(places)) for places in kinds[:, :seats].tolist()]
        placed, sets, weights = (
            np.concatenate([part[i] for part in found] or [np.zeros((0, seats))]) for i in range(3)
        )
        held = kinds[:, seats:]
        self.placed = _counts(np.where(placed.reshape(-1, seats) > 0, held, -1), number)
        of_kind = np.repeat(np.arange(len(kinds)), [len(part[2]) for part in found])
        choices, choice, _ = _distinct(np.sort(np.where(sets > 0, held[of_kind], -1), axis=1))
        self.members = _counts(choices, number)
        self.within = sparse.csr_array((weights.ravel(), (of_kind, choice)), shape=(len(kinds), len(choices)))
        self.chosen = self.games @ self.within
        self.gained = self.games @ self.placed @ self.traits
        if self.members.shape[0] * number <= MOST_DENSE:
            self.members = self.members.toarray()

    def likelihood(self, at: np.ndarray) -> float:
        """Return the log likelihood."""
        return float(self.gained @ at - self.chosen @ np.log(self.members @ np.exp(self.traits @ at)))

    def gradient(self, at: np.ndarray) -> np.ndarray:
        """Return the slope of the log likelihood."""
        return self.gained - self.chosen @ self._chances(at) @ self.traits

    def information(self, at: np.ndarray) -> np.ndarray:
        """Return minus the curvature of the log likelihood."""
        chances = self._chances(at)
        among = chances.T @ _scaled(chances, self.chosen)
        by_item = np.diag(self.chosen @ chances) - (among if isinstance(among, np.ndarray) else among.toarray())
        return self.traits.T @ by_item @ self.traits

    def gradients(self, at: np.ndarray, unit: np.ndarray) -> np.ndarray:
        """Return the slope of the log likelihood by unit, where `unit` is the number of the unit of each game."""
        from scipy import sparse

        units = int(unit.max(initial=-1)) + 1
        counted = sparse.csr_array((np.ones(len(unit)), (unit, self.kind_of_game)), shape=(units, len(self.games)))
        expected = self.within @ self._chances(at)
        by_kind = self.placed.toarray() - (expected if isinstance(expected, np.ndarray) else expected.toarray())
        return np.asarray(counted @ (by_kind @ self.traits))

    def _chances(self, at: np.ndarray) -> Any:
        """Return how likely each item is in each choice."""
        strengths = np.exp(self.traits @ at)
        weighed = _scaled(self.members, 1 / (self.members @ strengths))
        return weighed * strengths if isinstance(weighed, np.ndarray) else weighed.multiply(strengths).tocsr()


def places(payoffs: np.ndarray) -> np.ndarray:
    """Return the place of every seat, by game: 0 for the best; ties have the same place, and no place is skipped."""
    seat, other = payoffs[:, :, None], payoffs[:, None, :]
    repeats = ((seat == other) & np.tri(payoffs.shape[1], k=-1, dtype=bool)).any(axis=2)
    return ((other > seat) & ~repeats[:, None, :]).sum(axis=2)


@cache
def _choices(order: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return who was placed, among which seats each choice was made, and how much each choice weighs."""
    last = max(order) if max(order) > 0 else 1  # a draw of all seats is no last place
    placed = [place < last for place in order]
    sets, weights = [], []
    for place in range(last):
        tied = [seat for seat, other in enumerate(order) if other == place]
        behind = {seat for seat, other in enumerate(order) if other > place}
        for size in range(1, len(tied) + 1):
            for left in combinations(tied, size):
                sets.append([seat in behind or seat in left for seat in range(len(order))])
                weights.append(1 / comb(len(tied), size))
    return np.array([placed]), np.array(sets), np.array(weights)


def _traits(agents: int, seats: int) -> np.ndarray:
    """Return one row an item: 1 for its agent, and 1 for its seat where seats count."""
    if not seats:
        return np.eye(agents)
    return np.concatenate([np.repeat(np.eye(agents), seats, axis=0), np.tile(np.eye(seats), (agents, 1))], axis=1)


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distinct rows, which of them each row is, and how often each occurs."""
    base = int(rows.max(initial=0)) + 2
    if base ** rows.shape[1] >= 2**63:
        return np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    keys = (rows + 1) @ base ** np.arange(rows.shape[1])
    _, first, number, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return rows[first], number, counts


def _counts(rows: np.ndarray, items: int) -> Any:
    """Return how often each item occurs in each row; -1 is none."""
    from scipy import sparse

    row, column = np.nonzero(rows >= 0)
    return sparse.csr_array((np.ones(len(row)), (row, rows[row, column])), shape=(len(rows), items))


def _scaled(matrix: Any, factors: np.ndarray) -> Any:
    """Return a matrix with its rows multiplied."""
    if isinstance(matrix, np.ndarray):
        return matrix * factors[:, None]
    return matrix.multiply(factors[:, None]).tocsr()
