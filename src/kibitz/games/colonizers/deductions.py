"""What a view of Colonizers lets its seat deduce: colonists that others may hold, and where some cards must be."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.native import compiled, helper
from kibitz.games.colonizers.cards import KINDS, copies
from kibitz.games.colonizers.cells import (
    BUILDING,
    BUNDLE,
    COLONIST,
    FORESAW,
    HEAD,
    KEEP,
    LOG,
    LOGGED,
    MOST_PLACES,
    PHASE,
    SEATS_HERE,
    TAIL,
    TAPE,
    bundle_of,
    could_hold,
    is_lost,
    what_of,
)
from kibitz.games.colonizers.rules import points

LANE = 5  # bits of a card in a line of cards
IN_LANE = (1 << LANE) - 1


class Deductions(NamedTuple):
    """What can be deduced, by seat, and of the deck."""

    points: list[int]  # of a game that ends now
    may_be: list[int]  # colonists that a seat may hold, as bits; none where its colonist is known or not yet picked
    sure: list[list[int]]  # kinds of cards that a seat surely holds
    in_deck: list[tuple[int, int]]  # known cards of the deck: the place from the bottom, 1 the lowest, and the kind


def deduce(view: np.ndarray, seat: int) -> Deductions:
    """Return what a seat can deduce from its view; without a seat (NONE), `may_be` is empty."""
    out = np.empty(3 * SEATS_HERE + MOST_PLACES, dtype=np.int64)
    found = out[: _deduce(view, seat, out)].tolist()
    return Deductions(
        found[:SEATS_HERE],
        found[SEATS_HERE : 2 * SEATS_HERE],
        [_kinds(line)[:] for line in found[2 * SEATS_HERE : 3 * SEATS_HERE]],
        [(pair >> LANE, pair & IN_LANE) for pair in found[3 * SEATS_HERE :]],
    )


@lru_cache(maxsize=1 << 12)
def _kinds(line: int) -> list[int]:
    """Return the kinds of the cards in a line."""
    return [(line >> at & IN_LANE) - 1 for at in range(0, line.bit_length(), LANE)]


@compiled
def _deduce(view, viewer, out):
    """Write what can be deduced, one list after the other; return how many cells that took."""
    for seat in range(SEATS_HERE):
        out[seat] = points(view, seat)
        hidden = view[COLONIST + seat] == UNKNOWN and viewer >= 0
        out[SEATS_HERE + seat] = could_hold(view, viewer, seat) if hidden else 0
        out[2 * SEATS_HERE + seat] = _sure_line(view, view[BUNDLE + seat])
    written = 3 * SEATS_HERE
    for place in range(view[HEAD] + (2 if view[PHASE] == KEEP else 0), view[TAIL]):
        if view[TAPE + place] != UNKNOWN:
            out[written] = (view[TAIL] - place) << LANE | view[TAPE + place]
            written += 1
    return written


@helper
def _sure_line(view, bundle):
    """Return the cards that a bundle surely holds as a line: a lane a card, its kind + 1, the first one lowest."""
    line, head = np.int64(0), 0
    for at in range(LOG, LOG + 2 * view[LOGGED], 2):
        what, cards = what_of(view[at]), view[at + 1]
        drawn = 0 if what == BUILDING else 1 if what == FORESAW else 2
        first, last = view[TAPE + head], view[TAPE + head + drawn - 1]
        head += drawn
        if bundle_of(view[at]) != bundle:
            continue
        if what == BUILDING:
            line = _without(line, cards)
        elif cards != UNKNOWN:
            line = _line_of(cards)
        elif first != UNKNOWN and first == last and not is_lost(view[at]):
            line = _with(line, first)
    return line


@helper
def _with(line, kind):
    """Return a line with one card more at its end."""
    at = 0
    while line >> at:
        at += LANE
    return line | (kind + 1) << at


@helper
def _without(line, kind):
    """Return a line without the first card of a kind, if it has one."""
    at = 0
    while line >> at:
        if (line >> at & IN_LANE) == kind + 1:
            return line >> (at + LANE) << at | line & ((1 << at) - 1)
        at += LANE
    return line


@helper
def _line_of(hand):
    """Return a packed hand as a line."""
    line = np.int64(0)
    for kind in range(KINDS):
        for _ in range(copies(hand, kind)):
            line = _with(line, kind)
    return line
