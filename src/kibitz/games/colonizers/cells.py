"""The cells of a Colonizers state: the position, and the past as everyone could witness it.

The log and the tape are what a seat with perfect memory knows; posterior.py samples what it cannot rule out.
"""

import numpy as np

from kibitz.core.cells import cells
from kibitz.core.native import helper
from kibitz.games.colonizers.cards import CARDS, DEAREST

SEATS_HERE = 4
HAND_LIMIT = 5
FULL_COLONY = 8
NONE = -1
NOBODY = SEATS_HERE

PICK, DRAW, KEEP, POWER, BUILD = range(5)  # phases

COLONIST_NAMES = ("visionary", "ecologist", "miner", "general", "opportunist", "spy")
COLONISTS = len(COLONIST_NAMES)
VISIONARY, ECOLOGIST, MINER, GENERAL, OPPORTUNIST, SPY = range(COLONISTS)
EVERY_COLONIST = (1 << COLONISTS) - 1

MOST_PLACES = 2 * CARDS - 1  # a draw of two puts one back, so it can happen CARDS - 1 times
MOST_ENTRIES = CARDS + FULL_COLONY * SEATS_HERE  # a draw makes the deck one card smaller

CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    PHASE=1,  # PICK, DRAW, KEEP, POWER or BUILD
    FIRST=1,  # the first seat with a full colony, or NONE; NOBODY if the rounds ran out before
    BONUS=1,  # option: the index of `exact` or `flat`
    PAID_BY=1,  # option: the index of `win`, `rank` or `points`
    MAX_ROUNDS=1,  # option: the last round there can be
    VIEWER=1,  # the seat whose view this is; NONE in the truth
    SEED=1,  # a secret from everyone: the dice that say which colonists are put away in rounds to come
    ROUND=1,  # rounds begun
    REVEALED=1,  # seats whose colonist everyone knows: bit mask
    RULED_OUT=1,  # colonists everyone knows a seat not to hold: six bits for each seat
    HEAD=1,  # the place on the tape of the top card of the deck
    TAIL=1,  # the index on the tape after the bottom card of the deck
    LOGGED=1,  # entries in the log
    OMNIUM=SEATS_HERE,
    HELD=SEATS_HERE,  # cards in hand
    BUILT=SEATS_HERE,  # modules in the colony
    WORTH=SEATS_HERE,  # their value
    COLONY=SEATS_HERE,  # the modules in the colony, packed (see cards.py)
    HAND=SEATS_HERE,  # the cards in hand, packed: a secret of those who have held it since it last drew
    COLONIST=SEATS_HERE,  # a secret of its holder until revealed; NONE before the pick
    PACKET=SEATS_HERE,  # the colonists it picked from, a bit mask: its secret; NONE before the packet came
    BUNDLE=SEATS_HERE,  # which of four bundles of cards is its hand; a swap of hands exchanges bundles
    LAST=SEATS_HERE,  # for a bundle, not a seat: the cell of its last draw in the log, or NONE
    CHANCES=SEATS_HERE,  # for a bundle: the chances to build from it since its last entry in the log (see `add_chance`)
    SEEN=2 * SEATS_HERE,  # two cells a seat: the places on the tape whose card it has seen, 0..51 and 52..102
    # The deck unrolled: place 0..51 the shuffled cards, from 52 on those put at the bottom in turn; places HEAD..TAIL-1
    # are the deck now. A place is the secret of those who saw it.
    TAPE=MOST_PLACES,
    # Two cells an entry, in order of time: what everyone saw happen (see `entry`); then the module built, or all cards
    # of the bundle after a draw: a secret of its witnesses.
    LOG=2 * MOST_ENTRIES,
)
(
    SEAT, PHASE, FIRST, BONUS, PAID_BY, MAX_ROUNDS, VIEWER, SEED, ROUND, REVEALED, RULED_OUT, HEAD, TAIL, LOGGED,
    OMNIUM, HELD, BUILT, WORTH, COLONY, HAND, COLONIST, PACKET, BUNDLE, LAST, CHANCES, SEEN, TAPE, LOG,
) = CELLS  # fmt: skip

# Entries of the log: two cards drawn and one kept; Visionary's one card; a module built.
DREW, FORESAW, BUILDING = range(3)
_SEAT_AT, _BUNDLE_AT, _WITNESSES_AT, _LOST_AT, _CHANCES_AT = 2, 4, 6, 10, 11

# A chance to build is the Omnium that there was to pay with, four bits; MOST_CHANCES of them fit beside an entry.
CHANCE_BITS = 4
CHANCE = (1 << CHANCE_BITS) - 1
MOST_CHANCES = 12
_ALL_CHANCES = (1 << CHANCE_BITS * MOST_CHANCES) - 1


@helper
def entry(what, seat, bundle, lost, chances):
    """Return the public cell of a log entry, witnessed by the seat itself; `lost` if the kept card left the game."""
    witness = (1 << seat) << _WITNESSES_AT
    happened = what | (seat << _SEAT_AT) | (bundle << _BUNDLE_AT) | witness | (lost << _LOST_AT)
    return happened | (chances << _CHANCES_AT)


@helper
def what_of(logged):
    """Return what happened."""
    return logged & 3


@helper
def bundle_of(logged):
    """Return the bundle concerned."""
    return (logged >> _BUNDLE_AT) & 3


@helper
def is_lost(logged):
    """Return whether the card kept left the game because the hand was full."""
    return (logged >> _LOST_AT) & 1


@helper
def chances_of(logged):
    """Return the chances to build from the bundle since its previous entry; a module built used the last of them."""
    return logged >> _CHANCES_AT


@helper
def add_chance(state, seat):
    """Note that a seat may build from its hand with the Omnium it has; the last MOST_CHANCES are kept."""
    at = CHANCES + state[BUNDLE + seat]
    state[at] = ((state[at] << CHANCE_BITS) | min(state[OMNIUM + seat], DEAREST)) & _ALL_CHANCES


@helper
def witnessed(logged, seat):
    """Return whether a seat has seen the bundle between this draw and its next."""
    return (logged >> (_WITNESSES_AT + seat)) & 1


@helper
def add_witness(state, bundle, seat):
    """Note that a seat sees what a bundle holds now."""
    if state[LAST + bundle] != NONE:
        state[state[LAST + bundle]] |= 1 << (_WITNESSES_AT + seat)


@helper
def see_place(state, seat, place):
    """Note that a seat has seen the card at a place on the tape."""
    state[SEEN + 2 * seat + place // CARDS] |= np.int64(1) << (place % CARDS)


@helper
def knows_hand(state, seat, other):
    """Return whether a seat knows every card in the hand of another."""
    if seat == other or state[HELD + other] == 0:
        return True
    return witnessed(state[state[LAST + state[BUNDLE + other]]], seat) != 0


@helper
def cards_in_deck(state):
    """Return how many cards the deck holds; the two to choose from are no longer in it."""
    return state[TAIL] - state[HEAD] - (2 if state[PHASE] == KEEP else 0)


@helper
def excluded(state, seat):
    """Return the colonists, a bit mask, that everyone knows a seat not to hold."""
    return (state[RULED_OUT] >> (COLONISTS * seat)) & EVERY_COLONIST


@helper
def could_hold(view, seat, other):
    """Return the colonists, a bit mask, that a seat, or the public (NONE), cannot rule out for another one by one."""
    if (view[REVEALED] >> other) & 1:
        return np.int64(1) << view[COLONIST + other]
    held = np.int64(EVERY_COLONIST)
    packet = view[PACKET + seat] if seat != NONE else np.int64(NONE)
    if packet != NONE:
        held = EVERY_COLONIST ^ packet if other < seat else packet & ~(1 << view[COLONIST + seat])
    for third in range(SEATS_HERE):
        if (view[REVEALED] >> third) & 1:
            held &= ~(1 << view[COLONIST + third])
    return held & ~excluded(view, other)
