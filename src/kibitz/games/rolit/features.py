"""Encodings of a Rolit position for networks: colours are counted from the seat on, all neutral ones are alike."""

from kibitz.core.bits import lowest, popcount
from kibitz.core.native import helper
from kibitz.games.rolit.rules import COLOURS, COUNT, DISCS, SEAT, bit, enclosing, occupied
from kibitz.games.rolit.stability import stable_discs
from kibitz.games.rolit.values import AT_CORNER, AT_SWEET, ELSEWHERE, ON_EDGE
from kibitz.networks.encoding import encoding, symmetry

_SQUARES = 64
_NEUTRAL = COLOURS  # the kind of neutral discs; others' kinds are how many seats further they sit
_MOVER = (COLOURS + 1) * _SQUARES  # the first row of: how many seats further the seat to move sits
_STAGE = _MOVER + COLOURS  # the first row of: moves played
_MOVES = 60
LENGTH = _STAGE + _MOVES + 1
NUMBERS = 7  # of each seat in `shape`


@helper
def _further(seats, seat, other):
    """Return how many seats further another one sits."""
    return other - seat if other >= seat else other - seat + seats


@encoding(length=LENGTH, most=_SQUARES + 2)
def discs(view, seat, out):
    """The colour of the disc on every square, whose turn it is, and how many moves were played."""
    n = 0
    for colour in range(COLOURS):
        kind = _further(view[COUNT], seat, colour) if colour < view[COUNT] else _NEUTRAL
        left = view[DISCS + colour]
        while left != 0:
            square = lowest(left)
            left ^= bit(square)
            out[n] = kind * _SQUARES + square
            n += 1
    out[n] = _STAGE + popcount(occupied(view)) - COLOURS
    if view[SEAT] < 0:
        return n + 1
    out[n + 1] = _MOVER + _further(view[COUNT], seat, view[SEAT])
    return n + 2


@encoding(length=COLOURS * NUMBERS + 1)
def shape(view, seat, out):
    """For each seat its discs by kind of square, the stable ones and its mobility; and how full the board is."""
    full, stable = occupied(view), stable_discs(view)
    for k in range(COLOURS * NUMBERS):
        out[k] = 0.0
    for k in range(view[COUNT]):
        own, at = view[DISCS + (seat + k) % view[COUNT]], k * NUMBERS
        loose = own & ~stable
        out[at] = popcount(own) / _SQUARES
        out[at + 1] = popcount(loose & ON_EDGE)
        out[at + 2] = popcount(loose & AT_CORNER)
        out[at + 3] = popcount(loose & AT_SWEET)
        out[at + 4] = popcount(loose & ELSEWHERE)
        out[at + 5] = popcount(own & stable)
        out[at + 6] = popcount(enclosing(own, full))
    out[COLOURS * NUMBERS] = popcount(full) / _SQUARES


@symmetry
def turned(state, out):
    for colour in range(COLOURS):
        out[DISCS + colour] = state[DISCS + colour]
    for seat in range(state[COUNT]):
        out[DISCS + (seat + 1) % state[COUNT]] = state[DISCS + seat]
    out[COUNT] = state[COUNT]
    out[SEAT] = (state[SEAT] + 1) % state[COUNT]
