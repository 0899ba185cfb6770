"""An exact test: is the truth just one of the worlds of each position?

If guesses are right, the worlds of a position are exchangeable, so any of them might as well have been the truth. The
scores of the truth are compared with those of worlds chosen at random, one from each position, the same for all scores;
the greatest score counts, so that comparing many costs little (Westfall and Young 1993). As many choices are tried as
it takes to be sure (Besag and Clifford 1991).
"""

import numpy as np

from kibitz.core.arrays import Floats, UInt64s
from kibitz.core.dice import below, dice
from kibitz.core.native import compiled, pointer

ENOUGH = 20  # choices that do as well as the truth settle that it is nothing special
LEAST_VARIANCE = 1e-9
_ROUNDING = 1e-9


def standardised(scores: Floats) -> Floats:
    """Return scores [position, world, score] less their mean in each position, so that sums have the variance 1."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1).sum(axis=0)
    return np.asarray(centred / np.sqrt(np.maximum(variance, LEAST_VARIANCE)))


def p_value(scores: Floats, seed: int, level: float) -> float:
    """Return the probability that chance makes one of the scores of the truth, world 0, as great as it is.

    `scores` are standardised. Tries enough choices to tell whether the probability is below `level`.
    """
    most = int(np.ceil(4 / level))
    greatest = float(scores[:, 0].sum(axis=0).max()) - _ROUNDING
    tried, as_great = _relabel(np.ascontiguousarray(scores), greatest, most, ENOUGH, dice(seed))
    return as_great / tried if as_great == ENOUGH else (as_great + 1) / (tried + 1)


@compiled
def _relabel(scores, greatest, most, enough, rng: UInt64s):
    """Choose worlds until `enough` choices have done as well; return how many were tried, and did as well."""
    positions, worlds, width = scores.shape
    sums, as_great = np.empty(width), 0
    for tried in range(most):
        sums[:] = 0.0
        for position in range(positions):
            world = below(pointer(rng), worlds)
            for column in range(width):
                sums[column] += scores[position, world, column]
        if sums.max() >= greatest:
            as_great += 1
            if as_great == enough:
                return tried + 1, as_great
    return most, as_great
