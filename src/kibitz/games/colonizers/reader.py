"""What a view of Colonizers tells: hands and colonists as far as the viewer knows them, and how the game stands."""

from typing import Any

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.native import compiled
from kibitz.games.colonizers import cells, rules
from kibitz.games.colonizers.cells import (
    BUILD,
    COLONIST,
    COLONIST_NAMES,
    COLONISTS,
    DRAW,
    EVERY_COLONIST,
    FIRST,
    HEAD,
    KEEP,
    NONE,
    PACKET,
    PHASE,
    PICK,
    POWER,
    REVEALED,
    ROUND,
    SEAT,
    SEATS_HERE,
    TAPE,
    VIEWER,
)
from kibitz.games.colonizers.deductions import deduce

VERBS = {PICK: "to pick a colonist", DRAW: "to draw", KEEP: "to keep a card", POWER: "to use power", BUILD: "to build"}


def _kept(helper: Any) -> Any:
    """Return a helper as a function of its own: for Python to call it without compiling it in every process."""
    return compiled(getattr(helper, "py_func", helper))


points, rank = map(_kept, (rules.points, rules.rank))
cards_in_deck, could_hold, excluded = map(_kept, (cells.cards_in_deck, cells.could_hold, cells.excluded))
is_lost = _kept(cells.is_lost)


def headline(view: np.ndarray) -> str:
    """Return in a few words how the game stands."""
    if view[SEAT] == OVER:
        return f"the game is over after {view[ROUND]} rounds"
    return f"round {view[ROUND]}, seat {view[SEAT] + 1} {VERBS[int(view[PHASE])]}"


def outcome(view: np.ndarray) -> str:
    """Return in words who has won a game that is over."""
    if view[FIRST] == NONE:
        return "nobody wins, for the deck ran out"
    winner = next(seat for seat in range(SEATS_HERE) if rank(view, seat) == 0)
    return f"seat {winner + 1} wins with {points(view, winner)} points"


def viewer(view: np.ndarray) -> int | None:
    """Return the seat whose view this is; None in the truth, and where not even its own packet is to be seen."""
    seat = int(view[VIEWER])
    return seat if 0 <= seat < SEATS_HERE and view[PACKET + seat] != UNKNOWN else None


def certain_cards(view: np.ndarray) -> list[list[int]]:
    """Return for each seat the cards that the viewer is sure it holds."""
    return deduce(view, NONE).sure


def known_in_deck(view: np.ndarray) -> list[tuple[int, int]]:
    """Return the cards of the deck that the viewer knows, each with its place counted from the bottom, 1 the lowest."""
    return deduce(view, NONE).in_deck


def two_cards(view: np.ndarray) -> list[int]:
    """Return the two cards to choose from, if it is the viewer who chooses."""
    top = TAPE + int(view[HEAD])
    if view[PHASE] != KEEP or view[SEAT] == OVER or view[VIEWER] not in (view[SEAT], NONE):
        return []
    drawn = [int(view[top]), int(view[top + 1])]
    return [] if UNKNOWN in drawn else drawn


def packet(view: np.ndarray) -> list[int]:
    """Return the colonists to pick from, if it is the viewer who picks."""
    if view[PHASE] != PICK or view[SEAT] == OVER or view[PACKET + view[SEAT]] == UNKNOWN:
        return []
    return [colonist for colonist in range(COLONISTS) if int(view[PACKET + view[SEAT]]) >> colonist & 1]


def colonist_word(view: np.ndarray, seat: int) -> str:
    """Return the colonist of a seat, if the viewer knows it."""
    colonist = int(view[COLONIST + seat])
    if colonist == UNKNOWN:
        return "hidden"
    return "none yet" if colonist == NONE else COLONIST_NAMES[colonist]


def possible_colonists(view: np.ndarray, seat: int) -> list[int]:
    """Return the colonists that a seat may hold, if the viewer does not know which."""
    if view[COLONIST + seat] != UNKNOWN:
        return []
    own = viewer(view)
    held = int(could_hold(view, own, seat)) if own is not None else _publicly_possible(view, seat)
    return [colonist for colonist in range(COLONISTS) if held >> colonist & 1]


def _publicly_possible(view: np.ndarray, seat: int) -> int:
    shown = sum(1 << int(view[COLONIST + other]) for other in range(SEATS_HERE) if view[REVEALED] >> other & 1)
    return EVERY_COLONIST & ~shown & ~int(excluded(view, seat))
