"""Pictures of positions for notebooks, each of one view only."""

from collections.abc import Callable

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.scene import svg


def common_view(game: Game, view: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return the public view, from the views of all seats: the cells that all of them see alike."""
    views = np.stack([view(seat) for seat in range(game.seats)])
    common = views[0].copy()
    common[(views != common).any(axis=0)] = UNKNOWN
    return common


def picture(game: Game, view: np.ndarray) -> str | None:
    """Return a view as SVG, or None if the game cannot draw it; a notebook then shows its text."""
    try:
        return svg(game.scene(view, []))
    except Exception:  # a scene may be the user's code; `kibitz draw` shows its errors
        return None
