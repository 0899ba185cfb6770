"""Verdicts: what a measured number says about a published one, judged by intervals of their difference.

*agrees*: the difference is shown to be smaller than a margin that was stated beforehand (two one-sided tests,
Schuirmann 1987: the 90 % interval lies within the margin). *contradicts*: it is shown to be a difference (the 95 %
interval excludes 0). *not excluded*: neither, because there are too few games. A difference that is real and smaller
than the margin agrees, and is marked as `different`.

Every interval here is a function of its level, and p is the level at which it just reaches 0, so that intervals and p
values never disagree. The interval of a difference joins the distances from the estimates to the ends of their own
intervals (Newcombe 1998, method 10; Zou and Donner 2008), so that skew remains skew. Mirror images have mirror
verdicts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import exp, hypot, inf, isfinite, log, sqrt
from typing import Literal

import numpy as np

from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.fairness import holm
from kibitz.arena.results.statistics.interval import (
    LEVEL,
    POWER,
    mean_of_blocks,
    normal_chance,
    normal_point,
    ratio_of_blocks,
    wilson,
    wilson_of_blocks,
)

Verdict = Literal["agrees", "not excluded", "contradicts"]
IntervalAt = Callable[[float], tuple[float, float]]  # by level
LEAST_P = 1e-12  # smaller p values are not told apart
ONE_ERROR = 2 * normal_chance(1.0) - 1  # the level of an interval that reaches one standard error either way
EDGE = 0.01  # a share nearer to 0 or 1 has the margin of this one
HALVINGS = 60  # of a search for a p value or a number of games: as exact as floating point


@dataclass(frozen=True)
class Gap:
    """How far a measured number is from another one, with the interval of each at any level."""

    measured: float
    published: float
    own: IntervalAt  # of the measured number
    theirs: IntervalAt  # of the published number
    rounding: float = 0.0  # the published number may be off by as much, because it is rounded
    blocks: int | None = None  # of games that the measured number comes from; None if there are none

    @property
    def value(self) -> float:
        """The measured number less the published one."""
        return self.measured - self.published

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval of the difference."""
        (low, high), (least, most) = self.own(level), self.theirs(level)
        below = hypot(self.measured - low, most - self.published) + self.rounding
        above = hypot(high - self.measured, self.published - least) + self.rounding
        return self.value - below, self.value + above

    @cached_property
    def p(self) -> float:
        """The two-sided p value of no difference: below 0.05 exactly where the interval of 95 % excludes 0."""
        if self._holds_zero(1 - LEAST_P):
            low, high = log(LEAST_P), 0.0
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                low, high = (middle, high) if self._holds_zero(1 - exp(middle)) else (low, middle)
            return exp(low)
        return LEAST_P

    def _holds_zero(self, level: float) -> bool:
        low, high = self.interval(level)
        return low <= 0 <= high

    @property
    def errors(self) -> tuple[float, float]:
        """The standard errors of the measured and of the published number, as their intervals have them."""
        (low, high), (least, most) = self.own(ONE_ERROR), self.theirs(ONE_ERROR)
        return (high - low) / 2, (most - least) / 2


@dataclass(frozen=True)
class Assessment(Row):
    """What a measured number says about a published one, or about a claim."""

    verdict: Verdict
    difference: float
    interval: tuple[float, float]  # of the difference, at the level asked for
    p: float  # of no difference, two-sided, by itself
    corrected_p: float  # the same, corrected for the number of rows judged together
    margin: float  # differences up to it are called small
    different: bool  # whether a difference is shown, however small
    # This many times as many games would show that there is no difference if there is none, or the order that is seen
    # if it is the true one, with a power of 80 %. None: told, or no number would.
    more_games: float | None
    # By what factor more games would probably show the difference seen, if it is the true one. None: likewise.
    more_games_to_differ: float | None = None


def compare(gap: Gap, margin: float, level: float = LEVEL, corrected_p: float | None = None) -> Assessment:
    """Return what a difference says, with a margin up to which it counts as small (0: none does).

    A corrected p value, where one is given, decides instead of its own whether there is a difference.
    """
    p = gap.p if corrected_p is None else corrected_p
    low, high = gap.interval(2 * level - 1)
    small, different = bool(margin > 0 and -margin <= low and high <= margin), p < 1 - level
    verdict: Verdict = "agrees" if small else "contradicts" if different else "not excluded"
    more = differ = None
    if verdict == "not excluded":
        differ = games_to_tell(gap, level, p / gap.p)
        more = games_to_agree(gap, margin, level) if margin else differ
    return Assessment(verdict, gap.value, gap.interval(level), gap.p, p, margin, different, more, differ)


def compare_table(gaps: Sequence[Gap], margins: Sequence[float], level: float = LEVEL) -> list[Assessment]:
    """Return what the rows of one table say: p values are corrected for their number by Holm's method (1979)."""
    corrected = holm([gap.p for gap in gaps])
    return [compare(gap, margin, level, p) for gap, margin, p in zip(gaps, margins, corrected, strict=True)]


def order_verdict(gap: Gap, level: float = LEVEL, corrected_p: float | None = None) -> Assessment:
    """Return what a difference says about the claim that the first number is the larger one."""
    p = gap.p if corrected_p is None else corrected_p
    different = p < 1 - level
    verdict: Verdict = "not excluded" if not different else "agrees" if gap.value > 0 else "contradicts"
    more = None if different else games_to_tell(gap, level, p / gap.p)
    return Assessment(verdict, gap.value, gap.interval(level), gap.p, p, 0.0, different, more)


def games_to_tell(gap: Gap, level: float = LEVEL, correction: float = 1.0) -> float | None:
    """Return by what factor more games would probably show a difference; None: no number would.

    It takes the difference seen for the true one; more games narrow our interval, and not the published one. A
    correction for other rows multiplies p values.
    """
    own, theirs = gap.errors
    apart = abs(gap.value) - gap.rounding
    needed = apart / (normal_point(1 - (1 - level) / 2 / correction) + normal_point(POWER))
    return max(1.0, own**2 / (needed**2 - theirs**2)) if needed > theirs and isfinite(own) else None


def games_to_agree(gap: Gap, margin: float, level: float = LEVEL) -> float | None:
    """Return by what factor more games would probably show a difference to be small if there is none.

    That does not depend on the difference seen, which is mostly chance where little is known. None: no number of games
    would, because the published number is too uncertain.
    """
    own, theirs = gap.errors
    needed = (margin - gap.rounding) / (normal_point(level) + normal_point((1 + POWER) / 2))
    return max(1.0, own**2 / (needed**2 - theirs**2)) if needed > theirs and isfinite(own) else None


def share_difference(
    wins: np.ndarray, games: np.ndarray, published: float, published_games: float | None = None, rounding: float = 0.0
) -> Gap:
    """Return how far a share, from wins and games by block, is from a published one.

    A published number of games gives the published share an error of its own, as if those games were independent;
    without it, the share is taken as exact, but for its rounding (`half_unit`).
    """
    theirs = _exactly(published) if not published_games else _independent(published, published_games)
    measured = float(wins.sum() / games.sum())
    blocks = int((games > 0).sum())
    return Gap(measured, published, lambda level: wilson_of_blocks(wins, games, level), theirs, rounding, blocks)


def mean_difference(
    sums: np.ndarray, counts: np.ndarray, published: float, published_error: float = 0.0, rounding: float = 0.0,
    least: float = -inf, most: float = inf, declared: bool = False,
) -> Gap:  # fmt: skip
    """Return how far a mean, from sums and counts by block, is from a published one with this standard error.

    `least` and `most` are what a single number must lie between, or what a game has `declared` that it lies between.
    """
    return Gap(
        float(sums.sum() / counts.sum()), published,
        lambda level: mean_of_blocks(sums, counts, level, least, most, declared) or (-inf, inf),
        _normal(published, published_error), rounding, blocks=int((counts > 0).sum()),
    )  # fmt: skip


def ratio_difference(
    sums: np.ndarray, bases: np.ndarray, published: float, rounding: float = 0.0,
    to: tuple[np.ndarray, np.ndarray] | None = None, published_error: float = 0.0,
) -> Gap:  # fmt: skip
    """Return how far a ratio of two amounts by block is from a published one, on the scale of natural logarithms.

    There a ratio and its inverse are mirror images, and a margin of ln 1.1 allows a factor of 1.1 either way. With
    `to`, the sums and bases of another ratio in the same blocks, it is the ratio of the two, such as that of two means.
    The published error is that of the logarithm.
    """
    other_sums, other_bases = to or (np.ones(len(sums)), np.ones(len(sums)))
    ratio = float(sums.sum() / bases.sum() / (other_sums.sum() / other_bases.sum()))
    ends = log(max(published - rounding, published / 2)), log(published + rounding)

    def own(level: float) -> tuple[float, float]:
        low, high = ratio_of_blocks(sums, bases, other_sums, other_bases, level) or (0.0, inf)
        return log(low) if low > 0 else -inf, log(high)

    def theirs(level: float) -> tuple[float, float]:
        low, high = _normal(0.0, published_error)(level)
        return ends[0] + low, ends[1] + high

    return Gap(log(ratio), log(published), own, theirs, blocks=int((bases > 0).sum()))


def pair_difference(
    sums: np.ndarray, counts: np.ndarray, other_sums: np.ndarray, other_counts: np.ndarray, least: float, most: float
) -> Gap:
    """Return how much larger one mean is than another in the same blocks; single numbers lie in a known range.

    In a match of two it is the share of wins by another name, and has the same verdict.
    """
    both = (counts > 0) & (other_counts > 0)
    held = np.stack([counts[both], other_counts[both]])
    earned = np.stack([sums[both], other_sums[both]])
    if not both.any():
        return Gap(0.0, 0.0, lambda level: (least - most, most - least), _exactly(0.0), blocks=0)
    means, games = earned.sum(axis=1) / held.sum(axis=1), held.mean(axis=0)
    difference = float(means[0] - means[1])
    moved = (earned - means[:, None] * held) / held.sum(axis=1, keepdims=True) * games.sum()
    apart = difference * games + moved[0] - moved[1]  # earned[0] - earned[1] where both have as many games
    return Gap(
        difference, 0.0, lambda level: mean_of_blocks(apart, games, level, least - most, most - least) or (-inf, inf),
        _exactly(0.0), blocks=len(games),
    )  # fmt: skip


def margin_of_share(published: float, margin: float) -> float:
    """Return how much a share may differ: `margin` at 50 %, and less towards 0 and 100 %, where shares vary less.

    The factor is 2√(p(1 - p)), with which equal margins are equally hard to tell (Cohen 1988, chapter 6).
    """
    p = min(max(published, EDGE), 1 - EDGE)
    return margin * 2 * sqrt(p * (1 - p))


def narrower(gap: Gap) -> float:
    """Return by which factor the margin of a published share shrinks because the true one may lie nearer to 0 or 1."""
    nearest = min(gap.theirs(LEVEL), key=lambda end: min(end, 1 - end))
    return min(1.0, margin_of_share(nearest, 1.0) / margin_of_share(gap.published, 1.0))


def half_unit(published: float | str) -> float:
    """Return half a unit in the last digit of a published number, as it is written: 0.05 for 33.6, and 0.5 for 34."""
    exponent = Decimal(str(published)).as_tuple().exponent
    return 0.5 * 10.0 ** int(exponent)


def expected_false(tests: int, level: float = LEVEL) -> float:
    """Return how many of so many tests would contradict by chance alone, if all that was published were true."""
    return tests * (1 - level)


def _exactly(number: float) -> IntervalAt:
    return lambda level: (number, number)


def _independent(share: float, games: float) -> IntervalAt:
    return lambda level: wilson(share * games, games, level)


def _normal(mean: float, error: float) -> IntervalAt:
    def interval(level: float) -> tuple[float, float]:
        reach = normal_point((1 + level) / 2) * error
        return mean - reach, mean + reach

    return interval
