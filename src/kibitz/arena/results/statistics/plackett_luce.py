"""The Plackett-Luce model: how likely finishing orders are by the strengths of agents, and of seats where they count.

The model (Luce 1959, Plackett 1975): the first place goes to a seat in proportion to its strength, the second to one of
those left, and so on. Two seats: Bradley and Terry, and Elo's curve. Copies of an agent at one table are seats with
one strength, which is exact.

Ties. Seats that are tied in the last place (all losers, where only a winner is known) have no order: the
likelihood ends before them. All other ties, a draw of all seats too, count as the average of the log likelihood over
the orders they leave open: at a table of two a draw is half a win for each, as in Elo's system.

The profile of the likelihood is how likely the games can be at best if one weighted sum of strengths has a given value.
Its interval ends where the log likelihood has fallen by half a squared quantile (Venzon and Moolgavkar 1988), which
holds at large gaps too, where standard errors do not.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

MOST_DENSE = 2_000_000  # cells of a table of choices; larger ones are kept sparse
STEPS = 100  # of Newton's method, at most
ENOUGH = 1e-9  # log likelihood still to be gained: a climb ends
CLOSE = 1e-6  # log likelihood by which an end may be off
FARTHEST = 60.0  # units of log strength from the top; nothing in games tells such gaps apart
LONGEST = 10.0  # the most by which a step of a climb may change a strength
WIDEN = 3.0  # the most by which a step may multiply the distance from the top


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
    last = max(order) if max(order) > 0 else 1  # a draw of all seats has no last place
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


@dataclass(frozen=True)
class Prior:
    """Half a win and half a loss of some mean strengths against an average one, each weighed by `weight`."""

    means: np.ndarray  # one row each, over strengths
    weight: float

    def likelihood(self, at: np.ndarray) -> float:
        """Return its part of the log likelihood."""
        strength = self.means @ at
        return -self.weight / 2 * float((np.logaddexp(0, strength) + np.logaddexp(0, -strength)).sum())

    def gradient(self, at: np.ndarray) -> np.ndarray:
        """Return its part of the slope."""
        return -self.weight / 2 * np.tanh(self.means @ at / 2) @ self.means

    def information(self, at: np.ndarray) -> np.ndarray:
        """Return its part of minus the curvature."""
        spread = self.weight / (2 + 2 * np.cosh(self.means @ at))
        return (self.means.T * spread) @ self.means


@dataclass(frozen=True)
class Penalised:
    """The log likelihood of games, of which `alike` tell as much as one, with a prior."""

    games: PlackettLuce
    prior: Prior
    alike: float = 1.0

    def likelihood(self, at: np.ndarray) -> float:
        """Return the log likelihood."""
        return self.games.likelihood(at) / self.alike + self.prior.likelihood(at)

    def gradient(self, at: np.ndarray) -> np.ndarray:
        """Return its slope."""
        return self.games.gradient(at) / self.alike + self.prior.gradient(at)

    def information(self, at: np.ndarray) -> np.ndarray:
        """Return minus its curvature."""
        return self.games.information(at) / self.alike + self.prior.information(at)

    def top(self, start: np.ndarray, along: np.ndarray | None = None) -> np.ndarray:
        """Return where it is greatest: anywhere, or from `start` only along the columns of a matrix."""
        along, at = np.eye(len(start)) if along is None else along, start
        value = self.likelihood(at)
        for _ in range(STEPS):
            slope = along.T @ self.gradient(at)
            step = along @ solved(along.T @ self.information(at) @ along, slope)
            gain = float(slope @ along.T @ step)
            size = min(1.0, LONGEST / max(float(np.abs(step).max(initial=0)), 1e-9))
            if gain < ENOUGH:
                break
            while (reached := self.likelihood(at + size * step)) < value + 1e-4 * size * gain:
                size /= 2
                if size < ENOUGH:
                    return at
            at, value = at + size * step, reached
        return at


def profile_ends(target: Penalised, weights: np.ndarray, start: np.ndarray, reach: float) -> tuple[float, float]:
    """Return the interval of a weighted sum of strengths: a drop of `reach`² / 2 from the top, to either side."""
    top = target.top(start)
    direction = solved(target.information(top), weights)
    spread = float(weights @ direction)
    _, _, axes = np.linalg.svd(weights[None, :])
    low, high = (
        _end(target, top, direction / spread, axes[1:].T, weights, side * min(reach * spread**0.5, FARTHEST), reach)
        for side in (-1, 1)
    )
    return low, high


def signed_root(target: Penalised, weights: np.ndarray, start: np.ndarray) -> float:
    """Return how far a weighted sum of strengths is from 0: a drop of half its square; about as standard errors."""
    top = target.top(start)
    value = float(weights @ top)
    _, _, axes = np.linalg.svd(weights[None, :])
    there = target.top(top - value * weights / float(weights @ weights), axes[1:].T)
    drop = max(target.likelihood(top) - target.likelihood(there), 0.0)
    return float(np.sign(value) * (2 * drop) ** 0.5)


def _end(
    target: Penalised, top: np.ndarray, direction: np.ndarray, along: np.ndarray, weights: np.ndarray, first: float,
    reach: float,
) -> float:  # fmt: skip
    """Return the value at one end, found by Newton's method on the root of the drop, which is nearly a line."""
    best, middle, away, at = target.likelihood(top), float(weights @ top), first, top + first * direction
    for _ in range(STEPS):
        at = target.top(at, along)
        drop = max(best - target.likelihood(at), CLOSE**2)
        slope = -float(target.gradient(at) @ weights) / float(weights @ weights) * np.sign(first)
        if abs(drop - reach**2 / 2) < CLOSE or abs(away) >= FARTHEST or slope <= 0:
            break
        step = (reach / 2**0.5 - drop**0.5) * 2 * drop**0.5 / slope
        farther = np.clip(abs(away) + step, abs(away) / WIDEN, min(WIDEN * abs(away), FARTHEST)) * np.sign(first)
        at, away = at + (farther - away) * direction, float(farther)
    return middle + away


def solved(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return the solution of a symmetric system; where a direction is not determined, nearly none of it."""
    ridge = 1e-12 * (1 + float(np.trace(matrix)))
    return np.linalg.solve(matrix + ridge * np.eye(len(matrix)), vector)
