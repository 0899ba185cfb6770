"""Samples the posterior of what is hidden from a seat: a whole past, by importance resampling.

The model: the deck was shuffled, the colonist put away was drawn, and the others choose at random among their legal
moves. Each colonist of a packet is equally likely to be picked, each of two cards to be kept, and at every chance to
build each kind in hand that could be paid for, and nothing, is equally likely to be chosen. So a hand from which little
was built while there was Omnium holds few kinds that were affordable.

A candidate is a replay of the log that agrees with all that the seat saw (replay.py). All branches are replayed in
turn, and again until there are enough candidates. A candidate's importance weight is the likelihood of what was built
from its hands, times its prior, over the probability with which it was sampled. One candidate is chosen in proportion
to the weights: a little off where few candidates stand for much that is hidden, exact in the limit of many. If there
are more than MOST_BRANCHES branches, as many are sampled instead, each step in proportion to its likelihood. No
candidate is a past that the seat can rule out.
"""

import numpy as np

from kibitz.core.bits import nth, popcount
from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import below, shuffle, unit
from kibitz.core.native import helper
from kibitz.core.scratch import numbers_in, scratch
from kibitz.games.colonizers.cards import AFFORDABLE, CARDS, KINDS, card, copies, kinds_in
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
from kibitz.games.colonizers.replay import (
    BLANK,
    BRANCH,
    CHOSEN,
    COUNT,
    ENUMERATE,
    ENUMERATED,
    FACE,
    FIXED,
    KEPT,
    LEFT,
    MODE,
    ONE,
    OPEN,
    PAST_SIZE,
    POOL,
    POSSIBLE,
    REPLAYS,
    SAMPLE,
    SLOT,
    TOTAL,
    TWO,
    WEIGHT,
    WEIGHTS_SIZE,
    WIDTH,
    count_blanks,
    put_down,
    replay,
    sample_hands,
)

MOST_BRANCHES = 1024
CANDIDATES = 2  # the least number of pasts of which one is chosen
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
    """Deal what is hidden at random; return the picks, six bits a seat, or NONE if one is ruled out; and the rest."""
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
    """Fill in the tape, the log and the hands with one of at least `candidates` pasts."""
    past, weights = scratch(PAST_SIZE), numbers_in(scratch(WEIGHTS_SIZE), 0)
    past[ENUMERATED] = 0
    _start(past, weights, ENUMERATE)
    another = True
    while another:
        replay(view, past, weights, rng)
        if weights[WEIGHT] > 0.0:
            sample_hands(past, weights, rng)
            weights[WEIGHT] *= _follow_hands(view, past, False)
            _weigh(past, weights, rng)
        another = _advance(past, weights, candidates)
    for cell in range(SLOT):
        past[cell] = past[CHOSEN + cell]
    _settle(view, past, rng)
    _write(view, past)


@helper
def _start(past, weights, mode):
    past[MODE] = mode
    past[FIXED] = 0
    past[REPLAYS] = 0
    past[POSSIBLE] = 0
    weights[TOTAL] = 0.0


@helper
def _weigh(past, weights, rng):
    """Choose the past just replayed instead of the one chosen so far, in proportion to its weight."""
    past[POSSIBLE] += 1
    weights[TOTAL] += weights[WEIGHT]
    if past[POSSIBLE] == 1 or unit(rng) * weights[TOTAL] < weights[WEIGHT]:
        for cell in range(SLOT):
            past[CHOSEN + cell] = past[cell]


@helper
def _advance(past, weights, candidates):
    """Set the branches of the next replay; return whether there is one."""
    past[REPLAYS] += 1
    if past[MODE] == SAMPLE:
        past[FIXED] = 0
        return past[REPLAYS] < MOST_BRANCHES or past[POSSIBLE] == 0
    while past[FIXED] > 0 and past[BRANCH + past[FIXED] - 1] + 1 == past[WIDTH + past[FIXED] - 1]:
        past[FIXED] -= 1
    if past[FIXED] == 0:
        past[ENUMERATED] = 1
        return past[REPLAYS] < candidates
    past[BRANCH + past[FIXED] - 1] += 1
    if past[REPLAYS] == MOST_BRANCHES and past[ENUMERATED] == 0:
        _start(past, weights, SAMPLE)
    return True


@helper
def _follow_hands(view, past, write):
    """Return how likely what was built at every chance was, given all hands; or write tape, log and hands instead."""
    likelihood, head, draw = 1.0, 0, 0
    for bundle in range(SEATS_HERE):
        past[COUNT + bundle] = 0
    for at in range(LOG, LOG + 2 * view[LOGGED], 2):
        logged = view[at]
        bundle = bundle_of(logged)
        hand = past[COUNT + bundle]
        if not write:
            likelihood *= _likelihood_of_choices(hand, chances_of(logged))
        if what_of(logged) == BUILDING:
            likelihood /= copies(hand, view[at + 1])  # any of them may have been the one built
            past[COUNT + bundle] = hand - card(view[at + 1])
            continue
        if what_of(logged) == FORESAW:
            number = head if head < CARDS else put_down(past, head - CARDS)
            head += 1
        else:
            number = past[KEPT + draw]
            if write:
                view[TAPE + CARDS + draw] = past[FACE + put_down(past, draw)]
            head += 2
            draw += 1
        if is_lost(logged) == 0:
            past[COUNT + bundle] = hand + card(past[FACE + number])
        if write:
            view[at + 1] = past[COUNT + bundle]
    for bundle in range(SEATS_HERE):
        likelihood *= _likelihood_of_choices(past[COUNT + bundle], view[CHANCES + bundle])
    return likelihood


@helper
def _likelihood_of_choices(hand, chances):
    """Return the likelihood of the choices at some chances: one of the kinds that could be paid for, or nothing."""
    likelihood, kinds = 1.0, kinds_in(hand)
    while chances:
        likelihood *= ONE_OF[popcount(kinds & AFFORDABLE[chances & CHANCE])]
        chances >>= CHANCE_BITS
    return likelihood


@helper
def _settle(view, past, rng):
    """Toss a coin for every draw still open and deal the faces still left to the blank cards."""
    for draw in range(view[TAIL] - CARDS):
        if past[KEPT + draw] == OPEN:
            past[KEPT + draw] = past[(ONE if below(rng, 2) == 0 else TWO) + draw]
    count_blanks(past)
    n = 0
    for kind in range(KINDS):
        for _ in range(past[LEFT + kind]):
            past[POOL + n] = kind
            n += 1
    shuffle(rng, past, POOL, POOL + n)
    for number in range(CARDS):
        if past[FACE + number] == BLANK:
            n -= 1
            past[FACE + number] = past[POOL + n]


@helper
def _write(view, past):
    """Write the past into the view."""
    for number in range(CARDS):
        view[TAPE + number] = past[FACE + number]
    _follow_hands(view, past, True)
    for seat in range(SEATS_HERE):
        view[HAND + seat] = past[COUNT + view[BUNDLE + seat]]
