"""What a view of Colonizers tells: hands and colonists as far as the viewer knows them, and what follows from them."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.native import compiled, helper
from kibitz.games.colonizers.cards import KINDS, copies, unpack
from kibitz.games.colonizers.cells import (
    BUILD,
    BUILDING,
    BUNDLE,
    COLONIST,
    COLONISTS,
    COLONY,
    DRAW,
    EVERY_COLONIST,
    FIRST,
    FORESAW,
    HAND,
    HEAD,
    HELD,
    KEEP,
    LOG,
    LOGGED,
    MOST_PLACES,
    NONE,
    OMNIUM,
    PACKET,
    PHASE,
    PICK,
    POWER,
    REVEALED,
    ROUND,
    RULED_OUT,
    SEAT,
    SEATS_HERE,
    SEEN,
    TAIL,
    TAPE,
    VIEWER,
    bundle_of,
    cards_in_deck,
    could_hold,
    is_lost,
    what_of,
)
from kibitz.games.colonizers.rules import points

LANE = 5  # bits of a card in a line of cards
IN_LANE = (1 << LANE) - 1
_VERBS = {PICK: "to pick a colonist", DRAW: "to draw", KEEP: "to keep a card", POWER: "to use power", BUILD: "to build"}
_COLONISTS = [[colonist for colonist in range(COLONISTS) if mask >> colonist & 1] for mask in range(EVERY_COLONIST + 1)]


class SeatReading(NamedTuple):
    """What a view tells of one seat; cards are kinds, in order."""

    omnium: int
    colony: list[int]
    points: int  # of a game that ends now
    held: int  # cards in hand
    hand: list[int] | None  # None where the viewer does not know all of it
    sure: list[int]  # cards that it surely holds
    bundle: int  # which of four bundles of cards is its hand; a swap of hands exchanges bundles
    colonist: int  # NONE before the pick, UNKNOWN where the viewer does not know it
    revealed: bool  # whether everyone knows the colonist
    may_be: list[int]  # the colonists it may hold, where the viewer does not know which


class Reading(NamedTuple):
    """What a view tells."""

    viewer: int | None  # None for the public, and for who sees everything
    turn: int | None  # the seat to move; None if the game is over
    phase: int
    round: int
    first: int  # the first seat with a full colony; NONE if there is none, NOBODY if the rounds ran out
    deck: int  # how many cards
    in_deck: list[tuple[int, int]]  # its known cards: the place from the bottom, 1 the lowest, and the kind
    drawn: list[int]  # the two cards to choose from, if it is the viewer who chooses
    packet: list[int]  # the colonists to pick from, where the viewer knows them
    ruled_out: int  # colonists everyone knows a seat not to hold: six bits for each seat
    seats: list[SeatReading]

    @property
    def headline(self) -> str:
        """How the game stands, in a few words."""
        if self.turn is None:
            return f"the game is over after {self.round} rounds"
        return f"round {self.round}, seat {self.turn + 1} {_VERBS[self.phase]}"

    @property
    def outcome(self) -> str:
        """Who has won a game that is over, in words."""
        if self.first == NONE:
            return "nobody wins, for the deck ran out"
        reached = [seat.points for seat in self.seats]  # ties go to the lower seat
        return f"seat {reached.index(max(reached)) + 1} wins with {max(reached)} points"


def read(view: np.ndarray) -> Reading:
    """Return what a view tells whoever it was made for."""
    seat = int(view[VIEWER])
    viewer = seat if 0 <= seat < SEATS_HERE and view[PACKET + seat] != UNKNOWN else None
    deck, *found = deduce(view, NONE if viewer is None else viewer)
    cells = view[:SEEN].tolist()
    turn, phase = None if cells[SEAT] == OVER else cells[SEAT], cells[PHASE]
    choosing = phase == KEEP and turn is not None and viewer in (turn, None)
    drawn = view[TAPE + cells[HEAD] :][:2].tolist() if choosing else []
    packet = cells[PACKET + turn] if phase == PICK and turn is not None else UNKNOWN
    seats = [_read_seat(cells, seat, *found[seat : 3 * SEATS_HERE : SEATS_HERE]) for seat in range(SEATS_HERE)]
    return Reading(
        viewer, turn, phase, cells[ROUND], cells[FIRST], deck,
        in_deck=[(pair >> LANE, pair & IN_LANE) for pair in found[3 * SEATS_HERE :]],
        drawn=[] if UNKNOWN in drawn else drawn,
        packet=[] if packet == UNKNOWN else _COLONISTS[packet],
        ruled_out=cells[RULED_OUT],
        seats=seats,
    )  # fmt: skip


def _read_seat(cells: list[int], seat: int, reached: int, may_be: int, sure: int) -> SeatReading:
    hand = cells[HAND + seat]
    return SeatReading(
        cells[OMNIUM + seat],
        _kinds(cells[COLONY + seat]),
        reached,
        cells[HELD + seat],
        None if hand == UNKNOWN else _kinds(hand),
        kinds_in_line(sure),
        cells[BUNDLE + seat],
        cells[COLONIST + seat],
        bool(cells[REVEALED] >> seat & 1),
        _COLONISTS[may_be],
    )


@lru_cache(maxsize=1 << 12)
def _kinds(cards: int) -> list[int]:
    return unpack(cards)


@lru_cache(maxsize=1 << 12)
def kinds_in_line(line: int) -> list[int]:
    """Return the kinds of the cards in a line."""
    return [(line >> at & IN_LANE) - 1 for at in range(0, line.bit_length(), LANE)]


def deduce(view: np.ndarray, viewer: int) -> list[int]:
    """Return the size of the deck; of each seat its points, colonists it may hold and sure cards; the known deck.

    Colonists are a bit mask, sure cards a line, and a known card of the deck is its place from the bottom << LANE and
    its kind. The viewer is a seat, or NONE for the public.
    """
    out = np.empty(1 + 3 * SEATS_HERE + MOST_PLACES, dtype=np.int64)
    return out[: _deduce(view, viewer, out)].tolist()


@compiled
def _deduce(view, viewer, out):
    out[0] = cards_in_deck(view)
    for seat in range(SEATS_HERE):
        out[1 + seat] = points(view, seat)
        hidden = view[COLONIST + seat] == UNKNOWN
        out[1 + SEATS_HERE + seat] = could_hold(view, viewer, seat) if hidden else 0
        out[1 + 2 * SEATS_HERE + seat] = _sure_line(view, view[BUNDLE + seat])
    written = 1 + 3 * SEATS_HERE
    for place in range(view[TAIL] - out[0], view[TAIL]):
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
    """Return a line with one more card at its end."""
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
