"""Paired differences: one agent minus another over common deals, with an interval from resampled blocks.

Games of one block share deal and opening, so blocks are drawn, not games (the cluster bootstrap; Davison and Hinkley
1997, 3.8): what a deal gives to both agents cancels, and what it does to all its games is not counted many times.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kibitz.arena.interval import LEVEL
from kibitz.arena.tally import outcomes

RESAMPLES = 4000
FEW_BLOCKS = 20  # below it an interval is a rough guide


@dataclass(frozen=True)
class Difference:
    """How much more one agent earns a game than another."""

    mean: float
    interval: tuple[float, float]
    p: float  # two-sided, that there is no difference; never below 2 / (RESAMPLES + 1)
    blocks: int  # with both agents in them

    @property
    def rough(self) -> bool:
        """Whether there are too few blocks to trust the interval."""
        return self.blocks < FEW_BLOCKS


def paired_difference(
    seatings: np.ndarray,
    payoffs: np.ndarray,
    blocks: np.ndarray,
    first: int,
    second: int,
    seed: int = 1,
    of: str = "payoff",
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Difference:
    """Return first minus second in mean payoff a seat, or in rate of wins (`of="wins"`), over blocks with both."""
    scores = payoffs if of == "payoff" else outcomes(payoffs)[0].astype(float)
    table = _by_block(seatings, scores, blocks, (first, second))
    if not len(table):
        return Difference(0.0, (-1.0, 1.0), 1.0, 0)
    kinds, counts = np.unique(table, axis=0, return_counts=True)
    mean = float(_difference(counts @ kinds))
    if len(kinds) == 1:
        return _all_alike(mean, len(table), level)
    rng = np.random.default_rng(seed)
    drawn = np.concatenate([_difference(weights @ kinds) for weights in _resampled(counts, resamples, rng)])
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    beyond = 1 + min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    return Difference(mean, (float(low), float(high)), min(1.0, 2 * beyond / (resamples + 1)), len(table))


def _by_block(seatings: np.ndarray, scores: np.ndarray, blocks: np.ndarray, pair: tuple[int, int]) -> np.ndarray:
    """Return one row a block with both agents: for each of them the sum of its scores and the number of its seats."""
    _, number = np.unique(blocks, return_inverse=True)
    columns = []
    for agent in pair:
        mine = seatings == agent
        columns.append(np.bincount(number, weights=(scores * mine).sum(axis=1)))
        columns.append(np.bincount(number, weights=mine.sum(axis=1)))
    table = np.round(np.stack(columns, axis=1), 9)  # so that equal blocks are equal whatever the order of summing
    return table[(table[:, 1] > 0) & (table[:, 3] > 0)]


def _difference(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3]


def _resampled(counts: np.ndarray, resamples: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield weights of the kinds of blocks in resamples: as many blocks, drawn with replacement."""
    blocks = int(counts.sum())
    if 8 * len(counts) < blocks:  # few kinds: draw how many of each
        yield rng.multinomial(blocks, counts / blocks, size=resamples)
        return
    kind = np.repeat(np.arange(len(counts)), counts)
    for _ in range(resamples):
        drawn = kind[rng.integers(0, blocks, blocks)]
        yield np.bincount(drawn, minlength=len(counts))[None, :]


def _all_alike(mean: float, blocks: int, level: float) -> Difference:
    """Blocks all alike leave nothing to resample: take the exact limit for what was never seen (Clopper-Pearson)."""
    unseen = 1 - ((1 - level) / 2) ** (1 / blocks)
    interval = (mean - unseen * (mean + 1), mean + unseen * (1 - mean))
    return Difference(mean, interval, min(1.0, 2 * 0.5**blocks) if mean else 1.0, blocks)
