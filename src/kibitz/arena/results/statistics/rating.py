"""Ratings: Plackett-Luce strengths from finishing orders, on the scale of Elo, with intervals by block.

Prior. Every agent also has half a win and half a loss against an agent of average strength. It keeps ratings finite
where an agent never lost or where groups never met, and weighs as little as one game does.

Intervals. The profile of the likelihood, divided by the number of games that tell as much as one (Kish's design effect;
for likelihoods Royall and Tsou 2003, Pace and others 2011), with Student's quantile. Games of a block share a deal, so
that number is how much more blocks differ than independent games would: the block-robust variance (Liang and Zeger
1986) over that of the model. In intervals the prior holds groups only, between which games say nothing: within a group
it would narrow them. Too few blocks do not show how they differ: all games of a block then count as one, and the whole
prior, which does not depend on how many games there are, is what keeps intervals from growing with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import log

import numpy as np

from kibitz.arena.results.statistics.groups import Groups, group_notes, groups_of
from kibitz.arena.results.statistics.interval import LEVEL, student_point
from kibitz.arena.results.statistics.plackett_luce import PlackettLuce
from kibitz.arena.results.statistics.profile import Penalised, Prior, profile_ends, signed_root, solved

ELO = 400 / log(10)  # points in one unit of log strength
PRIOR = 1.0  # games against an average agent, all drawn
FEW_BLOCKS = 10  # with fewer, intervals take all games of a block for one
UNSEEN_BLOCKS = 2  # never played, which differ as independent games do


@dataclass(frozen=True)
class Rating:
    """The strength of an agent in Elo points; the mean of all agents is 0."""

    agent: int
    points: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Ratings:
    """Ratings of all agents, from one fit."""

    agents: list[Rating]
    seats: list[tuple[float, tuple[float, float]]]  # what a seat is worth, in points; the mean is 0; empty if not asked
    blocks: int
    groups: Groups
    fit: "_Fit"
    level: float  # of the intervals

    @cached_property
    def better(self) -> np.ndarray:
        """[a, b]: how likely it is that a is stronger than b."""
        found = np.full((len(self.agents), len(self.agents)), 0.5)
        for one, other in combinations(range(len(self.agents)), 2):
            weights = np.zeros(self.fit.model.size)
            weights[one], weights[other] = 1, -1
            found[one, other] = self.fit.chance(weights, self.level)
            found[other, one] = 1 - found[one, other]
        return found


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
    seats = seatings.shape[1] if seat_effects else 0
    block = np.arange(len(seatings)) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    groups = groups_of(seatings, payoffs, number)
    fit = _Fit(PlackettLuce(seatings, payoffs, number, seat_effects), block, groups, prior)
    of_agents = _points(fit, number, 0, _games_a_block(seatings, number, fit.blocks), level)
    of_seats = _points(fit, fit.model.size - number, number, [len(seatings) / max(1, fit.blocks)] * seats, level)
    return Ratings(
        [Rating(agent, *of_agents[agent]) for agent in range(number)],
        of_seats,
        fit.blocks,
        groups,
        fit,
        level,
    )


def _games_a_block(seatings: np.ndarray, agents: int, blocks: int) -> list[float]:
    """Return how many games with it each agent has in a block."""
    return [float((seatings == agent).any(axis=1).sum()) / max(1, blocks) for agent in range(agents)]


class _Fit:
    """The strengths that make the games most likely, and how sure they are."""

    def __init__(self, model: PlackettLuce, block: np.ndarray, groups: Groups, prior: float) -> None:
        self.games = len(block)
        self.model, self.blocks, self.open = model, int(block.max(initial=-1)) + 1, groups.count > 1
        self.few, whole = self.blocks < FEW_BLOCKS, Prior(np.eye(model.size), prior)
        self.strengths = Penalised(model, whole).top(np.zeros(model.size))
        self.prior = whole if self.few else Prior(_between(groups.means(), model.size), prior)
        target = Penalised(model, self.prior)
        self.top = target.top(self.strengths)
        self.information, self.expected = target.information(self.top), model.information(self.top)
        units, unit = (self.games, np.arange(self.games)) if self.few else (self.blocks, block)
        by_unit = model.gradients(self.top, unit)
        self.seen = by_unit.T @ by_unit * (units / max(1, units - 1))
        self.freedom = max(self.blocks, FEW_BLOCKS) - 1

    def alike(self, weights: np.ndarray, games_a_block: float) -> float:
        """Return how many games tell as much as one about a weighted sum of strengths.

        An agent that never lost shows no spread, and neither do blocks that are all alike: both have their least.
        """
        direction = solved(self.information, weights)
        expected = float(direction @ self.expected @ direction)
        found = float(direction @ self.seen @ direction) / expected if expected > 0 else 1.0
        if self.few:
            return max(found, 1.0) * max(games_a_block, 1.0)
        return max(found, 1.0 if self.open else UNSEEN_BLOCKS / self.blocks)

    def interval(self, weights: np.ndarray, games_a_block: float, level: float) -> tuple[float, float]:
        """Return the interval of a weighted sum of strengths; it holds the estimate."""
        target = Penalised(self.model, self.prior, self.alike(weights, games_a_block))
        low, high = profile_ends(target, weights, self.top, student_point(self.freedom, (1 + level) / 2))
        here = float(weights @ self.strengths)
        return min(low, here), max(high, here)

    def chance(self, weights: np.ndarray, level: float) -> float:
        """Return how likely it is that a weighted sum of strengths is above 0, corrected as intervals of this level."""
        from scipy.special import stdtr

        target = Penalised(self.model, self.prior, self.alike(weights, self.games / max(1, self.blocks)))
        root = signed_root(target, weights, self.top)
        corrected = student_point(self.freedom, (1 + LEVEL) / 2) / student_point(self.freedom, (1 + level) / 2)
        return float(stdtr(self.freedom, corrected * root))


def _between(means: np.ndarray, size: int) -> np.ndarray:
    """Return what the prior holds in intervals: the means of groups, and seats, which are in no group."""
    groups, agents = means.shape
    held = np.zeros((groups + size - agents, size))
    held[:groups, :agents] = means
    held[groups:, agents:] = np.eye(size - agents)
    return held


def _points(
    fit: _Fit, number: int, first: int, games_a_block: Sequence[float], level: float
) -> list[tuple[float, tuple[float, float]]]:
    """Return Elo points above the mean of so many strengths, each with its interval."""
    found = []
    for at in range(number):
        weights = np.zeros(fit.model.size)
        weights[first : first + number] = -1 / number
        weights[first + at] += 1
        low, high = fit.interval(weights, games_a_block[at], level) if number > 1 else (0.0, 0.0)
        found.append((ELO * float(weights @ fit.strengths), (ELO * low, ELO * high)))
    return found


def notes(ratings: Ratings, names: Sequence[str]) -> list[str]:
    """Return what a reader must know beside the numbers, as sentences."""
    found = [f"Ratings are relative to the mean of these {len(names)} agents, which is 0; {ratings.blocks} blocks."]
    if ratings.blocks < FEW_BLOCKS:
        found.append(f"With fewer than {FEW_BLOCKS} blocks the intervals are wide: all games of a block count as one.")
    return [*found, *group_notes(ratings.groups, names)]
