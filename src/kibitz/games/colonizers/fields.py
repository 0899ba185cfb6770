"""A view of Colonizers as plain data: colonies, hands, colonists, and what a seat can tell of those it cannot see."""

from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.games.colonizers.cards import MODULES, unpack
from kibitz.games.colonizers.cells import (
    BUILDING,
    BUNDLE,
    COLONIST,
    COLONIST_NAMES,
    COLONY,
    FIRST,
    FORESAW,
    HAND,
    HEAD,
    HELD,
    KEEP,
    LOG,
    LOGGED,
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
    TAIL,
    TAPE,
    bundle_of,
    could_hold,
    is_lost,
    what_of,
)
from kibitz.games.colonizers.rules import points

PHASE_NAMES = ("pick", "draw", "keep", "power", "build")
MODULE_NAMES = [module.name for module in MODULES]


def fields(view: np.ndarray, seat: int) -> dict[str, Any]:
    """Return what a seat knows: cards are named, those of hands it does not know are None."""
    cells = view[: LOG + 2 * int(view[LOGGED])].tolist()
    phase, moving = cells[PHASE], cells[SEAT] == seat
    top = cells[HEAD] + (2 if phase == KEEP else 0)
    deck = range(top, cells[TAIL])
    sure = _sure(cells)
    return {
        "turn": None if cells[SEAT] == OVER else cells[SEAT],
        "phase": PHASE_NAMES[phase],
        "round": cells[ROUND],
        "most_rounds": cells[MAX_ROUNDS],
        "first": cells[FIRST] if 0 <= cells[FIRST] < SEATS_HERE else None,
        "deck": len(deck),
        "known_in_deck": [
            {"from_bottom": cells[TAIL] - place, "module": MODULE_NAMES[cells[TAPE + place]]}
            for place in deck
            if cells[TAPE + place] != UNKNOWN
        ],
        "drawn": [MODULE_NAMES[cells[TAPE + cells[HEAD] + i]] for i in range(2)] if phase == KEEP and moving else None,
        "packet": _colonists(cells[PACKET + seat]) if phase == PICK and moving else None,
        "seats": [_seat(view, cells, seat, other, sure[other]) for other in range(SEATS_HERE)],
    }


def _seat(view: np.ndarray, cells: list[int], viewer: int, seat: int, sure: list[int]) -> dict[str, Any]:
    """Return what the viewer knows of a seat."""
    colonist, hand = cells[COLONIST + seat], cells[HAND + seat]
    return {
        "omnium": cells[OMNIUM + seat],
        "colony": _modules(cells[COLONY + seat])[:],
        "points": int(points(view, seat)),
        "held": cells[HELD + seat],
        "hand": None if hand == UNKNOWN else _modules(hand)[:],
        "sure": [MODULE_NAMES[kind] for kind in sure],  # of the hand, where it is not known as a whole
        "picked": colonist != NONE,
        "colonist": None if colonist in (NONE, UNKNOWN) else COLONIST_NAMES[colonist],
        "revealed": bool(cells[REVEALED] >> seat & 1),
        "may_be": _colonists(int(could_hold(view, viewer, seat))) if colonist == UNKNOWN else [],
    }


_kinds = lru_cache(maxsize=1 << 12)(unpack)


@lru_cache(maxsize=1 << 12)
def _modules(cards: int) -> list[str]:
    return [MODULE_NAMES[kind] for kind in unpack(cards)]


def _colonists(mask: int) -> list[str]:
    return [name for colonist, name in enumerate(COLONIST_NAMES) if mask >> colonist & 1]


@lru_cache(maxsize=1 << 12)
def _entry(logged: int) -> tuple[int, int, bool]:
    """Return what an entry of the log says: what happened, with which bundle, and whether the kept card was lost."""
    return int(what_of(logged)), int(bundle_of(logged)), bool(is_lost(logged))


def _sure(cells: list[int]) -> list[list[int]]:
    """Return for each seat the cards that the viewer is sure it holds."""
    sure: list[list[int]] = [[] for _ in range(SEATS_HERE)]
    head = 0
    for at in range(LOG, LOG + 2 * cells[LOGGED], 2):
        logged, cards = cells[at], cells[at + 1]
        what, bundle, lost = _entry(logged)
        held = sure[bundle]
        if what == BUILDING:
            if cards in held:
                held.remove(cards)
            continue
        drawn = cells[TAPE + head : TAPE + head + (1 if what == FORESAW else 2)]
        head += len(drawn)
        if cards != UNKNOWN:
            held[:] = _kinds(cards)
        elif UNKNOWN not in drawn and len(set(drawn)) == 1 and not lost:
            held.append(drawn[0])
    return [sure[cells[BUNDLE + seat]] for seat in range(SEATS_HERE)]
