"""Values of a Quarto position: the evaluations of Dreher and Zharkov (2012), section 1.4.

They count what the next piece from the pool can complete. That favours the seat that will be handed it, which is the
seat not to move: a seat that is to hand a piece gives it away, and one that is to place a piece hands over another.
"""

from kibitz.core.bits import popcount
from kibitz.core.heuristics import value
from kibitz.core.native import helper
from kibitz.games.quarto.rules import ATTRIBUTES, CLEAR, FREE, FULL, LINES, POOL, SEAT, SET, SQUARES, STANDARD_LINES

USUAL = "completing_absolute"  # the best of them, says the report

# HAVING[k] are the pieces that have attribute k, as a bit mask.
HAVING = tuple(sum(1 << piece for piece in range(16) if piece >> k & 1) for k in range(ATTRIBUTES))


@helper
def _open_threes(state, counted):
    """Return, summed over lines with one free cell, the attributes that three pieces share, times `counted` pieces."""
    lines = len(LINES) if state[SQUARES] else STANDARD_LINES
    total = 0
    for i in range(lines):
        line = LINES[i]
        if popcount(line & state[FREE]) != 1:
            continue
        for k in range(ATTRIBUTES):
            if popcount((state[SET] >> 16 * k) & line) == 3:
                total += popcount(counted & HAVING[k])
            elif popcount((state[CLEAR] >> 16 * k) & line) == 3:
                total += popcount(counted & ~HAVING[k])
    return total


@helper
def _almost_completed(state):
    # 8 of the 16 pieces have each attribute.
    return _open_threes(state, FULL) / 8.0


@helper
def _favour_receiver(state, worth, out):
    giver = max(state[SEAT], 0)
    out[giver] = -worth
    out[1 - giver] = worth


@value
def zero(state, weights, out):
    """Nothing: every unfinished position is worth the same."""
    out[0] = 0.0
    out[1] = 0.0


@value(unit="attributes", per_unit=2)
def almost_completed(state, weights, out):
    """Attributes shared by three pieces of a line whose fourth cell is free."""
    _favour_receiver(state, _almost_completed(state), out)


@value(unit="pieces", per_unit=2)
def completing_absolute(state, weights, out):
    """Pieces of the pool that complete an almost completed attribute, counted once for each."""
    _favour_receiver(state, float(_open_threes(state, state[POOL])), out)


@value(unit="shares of the pool", per_unit=2, C=1.0)
def completing_relative(state, weights, out):
    """Completing pieces divided by the pieces in the pool, times C."""
    left = popcount(state[POOL])
    worth = weights[0] * _open_threes(state, state[POOL]) / left if left else 0.0
    _favour_receiver(state, worth, out)
