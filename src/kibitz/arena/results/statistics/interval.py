"""The interval of a rate, and how many games show a difference; no heavy library, so that `match` starts at once."""

from math import ceil, sqrt
from statistics import NormalDist

from kibitz.core.errors import BadValue

POWER = 0.8  # the chance that the games needed show a difference
LEVEL = 0.95  # what an interval covers unless another level is given


def wilson(wins: float, games: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the interval of a rate by Wilson's method (1927), which holds at the edges too."""
    if games == 0:
        return 0.0, 1.0
    z = normal_point((1 + level) / 2)
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


def normal_point(chance: float) -> float:
    """Return the point below which a standard normal variable falls with this chance."""
    return NormalDist().inv_cdf(chance)
