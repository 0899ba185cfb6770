"""The shortest path to a win for a seat alone in the game: A*, breadth first where the game has no bound `away`.

A node is a parent and a move; its position is replayed from the root, because states may be long and paths are short.
Open nodes are kept in lists by their bound, the latest first.
"""

from typing import NamedTuple

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.search.search_arrays import Float64s, Int64s
from kibitz.agents.search.search_budget import clock
from kibitz.core.calls import away, copy, key, moves, payoff, play, turn
from kibitz.core.contract import GUARD, HALT_AT, OVER, SIZE
from kibitz.core.game import Game
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.playout import HEEDED, who

MOST_OWN_MOVES = 256  # the longest path to look for
NO_NODE_LIMIT = 2**62
BYTES_A_NODE = 64  # of the arrays below: four cells a node, and two slots of two cells

NODES, STOP, NODE_LIMIT = range(3)  # cells of `control`


class PathArrays(NamedTuple):
    """The arrays of the search."""

    control: Int64s  # [cell]
    parents: Int64s  # [node]
    moves: Int64s  # [node]: the move that leads to it
    costs: Int64s  # [node]: own moves from the root
    behind: Int64s  # [node]: the next one in its list, or -1
    lists: Int64s  # [bound]: the first node, or -1
    keys: Int64s  # [slot]
    best: Int64s  # [slot]: the fewest own moves in which the position was reached
    states: Int64s  # [2, cell]
    listed: Int64s  # [move]
    passes: Int64s  # [move]
    line: Int64s  # [own move]: the path to a node
    payoffs: Float64s  # [seat]


class ShortestPath:
    """Finds the shortest path to a win when all other seats can only pass."""

    def __init__(self, game: Game, limit: int, nodes: int | None, seconds: float | None):
        self.game, self.nodes, self.seconds = game, nodes, seconds
        self.arrays = _allocate(game, limit)

    def warm_up(self, view: np.ndarray) -> None:
        """Load or compile the code that a decision needs, whether a path is found or not."""
        self.decide(view)
        seat = int(who(self.game.rules, view))
        _add_passes(self.game.rules, self.arrays, view, seat, 0, np.empty(0, dtype=np.int64))

    def decide(self, view: np.ndarray) -> Decision | None:
        """Return the first move of a shortest path; None if there is none, or none was found within the budget."""
        seat, arrays, rules = int(who(self.game.rules, view)), self.arrays, self.game.rules
        arrays.control[:] = 0
        arrays.control[NODE_LIMIT] = self.nodes or NO_NODE_LIMIT
        with clock(self.seconds, self._stop):
            own = int(_find_path(rules, arrays, view, seat))
        if own == 0:
            return None
        line = np.empty(own * self.game.seats, dtype=np.int64)
        n = int(_add_passes(rules, arrays, view, seat, own, line))
        return Decision(int(line[0]), line=line[:n].tolist(), nodes=int(arrays.control[NODES]), depth=own, exact=True)

    def _stop(self) -> None:
        self.arrays.control[STOP] = 1


def _allocate(game: Game, limit: int) -> PathArrays:
    """Return arrays for as many nodes as fit into `limit` bytes."""

    def cells(n: int) -> np.ndarray:
        return np.zeros(n, dtype=np.int64)

    fixed = 2 * game.size + 2 * game.most_moves + 2 * MOST_OWN_MOVES + 16
    nodes = 1 << max((limit - 8 * fixed) // BYTES_A_NODE, 1).bit_length() - 1
    return PathArrays(
        control=cells(3), parents=cells(nodes), moves=cells(nodes), costs=cells(nodes), behind=cells(nodes),
        lists=cells(MOST_OWN_MOVES + 1), keys=cells(2 * nodes), best=cells(2 * nodes),
        states=cells(2 * game.size + GUARD), listed=game.new_moves(), passes=game.new_moves(),
        line=cells(MOST_OWN_MOVES + 1), payoffs=np.zeros(game.seats),
    )  # fmt: skip


@helper
def _spent(control):
    return control[STOP] != 0 or control[NODES] >= control[NODE_LIMIT]


@helper
def _play_round(rules, state, seat, move, scratch):
    """Play a move of the seat and the passes of the others; leave the seat to move, or the game over."""
    play(rules, state, move)
    while turn(rules, state) != OVER and turn(rules, state) != seat:
        moves(rules, state, scratch)
        play(rules, state, scratch[0])


@helper
def _set_up(rules, path, root, seat, node, state):
    """Replay the path to a node from the root."""
    copy(rules, root, state)
    steps, at = path.costs[node], node
    for i in range(steps):
        path.line[steps - 1 - i] = path.moves[at]
        at = path.parents[at]
    for i in range(steps):
        _play_round(rules, state, seat, path.line[i], pointer(path.passes))


@helper
def _is_new(path, here, cost):
    """Return whether this is the fewest own moves in which a position was reached; if so, note it."""
    mask = path.keys.shape[0] - 1
    at = (here ^ (here >> 31)) & mask
    while path.keys[at] != 0 and path.keys[at] != here:
        at = (at + 1) & mask
    if path.keys[at] == here and path.best[at] <= cost:
        return False
    path.keys[at] = here
    path.best[at] = cost
    return True


@helper
def _add(path, node, parent, move, cost, bound):
    path.parents[node] = parent
    path.moves[node] = move
    path.costs[node] = cost
    path.behind[node] = path.lists[bound]
    path.lists[bound] = node


@helper
def _expand(rules, path, root, seat, node, n):
    """Add the positions one own move after a node; return the new number of nodes, or -1 if the move wins."""
    state, after = pointer(path.states), offset(pointer(path.states), rules[SIZE])
    _set_up(rules, path, root, seat, node, state)
    cost = path.costs[node] + 1
    for i in range(moves(rules, state, pointer(path.listed))):
        copy(rules, state, after)
        _play_round(rules, after, seat, path.listed[i], pointer(path.passes))
        if turn(rules, after) == OVER:
            payoff(rules, after, pointer(path.payoffs))
            if path.payoffs[seat] >= 1.0:
                path.line[cost - 1] = path.listed[i]
                return -1
            continue
        bound = cost + away(rules, after, seat)
        if bound < path.lists.shape[0] and n < path.parents.shape[0] and _is_new(path, key(rules, after) | 1, cost):
            _add(path, n, node, path.listed[i], cost, bound)
            n += 1
    return n


@compiled
def _find_path(rules_, path, root_, seat):
    """Write the own moves of a shortest path into `path.line`; return how many, or 0 if none was found in time."""
    rules, root = pointer(rules_), pointer(root_)
    path.keys[:] = 0
    path.lists[:] = -1
    bound, n = away(rules, root, seat), 1
    if bound >= path.lists.shape[0]:
        return 0
    _add(path, 0, 0, 0, 0, bound)
    while bound < path.lists.shape[0] and n < path.parents.shape[0] and not _spent(path.control):
        node = path.lists[bound]
        if node < 0:
            bound += 1
            continue
        path.lists[bound] = path.behind[node]
        path.control[NODES] += 1
        if path.control[NODES] & HEEDED == 0:
            heed(rules[HALT_AT])
        n = _expand(rules, path, root, seat, node, n)
        if n < 0:
            return path.costs[node] + 1
    return 0


@compiled
def _add_passes(rules_, path, root_, seat, own, out):
    """Write the first `own` moves of the path with the others' passes between them; return how many there are."""
    rules, state, scratch = pointer(rules_), pointer(path.states), pointer(path.passes)
    copy(rules, pointer(root_), state)
    n, used = 0, 0
    while used < own and turn(rules, state) != OVER:
        if turn(rules, state) == seat:
            out[n] = path.line[used]
            used += 1
        else:
            moves(rules, state, scratch)
            out[n] = scratch[0]
        play(rules, state, out[n])
        n += 1
    return n
