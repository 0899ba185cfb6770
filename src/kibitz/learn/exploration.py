"""Exploration: random moves in place of those that an agent chooses (epsilon-greedy)."""

import numpy as np

from kibitz.core.dice import roll

_SIDES = 1 << 30  # of the dice


def explores(rng: np.ndarray, epsilon: float) -> bool:
    """Return whether to explore now, with a probability of epsilon."""
    return bool(roll(rng, _SIDES) < epsilon * _SIDES)
