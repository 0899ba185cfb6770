"""Quick policies for Chexers, and the agents that it declares."""

import numpy as np

from kibitz.core.bits import nth, popcount
from kibitz.core.dice import below
from kibitz.core.grids import HEX_STEPS
from kibitz.core.heuristics import policy
from kibitz.core.native import helper
from kibitz.games.chexers.rules import EXIT, PIECES, SEAT, STEPS, TURNS, bit_of, choices, occupied, one_of

AGENTS = {
    "mozi": "maxn(depth=3, value=mozi, filter=mozi, ties=random)",
    "mozi-program": (
        "maxn(depth=3, value=mozi(first=0, later=1, wall=open, trap=0, distance=0.05, latch=on), filter=guarded,"
        " ties=random, draw=own, opening=set_out, until=6)"
    ),
    "randommaxn": "maxn(depth=3, value=equation1, ties=random)",
    "champion": "mcts(seconds=1, c=1, contempt=0.2, value=net(champion), prior=net(prior))",
}
LEVELS = {
    "beginner": "policy(greedy)",
    "club": "mozi",
    "strong": "champion",
}

# The first two moves of MoZi, for each seat, as hex and direction: a piece sets out along the edge where the seat
# upstream exits and goes on or, if the corner there is taken, another follows it.
SET_OUT = np.array([[bit_of((-3, 0)), HEX_STEPS.index((1, -1))], [bit_of((3, -3)), HEX_STEPS.index((0, 1))],
                    [bit_of((0, 3)), HEX_STEPS.index((-1, 0))]])  # fmt: skip
COME_AFTER = np.array([[bit_of((-3, 1)), HEX_STEPS.index((0, -1))], [bit_of((2, -3)), HEX_STEPS.index((1, 0))],
                       [bit_of((1, 2)), HEX_STEPS.index((-1, 1))]])  # fmt: skip

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


@policy
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


@policy
def set_out(view, weights, rng):
    """Report 2, the two moves that MoZi's program begins with: along the edge where the seat upstream exits."""
    seat, found = view[SEAT], choices(view)
    at, way = SET_OUT[seat, 0], SET_OUT[seat, 1]
    if view[TURNS] >= 3:
        corner = at + 3 * STEPS[way]
        at += STEPS[way]
        if occupied(view) >> corner & 1:
            at, way = COME_AFTER[seat, 0], COME_AFTER[seat, 1]
    kind = 0
    for movers in found:
        if kind == 64 * way and movers >> at & 1:
            return kind + at
        kind += 64
    return one_of(found, rng)
