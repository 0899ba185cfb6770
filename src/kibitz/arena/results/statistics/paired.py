"""Paired differences: one agent minus another over common deals, with an interval from blocks.

Games of one block share deal and opening, so blocks are resampled, not games (cluster bootstrap; Davison and Hinkley
1997, 3.8): what a deal gives to both agents cancels, and what it does to all its games is not counted many times.
Resampled differences vary too little, most of all in the tails, which matter to p values that are corrected for many
pairs; so quantiles are Student's (the expanded percentile interval of Hesterberg 2015). With few blocks, or if all are
alike, there is too little to resample: then the difference has the interval of a share (`verdict.pair_difference`),
which it is in a match of two.
"""

from dataclasses import dataclass, replace
from math import ceil, sqrt

import numpy as np

from kibitz.arena.results.statistics.interval import (
    FEW_BLOCKS,
    LEAST_BLOCKS,
    LEVEL,
    corrected_p,
    normal_chance,
    normal_point,
    student_point,
)
from kibitz.arena.results.statistics.verdict import pair_difference

RESAMPLES = 4000
MOST_KINDS = 1000  # of different blocks to sample from; more are joined


@dataclass(frozen=True)
class Difference:
    """How much more one agent earns a game than another."""

    mean: float
    interval: tuple[float, float]
    p: float  # two-sided, that there is no difference: below 0.05 exactly if the interval excludes 0
    blocks: int  # with both agents in them

    @property
    def rough(self) -> bool:
        """Whether there are too few blocks to resample."""
        return self.blocks < FEW_BLOCKS


def paired_difference(
    seatings: np.ndarray,
    payoffs: np.ndarray,
    blocks: np.ndarray,
    first: int,
    second: int,
    seed: int = 1,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    span: float = 1.0,
) -> Difference:
    """Return first minus second in mean payoff a seat, over blocks with both.

    A `level` above 95 % makes up for a stop rule, which chose the last game; the p value is corrected to match. `span`
    is how far the greatest payoff is from the least.
    """
    found = _of_parts(seatings, payoffs / span, blocks, (first, second), seed, resamples, level)
    low, high = found.interval
    return replace(found, mean=found.mean * span, interval=(low * span, high * span))


def _of_parts(
    seatings: np.ndarray, parts: np.ndarray, blocks: np.ndarray, pair: tuple[int, int], seed: int, resamples: int,
    level: float,
) -> Difference:  # fmt: skip
    """Return the difference of payoffs that are at most 1 apart."""
    table = _by_block(seatings, parts, blocks, pair)
    if not len(table):
        return Difference(0.0, (-1.0, 1.0), 1.0, 0)
    kinds, counts = np.unique(table, axis=0, return_counts=True)
    if len(table) < FEW_BLOCKS or len(kinds) == 1:
        gap = pair_difference(table[:, 0], table[:, 1], table[:, 2], table[:, 3], -0.5, 0.5)
        if len(table) < LEAST_BLOCKS:
            return _judged(gap.value, *gap.interval(level), gap.p, len(table), level)
        return Difference(gap.value, gap.interval(level), corrected_p(gap.p, level), len(table))
    mean, rng = float(_difference(table.sum(axis=0))), np.random.default_rng(seed)
    if len(kinds) > MOST_KINDS:
        kinds, counts = _joined(table, rng), np.ones(MOST_KINDS, dtype=np.int64)
    sampled = _difference(rng.multinomial(counts.sum(), counts / counts.sum(), size=resamples) @ kinds)
    return _judged(mean, *_resampled(mean, np.sort(sampled), len(table), level), len(table), level)


def _resampled(mean: float, sampled: np.ndarray, blocks: int, level: float) -> tuple[float, float, float]:
    """Return the ends and the p value from resampled differences; Student's where they all lie on one side."""
    from scipy.special import stdtr

    tail = normal_chance(-_wider(blocks) * student_point(blocks - 1, (1 + level) / 2))
    least = max(0, ceil(tail * (len(sampled) + 1) - 1) - 1)  # so that ends and p value agree
    beyond = min(int((sampled <= 0).sum()), int((sampled >= 0).sum()))
    far = normal_point(min(0.5, (1 + beyond) / (len(sampled) + 1))) / _wider(blocks)
    p = min(1.0, float(2 * stdtr(blocks - 1, far)))
    if not beyond:
        p = min(p, float(2 * stdtr(blocks - 1, -abs(mean) / max(float(sampled.std()), 1e-9))))
    return float(sampled[least]), float(sampled[-1 - least]), p


def _wider(blocks: int) -> float:
    """Return how much more true differences vary than those resampled from this many blocks."""
    return sqrt(blocks / (blocks - 1))


def _judged(mean: float, low: float, high: float, p: float, blocks: int, level: float) -> Difference:
    """Return a difference whose p value is at least that of a sign test, which shows nothing in fewer than 6 blocks."""
    p = max(p, min(1.0, 2 * 0.5**blocks))
    if p >= 1 - level:
        low, high = min(low, 0.0), max(high, 0.0)
    return Difference(mean, (low, high), corrected_p(p, level), blocks)


def _by_block(seatings: np.ndarray, scores: np.ndarray, blocks: np.ndarray, pair: tuple[int, int]) -> np.ndarray:
    """Return one row a block with both agents: for each of them the sum of its scores and the number of its seats."""
    _, number = np.unique(blocks, return_inverse=True)
    columns = []
    for agent in pair:
        mine = seatings == agent
        columns.append(np.bincount(number, weights=(scores * mine).sum(axis=1)))
        columns.append(np.bincount(number, weights=mine.sum(axis=1)))
    table = np.round(np.stack(columns, axis=1), 9)  # so that equal blocks compare equal in any order of summation
    return table[(table[:, 1] > 0) & (table[:, 3] > 0)]


def _difference(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3]


def _joined(table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Join blocks at random: their sums are independent too, and quicker to sample."""
    group = rng.permutation(len(table)) % MOST_KINDS
    return np.stack([np.bincount(group, weights=column) for column in table.T], axis=1)
