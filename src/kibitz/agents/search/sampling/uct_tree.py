"""A tree grown by sampling: its arrays, and how a node gets its children.

A node's children are adjacent, tried ones first. An untried child is only its edge: move * 16 + the seat that makes it.
Where chance moves all children count as tried, in the order of the outcomes.
"""

from typing import NamedTuple

import numpy as np

from kibitz.agents.search.search_arrays import Entries, Float32s, Float64s, Handle, Int32s, Int64s, UInt64s
from kibitz.core.calls import copy, hand_over, moves, turn
from kibitz.core.contract import CHANCE, SEATS
from kibitz.core.native import helper, offset
from kibitz.networks.inference import weigh_moves

# Cells of `control`: counters (nodes, whether to stop, iterations, moves of the last playout), then parameters.
USED, STOP, DONE, PLAYED = range(4)
FULL, ROOT, BRANCHING, SOLVE, STYLE, CUT, GRAMS, BY_PRIOR = range(4, 12)
LAST_SEAT = 12  # the seat that moved last in an iteration, whatever chance has done since
CONTROL_CELLS = 13
NEVER = 2**62  # CUT: playouts go on to the end
MAXN, PARANOID, REPLIES = 0, 1, 2  # STYLE: every seat for itself; all against the root seat; also, one replying for all
EXPLORATION, HISTORY, SCALE, CONTEMPT = range(4)  # numbers of `tuning`
# Parts of `reward`: payoffs; from here on discounted by distance, and from here on also with contempt.
DISCOUNTED, SHAPED = 16, 32
REWARDS = 48

# A node is 32 bytes, so that what is read together stays together: two 64-bit numbers, which `stats` reads, then four
# 32-bit ones, which `link` reads from the same memory.
MEAN, INVERSE = 0, 1  # the mean reward of the seat that moved here; 1 over the square root of the visits
STATS = 4
FIRST, SHAPE, VISITS, PROOF = 4, 5, 6, 7  # first child, 0 for none; children * WIDE + those tried; visits; the winner
LINKS = 8
WIDE = 1 << 16
MOST_CHILDREN = (1 << 15) - 1
MOST_VISITS = 2**31 - 2
NODE_BYTES = 32 + 8  # the edge is stored separately
PRIOR_BYTES = 4  # per node, where there are priors
NO_EDGE = 15  # no seat moved into the root
CHANCE_EDGE = 14  # chance moved into a node: in place of a seat

KNOWN_LOGS = 1 << 16
SQRT_LOGS = np.sqrt(np.log(np.maximum(np.arange(KNOWN_LOGS), 1.0)))  # by visits: the square root of their logarithm
TABLE_MASK = (1 << 14) - 1  # the number of slots for averages of moves, minus 1
MOST_PLIES = 2048  # moves of an iteration beyond this do not count in averages


class Tree(NamedTuple):
    """A tree and everything needed to grow it."""

    rules: Entries
    policy: Handle  # plays the playouts
    policy_weights: Float64s  # [weight]
    value_function: Entries  # evaluates where a playout is cut off
    value_weights: Float64s  # [weight]
    net: Float64s  # [weight]: a network whose policy head gives priors, where BY_PRIOR is set
    control: Int64s  # [cell]
    tuning: Float64s  # [number]
    sqrt_logs: Float64s  # [visits]: SQRT_LOGS
    edge: Int64s  # [node]
    prior: Float32s  # [node], where BY_PRIOR is set; the likeliest child comes first
    stats: Float64s  # [node, STATS]
    link: Int32s  # [node, LINKS]: the same memory; PROOF is 1 + the seat that is proven to win, 0 if none is
    root_sums: Float64s  # [child of the root, 1 + seats]: visits of this search, and the sum of each seat's rewards
    state: Int64s  # [cell]
    scratch_state: Int64s  # [cell]
    scratch: Int64s  # [move]
    reward: Float64s  # [REWARDS]
    path: Int64s  # [ply]: the nodes of an iteration
    played: Int64s  # [ply]: the edges of an iteration, in the tree and in the playout
    sums: Float64s  # [slot]: the rewards in the averages of moves
    counts: Int64s  # [slot]: how many there are
    rng: UInt64s  # [1]


@helper
def count(t, node):
    """Return how many children a node has."""
    return t.link[node * LINKS + SHAPE] >> 16


@helper
def end_of_tried(t, node):
    """Return the node after the last tried child."""
    return t.link[node * LINKS + FIRST] + (t.link[node * LINKS + SHAPE] & (WIDE - 1))


@helper
def _list_edges(t, state, seat, at):
    """Write the edges of the seat to move, starting at a node; return how many there are."""
    n = moves(t.rules, state, t.scratch)
    for i in range(n):
        t.edge[at + i] = t.scratch[i] * 16 + seat
    return n


@helper
def _sort_by_prior(t, base, n):
    """Sort n children by prior, the greatest first."""
    for i in range(base + 1, base + n):
        edge, prior, at = t.edge[i], t.prior[i], i
        while at > base and t.prior[at - 1] < prior:
            t.edge[at], t.prior[at] = t.edge[at - 1], t.prior[at - 1]
            at -= 1
        t.edge[at], t.prior[at] = edge, prior


@helper
def _expand_chance(t, node):
    """Give a node where chance moves a child for each outcome."""
    base = t.control[USED]
    n = _list_edges(t, t.state, CHANCE_EDGE, base)
    for child in range(base, base + n):
        t.link[child * LINKS + FIRST] = t.link[child * LINKS + SHAPE] = 0
        t.link[child * LINKS + VISITS] = t.link[child * LINKS + PROOF] = 0
        t.stats[child * STATS + MEAN] = t.stats[child * STATS + INVERSE] = 0.0
    t.link[node * LINKS + FIRST], t.link[node * LINKS + SHAPE] = base, n * WIDE + n
    t.control[USED] = base + n


@helper
def expand(t, node):
    """Give a node its children, all untried; where the tree is full, leave it as it is."""
    control, seats = t.control, t.rules[SEATS]
    if control[USED] + control[BRANCHING] > control[FULL]:
        return
    seat, base = turn(t.rules, t.state), control[USED]
    if seat == CHANCE:
        _expand_chance(t, node)
        return
    going_on = control[LAST_SEAT] == seat
    if control[STYLE] == REPLIES and seat != control[ROOT] and not going_on:
        n = 0
        for step in range(seats):
            other = (seat + step) % seats
            if other != control[ROOT]:
                copy(t.rules, t.state, t.scratch_state)
                if other != seat:
                    hand_over(t.rules, t.scratch_state, other)
                n += _list_edges(t, t.scratch_state, other, base + n)
    else:
        n = _list_edges(t, t.state, seat, base)
        if control[BY_PRIOR] != 0:
            weigh_moves(t.net, t.state, seat, t.scratch, n, offset(t.prior, base))
            _sort_by_prior(t, base, n)
    t.link[node * LINKS + FIRST], t.link[node * LINKS + SHAPE] = base, n * WIDE
    control[USED] = base + n
