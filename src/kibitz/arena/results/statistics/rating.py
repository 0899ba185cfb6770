"""Ratings: Plackett-Luce strengths from finishing orders, on the scale of Elo, with intervals by block.

Prior. Every agent also has half a win and half a loss against an agent of average strength. It keeps ratings finite
where an agent never lost or where groups never met, and weighs as little as one game does.

Intervals. The profile of the likelihood, divided by the number of games that tell as much as one (Kish's design effect;
for likelihoods Royall and Tsou 2003, Pace and others 2011), with Student's quantile. Games of a block share a deal, so
that number is how much more blocks differ than independent games would: the block-robust variance (Liang and Zeger
1986) over that of the model. In intervals the prior holds only groups together, between which games say nothing: within
a group it would narrow them. Too few blocks do not show how they differ: all games of a block then count as one, and
the whole prior, which does not depend on the number of games, keeps intervals from growing with it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import log

import numpy as np

from kibitz.arena.results.statistics.interval import LEVEL, student_point
from kibitz.arena.results.statistics.plackett_luce import (
    Penalised,
    PlackettLuce,
    Prior,
    profile_ends,
    signed_root,
    solved,
)

ELO = 400 / log(10)  # points in one unit of log strength
PRIOR = 1.0  # games against an average agent, all drawn
FEW_BLOCKS = 10  # with fewer, intervals take all games of a block for one
UNSEEN_BLOCKS = 2  # never played, which differ as independent games do


@dataclass(frozen=True)
class Groups:
    """Groups of agents whose results hold their ratings together; between groups only the prior does.

    Within a group everybody drew with or beat everybody else, at least through others.
    """

    group: list[int]  # of each agent
    above: list[bool]  # of each agent: nobody outside its group ever drew with or beat one of the group
    below: list[bool]  # of each agent: nobody of its group ever drew with or beat an agent outside
    met: list[int]  # of each agent: agents with the same number met, at least through others

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(set(self.group))

    def means(self) -> np.ndarray:
        """Return one row a group that gives the mean of its agents."""
        held = np.array(self.group)[None, :] == np.unique(self.group)[:, None]
        return held / held.sum(axis=1, keepdims=True)


def groups_of(seatings: np.ndarray, payoffs: np.ndarray, agents: int) -> Groups:
    """Return the groups of agents: ratings are finite, without a prior, only within strongly connected ones."""
    from scipy.sparse.csgraph import connected_components

    held, met = np.eye(agents, dtype=bool), np.eye(agents, dtype=bool)  # held[a, b]: a drew with b or beat it
    # Seats tied in the last place have no order.
    ordered = (payoffs > payoffs.min(axis=1, keepdims=True)) | (np.ptp(payoffs, axis=1) == 0)[:, None]
    for one in range(seatings.shape[1]):
        for other in range(seatings.shape[1]):
            rows = (payoffs[:, one] >= payoffs[:, other]) & ordered[:, one]
            held[seatings[rows, one], seatings[rows, other]] = True
            met[seatings[:, one], seatings[:, other]] = True
    count, group = connected_components(held, connection="strong")
    outside = held & (group[:, None] != group)
    above = [count > 1 and not outside[:, group == group[agent]].any() for agent in range(agents)]
    below = [count > 1 and not outside[group == group[agent]].any() for agent in range(agents)]
    return Groups(group.tolist(), above, below, connected_components(met, directed=False)[1].tolist())


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
    """Rate agents from games; without `blocks` every game is its own block."""
    number = int(seatings.max(initial=-1)) + 1 if agents is None else agents
    seats = seatings.shape[1] if seat_effects else 0
    block = np.arange(len(seatings)) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    groups = groups_of(seatings, payoffs, number)
    fit = _Fit(PlackettLuce(seatings, payoffs, number, seat_effects), block, groups, prior)
    of_agents = _points(fit, number, 0, _games_a_block(seatings, number, fit.blocks), level)
    of_seats = _points(fit, fit.model.size - number, number, [len(seatings) / max(1, fit.blocks)] * seats, level)
    rated = [Rating(agent, *of_agents[agent]) for agent in range(number)]
    return Ratings(rated, of_seats, fit.blocks, groups, fit, level)


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
    """Return Elo points above the mean of `number` strengths from `first` on, each with its interval."""
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


def group_notes(groups: Groups, names: Sequence[str]) -> list[str]:
    """Return which ratings are held by the prior alone, as sentences."""
    parts = [[names[agent] for agent in members] for members in _members(groups.met)]
    found = []
    if len(parts) > 1:
        apart = "; ".join(listed(part) for part in parts)
        found.append(f"Ratings can be compared only among agents that met, at least through others: {apart}.")
    for members in _members(groups.group):
        above, below = groups.above[members[0]], groups.below[members[0]]
        named = [names[agent] for agent in members]
        if above != below:
            found.append(_no_loss(named) if above else _no_win(named))
    return found


def _no_loss(names: list[str]) -> str:
    if len(names) == 1:
        return f"No agent ever drew with or beat {names[0]}, so its true rating could be much higher."
    return (
        f"No other agent ever drew with or beat {listed(names, 'or')}, so the true ratings of this group could be "
        "much higher."
    )


def _no_win(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} never drew with or beat another agent, so its true rating could be much lower."
    return (
        f"None of {listed(names)} ever drew with or beat an agent outside this group, so its true ratings could be "
        "much lower."
    )


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return names as a list in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def _members(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield the agents of each number, in the order of the first of them."""
    for number in dict.fromkeys(numbers):
        yield [agent for agent, other in enumerate(numbers) if other == number]
