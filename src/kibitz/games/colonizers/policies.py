"""Quick policies for Colonizers: the rules of thumb of the thesis (figure 4.2)."""

import numpy as np

from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.dice import below
from kibitz.core.heuristics import policy
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.colonizers.cards import (
    AFFORDABLE,
    BLUE,
    COSTS,
    DEAREST,
    GREEN,
    PLAIN,
    RED,
    VALUES,
    copies,
    of_colour,
)
from kibitz.games.colonizers.cells import (
    BUILD,
    BUILT,
    COLONIST,
    COLONY,
    DRAW,
    ECOLOGIST,
    FULL_COLONY,
    HAND,
    HELD,
    NONE,
    OMNIUM,
    OPPORTUNIST,
    PACKET,
    PHASE,
    PICK,
    POWER,
    SEAT,
    SEATS_HERE,
    VISIONARY,
    could_hold,
)
from kibitz.games.colonizers.rules import NOTHING, TAKE_MODULES, TAKE_OMNIUM, choices

AGENTS = {
    "champion": "ismcts(seconds=1, observer=multi, c=1.5, cut=30, policy=net(quick, temperature=0.25), "
    "prior=net(quick), value=net(champion))",
}
LEVELS = {
    "beginner": "heuristic",
    "club": "ismcts(iterations=300)",
    "strong": "champion",
}

MANY_OF_A_COLOUR = 3
FEW_CARDS = 1
MANY_CARDS = 4
ENDING = FULL_COLONY - 1  # a colony of this size means that the game will end soon
LARGE = 5

BY_HAND = 1  # rule5=hand
ONE_COLOUR = 0xFFFF  # the bits of a colour in a packed hand, from those of the first on
VALUE, GAIN, SYNERGY = range(3)  # what modules are compared by


@helper
def _among(options, rng):
    return nth(options, below(rng, popcount(options)))


@helper
def _best(view, kinds, by, rng):
    """Return one of the best of some modules (bit 4k for kind k) as a move; NONE if none is any good."""
    colony = view[COLONY + view[SEAT]]
    best, worth, equal = NONE, np.int64(0), 0
    while kinds:
        bit = lowest(kinds)
        kinds &= kinds - 1
        kind = bit >> 2
        if by == SYNERGY:
            own = of_colour(colony, kind >> 2) if kind >> 2 != PLAIN else np.int64(0)
        else:
            own = VALUES[kind] - (COSTS[kind] if by == GAIN else 0)
        if own > worth or (by != SYNERGY and best == NONE):
            best, worth, equal = bit, own, 1
        elif own == worth and best != NONE:
            equal += 1
            if below(rng, equal) == 0:
                best = bit
    return best


@helper
def _favourite(view):
    """Return the colour with most modules built; ties go to red, then to green."""
    colony = view[COLONY + view[SEAT]]
    best = RED
    for colour in (GREEN, BLUE):
        if of_colour(colony, colour) > of_colour(colony, best):
            best = colour
    return best


@helper
def _any_card(view, modules, rng):
    """Choose among all cards of some kinds in hand, and nothing."""
    cards = view[HAND + view[SEAT]]
    left, kinds = np.int64(1), modules
    while kinds:
        left += copies(cards, lowest(kinds) >> 2)
        kinds &= kinds - 1
    left = below(rng, left)
    while modules:
        left -= copies(cards, lowest(modules) >> 2)
        if left < 0:
            return lowest(modules)
        modules &= modules - 1
    return NOTHING


@helper
def _module(view, by_hand, rng):
    """Choose the module to keep or to build."""
    seat, options = view[SEAT], choices(view)
    modules = options & ~(np.int64(1) << NOTHING)
    affordable = modules & AFFORDABLE[min(view[OMNIUM + seat], DEAREST)]
    ending = False
    for other in range(SEATS_HERE):
        ending |= view[BUILT + other] >= ENDING
    move = NONE
    if ending:
        move = _best(view, affordable, VALUE, rng)
    if move == NONE and (view[HELD + seat] if by_hand else view[BUILT + seat]) >= LARGE:
        move = _best(view, affordable, GAIN, rng)
    if move == NONE and by_hand:
        move = _best(view, affordable & (np.int64(ONE_COLOUR) << (16 * _favourite(view))), GAIN, rng)
    elif move == NONE:
        move = _best(view, modules, SYNERGY, rng)
    if move != NONE:
        return move
    return _any_card(view, modules, rng) if by_hand and view[PHASE] == BUILD else _among(options, rng)


@helper
def _colonist(view, packet, by_hand):
    """Return the colonist of the colour with most modules, if there are many; NONE if it cannot be picked."""
    colony = view[COLONY + view[SEAT]]
    best, most = NONE, MANY_OF_A_COLOUR - 1
    if by_hand:
        colour = _favourite(view)
        return ECOLOGIST + colour if of_colour(colony, colour) > most and packet >> (ECOLOGIST + colour) & 1 else NONE
    for colour in range(PLAIN):
        built = of_colour(colony, colour)
        if built > most and (packet >> (ECOLOGIST + colour)) & 1:
            best, most = ECOLOGIST + colour, built
    return best


@helper
def _pick(view, by_hand, rng):
    """Choose the colonist of a colour with many modules, or Visionary with few cards."""
    seat = view[SEAT]
    packet = view[PACKET + seat]
    best = _colonist(view, packet, by_hand)
    if best != NONE:
        return best
    if view[HELD + seat] <= FEW_CARDS and packet & (1 << VISIONARY):
        return VISIONARY
    return _among(packet, rng)


@helper
def _draw(view, rng):
    """Choose between Omnium and modules."""
    seat = view[SEAT]
    if view[OMNIUM + seat] == 0 or view[HELD + seat] >= MANY_CARDS:
        return TAKE_OMNIUM
    if view[HELD + seat] == 0:
        return TAKE_MODULES
    return _among(choices(view), rng)


@helper
def _possible(view, other, by_hand):
    """Return the colonists, a bit mask, that another seat may hold; the program knew those it had passed on."""
    seat = view[SEAT]
    if by_hand and other > seat:
        return view[PACKET + seat] & ~(1 << view[COLONIST + seat])
    return could_hold(view, seat, other)


@helper
def _power(view, by_hand, rng):
    """Rob the seat with most to take, or swap with one that holds more cards, less the doubt about its colonist."""
    seat = view[SEAT]
    robbing = view[COLONIST + seat] == OPPORTUNIST
    best, worth, equal = NONE, np.int64(0), 0
    for other in range(SEATS_HERE):
        if other == seat:
            continue
        doubt = popcount(_possible(view, other, by_hand)) - 1
        own = (view[OMNIUM + other] if robbing else 2 * (view[HELD + other] - view[HELD + seat])) - doubt
        if (robbing and best == NONE) or own > worth:
            best, worth, equal = other, own, 1
        elif own == worth and best != NONE and not by_hand:
            equal += 1
            if below(rng, equal) == 0:
                best = other
    return _among(_possible(view, best, by_hand), rng) if best != NONE else NOTHING


@policy(rule5=Option("modules", "figure 4.2 as it says, or as programmed: cards in hand", choices=("modules", "hand")))
def heuristic(view, weights, rng):
    """The thesis's rules of thumb; rule5=hand as its program had them, with cards in hand where they say modules."""
    phase, by_hand = view[PHASE], weights[0] == BY_HAND
    if phase == PICK:
        return _pick(view, by_hand, rng)
    if phase == DRAW:
        return _draw(view, rng)
    if phase == POWER:
        return _power(view, by_hand, rng)
    return _module(view, by_hand, rng)
