"""Quick policies for Chexers, what its searches may leave out or try first, and its own agents."""

import numpy as np

from kibitz.core.bits import nth, popcount
from kibitz.core.dice import below
from kibitz.core.grids import HEX_STEPS
from kibitz.core.knowledge import policy, ranking, sieve
from kibitz.core.native import helper
from kibitz.games.chexers.rules import (
    EXIT,
    EXITS,
    PASS,
    PIECES,
    SEAT,
    STEPS,
    TO_WIN,
    choices,
    occupied,
    one_of,
)
from kibitz.games.chexers.values import FORMING, LEAVING, TRAPS, phase_of, points_to_hold

AGENTS = {"mozi": "maxn(depth=3, value=mozi, filter=mozi, ties=random, avoid=true)"}

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


@helper
def _jumped(state, move):
    """Return the piece that a move jumps over, as a mask; 0 if it is no jump."""
    if move >= EXIT:
        return 0
    return occupied(state) & (1 << ((move & 63) + STEPS[move >> 6]))


@helper
def _start(move):
    """Return the piece that moves, as a mask."""
    return 0 if move == PASS else 1 << (move & 63)


NO_CHOICE, STEP, JUMP, OUT = 0, 1, 2, 3  # kinds of moves, the greater the sooner


@helper
def _kind(state, move):
    if move == PASS:
        return NO_CHOICE
    if move >= EXIT:
        return OUT
    return JUMP if _jumped(state, move) != 0 else STEP


@ranking
def kinds(state, move):
    """Report 3: exits before jumps, jumps before steps, steps before passing."""
    return _kind(state, move)


@helper
def _worth_for_mozi(state, seat, phase, points, move):
    """Return how much MoZi's rules want a move: only those wanted most are searched."""
    rivals = occupied(state) & ~state[PIECES + seat]
    if move >= EXIT and move != PASS:
        return 3 if phase == LEAVING or state[EXITS + seat] == TO_WIN - 1 else 0
    taken = _jumped(state, move) & rivals
    if taken & TRAPS[seat] and phase != LEAVING:
        return 4
    if phase == FORMING or taken or _start(move) & points == 0:
        return 3
    return 2 if _jumped(state, move) else 1


@sieve
def mozi(state, root, rng, moves, n):
    """Report 2, the MoZi agent: take what is in a trap; pieces on points to hold stay; exit at the end."""
    if state[SEAT] != root:
        return n
    phase, points = phase_of(state, root), points_to_hold(state, root)
    best, kept = 0, 0
    for i in range(n):
        worth = _worth_for_mozi(state, root, phase, points, moves[i])
        if worth > best:
            best, kept = worth, 0
        if worth == best:
            moves[kept] = moves[i]
            kept += 1
    return kept
