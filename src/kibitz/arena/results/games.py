"""The games of a run, as columns."""

from dataclasses import dataclass

import numpy as np

from kibitz.arena.play.reason import Reason


@dataclass(frozen=True)
class Games:
    """The games of a run, one row each, in the order of the plan."""

    numbers: np.ndarray
    blocks: np.ndarray
    seatings: np.ndarray  # by game and seat, as are the payoffs, seconds and moves
    payoffs: np.ndarray
    plies: np.ndarray
    reasons: list[Reason]
    offenders: np.ndarray
    seconds: np.ndarray  # 0 where they were not measured
    moves: np.ndarray
