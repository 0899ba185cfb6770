"""A view of Colonizers as plain data: colonies, hands, colonists, and what a seat can tell of those it cannot see.

Bots are sent it with every decision, so it is read from the cells directly, which is faster than by way of a Reading.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.games.colonizers.cards import MODULES, unpack
from kibitz.games.colonizers.cells import (
    COLONIST,
    COLONIST_NAMES,
    COLONY,
    EVERY_COLONIST,
    FIRST,
    HAND,
    HEAD,
    HELD,
    KEEP,
    MAX_ROUNDS,
    NONE,
    OMNIUM,
    PACKET,
    PHASE,
    PICK,
    REVEALED,
    ROUND,
    SEAT,
    SEATS_HERE,
    SEEN,
    TAPE,
)
from kibitz.games.colonizers.notation import text_of
from kibitz.games.colonizers.reader import IN_LANE, LANE, deduce, kinds_in_line

PHASE_NAMES = ("pick", "draw", "keep", "power", "build")
MODULE_NAMES = [module.name for module in MODULES]
_COLONISTS = [
    [name for colonist, name in enumerate(COLONIST_NAMES) if mask >> colonist & 1] for mask in range(EVERY_COLONIST + 1)
]


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what a seat knows: cards are named, and hands that it does not know are None."""
    cells, found = view[:SEEN].tolist(), deduce(view, seat)
    points, may_be, sure, in_deck = found[1:5], found[5:9], found[9:13], found[13:]
    phase, moving = cells[PHASE], cells[SEAT] == seat
    return {
        "turn": None if cells[SEAT] == OVER else cells[SEAT],
        "phase": PHASE_NAMES[phase],
        "round": cells[ROUND],
        "most_rounds": cells[MAX_ROUNDS],
        "first": cells[FIRST] if 0 <= cells[FIRST] < SEATS_HERE else None,
        "deck": found[0],
        "known_in_deck": [{"from_bottom": card >> LANE, "module": MODULE_NAMES[card & IN_LANE]} for card in in_deck],
        "drawn": [MODULE_NAMES[view[TAPE + cells[HEAD] + i]] for i in range(2)] if phase == KEEP and moving else None,
        "packet": _colonists(cells[PACKET + seat]) if phase == PICK and moving else None,
        "seats": [_seat(cells, other, points[other], may_be[other], sure[other]) for other in range(SEATS_HERE)],
    }


def _seat(cells: list[int], seat: int, points: int, may_be: int, sure: int) -> dict[str, Any]:
    """Return what the viewer knows of a seat."""
    colonist, hand = cells[COLONIST + seat], cells[HAND + seat]
    return {
        "omnium": cells[OMNIUM + seat],
        "colony": _modules(cells[COLONY + seat])[:],
        "points": points,
        "held": cells[HELD + seat],
        "hand": None if hand == UNKNOWN else _modules(hand)[:],
        "sure": [MODULE_NAMES[kind] for kind in kinds_in_line(sure)],  # of the hand, where not all of it is known
        "picked": colonist != NONE,
        "colonist": None if colonist in (NONE, UNKNOWN) else COLONIST_NAMES[colonist],
        "revealed": bool(cells[REVEALED] >> seat & 1),
        "may_be": _colonists(may_be),
    }


def _colonists(mask: int) -> list[str]:
    return _COLONISTS[mask & EVERY_COLONIST][:]


@lru_cache(maxsize=1 << 12)
def _modules(cards: int) -> list[str]:
    return [MODULE_NAMES[kind] for kind in unpack(cards)]


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    phase = int(view[PHASE])
    return [text_of(phase, move) for move in legal]
