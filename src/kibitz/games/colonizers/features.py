"""What a network is shown of a Colonizers position. Seats are not alike: the first picks first."""

import numpy as np

from kibitz.core.bits import lowest, popcount
from kibitz.core.native import helper
from kibitz.games.colonizers.cards import AFFORDABLE, COLOUR_NAMES, DEAREST, KINDS, PLAIN, copies, kinds_in, of_colour
from kibitz.games.colonizers.cells import (
    BUILT,
    COLONIST,
    COLONISTS,
    COLONY,
    DRAW,
    FIRST,
    FULL_COLONY,
    HAND,
    HAND_LIMIT,
    HEAD,
    HELD,
    KEEP,
    NONE,
    OMNIUM,
    PACKET,
    PHASE,
    PICK,
    POWER,
    SEAT,
    SEATS_HERE,
    SPY,
    TAPE,
    WORTH,
    cards_in_deck,
    could_hold,
)
from kibitz.games.colonizers.rules import LOOT
from kibitz.networks.encoding import encoding

_PHASES = 5
_COLOURS = len(COLOUR_NAMES)
MOST_OMNIUM = 15  # more counts as this
MOST_OF_A_COLOUR = 6
_WORTHS = 20  # a row for every four points
_WORTH_STEP = 4
MOST_LEAD = 20  # points, ahead or behind; more count as these
_DECKS = 14  # a row for every four cards of the deck
# Of each seat: Omnium, cards, modules, their value, its modules by colour, the colonists it may hold.
_CARDS = MOST_OMNIUM + 1
_MODULES = _CARDS + HAND_LIMIT + 1
_VALUE = _MODULES + FULL_COLONY + 1
_BY_COLOUR = _VALUE + _WORTHS + 1
_HOLDS = _BY_COLOUR + _COLOURS * (MOST_OF_A_COLOUR + 1)
_OF_SEAT = _HOLDS + COLONISTS
# Of the seat alone: its number; who is to move, and the phase; its cards by kind, and which it can pay; its lead over
# each other seat.
_NUMBER = SEATS_HERE * _OF_SEAT
_PHASE = _NUMBER + SEATS_HERE  # of the seat to move
_HAND = _PHASE + SEATS_HERE * _PHASES
_PAYABLE = _HAND + 2 * KINDS
_LEAD = _PAYABLE + KINDS
# The packet to pick from, the cards to keep one of, the deck, and who has a full colony first.
_PACKET = _LEAD + (SEATS_HERE - 1) * (2 * MOST_LEAD + 1)
_KEEP = _PACKET + COLONISTS
_DECK = _KEEP + 2 * KINDS
_FIRST = _DECK + _DECKS
LENGTH = _FIRST + SEATS_HERE + 2
MOST = SEATS_HERE * (4 + _COLOURS + COLONISTS) + 2 + 3 * HAND_LIMIT + SEATS_HERE - 1 + COLONISTS + 2 + 1 + 1


@helper
def _list_bits(mask, shift, at, n, out):
    """List row at + (bit >> shift) for each bit of a mask; return how many rows are listed by now."""
    while mask:
        out[n] = at + (lowest(mask) >> shift)
        mask &= mask - 1
        n += 1
    return n


@helper
def _list_seat(view, seat, who, at, n, out):
    """List what everyone sees of a seat, and the colonists that the viewer cannot rule out for it."""
    out[n] = at + min(view[OMNIUM + who], MOST_OMNIUM)
    out[n + 1] = at + _CARDS + min(view[HELD + who], HAND_LIMIT)
    out[n + 2] = at + _MODULES + min(view[BUILT + who], FULL_COLONY)
    out[n + 3] = at + _VALUE + min(view[WORTH + who] // _WORTH_STEP, _WORTHS)
    n += 4
    for colour in range(_COLOURS):
        out[n] = at + _BY_COLOUR + colour * (MOST_OF_A_COLOUR + 1)
        out[n] += min(of_colour(view[COLONY + who], colour), MOST_OF_A_COLOUR)
        n += 1
    if seat == who:
        if view[COLONIST + seat] != NONE:
            out[n] = at + _HOLDS + view[COLONIST + seat]
            n += 1
    elif view[PHASE] != PICK:
        n = _list_bits(could_hold(view, seat, who), 0, at + _HOLDS, n, out)
    return n


@helper
def _list_hand(view, seat, n, out):
    hand = view[HAND + seat]
    kinds = kinds_in(hand)
    payable = kinds & AFFORDABLE[min(view[OMNIUM + seat], DEAREST)]
    while kinds:
        kind = lowest(kinds) >> 2
        out[n] = _HAND + kind
        n += 1
        if copies(hand, kind) > 1:
            out[n] = _HAND + KINDS + kind
            n += 1
        kinds &= kinds - 1
    return _list_bits(payable, 2, _PAYABLE, n, out)


@helper
def _list_choice(view, seat, n, out):
    """List what only the seat to move sees: the packet, or the two cards of which it keeps one."""
    if view[PHASE] == PICK:
        return _list_bits(view[PACKET + seat], 0, _PACKET, n, out)
    if view[PHASE] == KEEP:
        one, other = view[TAPE + view[HEAD]], view[TAPE + view[HEAD] + 1]
        out[n] = _KEEP + one
        out[n + 1] = _KEEP + other + (KINDS if one == other else 0)
        n += 2
    return n


@encoding(length=LENGTH, most=MOST)
def holdings(view, seat, out):
    """What each seat owns and may be, the seat's own cards and choices, and how far it is ahead."""
    n = 0
    for k in range(SEATS_HERE):
        who = (seat + k) % SEATS_HERE
        n = _list_seat(view, seat, who, k * _OF_SEAT, n, out)
        if k > 0:
            lead = min(max(view[WORTH + seat] - view[WORTH + who], -MOST_LEAD), MOST_LEAD)
            out[n] = _LEAD + (k - 1) * (2 * MOST_LEAD + 1) + MOST_LEAD + lead
            n += 1
    out[n] = _NUMBER + seat
    out[n + 1] = _PHASE + (view[SEAT] - seat) % SEATS_HERE * _PHASES + view[PHASE]
    n = _list_hand(view, seat, n + 2, out)
    if view[SEAT] == seat:
        n = _list_choice(view, seat, n, out)
    out[n] = _DECK + cards_in_deck(view) // 4
    first = view[FIRST]
    out[n + 1] = _FIRST
    if 0 <= first < SEATS_HERE:
        out[n + 1] += 1 + (first - seat) % SEATS_HERE
    return n + 2


# What decides the next move, for quick policies. Each phase has separate rows, so that a network without hidden layers
# can tell phases apart: modules of the seat; of the largest other colony; Omnium and cards jointly; modules by
# colour; cards that can be paid.
_LAST_OMNIUM = 12
_LAST_OF_A_COLOUR = 4
_LARGEST = FULL_COLONY + 1
_MEANS = _LARGEST + FULL_COLONY + 1
_COLOUR = _MEANS + (_LAST_OMNIUM + 1) * (HAND_LIMIT + 1)
_PAID = _COLOUR + PLAIN * (_LAST_OF_A_COLOUR + 1)
_OF_PHASE = _PAID + KINDS
# To pick: the most Omnium and the most cards of another seat. To use a power: what naming a colonist brings, and how
# many others the seat hit might hold. To draw: the colonist.
_MOST_OMNIUM = _PHASES * _OF_PHASE
_MOST_CARDS = _MOST_OMNIUM + MOST_OMNIUM + 1
_TARGETS = _MOST_CARDS + HAND_LIMIT + 1
_GAINS = 4
_DOUBTS = COLONISTS - 1
_OF_TARGET = _GAINS * _DOUBTS
_DRAWS_AS = _TARGETS + 2 * COLONISTS * _OF_TARGET
CHOICE_LENGTH = _DRAWS_AS + COLONISTS
CHOICE_MOST = 3 + PLAIN + HAND_LIMIT + COLONISTS


@helper
def _target(view, seat, named, spying):
    """Return the row for naming a colonist, by the seat that would bring most; NONE if none brings anything."""
    best, row = 0, NONE
    for other in range(SEATS_HERE):
        gain = view[HELD + other] - view[HELD + seat] if spying else min(view[OMNIUM + other], LOOT)
        if other == seat or gain <= 0:
            continue
        held = could_hold(view, seat, other)
        doubt = popcount(held) - 1
        if (held >> named) & 1 and gain * COLONISTS - doubt > best:
            best = gain * COLONISTS - doubt
            row = (min(gain, _GAINS) - 1) * _DOUBTS + min(doubt, _DOUBTS - 1)
    return row


@helper
def _list_targets(view, seat, n, out):
    """List what naming each colonist may bring."""
    spying = view[COLONIST + seat] == SPY
    at = _TARGETS + (COLONISTS * _OF_TARGET if spying else 0)
    for named in range(COLONISTS):
        row = _target(view, seat, named, spying)
        if row != NONE:
            out[n] = at + named * _OF_TARGET + row
            n += 1
    return n


@helper
def _most_of_others(view, cells, seat):
    """Return the most that another seat has of something."""
    most = np.int64(0)
    for other in range(SEATS_HERE):
        if other != seat:
            most = max(most, view[cells + other])
    return most


@helper
def _list_means(view, seat, at, out):
    """List colonies, Omnium and cards for one phase."""
    paid = min(view[OMNIUM + seat], _LAST_OMNIUM)
    out[0] = at + min(view[BUILT + seat], FULL_COLONY)
    out[1] = at + _LARGEST + min(_most_of_others(view, BUILT, seat), FULL_COLONY)
    out[2] = at + _MEANS + paid * (HAND_LIMIT + 1) + min(view[HELD + seat], HAND_LIMIT)
    n = 3
    for colour in range(PLAIN):
        out[n] = at + _COLOUR + colour * (_LAST_OF_A_COLOUR + 1)
        out[n] += min(of_colour(view[COLONY + seat], colour), _LAST_OF_A_COLOUR)
        n += 1
    return _list_bits(kinds_in(view[HAND + seat]) & AFFORDABLE[paid], 2, at + _PAID, n, out)


@encoding(length=CHOICE_LENGTH, most=CHOICE_MOST)
def choice(view, seat, out):
    """What a quick policy goes by, phase by phase: Omnium, cards, colours, colonies, and what a power may bring."""
    phase = view[PHASE]
    n = _list_means(view, seat, phase * _OF_PHASE, out)
    if phase == PICK:
        out[n] = _MOST_OMNIUM + min(_most_of_others(view, OMNIUM, seat), MOST_OMNIUM)
        out[n + 1] = _MOST_CARDS + min(_most_of_others(view, HELD, seat), HAND_LIMIT)
        n += 2
    elif phase == DRAW and view[COLONIST + seat] != NONE:
        out[n] = _DRAWS_AS + view[COLONIST + seat]
        n += 1
    elif phase == POWER and view[SEAT] == seat:
        n = _list_targets(view, seat, n, out)
    return n
