"""Ways to tell the truth from guesses, learnt from some positions to be judged in others.

A way gives each world of a position a score, the higher the more it looks like the truth. The best columns are ways of
their own, each in the positions in which a condition on the view holds. Others add up many: all columns under all
conditions, weighed by how far the truth deviates in them, and conditional logistic regression on the best and their
products. It is conditional because the truth is one of the worlds of its own position (McFadden 1974).
"""

from dataclasses import dataclass

import numpy as np

from kibitz.core.arrays import Float32s, Floats

SINGLES = 12  # columns that are ways of their own
REGRESSORS = 60
MOST_OF_ONE = 3  # conditions for one column, among the regressors
MULTIPLIED = 12  # the regressors whose products are regressors too
RIDGES = (1.0, 30.0)  # how strongly weights are drawn to 0
THRESHOLDS = (2.0, 3.0)  # deviations below them weigh nothing
LEAST_POSITIONS = 10  # in which a column must differ between worlds
CLIP = 4.0  # standard deviations
STEPS = 4  # of Newton's method
_TINY = 1e-9


@dataclass(frozen=True)
class ColumnScale:
    """What columns are divided by; those with more than two values are also compared by how far out they lie."""

    divisors: Floats  # [column]
    spread: np.ndarray  # which columns also count squared

    @classmethod
    def of(cls, columns: Float32s) -> "ColumnScale":
        """Return the scale of columns [position, world, column]."""
        centred = columns - columns.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=(0, 1), dtype=np.float64))
        several = (columns > columns.min(axis=1, keepdims=True)) & (columns < columns.max(axis=1, keepdims=True))
        return cls(np.maximum(deviation, _TINY), np.flatnonzero(several.any(axis=(0, 1))))

    def column_of(self, at: int) -> int:
        """Return which column lies at a place on this scale, where those that count squared come last."""
        return at if at < len(self.divisors) else int(self.spread[at - len(self.divisors)])

    def applied(self, columns: Float32s) -> Float32s:
        """Return the columns on this scale, each with the mean 0 in each position, and those that count squared."""
        n = columns.shape[2]
        both = np.empty((*columns.shape[:2], n + len(self.spread)), dtype=np.float32)
        scaled = both[:, :, :n]
        np.subtract(columns, columns.mean(axis=1, keepdims=True), out=scaled)
        scaled *= (1.0 / self.divisors).astype(np.float32)
        np.clip(scaled, -CLIP, CLIP, out=scaled)
        np.square(scaled[:, :, self.spread], out=both[:, :, n:])
        both -= both.mean(axis=1, keepdims=True)
        return both


class TruthClassifier:
    """What was learnt from positions: [position, world, column] on a scale, and [position, condition]."""

    def __init__(self, scaled: Float32s, holds: Float32s):
        deviations = _deviations(scaled, holds)
        self.singles = _best(deviations, SINGLES, 1)
        self.last = abs(deviations[self.singles[-1]]) if self.singles else np.inf  # the least deviation looked at
        self._signs = np.array([np.sign(deviations[each]) for each in self.singles])
        self._all = [np.sign(deviations) * np.maximum(np.abs(deviations) - least, 0) for least in THRESHOLDS]
        self._plain = deviations[:1]
        self._regressors = _best(deviations, REGRESSORS, MOST_OF_ONE)
        inputs = self._inputs(scaled, holds)
        self._norms = np.maximum(np.sqrt((inputs**2).mean(axis=(0, 1))), _TINY)
        inputs /= self._norms
        narrow = len(self._regressors)
        self._weights = [(narrow, _fitted(inputs[:, :, :narrow], ridge)) for ridge in RIDGES]
        self._weights += [(inputs.shape[2], _fitted(inputs, ridge)) for ridge in RIDGES]

    @property
    def names(self) -> list[str]:
        """What the ways that add up many columns are called."""
        summed = [f"the numbers that deviate by {least:g} or more, all added up," for least in THRESHOLDS]
        fitted = [f"{len(weights)} numbers and products of numbers, weighed together" for _, weights in self._weights]
        return [*summed, "all numbers added up", *fitted]

    @property
    def ways(self) -> int:
        """How many ways there are."""
        return len(self.singles) + len(self._all) + 1 + len(self._weights)

    def scores(self, scaled: Float32s, holds: Float32s) -> Floats:
        """Return the score of each world in each way, first those of the singles: [position, world, way]."""
        found = [*np.moveaxis(_columns(scaled, holds, self.singles) * self._signs, 2, 0)]
        for weights in (*self._all, self._plain):
            by_position = holds[:, : len(weights)] @ weights.astype(np.float32)
            found.append(np.einsum("pwc,pc->pw", scaled, by_position))
        inputs = self._inputs(scaled, holds) / self._norms
        found += [inputs[:, :, :narrow] @ weights for narrow, weights in self._weights]
        return np.stack(found, axis=2).astype(np.float64)

    def _inputs(self, scaled: Float32s, holds: Float32s) -> Floats:
        """Return the regressors and the products of the first of them."""
        plain = _columns(scaled, holds, self._regressors)
        several = plain[:, :, :MULTIPLIED]
        one, other = np.triu_indices(several.shape[2])
        products = several[:, :, one] * several[:, :, other]
        products -= products.mean(axis=1, keepdims=True)
        return np.concatenate([plain, products], axis=2)


def _deviations(scaled: Float32s, holds: Float32s) -> Floats:
    """Return how far the truth deviates, in standard deviations, for each condition and column."""
    differs = (scaled != 0).any(axis=1)
    variance = holds.T @ (scaled**2).mean(axis=1)
    enough = (holds.T @ differs.astype(np.float32)) >= LEAST_POSITIONS
    return np.asarray(np.where(enough, holds.T @ scaled[:, 0] / np.sqrt(variance + _TINY), 0.0), dtype=np.float64)


def _best(deviations: Floats, most: int, of_one: int) -> list[tuple[int, int]]:
    """Return the conditions and columns that deviate most, only some with the same column."""
    found: list[tuple[int, int]] = []
    used: dict[int, int] = {}
    flat = np.abs(deviations).ravel()
    candidates = np.argpartition(flat, -min(len(flat), 40 * most))[-40 * most :]
    for at in candidates[np.argsort(-flat[candidates], kind="stable")]:
        condition, column = (int(each) for each in divmod(int(at), deviations.shape[1]))
        if flat[at] > 0 and used.get(column, 0) < of_one:
            used[column] = used.get(column, 0) + 1
            found.append((condition, column))
        if len(found) == most:
            break
    return found


def _columns(scaled: Float32s, holds: Float32s, chosen: list[tuple[int, int]]) -> Floats:
    """Return some columns, 0 where their conditions do not hold."""
    conditions = [condition for condition, _ in chosen]
    return np.asarray(scaled[:, :, [column for _, column in chosen]] * holds[:, None, conditions], dtype=np.float64)


def _fitted(inputs: Floats, ridge: float) -> Floats:
    """Return the weights of a conditional logistic regression that picks world 0 among all, by Newton's method."""
    weights, rows = np.zeros(inputs.shape[2]), inputs.reshape(-1, inputs.shape[2])
    for _ in range(STEPS):
        scores = inputs @ weights
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        weighed = inputs * odds[:, :, None]
        means = weighed.sum(axis=1)
        slope = (inputs[:, 0] - means).sum(axis=0) - ridge * weights
        spread = rows.T @ weighed.reshape(rows.shape) - means.T @ means
        weights += np.linalg.solve(spread + ridge * np.eye(len(weights)), slope)
    return weights
