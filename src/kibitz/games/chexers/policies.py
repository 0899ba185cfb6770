"""Quick policies for Chexers, and its own agents."""

import numpy as np

from kibitz.core.bits import nth, popcount
from kibitz.core.dice import below
from kibitz.core.grids import HEX_STEPS
from kibitz.core.knowledge import policy
from kibitz.core.native import helper
from kibitz.games.chexers.rules import EXIT, PIECES, SEAT, choices, occupied, one_of

AGENTS = {
    "mozi": "maxn(depth=3, value=mozi, filter=mozi, ties=random)",
    "randommaxn": "maxn(depth=3, value=equation1, ties=random)",
    "champion": "paranoid(seconds=1, value=net(champion))",
}
LEVELS = {
    "beginner": "policy(greedy)",
    "club": "mozi",
    "strong": "champion",
}

# FORWARD[seat, direction] is all ones where the direction leads towards the exits: red's along q, green's along r.
FORWARD = np.array([
    [-1 if dq > 0 else 0 for dq, dr in HEX_STEPS],
    [-1 if dr > 0 else 0 for dq, dr in HEX_STEPS],
    [-1 if dq + dr < 0 else 0 for dq, dr in HEX_STEPS],
])  # fmt: skip


@helper
def _both(one, other):
    return (one[0] & other[0], one[1] & other[1], one[2] & other[2], one[3] & other[3], one[4] & other[4],
            one[5] & other[5], one[6] & other[6])  # fmt: skip


@helper
def _beside(mask):
    """Return for each direction the hexes whose neighbour there is in the mask; nothing for exits."""
    return (mask << 1, mask << 8, mask << 7, mask >> 1, mask >> 8, mask >> 7, mask & 0)


@helper
def _forward(seat):
    return (FORWARD[seat, 0], FORWARD[seat, 1], FORWARD[seat, 2], FORWARD[seat, 3], FORWARD[seat, 4],
            FORWARD[seat, 5], 0 * seat)  # fmt: skip


@helper
def _any(found):
    return (found[0] | found[1] | found[2] | found[3] | found[4] | found[5] | found[6]) != 0


@policy()
def greedy(view, weights, rng):
    """Exit; else take a rival's piece; else jump forward; else step forward; else anything; at random among equals."""
    seat = view[SEAT]
    found = choices(view)
    if found[6] != 0:
        return EXIT + nth(found[6], below(rng, popcount(found[6])))
    full = occupied(view)
    takes = _both(found, _beside(full & ~view[PIECES + seat]))
    if _any(takes):
        return one_of(takes, rng)
    forward = _both(found, _forward(seat))
    jumps = _both(forward, _beside(full))
    if _any(jumps):
        return one_of(jumps, rng)
    return one_of(forward if _any(forward) else found, rng)
