"""Confidence intervals of shares, means and ratios, from blocks of games, and how many games show a difference.

Games of a block share a deal, so blocks are independent and games are not. What a share is worth is told by its design
effect: how many games tell as much as one (Kish 1965). It lies near 0 where every deal ends alike, at 1 where games are
independent, and at the size of a block where a deal decides them all. How blocks differ shows it, but few blocks, or
few wins, show little. So a prior guess is added that weighs as much as a few wins: every correlation between none and
total is equally likely, so the effect is (1 + size) / 2 on average, and as uncertain as a variance from 6 degrees of
freedom. Both parts are added as Welch and Satterthwaite (1946) add variances, which gives the degrees of freedom of
Student's quantile. No block can be worth less than one game, which limits how wide an interval is.

Where all blocks have the same rate (0 of 240 games, say) only the guess is left: the interval ends where as many games
as blocks are worth would all have ended alike with a chance of 5 %.

The guess counts in units of the range: of a win, or of places. A range that a game only declares for its payoffs says
nothing about what is usual in it, so it stands for what was not seen only as long as there are few blocks.
"""

from math import asinh, ceil, exp, inf, sqrt
from statistics import NormalDist

import numpy as np

from kibitz.core.errors import BadValue

POWER = 0.8  # the chance that the games needed show a difference
LEVEL = 0.95  # that an interval covers by default
LEVEL_AFTER_STOP = 0.988  # with which intervals cover 95 % although a stop rule chose the last game, by simulation
# What the prior guess of a design effect weighs, in wins, for blocks of one game, and how that grows with their size: a
# heavier one makes intervals of independent games too wide, a lighter one those of correlated games too narrow. Chosen
# by the simulations of `kibitz.bench.coverage`.
PRIOR_WINS, PRIOR_GROWTH = 0.1, 0.75
ALIKE = 1e-12  # rates of blocks that are closer do not differ
LEAST_BLOCKS = 5  # below it nothing is concluded: deals that decide all their games may end alike by chance
FEW_BLOCKS = 20  # below it the range of payoffs stands for what was not seen
PRIOR_FREEDOM = 6  # of a guess spread evenly: its variance is a third of its squared mean


def wilson(wins: float, games: float, level: float = LEVEL) -> tuple[float, float]:
    """Return the interval of a rate by Wilson's method (1927), which holds at the edges too."""
    return _wilson(wins / games, normal_point((1 + level) / 2) ** 2 / games) if games else (0.0, 1.0)


def wilson_of_blocks(
    wins: np.ndarray, games: np.ndarray, level: float = LEVEL, times: np.ndarray | None = None
) -> tuple[float, float]:
    """Return the interval of a rate from wins and games by block: Wilson's, with as many games as blocks are worth.

    Wins may be parts of a win: a payoff from 0 to 1 is one. Each block counts as often as `times` says, or once.
    """
    times = np.ones(len(games)) if times is None else times
    wins, games, times = wins[games > 0], games[games > 0], times[games > 0]
    total, blocks = float((games * times).sum()), int(times.sum())
    if not blocks:
        return 0.0, 1.0
    size, rate = float((games**2 * times).sum()) / total, min(1.0, max(0.0, float((wins * times).sum()) / total))
    guess, chance = (1 + size) / 2, (1 + level) / 2
    if blocks == 1:
        return _wilson(rate, guess * student_point(PRIOR_FREEDOM, chance) ** 2 / total)
    unseen = blocks / (blocks - 1)
    if np.ptp(wins / games) < ALIKE:
        reach = 1 - (1 - level) ** min(guess * unseen / total, size / total)
        return rate * (1 - reach), rate + (1 - rate) * reach
    weight = PRIOR_WINS * size**PRIOR_GROWTH * unseen**2
    seen, held = float(((wins - rate * games) ** 2 * times).sum()) * unseen, weight * guess
    effect = (seen + held) / (total * rate * (1 - rate) + weight)
    freedom = (seen + held) ** 2 / (seen**2 / (blocks - 1) + held**2 / PRIOR_FREEDOM)
    widest = size * unseen * normal_point(chance) ** 2
    return _wilson(rate, min(effect * student_point(freedom, chance) ** 2, widest) / total)


def mean_in_range(
    sums: np.ndarray, counts: np.ndarray, least: float, most: float, level: float = LEVEL,
    times: np.ndarray | None = None,
) -> tuple[float, float]:  # fmt: skip
    """Return the interval of a mean payoff, from sums and counts by block, where payoffs lie between two bounds.

    From 0 to 1 payoffs are wins and parts of them, and the mean is a share. Any other range is what a game declares.
    Each block counts as often as `times` says, or once.
    """
    found = mean_of_blocks(sums, counts, level, least, most, (least, most) != (0, 1), times)
    return found or (least, most)


def mean_of_blocks(
    sums: np.ndarray, counts: np.ndarray, level: float = LEVEL, least: float = -inf, most: float = inf,
    declared: bool = False, times: np.ndarray | None = None,
) -> tuple[float, float] | None:  # fmt: skip
    """Return the interval of a mean from sums and counts by block; None if one block cannot tell.

    Numbers between a `least` and a `most` have the interval of a rate: the mean is so much of the way from one to the
    other. If both are only `declared`, that is so with few blocks and where none differ; from 20 blocks on the interval
    does not depend on them. Numbers of at least 0 have the interval of a ratio, which is never negative; if all are 0,
    that of a rate that is 0. All others have Student's.
    """
    times = np.ones(len(counts)) if times is None else times
    sums, counts, times = sums[counts > 0], counts[counts > 0], times[counts > 0]
    blocks = int(times.sum())
    if least > -inf and most < inf:
        if declared and blocks >= FEW_BLOCKS and np.ptp(sums / counts) > ALIKE * (most - least):
            low, high = _student(sums, counts, level, times)
            return max(least, low), min(most, high)
        low, high = wilson_of_blocks((sums - least * counts) / (most - least), counts, level, times)
        return least + low * (most - least), least + high * (most - least)
    if least == 0 and not sums.any():
        return wilson_of_blocks(sums, counts, level, times)
    if blocks < 2:
        return None
    if least == 0:
        return ratio_of_blocks(sums, counts, np.ones(blocks), np.ones(blocks), level)
    return _student(sums, counts, level, times)


def _student(sums: np.ndarray, counts: np.ndarray, level: float, times: np.ndarray) -> tuple[float, float]:
    """Return Student's interval of a mean by block."""
    blocks, total = int(times.sum()), float((counts * times).sum())
    mean = float((sums * times).sum()) / total
    spread = float(((sums - mean * counts) ** 2 * times).sum()) * blocks / (blocks - 1)
    reach = student_point(blocks - 1, (1 + level) / 2) * sqrt(spread) / total
    return mean - reach, mean + reach


def ratio_of_blocks(
    sums: np.ndarray, counts: np.ndarray, other_sums: np.ndarray, other_counts: np.ndarray, level: float = LEVEL
) -> tuple[float, float] | None:
    """Return the interval of the ratio of two positive means, both by block; None if one block, or a 0, cannot tell.

    What makes blocks long for both cancels. On a scale of logarithms the interval reaches equally far either way, so
    the inverse ratio has the inverse interval; it is the score interval of a count, as Wilson's where rates are low.
    """
    blocks = len(sums)
    if blocks < 2 or not sums.sum() > 0 or not other_sums.sum() > 0:
        return None
    ratio = float(sums.sum() / counts.sum() / (other_sums.sum() / other_counts.sum()))
    changed = _left_out(sums, counts) - _left_out(other_sums, other_counts)
    error = sqrt(float((changed**2).sum()) * (blocks - 1) / blocks)
    factor = exp(2 * asinh(student_point(blocks - 1, (1 + level) / 2) * error / 2))
    return ratio / factor, ratio * factor


def _left_out(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return by how much the logarithm of a mean falls if a block is left out (jackknife), to the second order."""
    part, share = sums / sums.sum(), counts / counts.sum()
    return np.asarray((part - share) / (1 - (part + share) / 2))


def _wilson(rate: float, spread: float) -> tuple[float, float]:
    """Return Wilson's interval; `spread` is the squared quantile by game."""
    middle, half = (rate + spread / 2) / (1 + spread), sqrt(rate * (1 - rate) * spread + spread**2 / 4) / (1 + spread)
    return (0.0 if rate == 0 else middle - half), (1.0 if rate == 1 else middle + half)


def games_needed(rate: float, difference: float) -> int:
    """Return how many games show that an agent wins `rate + difference` instead of `rate`, in a two-sided test."""
    better = rate + difference
    if not (0 < rate < 1 and 0 < better < 1 and difference):
        raise BadValue(f"a rate of {rate:g} and a difference of {difference:+g} do not leave a rate between 0 and 1")
    reach = normal_point((1 + LEVEL) / 2) * sqrt(rate * (1 - rate))
    reach += normal_point(POWER) * sqrt(better * (1 - better))
    return ceil((reach / difference) ** 2)


def games_to_show(difference: float, reach: float, level: float = LEVEL) -> float:
    """Return by what factor there must be more games to show a difference whose interval reaches this far from it.

    It exceeds 1 if the interval contains 0.
    """
    return (reach / difference * (1 + normal_point(POWER) / normal_point((1 + level) / 2))) ** 2


def corrected_p(p: float, level: float) -> float:
    """Return a p value that is below 0.05 exactly where the interval of this level does not hold what p is about."""
    if level == LEVEL:
        return p
    far = -normal_point(max(p, 1e-300) / 2) * normal_point((1 + LEVEL) / 2) / normal_point((1 + level) / 2)
    return 2 * NormalDist().cdf(-far)


def normal_point(chance: float) -> float:
    """Return the point below which a standard normal variable falls with this chance."""
    return NormalDist().inv_cdf(chance)


def normal_chance(point: float) -> float:
    """Return the chance that a standard normal variable falls below a point."""
    return NormalDist().cdf(point)


def student_point(freedom: float, chance: float) -> float:
    """Return the same point of Student's distribution, for a spread that is an estimate."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, chance))
