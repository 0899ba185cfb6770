"""A tree grown by sampling: UCT for any number of seats, on positions in which nothing is hidden.

A node's children lie side by side. `mean` and `inverse` (1 over the root of the visits) are kept up to date on the
path of each iteration, so that choosing a child is one multiplication and one addition per child. An edge is what
leads into a node: move * 16 + the seat that made it.
"""

from math import exp, log, sqrt
from typing import Any, NamedTuple

from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, helper, pointer
from kibitz.core.playout import choose
from kibitz.core.rules import OVER, SEATS, copy, evaluate, hand_over, moves, payoff, play, turn

# Cells of `control`. What is counted, then what is told.
USED, STOP, DONE, FULL = range(4)
ROOT, ITERATIONS, ROOM, SOLVE, STYLE, CUT, GRAMS = range(4, 11)
CONTROL_CELLS = 11
# Numbers of `tuning`.
EXPLORATION, HISTORY, GREED, SCALE = range(4)
MAXN, PARANOID, REPLIES = (
    0,
    1,
    2,
)  # STYLE: every seat for itself; all against the root seat; the same, one answering for all

UNTRIED = 1e6  # the inverse of a node without visits, so that it is tried before any other
TABLE_MASK = (1 << 14) - 1  # averages of moves are kept in so many slots
MOST_PLIES = 2048  # a longer path is not remembered move by move


class Tree(NamedTuple):
    """A tree and everything it is grown with; arrays when Python hands it in, addresses inside."""

    rules: Any
    policy: Any  # plays the playouts
    policy_weights: Any
    value: Any  # judges where a playout is cut off
    value_weights: Any
    control: Any
    tuning: Any
    edge: Any  # from here to `inverse`: by node
    first: Any  # the first child, 0 for none
    count: Any  # how many children
    visits: Any
    proof: Any  # 1 + the seat that wins for certain, 0 if that is not known
    total: Any  # what the seat that moved here gained
    mean: Any
    inverse: Any
    gained: Any  # child of the root x seat: what each seat gained
    state: Any
    asked: Any
    room: Any
    reward: Any
    path: Any  # the nodes of an iteration
    played: Any  # the edges of an iteration, in the tree and in the playout
    sums: Any  # averages of moves: what was gained by slot
    tries: Any
    rng: Any


@helper
def _opened(t):
    return Tree(
        pointer(t.rules), t.policy, pointer(t.policy_weights), t.value, pointer(t.value_weights), pointer(t.control),
        pointer(t.tuning), pointer(t.edge), pointer(t.first), pointer(t.count), pointer(t.visits), pointer(t.proof),
        pointer(t.total), pointer(t.mean), pointer(t.inverse), pointer(t.gained), pointer(t.state), pointer(t.asked),
        pointer(t.room), pointer(t.reward), pointer(t.path), pointer(t.played), pointer(t.sums), pointer(t.tries),
        pointer(t.rng),
    )  # fmt: skip


@helper
def _add_children(t, state, seat, base, at):
    """Add a child for every move of the seat to move; return how many there are now."""
    n = moves(t.rules, state, t.room)
    for i in range(n):
        child = base + at + i
        t.edge[child] = t.room[i] * 16 + seat
        t.first[child] = 0
        t.visits[child] = 0
        t.proof[child] = 0
        t.total[child] = 0.0
        t.mean[child] = 0.0
        t.inverse[child] = UNTRIED
    return at + n


@helper
def _expand(t, node):
    """Give a node its children; without room for them, leave it as it is."""
    control, seats = t.control, t.rules[SEATS]
    seat = turn(t.rules, t.state)
    if control[USED] + control[ROOM] > control[FULL]:
        return
    base, n = control[USED], 0
    if control[STYLE] == REPLIES and seat != control[ROOT]:
        for step in range(seats):
            other = (seat + step) % seats
            if other != control[ROOT]:
                copy(t.rules, t.state, t.asked)
                if other != seat:
                    hand_over(t.rules, t.asked, other)
                n = _add_children(t, t.asked, other, base, n)
    else:
        n = _add_children(t, t.state, seat, base, 0)
    t.first[node], t.count[node] = base, n
    control[USED] = base + n


@helper
def _slot(t, at, grams):
    """Return where the average of the move at a place of the path is kept, by itself or with the move before it."""
    edge = t.played[at]
    if grams == 2 and at > 0:
        edge ^= (t.played[at - 1] * 0x9E37) << 3
    return (edge ^ (edge >> 13)) & TABLE_MASK


@helper
def _history_bonus(t, child, length):
    """Return what is added to a child for the average of its move elsewhere (progressive history)."""
    t.played[length] = t.edge[child]
    slot = _slot(t, length, 1)
    if t.tries[slot] == 0:
        return 0.0
    average = t.sums[slot] / t.tries[slot]
    return average * t.tuning[HISTORY] / ((1.0 - t.mean[child]) * t.visits[child] + 1.0)


@helper
def _select(t, node, length):
    """Return the child to follow: the best by its mean and by how little it has been tried."""
    first, n = t.first[node], t.count[node]
    eager = t.tuning[EXPLORATION] * sqrt(log(t.visits[node] + 1.0))
    at = below(t.rng, n)  # equal children are taken in turn from a random one on
    best, best_score = first, -1.0
    for _ in range(n):
        child = first + at
        score = t.mean[child] + eager * t.inverse[child]
        if t.tuning[HISTORY] > 0.0:
            score += _history_bonus(t, child, length)
        if score > best_score:
            best, best_score = child, score
        at = at + 1 if at + 1 < n else 0
    return best


@helper
def _make(t, child):
    """Play the move of a child; in best-reply style the right seat plays it and the root seat comes next."""
    edge, root = t.edge[child], t.control[ROOT]
    seat = edge & 15
    replying = t.control[STYLE] == REPLIES and seat != root
    if replying and turn(t.rules, t.state) != seat:
        hand_over(t.rules, t.state, seat)
    play(t.rules, t.state, edge >> 4)
    if replying:
        then = turn(t.rules, t.state)
        if then != OVER and then != root and then != seat:
            hand_over(t.rules, t.state, root)


@helper
def _pick_by_average(t, length):
    """Return the legal move with the best average so far, a random one now and then (MAST, NAST)."""
    n = moves(t.rules, t.state, t.room)
    if unit(t.rng) >= t.tuning[GREED]:
        return t.room[below(t.rng, n)]
    seat = turn(t.rules, t.state)
    at = below(t.rng, n)
    best, best_average = t.room[at], -1.0
    for _ in range(n):
        t.played[length] = t.room[at] * 16 + seat
        slot = _slot(t, length, t.control[GRAMS])
        average = t.sums[slot] / t.tries[slot] if t.tries[slot] > 0 else 1.0
        if average > best_average:
            best, best_average = t.room[at], average
        at = at + 1 if at + 1 < n else 0
    return best


@helper
def _share_out(t):
    """Turn the value of the position into rewards that sum up to 1."""
    evaluate(t.value, t.state, t.value_weights, t.reward)
    most, total = -1e18, 0.0
    for seat in range(t.rules[SEATS]):
        most = max(most, t.reward[seat])
    for seat in range(t.rules[SEATS]):
        t.reward[seat] = exp((t.reward[seat] - most) / t.tuning[SCALE])
        total += t.reward[seat]
    for seat in range(t.rules[SEATS]):
        t.reward[seat] /= total


@helper
def _play_out(t, length):
    """Play to the end, or to where playouts are cut off; write the rewards and return the length of the whole path."""
    control = t.control
    grams, left = control[GRAMS], control[CUT]
    while turn(t.rules, t.state) != OVER:
        if left == 0:
            _share_out(t)
            return length
        left -= 1
        if grams > 0 and length < MOST_PLIES - 1:
            move = _pick_by_average(t, length)
        else:
            move = choose(t.rules, t.policy, t.policy_weights, t.state, t.rng, t.room)
        if grams > 0 and length < MOST_PLIES - 1:
            t.played[length] = move * 16 + turn(t.rules, t.state)
            length += 1
        play(t.rules, t.state, move)
    payoff(t.rules, t.state, t.reward)
    return length


@helper
def _gain(t, seat):
    """Return what the reward means to the seat that moved."""
    root = t.control[ROOT]
    if t.control[STYLE] == MAXN or seat == root:
        return t.reward[seat]
    return 1.0 - t.reward[root]


@helper
def _sole_winner(t):
    """Return 1 + the seat that earned everything, or 0."""
    winner = 0
    for seat in range(t.rules[SEATS]):
        if t.reward[seat] == 1.0:
            winner = seat + 1
        elif t.reward[seat] != 0.0:
            return 0
    return winner


@helper
def _prove(t, node):
    """Prove a node from its children: its mover wins if one child is won, someone else if all children are his."""
    first = t.first[node]
    winner = t.proof[first]
    for child in range(first, first + t.count[node]):
        if t.proof[child] != 0 and t.proof[child] == (t.edge[child] & 15) + 1:
            t.proof[node] = t.proof[child]
            return
        if t.proof[child] != winner:
            winner = 0
    t.proof[node] = winner


@helper
def _settle(t, node):
    """Give a proven node its true mean, and no more curiosity."""
    if t.proof[node] != 0:
        won = t.proof[node] == (t.edge[node] & 15) + 1
        against = t.control[STYLE] != MAXN and (t.edge[node] & 15) != t.control[ROOT]
        if against:
            won = t.proof[node] != t.control[ROOT] + 1
        t.mean[node] = 1.0 if won else 0.0
        t.inverse[node] = 0.0


@helper
def _back_up(t, depth, length):
    """Count the reward on the path, and learn the averages of the moves made."""
    control = t.control
    solve = control[SOLVE] != 0
    for i in range(depth, -1, -1):
        node = t.path[i]
        seat = t.edge[node] & 15
        t.visits[node] += 1
        t.total[node] += _gain(t, seat)
        t.mean[node] = t.total[node] / t.visits[node]
        t.inverse[node] = 1.0 / sqrt(float(t.visits[node]))
        if solve:
            if i < depth and t.proof[t.path[i + 1]] != 0 and t.proof[node] == 0:
                _prove(t, node)
            _settle(t, node)
    if depth > 0:
        at = (t.path[1] - t.first[0]) * t.rules[SEATS]
        for seat in range(t.rules[SEATS]):
            t.gained[at + seat] += t.reward[seat]
    if control[GRAMS] > 0 or t.tuning[HISTORY] > 0.0:
        for i in range(length):
            gain = _gain(t, t.played[i] & 15)
            for grams in range(1, max(control[GRAMS], 1) + 1):
                slot = _slot(t, i, grams)
                t.sums[slot] += gain
                t.tries[slot] += 1


@helper
def _iterate(t, root):
    """Walk down, add to the tree, play out, count."""
    copy(t.rules, root, t.state)
    node, depth = 0, 0
    t.path[0] = 0
    while True:
        if t.proof[node] != 0:
            for seat in range(t.rules[SEATS]):
                t.reward[seat] = 1.0 if seat + 1 == t.proof[node] else 0.0
            break
        if turn(t.rules, t.state) == OVER:
            payoff(t.rules, t.state, t.reward)
            if t.control[SOLVE] != 0:
                t.proof[node] = _sole_winner(t)
            break
        if t.first[node] == 0 and (t.visits[node] > 0 or node == 0) and depth < MOST_PLIES // 2:
            _expand(t, node)
        if t.first[node] == 0:
            return depth, _play_out(t, depth)
        node = _select(t, node, depth)
        _make(t, node)
        t.played[depth] = t.edge[node]
        depth += 1
        t.path[depth] = node
    return depth, depth


@compiled
def grow(tree, root_, iterations):
    """Grow the tree by so many iterations; stop early if told to, or if the result is proven."""
    t = _opened(tree)
    root = pointer(root_)
    for _ in range(iterations):
        if t.control[STOP] != 0 or t.proof[0] != 0:
            return
        depth, length = _iterate(t, root)
        _back_up(t, depth, length)
        t.control[DONE] += 1
