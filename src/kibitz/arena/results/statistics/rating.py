"""Ratings: Plackett-Luce strengths from finishing orders, on the scale of Elo, with intervals by block.

The model (Luce 1959, Plackett 1975): the first place goes to a seat in proportion to its strength, the second to one of
those left, and so on. Two seats: Bradley and Terry, and Elo's curve. Copies of an agent at one table are seats with
one strength, which is exact.

Ties. Seats that are tied in the last place (all losers, where only a winner is known) have no order: the
likelihood ends before them. All other ties, a draw of all seats too, count as the average of the log likelihood over
the orders they leave open: at a table of two a draw is half a win for each, as in Elo's system.

Prior. Every agent also has half a win and half a loss against an agent of average strength. It keeps ratings finite
where an agent never lost or where groups never met, and weighs as little as one game does.

Intervals. Block-robust ("sandwich") covariance: games of a block share a deal, so their gradients are added first
(Liang and Zeger 1986), and the quantile is Student's. Too few blocks do not show how they differ: intervals then take
all games of a block for one game repeated, which is wide rather than wrong. The prior's half win and half loss count as
two more games of chance, which widens the interval of an agent that won everything to about the exact one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, log
from typing import Any

import numpy as np

from kibitz.arena.results.statistics.interval import LEVEL, student_point

ELO = 400 / log(10)  # points in one unit of log strength
PRIOR = 1.0  # games against an average agent, all drawn
FEW_BLOCKS = 10  # with fewer, intervals take all games of a block for one


@dataclass(frozen=True)
class Rating:
    """The strength of an agent in Elo points; the mean of all agents is 0."""

    agent: int
    points: float
    interval: tuple[float, float]
    open_above: bool  # nobody outside its group ever finished level with it or before it: only the prior holds it down
    open_below: bool  # it never finished level with or before anybody outside its group: only the prior holds it up


@dataclass(frozen=True)
class Ratings:
    """Ratings of all agents, from one fit."""

    agents: list[Rating]
    seats: list[tuple[float, tuple[float, float]]]  # what a seat is worth, in points; the mean is 0; empty if not asked
    better: np.ndarray  # [a, b]: how likely it is that a is stronger than b
    blocks: int


def rate(
    seatings: np.ndarray,
    payoffs: np.ndarray,
    blocks: np.ndarray | None = None,
    agents: int | None = None,
    seat_effects: bool = False,
    prior: float = PRIOR,
    level: float = LEVEL,
) -> Ratings:
    """Rate agents from games; without `blocks` every game stands for itself."""
    number = int(seatings.max(initial=-1)) + 1 if agents is None else agents
    model = _Model(seatings, payoffs, blocks, number, seat_effects, prior)
    strengths = model.fit()
    covariance = model.covariance(strengths)
    above, below = _ends(seatings, payoffs, number)
    freedom = max(model.blocks, FEW_BLOCKS) - 1
    reach = student_point(freedom, (1 + level) / 2)
    rated = _points(strengths[:number], covariance[:number, :number], reach)
    return Ratings(
        [Rating(agent, *rated[agent], above[agent], below[agent]) for agent in range(number)],
        _points(strengths[number:], covariance[number:, number:], reach),
        _better(strengths[:number], covariance[:number, :number], freedom),
        model.blocks,
    )


class _Model:
    """The likelihood: a game is a few choices of one among several items, an item being an agent (in a seat)."""

    def __init__(
        self, seatings: np.ndarray, payoffs: np.ndarray, blocks: np.ndarray | None, agents: int, seat_effects: bool,
        prior: float,
    ) -> None:  # fmt: skip
        from scipy import sparse

        seats = seatings.shape[1]
        items = seatings * seats + np.arange(seats) if seat_effects else seatings
        self.prior, self.size = prior, agents + seats * seat_effects
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
        games = len(seatings)
        self.block = np.arange(games) if blocks is None else np.unique(blocks, return_inverse=True)[1]
        self.blocks = int(self.block.max(initial=-1)) + 1
        self.chosen = self.games @ self.within

    def fit(self) -> np.ndarray:
        """Return the strengths that make the games most likely."""
        from scipy.optimize import minimize

        scale = max(1, int(self.games.sum()))
        return minimize(
            lambda at: -self.likelihood(at) / scale, np.zeros(self.size), method="trust-exact",
            jac=lambda at: -self.gradient(at) / scale, hess=lambda at: self.information(at) / scale,
            options={"gtol": 1e-9 / scale**0.5},
        ).x  # fmt: skip

    def likelihood(self, at: np.ndarray) -> float:
        """Return the log likelihood, prior included."""
        gained = self.games @ self.placed @ self.traits @ at
        virtual = self.prior / 2 * (np.logaddexp(0, at) + np.logaddexp(0, -at)).sum()
        return float(gained - self.chosen @ np.log(self.members @ np.exp(self.traits @ at)) - virtual)

    def gradient(self, at: np.ndarray) -> np.ndarray:
        """Return the slope of the log likelihood."""
        gained = self.games @ self.placed - self.chosen @ self._chances(at)
        return gained @ self.traits - self.prior / 2 * np.tanh(at / 2)

    def information(self, at: np.ndarray) -> np.ndarray:
        """Return minus the curvature of the log likelihood."""
        chances = self._chances(at)
        by_item = np.diag(self.chosen @ chances) - (chances.T @ _scaled(chances, self.chosen)).toarray()
        return self.traits.T @ by_item @ self.traits + np.diag(self.prior / (2 + 2 * np.cosh(at)))

    def covariance(self, at: np.ndarray) -> np.ndarray:
        """Return the covariance of the strengths, robust to whatever games of a block share.

        Where there are too few blocks to see how they differ, all games of a block count as one repeated game.
        """
        from scipy import sparse

        games, few = len(self.block), self.blocks < FEW_BLOCKS
        unit, units = (np.arange(games), games) if few else (self.block, self.blocks)
        counted = sparse.csr_array((np.ones(games), (unit, self.kind_of_game)), shape=(units, len(self.games)))
        by_unit = counted @ ((self.placed - self.within @ self._chances(at)) @ self.traits)
        meat = by_unit.T @ by_unit * (units / max(1, units - 1)) + self.prior / 2 * np.eye(self.size)
        bread = np.linalg.pinv(self.information(at), hermitian=True)
        repeats = max(1, games) / max(1, self.blocks) if few else 1.0
        return bread @ meat @ bread * repeats

    def _chances(self, at: np.ndarray) -> Any:
        """Return how likely each item is in each choice."""
        strengths = np.exp(self.traits @ at)
        return _scaled(self.members, 1 / (self.members @ strengths)).multiply(strengths).tocsr()


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
    """Return a sparse matrix with its rows multiplied."""
    return matrix.multiply(factors[:, None]).tocsr()


def _points(strengths: np.ndarray, covariance: np.ndarray, reach: float) -> list[tuple[float, tuple[float, float]]]:
    """Return Elo points above the mean, each with an interval of so many standard errors to either side."""
    if not len(strengths):
        return []
    centre = np.eye(len(strengths)) - 1 / len(strengths)
    points = ELO * centre @ strengths
    half = reach * ELO * np.sqrt(np.diag(centre @ covariance @ centre))
    spans = zip((points - half).tolist(), (points + half).tolist(), strict=True)
    return list(zip(points.tolist(), spans, strict=True))


def _better(strengths: np.ndarray, covariance: np.ndarray, freedom: int) -> np.ndarray:
    from scipy.special import stdtr

    variance = np.diag(covariance)
    spread = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 1e-30))
    return np.asarray(stdtr(freedom, (strengths[:, None] - strengths) / spread))


def _ends(seatings: np.ndarray, payoffs: np.ndarray, agents: int) -> tuple[list[bool], list[bool]]:
    """Return which agents are open above, and which below: estimates are finite only within strong groups."""
    from scipy.sparse.csgraph import connected_components

    held = np.zeros((agents, agents), dtype=bool)  # [a, b]: a finished level with b or before it
    for one in range(seatings.shape[1]):
        for other in range(seatings.shape[1]):
            rows = payoffs[:, one] >= payoffs[:, other]
            held[seatings[rows, one], seatings[rows, other]] = True
    count, strong = connected_components(held, connection="strong")
    outside = held & (strong[:, None] != strong)
    below = [count > 1 and not outside[strong == strong[agent]].any() for agent in range(agents)]
    above = [count > 1 and not outside[:, strong == strong[agent]].any() for agent in range(agents)]
    return above, below


def notes(ratings: Ratings, names: Sequence[str]) -> list[str]:
    """Return what a reader must know beside the numbers, as sentences."""
    found = [f"Ratings are relative to the mean of these {len(names)} agents, which is 0; {ratings.blocks} blocks."]
    if ratings.blocks < FEW_BLOCKS:
        found.append(f"With fewer than {FEW_BLOCKS} blocks the intervals are wide: all games of a block count as one.")
    for rating in ratings.agents:
        if rating.open_above and rating.open_below:
            found.append(f"{names[rating.agent]} cannot be compared with the others: they never met.")
        elif rating.open_above:
            found.append(
                f"No agent ever tied with or beat {names[rating.agent]}, so its true rating could be much higher."
            )
        elif rating.open_below:
            found.append(
                f"{names[rating.agent]} never tied with or beat another agent, so its true rating could be much lower."
            )
    return found
