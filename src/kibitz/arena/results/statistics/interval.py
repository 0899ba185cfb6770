"""The confidence interval of a rate, and how many games show a difference."""

from math import ceil, sqrt
from statistics import NormalDist

import numpy as np

from kibitz.core.errors import BadValue

POWER = 0.8  # the chance that the games needed show a difference
LEVEL = 0.95  # that an interval covers by default
LEVEL_AFTER_STOP = 0.993  # with which intervals cover 95 % although a stop rule chose the last game, by simulation


def wilson(wins: float, games: float, level: float = LEVEL) -> tuple[float, float]:
    """Return the interval of a rate by Wilson's method (1927), which holds at the edges too."""
    return _wilson(wins, games, normal_point((1 + level) / 2))


def wilson_of_blocks(wins: np.ndarray, games: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """Return the interval of a rate from wins and games by block: Wilson's, with as many games as blocks are worth.

    Games of a block share a deal. If it decides them all, a block is worth one game; how blocks differ shows how much
    more it is worth. Two imaginary blocks, one won and one lost throughout, stand for what was not seen.
    """
    total, blocks = float(games.sum()), len(games)
    if not total:
        return 0.0, 1.0
    rate, size = wins.sum() / total, total / blocks
    seen = float(((wins - rate * games) ** 2).sum()) * blocks / max(1, blocks - 1)
    alike = (seen + size**2 / 2) / (total * rate * (1 - rate) + size / 2)  # this many games tell as much as one
    return _wilson(float(wins.sum()) / alike, total / alike, student_point(max(1, blocks - 1), (1 + level) / 2))


def mean_of_blocks(sums: np.ndarray, counts: np.ndarray, level: float = LEVEL) -> tuple[float, float] | None:
    """Return the interval of a mean from sums and counts by block; None if there is only one block."""
    if len(sums) < 2:
        return None
    mean, blocks = float(sums.sum() / counts.sum()), len(sums)
    spread = float(np.sqrt(((sums - mean * counts) ** 2).sum() * blocks / (blocks - 1)) / counts.sum())
    reach = student_point(blocks - 1, (1 + level) / 2) * spread
    return mean - reach, mean + reach


def _wilson(wins: float, games: float, z: float) -> tuple[float, float]:
    if games == 0:
        return 0.0, 1.0
    rate, spread = wins / games, z**2 / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z * sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return (0.0 if wins == 0 else middle - half), (1.0 if wins == games else middle + half)


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


def student_point(freedom: int, chance: float) -> float:
    """Return the same point of Student's distribution, for a spread that is an estimate."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, chance))
