"""Worths of nodes."""

from kibitz.core.heuristics import value
from kibitz.core.native import helper

from .rules import COUNT, SPREAD, SUM, noise

USUAL = "whole"
TOTAL = 100.0


@helper
def _whole(state, seat):
    return 1.0 + noise(state, seat, state[SPREAD])


@value(positive=True)
def whole(state, weights, seat):
    """Random whole numbers from 1 on; with a small spread there are many ties."""
    return _whole(state, seat)


@value(positive=True, total=TOTAL)
def shares(state, weights, out):
    """Random whole numbers that sum up to 100 at most."""
    total = 0.0
    for seat in range(state[COUNT]):
        total += _whole(state, seat)
    for seat in range(state[COUNT]):
        out[seat] = float(int(TOTAL * _whole(state, seat) / total))


@value()
def ordered(state, weights, out):
    """The first choice is the best for everyone: the best case of alpha-beta."""
    for seat in range(state[COUNT]):
        out[seat] = float(state[SUM])
