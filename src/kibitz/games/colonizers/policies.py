"""Quick policies for Colonizers: the rules of thumb of the thesis (figure 4.2)."""

import numpy as np

from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.dice import below
from kibitz.core.knowledge import policy
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.colonizers.cards import AFFORDABLE, COSTS, DEAREST, PLAIN, VALUES, of_colour
from kibitz.games.colonizers.cells import (
    BUILT,
    COLONIST,
    COLONY,
    DRAW,
    ECOLOGIST,
    FULL_COLONY,
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

AGENTS = {"champion": "ismcts(seconds=1, policy=heuristic)"}  # its network is no better at equal time
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
VALUE, GAIN, SYNERGY = range(3)  # what modules are compared by


@helper
def _among(options, rng):
    return nth(options, below(rng, popcount(options)))


@helper
def _best(view, kinds, by, rng):
    """Return a best one of some modules (bit 4k for kind k) as a move; NONE if none is any good."""
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
def _module(view, large, rng):
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
    if move == NONE and large:
        move = _best(view, affordable, GAIN, rng)
    if move == NONE:
        move = _best(view, modules, SYNERGY, rng)
    return move if move != NONE else _among(options, rng)


@helper
def _pick(view, rng):
    """Choose the colonist of a colour with many modules, or Visionary with few cards."""
    seat = view[SEAT]
    packet = view[PACKET + seat]
    best, most = NONE, MANY_OF_A_COLOUR - 1
    for colour in range(PLAIN):
        built = of_colour(view[COLONY + seat], colour)
        if built > most and (packet >> (ECOLOGIST + colour)) & 1:
            best, most = ECOLOGIST + colour, built
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
def _power(view, rng):
    """Rob the seat with most to take, or swap with one that holds more cards, less the doubt about its colonist."""
    seat = view[SEAT]
    robbing = view[COLONIST + seat] == OPPORTUNIST
    best, worth, equal = NONE, np.int64(0), 0
    for other in range(SEATS_HERE):
        if other == seat:
            continue
        doubt = popcount(could_hold(view, seat, other)) - 1
        own = (view[OMNIUM + other] if robbing else 2 * (view[HELD + other] - view[HELD + seat])) - doubt
        if (robbing and best == NONE) or own > worth:
            best, worth, equal = other, own, 1
        elif own == worth and best != NONE:
            equal += 1
            if below(rng, equal) == 0:
                best = other
    return _among(could_hold(view, seat, best), rng) if best != NONE else NOTHING


@policy(rule5=Option("modules", "five of what: modules built, or cards in hand", choices=("modules", "hand")))
def heuristic(view, weights, rng):
    """The thesis's rules of thumb; rule5=hand tests five cards in hand where they say five modules built."""
    phase = view[PHASE]
    if phase == PICK:
        return _pick(view, rng)
    if phase == DRAW:
        return _draw(view, rng)
    if phase == POWER:
        return _power(view, rng)
    size = view[HELD + view[SEAT]] if weights[0] == BY_HAND else view[BUILT + view[SEAT]]
    return _module(view, size >= LARGE, rng)
