"""What can be counted in games of Rolit: discs turned, corners taken, moves that turn nothing."""

from collections.abc import Iterator

import numpy as np

from kibitz.core.bits import popcount
from kibitz.games.rolit.rules import DISCS, SEAT, occupied, turned_by
from kibitz.games.rolit.squares import BEST, RANK

EVENTS = {"turned": "discs turned", "nothing": "moves that turn nothing", "corner": "corners taken"}


def events(before: np.ndarray, move: int, after: np.ndarray) -> Iterator[tuple[str, int, float]]:
    """Yield what a move did, for which seat, and how much of it."""
    seat = int(before[SEAT])
    turned = popcount(turned_by(before[DISCS + seat], occupied(before), move))
    yield "turned", seat, turned
    yield "nothing", seat, int(turned == 0)
    yield "corner", seat, int(RANK[move] == BEST)
