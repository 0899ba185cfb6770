"""What a hand seems worth."""

from kibitz.core.heuristics import value

from .rules import CARD

USUAL = "hand"


@value()
def hand(state, weights, out):
    """The card of each seat."""
    out[0], out[1] = float(state[CARD]), float(state[CARD + 1])
