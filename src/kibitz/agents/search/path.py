"""The shortest way to win for a seat that is alone in the game: A*, breadth first where the game has no bound `away`.

A node is a parent and a move, and its position is played again from the root: states may be long, ways are short. Nodes
wait in lists by their bound, the latest first.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.calls import away, copy, key, moves, payoff, play, turn
from kibitz.core.contract import GUARD, OVER, SIZE
from kibitz.core.game import Game
from kibitz.core.native import compiled, helper, offset, pointer

MOST_OWN_MOVES = 256  # the longest way that is looked for
BYTES_A_NODE = 64  # of the arrays below: four cells a node, and two slots of two cells

NODES, STOP, NODE_LIMIT = range(3)  # cells of `control`


class Way(NamedTuple):
    """Everything the search works on."""

    control: Any
    parents: Any  # by node
    moves: Any  # by node: the move that leads to it
    costs: Any  # by node: own moves from the root
    behind: Any  # by node: the next one in its list, or -1
    lists: Any  # by bound: the first node, or -1
    keys: Any  # by slot
    best: Any  # by slot: the fewest own moves in which the position was reached
    states: Any  # two positions
    listed: Any
    passes: Any
    line: Any  # own moves on the way to a node
    worth: Any  # by seat


def way_for(game: Game, limit: int) -> Way:
    """Return room for as many nodes as fit into so many bytes."""

    def cells(n: int) -> np.ndarray:
        return np.zeros(n, dtype=np.int64)

    fixed = 2 * game.size + 2 * game.most_moves + 2 * MOST_OWN_MOVES + 16
    nodes = 1 << max((limit - 8 * fixed) // BYTES_A_NODE, 1).bit_length() - 1
    return Way(
        control=cells(3), parents=cells(nodes), moves=cells(nodes), costs=cells(nodes), behind=cells(nodes),
        lists=cells(MOST_OWN_MOVES + 1), keys=cells(2 * nodes), best=cells(2 * nodes),
        states=cells(2 * game.size + GUARD),
        listed=game.new_moves(), passes=game.new_moves(), line=cells(MOST_OWN_MOVES + 1),
        worth=np.zeros(game.seats),
    )  # fmt: skip


@helper
def _spent(control):
    return control[STOP] != 0 or control[NODES] >= control[NODE_LIMIT]


@helper
def _play_round(rules, state, seat, move, room):
    """Play a move of the seat and the passes of the others; leave the seat to move, or the game over."""
    play(rules, state, move)
    while turn(rules, state) != OVER and turn(rules, state) != seat:
        moves(rules, state, room)
        play(rules, state, room[0])


@helper
def _set_up(rules, way, root, seat, node, state):
    """Play the way to a node again, from the root."""
    copy(rules, root, state)
    steps, at = way.costs[node], node
    for i in range(steps):
        way.line[steps - 1 - i] = way.moves[at]
        at = way.parents[at]
    for i in range(steps):
        _play_round(rules, state, seat, way.line[i], pointer(way.passes))


@helper
def _is_new(way, here, cost):
    """Tell whether a position has not been reached in as few own moves before, and note it."""
    mask = way.keys.shape[0] - 1
    at = (here ^ (here >> 31)) & mask
    while way.keys[at] != 0 and way.keys[at] != here:
        at = (at + 1) & mask
    if way.keys[at] == here and way.best[at] <= cost:
        return False
    way.keys[at] = here
    way.best[at] = cost
    return True


@helper
def _add(way, node, parent, move, cost, bound):
    way.parents[node] = parent
    way.moves[node] = move
    way.costs[node] = cost
    way.behind[node] = way.lists[bound]
    way.lists[bound] = node


@helper
def _expand(rules, way, root, seat, node, n):
    """Add the positions an own move behind a node; return how many nodes there are then, or -1 if the move wins."""
    state, after = pointer(way.states), offset(pointer(way.states), rules[SIZE])
    _set_up(rules, way, root, seat, node, state)
    cost = way.costs[node] + 1
    for i in range(moves(rules, state, pointer(way.listed))):
        copy(rules, state, after)
        _play_round(rules, after, seat, way.listed[i], pointer(way.passes))
        if turn(rules, after) == OVER:
            payoff(rules, after, pointer(way.worth))
            if way.worth[seat] >= 1.0:
                way.line[cost - 1] = way.listed[i]
                return -1
            continue
        bound = cost + away(rules, after, seat)
        if bound < way.lists.shape[0] and n < way.parents.shape[0] and _is_new(way, key(rules, after) | 1, cost):
            _add(way, n, node, way.listed[i], cost, bound)
            n += 1
    return n


@compiled
def find_way(rules_, way, root_, seat):
    """Write the own moves of a shortest way to win into `way.line`; return how many, or 0 if none was found in time."""
    rules, root = pointer(rules_), pointer(root_)
    way.keys[:] = 0
    way.lists[:] = -1
    bound, n = away(rules, root, seat), 1
    if bound >= way.lists.shape[0]:
        return 0
    _add(way, 0, 0, 0, 0, bound)
    while bound < way.lists.shape[0] and n < way.parents.shape[0] and not _spent(way.control):
        node = way.lists[bound]
        if node < 0:
            bound += 1
            continue
        way.lists[bound] = way.behind[node]
        way.control[NODES] += 1
        n = _expand(rules, way, root, seat, node, n)
        if n < 0:
            return way.costs[node] + 1
    return 0


@compiled
def with_passes(rules_, way, root_, seat, own, out):
    """Write the first `own` moves of the way with the others' passes between them; return how many there are."""
    rules, state, room = pointer(rules_), pointer(way.states), pointer(way.passes)
    copy(rules, pointer(root_), state)
    n, used = 0, 0
    while used < own and turn(rules, state) != OVER:
        if turn(rules, state) == seat:
            out[n] = way.line[used]
            used += 1
        else:
            moves(rules, state, room)
            out[n] = room[0]
        play(rules, state, out[n])
        n += 1
    return n
