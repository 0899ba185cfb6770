"""A view of Colonizers as plain data: colonies, hands, colonists, and what a seat can tell of those it cannot see."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.games.colonizers.cards import MODULES
from kibitz.games.colonizers.cells import COLONIST_NAMES, KEEP, MAX_ROUNDS, NONE, PHASE, PICK, SEATS_HERE
from kibitz.games.colonizers.notation import text_of
from kibitz.games.colonizers.reader import SeatReading, read_for

PHASE_NAMES = ("pick", "draw", "keep", "power", "build")
MODULE_NAMES = [module.name for module in MODULES]


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what a seat knows: cards are named, and hands that it does not know are None."""
    known = read_for(view, seat)
    moving = known.turn == seat
    return {
        "turn": known.turn,
        "phase": PHASE_NAMES[known.phase],
        "round": known.round,
        "most_rounds": int(view[MAX_ROUNDS]),
        "first": known.first if 0 <= known.first < SEATS_HERE else None,
        "deck": known.deck,
        "known_in_deck": [{"from_bottom": place, "module": MODULE_NAMES[kind]} for place, kind in known.in_deck],
        "drawn": _modules(known.drawn) if moving and known.phase == KEEP else None,
        "packet": _colonists(known.packet) if moving and known.phase == PICK else None,
        "seats": [_seat(other) for other in known.seats],
    }


def _seat(known: SeatReading) -> dict[str, Any]:
    """Return what the viewer knows of a seat."""
    return {
        "omnium": known.omnium,
        "colony": _modules(known.colony),
        "points": known.points,
        "held": known.held,
        "hand": None if known.hand is None else _modules(known.hand),
        "sure": _modules(known.sure),  # of the hand, where not all of it is known
        "picked": known.colonist != NONE,
        "colonist": None if known.colonist in (NONE, UNKNOWN) else COLONIST_NAMES[known.colonist],
        "revealed": known.revealed,
        "may_be": _colonists(known.may_be),
    }


def _modules(kinds: Iterable[int]) -> list[str]:
    return [MODULE_NAMES[kind] for kind in kinds]


def _colonists(colonists: Iterable[int]) -> list[str]:
    return [COLONIST_NAMES[colonist] for colonist in colonists]


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    phase = int(view[PHASE])
    return [text_of(phase, move) for move in legal]
