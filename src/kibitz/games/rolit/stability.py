"""Discs of Rolit that can never be turned again.

Along a line a disc is safe if the line is full, if it lies at the end, if a neighbour is safe for ever and of its own
colour, or if both are safe for ever. One that is safe along all four lines is stable. Not every stable disc is found.
"""

import numpy as np

from kibitz.core.native import helper
from kibitz.games.rolit.rules import COLOURS, DISCS, PLACES, UP, mask_of, occupied

WAYS = len(UP)

# By direction: how far a step up goes in bits; the squares that a step up, or down, can lead to; the lines.
STEPS = np.array([8 * dr + dc for dc, dr in UP])
ABOVE = np.array([mask_of((column + dc, row + dr) for column, row in PLACES) for dc, dr in UP])
BELOW = np.array([mask_of((column - dc, row - dr) for column, row in PLACES) for dc, dr in UP])
ENDS = ~(ABOVE & BELOW)
LINES = np.array([
    [mask_of((column, row) for column, row in PLACES if (column * dr - row * dc) % 15 == line) for line in range(15)]
    for dc, dr in UP
])  # fmt: skip


@helper
def _quiet(full, way):
    """Return the squares that are at an end of their line in a direction, or on a full line."""
    quiet = ENDS[way]
    for line in range(LINES.shape[1]):
        if LINES[way, line] & ~full == 0:
            quiet |= LINES[way, line]
    return quiet


@helper
def _safe(own, stable, way):
    """Return the squares where a colour with the discs `own` is safe along a direction by stable neighbours."""
    above, below = (stable << STEPS[way]) & ABOVE[way], (stable >> STEPS[way]) & BELOW[way]
    mine = stable & own
    return ((mine << STEPS[way]) & ABOVE[way]) | ((mine >> STEPS[way]) & BELOW[way]) | (above & below)


@helper
def stable_discs(state):
    """Return the discs of all colours that are known never to be turned again."""
    full = occupied(state)
    quiet = (_quiet(full, 0), _quiet(full, 1), _quiet(full, 2), _quiet(full, 3))
    stable, found = np.int64(-1), np.int64(0)
    while found != stable:
        stable, found = found, np.int64(0)
        for colour in range(COLOURS):
            own = held = state[DISCS + colour]
            for way in range(WAYS):
                held &= quiet[way] | _safe(own, stable, way)
            found |= held
    return stable
