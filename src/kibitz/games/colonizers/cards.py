"""The cards of Colonizers: sixteen kinds of module (thesis, table 2.1), and hands and colonies packed into one number.

A hand or colony is a number with four bits for every kind: bits 4k..4k+3 count the cards of kind k. Kinds 4c..4c+3 are
of colour c, so sixteen bits hold a colour.
"""

from typing import NamedTuple

import numpy as np

from kibitz.core.native import helper

GREEN, BLUE, RED, PLAIN = range(4)
COLOUR_NAMES = ("green", "blue", "red", "plain")


class Module(NamedTuple):
    """One kind of module."""

    name: str
    cost: int
    value: int
    copies: int


MODULES = (
    Module("oxygen generator", 4, 4, 4),
    Module("water reservoir", 5, 6, 4),
    Module("hydroponics facility", 6, 8, 4),
    Module("eco-dome", 8, 11, 1),
    Module("marketplace", 2, 2, 4),
    Module("warehouse", 3, 3, 4),
    Module("quarry", 5, 6, 4),
    Module("omnium purification plant", 8, 10, 1),
    Module("garrison", 1, 1, 4),
    Module("barracks", 2, 2, 4),
    Module("military academy", 3, 3, 4),
    Module("planetary defense system", 6, 7, 1),
    Module("housing unit", 1, 1, 4),
    Module("spaceport", 4, 5, 4),
    Module("research lab", 6, 8, 4),
    Module("mass relay", 12, 16, 1),
)

KINDS = len(MODULES)
COSTS = np.array([module.cost for module in MODULES], dtype=np.int64)
VALUES = np.array([module.value for module in MODULES], dtype=np.int64)
COPIES = np.array([module.copies for module in MODULES], dtype=np.int64)
DECK = np.repeat(np.arange(KINDS, dtype=np.int64), COPIES)
CARDS = len(DECK)
DEAREST = int(COSTS.max())

# AFFORDABLE[n] has bit 4k set for each kind k that costs at most n.
AFFORDABLE = np.array(
    [sum(1 << 4 * kind for kind in range(KINDS) if COSTS[kind] <= n) for n in range(DEAREST + 1)], dtype=np.int64
)

_LOWEST_BITS = 0x1111_1111_1111_1111
_EVERY_OTHER = 0x0F0F


@helper
def card(kind):
    """Return a hand of one card."""
    return np.int64(1) << (4 * kind)


@helper
def copies(cards, kind):
    """Return how many cards of a kind there are."""
    return (cards >> (4 * kind)) & 15


@helper
def kinds_in(cards):
    """Return a mask with bit 4k set for each kind k that is there; no kind has more than seven copies."""
    return (cards | (cards >> 1) | (cards >> 2)) & _LOWEST_BITS


@helper
def of_colour(cards, colour):
    """Return how many cards of a colour there are."""
    lane = cards >> (16 * colour)
    pairs = (lane & _EVERY_OTHER) + ((lane >> 4) & _EVERY_OTHER)
    return (pairs & 15) + ((pairs >> 8) & 15)


def unpack(cards: int) -> list[int]:
    """Return the kinds of the cards, in order, for people and tests."""
    return [kind for kind in range(KINDS) for _ in range(int(cards) >> 4 * kind & 15)]
