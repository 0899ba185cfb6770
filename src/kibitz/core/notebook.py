"""What notebooks show of positions: a picture of one view, never of more."""

from collections.abc import Callable

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.scene import svg


def common_view(game: Game, view: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return what the public sees, from the views of all seats: a cell only if every seat sees it alike."""
    views = np.stack([view(seat) for seat in range(game.seats)])
    common = views[0].copy()
    common[(views != common).any(axis=0)] = UNKNOWN
    return common


def picture(game: Game, view: np.ndarray) -> str | None:
    """Return a view as SVG; nothing where the game cannot draw it, so that a notebook shows its text instead."""
    try:
        return svg(game.scene(view, []))
    except Exception:  # a scene may be somebody's own code, and its mistakes are told by `kibitz draw`
        return None
