"""Guessing a past that a seat cannot rule out, every one about as likely as it should be.

What counts as likely: the deck was shuffled, the colonist put away was drawn, and the others choose blindly among their
legal moves. Each colonist of a packet is as likely to be picked, each of two cards as likely to be kept, and at every
chance to build each kind in hand that could be paid for, and nothing, is as likely to be chosen. So a hand from which
little was built while there was Omnium holds few kinds that were affordable.

The seat has lived through the log. A guess lives through it again (reliving.py).

All branches are lived through, one after the other, and again until there are enough candidates. Now that every hand of
the past is known, so is how likely its builders were to do what they did; a candidate's weight is that, times its
likelihood, over the probability with which it was drawn. One is kept in proportion to the weights. With few candidates
that is a little off where much is hidden, and exact in the limit of many. If there are more than MOST_BRANCHES
branches, as many are drawn at random, each step in proportion to its likelihood. What is kept is never a past that the
seat can rule out.
"""

import numpy as np

from kibitz.core.bits import nth, popcount
from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import below, shuffle, unit
from kibitz.core.native import helper, pointer
from kibitz.games.colonizers.cards import AFFORDABLE, CARDS, COPIES, KINDS, card, copies, kinds_in
from kibitz.games.colonizers.cells import (
    BUILDING,
    BUNDLE,
    CHANCE,
    CHANCE_BITS,
    CHANCES,
    COLONIST,
    COLONISTS,
    EVERY_COLONIST,
    FORESAW,
    HAND,
    HAND_LIMIT,
    LOG,
    LOGGED,
    NONE,
    PACKET,
    SEATS_HERE,
    TAIL,
    TAPE,
    bundle_of,
    chances_of,
    excluded,
    is_lost,
    what_of,
)
from kibitz.games.colonizers.reliving import (
    AT_RANDOM,
    BLANK,
    BRANCH,
    COUNT,
    FACE,
    FIXED,
    IN_TURN,
    KEEPSAKE,
    KEPT,
    LEFT,
    LIKELIHOOD,
    LIVED,
    MODE,
    NOTES,
    ODDS,
    ONE,
    OPEN,
    POOL,
    POSSIBLE,
    SLOT,
    SWEPT,
    TOTAL,
    TWO,
    WIDTH,
    face_hands,
    relive,
)

MOST_BRANCHES = 1024
CANDIDATES = 2  # the least number of pasts of which one is kept
ONE_OF = 1.0 / (1.0 + np.arange(HAND_LIMIT + 1))


@helper
def guess_colonists(view, seat, rng):
    """Fill in the colonists and packets that a seat has not seen."""
    picks, put_away = _deal_colonists(view, seat, rng)
    while picks == NONE:
        picks, put_away = _deal_colonists(view, seat, rng)
    packet = EVERY_COLONIST ^ (1 << put_away)
    for other in range(SEATS_HERE):
        if view[COLONIST + other] == UNKNOWN:
            view[COLONIST + other] = (picks >> (COLONISTS * other)) & EVERY_COLONIST
        if view[PACKET + other] != NONE:
            view[PACKET + other] = packet
        if view[COLONIST + other] != NONE:
            packet ^= 1 << view[COLONIST + other]


@helper
def _deal_colonists(view, seat, rng):
    """Deal what is hidden at random; return the picks, six bits a seat, or NONE if someone is known not to hold his."""
    packet = view[PACKET + seat]
    earlier = EVERY_COLONIST if packet == NONE else EVERY_COLONIST ^ packet
    later = EVERY_COLONIST ^ earlier
    for other in range(SEATS_HERE):
        if view[COLONIST + other] >= 0:
            earlier &= ~(1 << view[COLONIST + other])
            later &= ~(1 << view[COLONIST + other])
    picks = np.int64(0)
    for other in range(SEATS_HERE):
        if view[COLONIST + other] != UNKNOWN:
            continue
        among = earlier if other < seat else later
        pick = nth(among, below(rng, popcount(among)))
        if (excluded(view, other) >> pick) & 1:
            return np.int64(NONE), pick
        picks |= pick << (COLONISTS * other)
        earlier &= ~(1 << pick)
        later &= ~(1 << pick)
    return picks, nth(earlier, below(rng, popcount(earlier)))


@helper
def guess_cards(view, candidates, rng):
    """Fill in the tape, the log and the hands with one of so many pasts, or a few more."""
    _guess_cards(view, candidates, np.empty(NOTES, dtype=np.int64), np.empty(ODDS, dtype=np.float64), rng)


@helper
def _guess_cards(view, candidates, notes_, odds_, rng):
    notes, odds = pointer(notes_), pointer(odds_)
    notes[MODE] = IN_TURN
    notes[FIXED] = 0
    notes[LIVED] = 0
    notes[POSSIBLE] = 0
    notes[SWEPT] = 0
    odds[TOTAL] = 0.0
    another = True
    while another:
        relive(view, notes, odds, rng)
        if odds[LIKELIHOOD] > 0.0:
            face_hands(notes, odds, rng)
            odds[LIKELIHOOD] *= _plausibility(view, notes)
            _weigh(notes, odds, rng)
        another = _advance(notes, odds, candidates)
    for cell in range(SLOT):
        notes[cell] = notes[KEEPSAKE + cell]
    _settle(view, notes, rng)
    _write(view, notes)


@helper
def _weigh(notes, odds, rng):
    """Keep the past just lived through instead of the one kept so far, in proportion to its likelihood."""
    notes[POSSIBLE] += 1
    odds[TOTAL] += odds[LIKELIHOOD]
    if notes[POSSIBLE] == 1 or unit(rng) * odds[TOTAL] < odds[LIKELIHOOD]:
        for cell in range(SLOT):
            notes[KEEPSAKE + cell] = notes[cell]


@helper
def _advance(notes, odds, candidates):
    """Begin another past; return whether there is one."""
    notes[LIVED] += 1
    if notes[MODE] == AT_RANDOM:
        notes[FIXED] = 0
        return notes[LIVED] < MOST_BRANCHES or notes[POSSIBLE] == 0
    while notes[FIXED] > 0 and notes[BRANCH + notes[FIXED] - 1] + 1 == notes[WIDTH + notes[FIXED] - 1]:
        notes[FIXED] -= 1
    if notes[FIXED] == 0:
        notes[SWEPT] = 1
        return notes[LIVED] < candidates
    notes[BRANCH + notes[FIXED] - 1] += 1
    if notes[LIVED] == MOST_BRANCHES and notes[SWEPT] == 0:
        notes[MODE] = AT_RANDOM
        notes[FIXED] = 0
        notes[LIVED] = 0
        notes[POSSIBLE] = 0
        odds[TOTAL] = 0.0
    return True


@helper
def _plausibility(view, notes):
    """Return how likely what was built at every chance was, given all hands."""
    plausibility = 1.0
    for bundle in range(SEATS_HERE):
        notes[COUNT + bundle] = 0
    head, draw = 0, 0
    for at in range(LOG, LOG + 2 * view[LOGGED], 2):
        logged = view[at]
        bundle = bundle_of(logged)
        hand = notes[COUNT + bundle]
        plausibility *= _restraint(hand, chances_of(logged))
        if what_of(logged) == BUILDING:
            plausibility /= copies(hand, view[at + 1])  # any of them may have been the one built
            notes[COUNT + bundle] = hand - card(view[at + 1])
            continue
        if what_of(logged) == FORESAW:
            number = _number_at(notes, head)
            head += 1
        else:
            number = notes[KEPT + draw]
            head += 2
            draw += 1
        if is_lost(logged) == 0:
            notes[COUNT + bundle] = hand + card(notes[FACE + number])
    for bundle in range(SEATS_HERE):
        plausibility *= _restraint(notes[COUNT + bundle], view[CHANCES + bundle])
    return plausibility


@helper
def _restraint(hand, chances):
    """Return the likelihood of what was done at some chances: one of the kinds that could be paid for, or nothing."""
    restraint, kinds = 1.0, kinds_in(hand)
    while chances:
        restraint *= ONE_OF[popcount(kinds & AFFORDABLE[chances & CHANCE])]
        chances >>= CHANCE_BITS
    return restraint


@helper
def _number_at(notes, place):
    """Return the card at a place on the tape, once the draw that put it there is decided."""
    if place < CARDS:
        return place
    draw = place - CARDS
    return notes[ONE + draw] + notes[TWO + draw] - notes[KEPT + draw]


@helper
def _settle(view, notes, rng):
    """Toss a coin for every draw still open and deal the faces still left to the blank cards."""
    for draw in range(view[TAIL] - CARDS):
        if notes[KEPT + draw] == OPEN:
            notes[KEPT + draw] = notes[(ONE if below(rng, 2) == 0 else TWO) + draw]
    for kind in range(KINDS):
        notes[LEFT + kind] = COPIES[kind]
    for number in range(CARDS):
        if notes[FACE + number] != BLANK:
            notes[LEFT + notes[FACE + number]] -= 1
    n = 0
    for kind in range(KINDS):
        for _ in range(notes[LEFT + kind]):
            notes[POOL + n] = kind
            n += 1
    shuffle(rng, notes, POOL, POOL + n)
    for number in range(CARDS):
        if notes[FACE + number] == BLANK:
            n -= 1
            notes[FACE + number] = notes[POOL + n]


@helper
def _write(view, notes):
    """Write the past into the view."""
    for number in range(CARDS):
        view[TAPE + number] = notes[FACE + number]
    for bundle in range(SEATS_HERE):
        notes[COUNT + bundle] = 0
    head, draw = 0, 0
    for at in range(LOG, LOG + 2 * view[LOGGED], 2):
        logged = view[at]
        bundle = bundle_of(logged)
        if what_of(logged) == BUILDING:
            notes[COUNT + bundle] -= card(view[at + 1])
            continue
        if what_of(logged) == FORESAW:
            kept = view[TAPE + head]
            head += 1
        else:
            kept = notes[FACE + notes[KEPT + draw]]
            view[TAPE + CARDS + draw] = view[TAPE + head] + view[TAPE + head + 1] - kept
            head += 2
            draw += 1
        if is_lost(logged) == 0:
            notes[COUNT + bundle] += card(kept)
        view[at + 1] = notes[COUNT + bundle]
    for seat in range(SEATS_HERE):
        view[HAND + seat] = notes[COUNT + view[BUNDLE + seat]]
