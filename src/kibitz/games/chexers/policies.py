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


NOTHING, STEP, JUMP, OUT = range(4)  # kinds of moves, those to try first last


@ranking
def kinds(state, move):
    """Report 3: exits before jumps, jumps before steps, steps before passing."""
    if move >= EXIT:
        return NOTHING if move == PASS else OUT
    return JUMP if _jumped(state, move) else STEP


UNWANTED, STEP_IF_MUST, JUMP_IF_MUST, WANTED, TRAPPED, WINS = range(6)  # what MoZi makes of a move, the best last


@helper
def _sort_for_mozi(state, seat, phase, points, move):
    if move >= EXIT and move != PASS:
        if state[EXITS + seat] == TO_WIN - 1:
            return WINS
        return WANTED if phase == LEAVING else UNWANTED
    taken = _jumped(state, move) & ~state[PIECES + seat]
    if taken & TRAPS[seat] and phase != LEAVING:
        return TRAPPED
    if phase == FORMING or taken or _start(move) & points == 0:
        return WANTED
    return JUMP_IF_MUST if _jumped(state, move) else STEP_IF_MUST


@sieve
def mozi(state, root, rng, moves, n):
    """Report 2, the MoZi agent: take what is in a trap; pieces on points to hold stay; exit at the end."""
    if state[SEAT] != root:
        return n
    phase, points = phase_of(state, root), points_to_hold(state, root)
    best, kept = UNWANTED, 0
    for i in range(n):
        sort = _sort_for_mozi(state, root, phase, points, moves[i])
        if sort > best:
            best, kept = sort, 0
        if sort == best:
            moves[kept] = moves[i]
            kept += 1
    return kept


@helper
def _directness(state, root, move):
    """Return how much a rival of the root seat is expected to like a move: jumps over the root seat's pieces most."""
    jumped = _jumped(state, move)
    if jumped & state[PIECES + root]:
        return 2
    return 1 if jumped else 0


@sieve
def direct(state, root, rng, moves, n):
    """Report 2, direct pruning: a rival has one move, drawn from jumps over ours, else other jumps, else the rest."""
    if state[SEAT] == root:
        return n
    best, ties = -1, 0
    for i in range(n):
        liked = _directness(state, root, moves[i])
        if liked > best:
            best, ties = liked, 0
        if liked == best:
            ties += 1
            if below(rng, ties) == 0:
                moves[0], moves[i] = moves[i], moves[0]
    return 1


@sieve
def pieces(state, root, rng, moves, n):
    """Report 2, pieces reduction: own pieces on points to hold do not move while others can."""
    if state[SEAT] != root:
        return n
    points, kept = points_to_hold(state, root), 0
    for i in range(n):
        if _start(moves[i]) & points == 0:
            moves[kept], moves[i] = moves[i], moves[kept]
            kept += 1
    return kept if kept else n
