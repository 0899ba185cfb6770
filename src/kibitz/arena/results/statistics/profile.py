"""The profile of a likelihood: how likely the games can be at best if one quantity has a given value.

The quantity is a weighted sum of strengths. Its interval ends where the log likelihood has fallen by half a squared
quantile (Venzon and Moolgavkar 1988), which holds at large gaps too, where standard errors do not.
"""

from dataclasses import dataclass

import numpy as np

from kibitz.arena.results.statistics.plackett_luce import PlackettLuce

STEPS = 100  # of Newton's method, at most
ENOUGH = 1e-9  # log likelihood still to be gained: a climb ends
CLOSE = 1e-6  # log likelihood by which an end may be off
FARTHEST = 60.0  # units of log strength from the top; nothing in games tells such gaps apart
LONGEST = 10.0  # the most by which a step of a climb may change a strength
WIDEN = 3.0  # the most by which a step may multiply the distance from the top


@dataclass(frozen=True)
class Prior:
    """Half a win and half a loss of some mean strengths against an average one, each weighed by `weight`."""

    means: np.ndarray  # one row each, over strengths
    weight: float

    def likelihood(self, at: np.ndarray) -> float:
        """Return its part of the log likelihood."""
        strength = self.means @ at
        return -self.weight / 2 * float((np.logaddexp(0, strength) + np.logaddexp(0, -strength)).sum())

    def gradient(self, at: np.ndarray) -> np.ndarray:
        """Return its part of the slope."""
        return -self.weight / 2 * np.tanh(self.means @ at / 2) @ self.means

    def information(self, at: np.ndarray) -> np.ndarray:
        """Return its part of minus the curvature."""
        spread = self.weight / (2 + 2 * np.cosh(self.means @ at))
        return (self.means.T * spread) @ self.means


@dataclass(frozen=True)
class Penalised:
    """The log likelihood of games, of which so many tell as much as one, with a prior."""

    games: PlackettLuce
    prior: Prior
    alike: float = 1.0

    def likelihood(self, at: np.ndarray) -> float:
        """Return the log likelihood."""
        return self.games.likelihood(at) / self.alike + self.prior.likelihood(at)

    def gradient(self, at: np.ndarray) -> np.ndarray:
        """Return its slope."""
        return self.games.gradient(at) / self.alike + self.prior.gradient(at)

    def information(self, at: np.ndarray) -> np.ndarray:
        """Return minus its curvature."""
        return self.games.information(at) / self.alike + self.prior.information(at)

    def top(self, start: np.ndarray, along: np.ndarray | None = None) -> np.ndarray:
        """Return where it is greatest: anywhere, or from `start` only along the columns of a matrix."""
        along, at = np.eye(len(start)) if along is None else along, start
        value = self.likelihood(at)
        for _ in range(STEPS):
            slope = along.T @ self.gradient(at)
            step = along @ solved(along.T @ self.information(at) @ along, slope)
            gain, size = (
                float(slope @ along.T @ step),
                min(1.0, LONGEST / max(float(np.abs(step).max(initial=0)), 1e-9)),
            )
            if gain < ENOUGH:
                break
            while (reached := self.likelihood(at + size * step)) < value + 1e-4 * size * gain:
                size /= 2
                if size < ENOUGH:
                    return at
            at, value = at + size * step, reached
        return at


def profile_ends(target: Penalised, weights: np.ndarray, start: np.ndarray, reach: float) -> tuple[float, float]:
    """Return the interval of a weighted sum of strengths: a drop of `reach`² / 2 from the top, to either side."""
    top = target.top(start)
    direction = solved(target.information(top), weights)
    spread = float(weights @ direction)
    _, _, axes = np.linalg.svd(weights[None, :])
    low, high = (
        _end(target, top, direction / spread, axes[1:].T, weights, side * min(reach * spread**0.5, FARTHEST), reach)
        for side in (-1, 1)
    )
    return low, high


def signed_root(target: Penalised, weights: np.ndarray, start: np.ndarray) -> float:
    """Return how far a weighted sum of strengths is from 0: a drop of half its square; about as standard errors."""
    top = target.top(start)
    value = float(weights @ top)
    _, _, axes = np.linalg.svd(weights[None, :])
    there = target.top(top - value * weights / float(weights @ weights), axes[1:].T)
    drop = max(target.likelihood(top) - target.likelihood(there), 0.0)
    return float(np.sign(value) * (2 * drop) ** 0.5)


def _end(
    target: Penalised, top: np.ndarray, direction: np.ndarray, along: np.ndarray, weights: np.ndarray, first: float,
    reach: float,
) -> float:  # fmt: skip
    """Return the value at one end, found by Newton's method on the root of the drop, which is nearly a line."""
    best, middle, away, at = target.likelihood(top), float(weights @ top), first, top + first * direction
    for _ in range(STEPS):
        at = target.top(at, along)
        drop = max(best - target.likelihood(at), CLOSE**2)
        slope = -float(target.gradient(at) @ weights) / float(weights @ weights) * np.sign(first)
        if abs(drop - reach**2 / 2) < CLOSE or abs(away) >= FARTHEST or slope <= 0:
            break
        step = (reach / 2**0.5 - drop**0.5) * 2 * drop**0.5 / slope
        farther = np.clip(abs(away) + step, abs(away) / WIDEN, min(WIDEN * abs(away), FARTHEST)) * np.sign(first)
        at, away = at + (farther - away) * direction, float(farther)
    return middle + away


def solved(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return the solution of a symmetric system; where a direction is not determined, nearly none of it."""
    ridge = 1e-12 * (1 + float(np.trace(matrix)))
    return np.linalg.solve(matrix + ridge * np.eye(len(matrix)), vector)
