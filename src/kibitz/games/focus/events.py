"""What can be counted in games of Focus: captures, pieces put in reserve and placed, turns passed over."""

from collections.abc import Iterator

import numpy as np

from kibitz.core.contract import OVER
from kibitz.games.focus.board import MOST_SEATS
from kibitz.games.focus.rules import CAPTURED, COUNT, PLACE, RESERVE, SEAT

EVENTS = {
    "captured": "pieces captured",
    "lost": "pieces lost",
    "reserved": "own pieces put in reserve",
    "placed": "pieces placed from the reserve",
    "passed": "turns passed over",
}


def events(before: np.ndarray, move: int, after: np.ndarray) -> Iterator[tuple[str, int, float]]:
    """Yield what a move did, for which seat, and how much of it."""
    seat, seats = int(before[SEAT]), int(before[COUNT])
    gained = int(after[CAPTURED + seat]) - int(before[CAPTURED + seat])
    taken = [gained >> 8 * other & 255 for other in range(MOST_SEATS)]
    placed = int(move >= PLACE)
    yield "captured", seat, sum(taken)
    for other, pieces in enumerate(taken[:seats]):
        if pieces:
            yield "lost", other, pieces
    yield "reserved", seat, int(after[RESERVE + seat]) - int(before[RESERVE + seat]) + placed
    yield "placed", seat, placed
    if after[SEAT] != OVER:
        for step in range(1, (int(after[SEAT]) - seat - 1) % seats + 1):
            yield "passed", (seat + step) % seats, 1
