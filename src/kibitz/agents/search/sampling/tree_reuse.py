"""Tree reuse: find the position that the game has reached, and make its subtree the next tree."""

from kibitz.agents.search.sampling.uct_tree import (
    BY_PRIOR,
    FIRST,
    LINKS,
    NO_EDGE,
    ROOT,
    STATS,
    USED,
    count,
    end_of_tried,
)
from kibitz.agents.search.search_arrays import opened
from kibitz.core.calls import copy, play, turn
from kibitz.core.contract import OVER, SIZE
from kibitz.core.native import compiled, helper, pointer


@helper
def _replay(t, root, depth):
    """Replay the path from the root into `state`."""
    copy(t.rules, root, t.state)
    for i in range(1, depth + 1):
        play(t.rules, t.state, t.edge[t.path[i]] >> 4)


@helper
def _equal(t, sought):
    different = 0
    for i in range(t.rules[SIZE]):
        different |= t.state[i] ^ sought[i]
    return different == 0


@compiled
def find(tree, root_, sought_, move):
    """Return the node of a position reached from the root by a move and others' replies; 0 if it is not expanded."""
    t = opened(tree)
    root, sought = pointer(root_), pointer(sought_)
    t.path[0], depth = 0, 1
    t.path[1] = t.link[FIRST]
    while t.path[1] < end_of_tried(t, 0) and t.edge[t.path[1]] >> 4 != move:
        t.path[1] += 1
    if t.path[1] >= end_of_tried(t, 0):
        return 0
    while True:
        node = t.path[depth]
        _replay(t, root, depth)
        expanded = t.link[node * LINKS + FIRST] != 0
        if _equal(t, sought):
            return node if expanded else 0
        seat = turn(t.rules, t.state)
        if expanded and seat != OVER and seat != t.control[ROOT]:
            depth += 1
            t.path[depth] = t.link[node * LINKS + FIRST]
            continue
        while depth > 1 and t.path[depth] + 1 == end_of_tried(t, t.path[depth - 1]):
            depth -= 1
        if depth == 1:
            return 0
        t.path[depth] += 1


@helper
def _move_edge(old, node, new, at):
    new.edge[at] = old.edge[node]
    if old.control[BY_PRIOR] != 0:
        new.prior[at] = old.prior[node]


@helper
def _move_over(old, node, new, at):
    """Copy a node; its children are copied later."""
    for i in range(STATS):  # its links share this memory
        new.stats[at * STATS + i] = old.stats[node * STATS + i]
    _move_edge(old, node, new, at)


@compiled
def move_subtree(old_, node, new_):
    """Copy the subtree of a node into the new tree, with the node as its root."""
    old, new = opened(old_), opened(new_)
    _move_over(old, node, new, 0)
    new.edge[0] = NO_EDGE
    used, at = 1, 0
    while at < used:
        first, tried = new.link[at * LINKS + FIRST], end_of_tried(new, at)
        if first != 0:
            new.link[at * LINKS + FIRST] = used
            for child in range(first, first + count(new, at)):
                if child < tried:
                    _move_over(old, child, new, used)
                else:
                    _move_edge(old, child, new, used)
                    new.link[used * LINKS + FIRST] = 0
                used += 1
        at += 1
    new.control[USED] = used
