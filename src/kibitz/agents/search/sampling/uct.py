"""A tree grown by sampling: UCT for any number of seats, on positions in which nothing is hidden.

A node's children lie side by side, those that have been tried first; a child that has not is nothing but its edge:
move * 16 + the seat that makes it. While there are such children one of them is drawn; from then on the best is
followed, by its mean and by how little it has been tried. Both are kept up to date on the path of each iteration, so
that a child costs one multiplication and one addition.
"""

from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.calls import copy, evaluate, hand_over, moves, payoff, payoff_shares, play, turn
from kibitz.core.contract import HALT_AT, OVER, SEATS
from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, heed, helper, offset, pointer, prefetch
from kibitz.core.playout import HEEDED, choose, play_out
from kibitz.networks.inference import weigh_moves

# Cells of `control`. What is counted, then what is told.
USED, STOP, DONE = range(3)
FULL, ROOT, ROOM, SOLVE, STYLE, CUT, GRAMS, BY_PRIOR = range(3, 11)
PLAYED = 11  # counted: the moves of the last playout
CONTROL_CELLS = 12
NEVER = 2**62  # CUT: playouts go on to the end
MAXN, PARANOID, REPLIES = 0, 1, 2  # STYLE: every seat for itself; all against the root seat; so, one replying for all
# Numbers of `tuning`.
EXPLORATION, HISTORY, GREED, SCALE, HASTE, CONTEMPT = range(6)
HALFWAY = 100.0  # moves until a win has lost half of what haste takes from it
# Parts of `reward`: what seats earn; from here on what that is worth with haste, and from here on also with contempt.
DISCOUNTED, SHAPED = 16, 32
REWARDS = 48

# A node is 32 bytes, so that what is read together lies together: two 64-bit numbers, which `worth` reads, then four
# 32-bit ones, which `link` reads from the same memory.
MEAN, INVERSE = 0, 1  # of what the seat that moved here gained; 1 over the root of the visits
STATS = 4
FIRST, SHAPE, VISITS, PROOF = 4, 5, 6, 7  # first child, 0 for none; children * WIDE + those tried; visits; the winner
LINKS = 8
WIDE = 1 << 16
MOST_CHILDREN = (1 << 15) - 1
MOST_VISITS = 2**31 - 2
NODE_BYTES = 32 + 8  # the edge lies apart
PRIOR_BYTES = 4  # of a node, where there are priors
NO_EDGE = 15  # no seat moved into the root

KNOWN_LOGS = 1 << 16
SQRT_LOGS = np.sqrt(np.log(np.maximum(np.arange(KNOWN_LOGS), 1.0)))  # by visits: the root of their logarithm
FIRST_PLAY_REDUCTION = 0.2  # with priors: how much less an untried move promises than those that were tried
TABLE_MASK = (1 << 14) - 1  # averages of moves are kept in so many slots
MOST_PLIES = 2048  # a longer path is not remembered move by move


class Tree(NamedTuple):
    """A tree and everything it is grown with; arrays when Python hands it in, addresses inside."""

    rules: Any
    policy: Any  # plays the playouts
    policy_weights: Any
    value: Any  # judges where a playout is cut off
    value_weights: Any
    net: Any  # a network whose policy head gives priors, where BY_PRIOR is set
    control: Any
    tuning: Any
    sqrt_logs: Any  # CURIOUS
    edge: Any  # by node
    prior: (
        Any  # by node, where BY_PRIOR is set: how likely the network found the move; children have the likeliest first
    )
    stats: Any  # by node x WORTHS
    link: Any  # by node x LINKS; PROOF is 1 + the seat that wins for certain, 0 if that is not known
    gained: Any  # child of the root x (1 + seats): visits of this search, and the HASTY rewards of each seat in them
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
def opened(t):
    """Return the tree with addresses in place of arrays."""
    return Tree(
        pointer(t.rules), t.policy, pointer(t.policy_weights), pointer(t.value), pointer(t.value_weights),
        pointer(t.net), pointer(t.control), pointer(t.tuning), pointer(t.sqrt_logs), pointer(t.edge), pointer(t.prior),
        pointer(t.stats), pointer(t.link),
        pointer(t.gained), pointer(t.state), pointer(t.asked), pointer(t.room), pointer(t.reward), pointer(t.path),
        pointer(t.played), pointer(t.sums), pointer(t.tries), pointer(t.rng),
    )  # fmt: skip


@helper
def count(t, node):
    """Return how many children a node has."""
    return t.link[node * LINKS + SHAPE] >> 16


@helper
def end_of_tried(t, node):
    """Return the node behind the last child that has been tried."""
    return t.link[node * LINKS + FIRST] + (t.link[node * LINKS + SHAPE] & (WIDE - 1))


@helper
def _list_edges(t, state, seat, at):
    """Write the edges of the seat to move from a node on; return how many there are."""
    n = moves(t.rules, state, t.room)
    for i in range(n):
        t.edge[at + i] = t.room[i] * 16 + seat
    return n


@helper
def _sort_by_prior(t, base, n):
    """Put n children into the order of their priors, the greatest first."""
    for i in range(base + 1, base + n):
        edge, prior, at = t.edge[i], t.prior[i], i
        while at > base and t.prior[at - 1] < prior:
            t.edge[at], t.prior[at] = t.edge[at - 1], t.prior[at - 1]
            at -= 1
        t.edge[at], t.prior[at] = edge, prior


@helper
def _expand(t, node):
    """Give a node its children, all untried; without room for them, leave it as it is."""
    control, seats = t.control, t.rules[SEATS]
    if control[USED] + control[ROOM] > control[FULL]:
        return
    seat, base = turn(t.rules, t.state), control[USED]
    going_on = (t.edge[node] & 15) == seat
    if control[STYLE] == REPLIES and seat != control[ROOT] and not going_on:
        n = 0
        for step in range(seats):
            other = (seat + step) % seats
            if other != control[ROOT]:
                copy(t.rules, t.state, t.asked)
                if other != seat:
                    hand_over(t.rules, t.asked, other)
                n += _list_edges(t, t.asked, other, base + n)
    else:
        n = _list_edges(t, t.state, seat, base)
        if control[BY_PRIOR] != 0:
            weigh_moves(t.net, t.state, seat, t.room, n, offset(t.prior, base))
            _sort_by_prior(t, base, n)
    t.link[node * LINKS + FIRST], t.link[node * LINKS + SHAPE] = base, n * WIDE
    control[USED] = base + n


@helper
def _slot(t, at, grams):
    """Return where the average of the move at a place of the path is kept, by itself or with the move before it."""
    mixed = t.played[at]
    if grams == 2:
        before = t.played[at - 1] if at > 0 else NO_EDGE
        mixed = mixed * 0x9E37 + before * 0x1B873 + 1
    return (mixed ^ (mixed >> 14)) & TABLE_MASK


@helper
def _average(t, edge, at, grams, untold):
    """Return the average of an edge at a place of the path, or `untold` if it was never played."""
    t.played[at] = edge
    slot = _slot(t, at, grams)
    return t.sums[slot] / t.tries[slot] if t.tries[slot] > 0 else untold


@helper
def _draw_untried(t, start, n, depth):
    """Return one of n untried children: the likeliest; with progressive history the best average; a random one."""
    if t.control[BY_PRIOR] != 0:
        return start
    at = below(t.rng, n)
    if t.tuning[HISTORY] == 0.0:
        return start + at
    best, best_average = start, -1.0
    for _ in range(n):
        average = _average(t, t.edge[start + at], depth, 1, 0.0)
        if average > best_average:
            best, best_average = start + at, average
        at = at + 1 if at + 1 < n else 0
    return best


@helper
def _try_child(t, node, depth):
    """Move an untried child to the end of the tried ones and return it."""
    at = node * LINKS
    child = end_of_tried(t, node)
    drawn = _draw_untried(t, child, t.link[at + FIRST] + count(t, node) - child, depth)
    t.edge[child], t.edge[drawn] = t.edge[drawn], t.edge[child]
    t.link[at + SHAPE] += 1
    t.link[child * LINKS + FIRST] = t.link[child * LINKS + VISITS] = t.link[child * LINKS + PROOF] = 0
    t.stats[child * STATS + MEAN] = 0.0
    return child


@helper
def _better_child(t, child, exploration, best, best_score):
    """Return a child and its score if that is better than the best so far, else those of the best."""
    score = t.stats[child * STATS + MEAN] + exploration * t.stats[child * STATS + INVERSE]
    if score > best_score:
        return child, score
    return best, best_score


@helper
def _best_by_uct(t, node):
    """Return the child that is best by its mean and by how little it has been tried."""
    at = node * LINKS
    visits = t.link[at + VISITS]
    exploration = t.sqrt_logs[visits] if visits < KNOWN_LOGS else sqrt(log(float(visits)))
    exploration *= t.tuning[EXPLORATION]
    first, end = t.link[at + FIRST], end_of_tried(t, node)
    quarter = (end - first) >> 2
    # Four quarters side by side, because each comparison has to wait for the one before it.
    a = b = c = d = first
    a_score = b_score = c_score = d_score = -1.0
    for child in range(first, first + quarter):
        a, a_score = _better_child(t, child, exploration, a, a_score)
        b, b_score = _better_child(t, child + quarter, exploration, b, b_score)
        c, c_score = _better_child(t, child + 2 * quarter, exploration, c, c_score)
        d, d_score = _better_child(t, child + 3 * quarter, exploration, d, d_score)
    for child in range(first + 4 * quarter, end):
        d, d_score = _better_child(t, child, exploration, d, d_score)
    if b_score > a_score:
        a, a_score = b, b_score
    if d_score > c_score:
        c, c_score = d, d_score
    return c if c_score > a_score else a


@helper
def _best_by_history(t, node, depth):
    """Return the best child as `_best_tried` does, with a bonus for good averages elsewhere (progressive history)."""
    at = node * LINKS
    exploration = t.tuning[EXPLORATION] * sqrt(log(float(t.link[at + VISITS])))
    first = t.link[at + FIRST]
    best, best_score = first, -1.0
    for child in range(first, end_of_tried(t, node)):
        mean = t.stats[child * STATS + MEAN]
        losses = (1.0 - mean) * t.link[child * LINKS + VISITS]
        bonus = _average(t, t.edge[child], depth, 1, 0.0) * t.tuning[HISTORY] / (losses + 1.0)
        score = mean + exploration * t.stats[child * STATS + INVERSE] + bonus
        if score > best_score:
            best, best_score = child, score
    return best


@helper
def _best_by_puct(t, node, depth):
    """Return the best child by its mean, and by how likely it seemed against how often it was tried (PUCT).

    A child that was never tried counts as the mean of those that were, less UNTRIED times the root of their priors. Of
    one that is proven nothing more can be learnt, so its mean is all that counts.
    """
    at = node * LINKS
    first, end = t.link[at + FIRST], end_of_tried(t, node)
    exploration = t.tuning[EXPLORATION] * sqrt(float(t.link[at + VISITS]))
    best, best_score, total, visits, known = first, -1.0, 0.0, 0, 0.0
    for child in range(first, end):
        mean, tried = t.stats[child * STATS + MEAN], t.link[child * LINKS + VISITS]
        score = mean
        if t.link[child * LINKS + PROOF] == 0:
            score += exploration * t.prior[child] / (1.0 + tried)
        total, visits, known = total + mean * tried, visits + tried, known + t.prior[child]
        if score > best_score:
            best, best_score = child, score
    if end == first + count(t, node):
        return best
    if visits > 0 and total / visits - FIRST_PLAY_REDUCTION * sqrt(known) + exploration * t.prior[end] <= best_score:
        return best
    return _try_child(t, node, depth)


@helper
def _select(t, node, depth):
    """Return the child to follow."""
    if t.control[BY_PRIOR] != 0:
        return _best_by_puct(t, node, depth)
    if end_of_tried(t, node) < t.link[node * LINKS + FIRST] + count(t, node):
        return _try_child(t, node, depth)
    if t.tuning[HISTORY] > 0.0:
        return _best_by_history(t, node, depth)
    return _best_by_uct(t, node)


@helper
def _prefetch_children(t, node):
    """Have the children that have been tried brought nearer, so that they are there once the move is made."""
    first = t.link[node * LINKS + FIRST]
    if first != 0:
        prefetch(t.edge, first)
        for child in range(first, end_of_tried(t, node), 2):  # two lie in one line of the cache
            prefetch(t.stats, child * STATS)


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
        average = _average(t, t.room[at] * 16 + seat, length, t.control[GRAMS], 1.0)
        if average > best_average:
            best, best_average = t.room[at], average
        at = at + 1 if at + 1 < n else 0
    return best


@helper
def _share_out(t):
    """Turn the value of the position into rewards that sum up to 1; with scale 0 it is taken as it is."""
    evaluate(t.rules, t.value, t.value_weights, t.state, t.reward)
    if t.tuning[SCALE] == 0.0:
        return
    most, total = -1e18, 0.0
    for seat in range(t.rules[SEATS]):
        most = max(most, t.reward[seat])
    for seat in range(t.rules[SEATS]):
        t.reward[seat] = exp((t.reward[seat] - most) / t.tuning[SCALE])
        total += t.reward[seat]
    for seat in range(t.rules[SEATS]):
        t.reward[seat] /= total


@helper
def _pay(t):
    """Write what the seats earned; where a value judges playouts, as shares, which is what it writes too."""
    if t.control[CUT] == NEVER:
        payoff(t.rules, t.state, t.reward)
    else:
        payoff_shares(t.rules, t.state, t.reward)


@helper
def _play_on(t, length):
    """Play out by averages, or to where playouts are cut off; return the length of the path that is remembered."""
    grams, left = t.control[GRAMS], t.control[CUT]
    while turn(t.rules, t.state) != OVER:
        if left == 0:
            _share_out(t)
            return length
        left -= 1
        t.control[PLAYED] += 1
        if grams > 0 and length < MOST_PLIES:
            move = _pick_by_average(t, length)
            t.played[length] = move * 16 + turn(t.rules, t.state)
            length += 1
        else:
            move = choose(t.rules, t.policy, t.policy_weights, t.state, t.rng, t.room)
        play(t.rules, t.state, move)
    _pay(t)
    return length


@helper
def _sample(t, depth):
    """Play out, write the rewards, and return the length of the path that is remembered."""
    if t.control[GRAMS] > 0 or t.control[CUT] < NEVER:
        return _play_on(t, depth)
    t.control[PLAYED] = play_out(t.rules, t.policy, t.policy_weights, t.state, t.rng, t.room)
    _pay(t)
    return depth


@helper
def _shape_rewards(t, plies):
    """Write how seats feel about rewards so many moves away: less far from even, and the root seat scorns a draw."""
    seats, even, drawn = t.rules[SEATS], 0.0, True
    for seat in range(seats):
        even += t.reward[seat] / seats
        drawn = drawn and t.reward[seat] == t.reward[0]
    near = 1.0 - t.tuning[HASTE] * plies / (plies + HALFWAY)
    for seat in range(seats):
        t.reward[DISCOUNTED + seat] = t.reward[SHAPED + seat] = even + (t.reward[seat] - even) * near
    if drawn and turn(t.rules, t.state) == OVER:
        t.reward[SHAPED + t.control[ROOT]] = max(even - t.tuning[CONTEMPT], 0.0)


@helper
def _gain_of(t, seat):
    """Return what the reward means to the seat that moved."""
    root = t.control[ROOT]
    if t.control[STYLE] == MAXN or seat == root:
        return t.reward[SHAPED + seat]
    return 1.0 - t.reward[SHAPED + root]


@helper
def _sole_winner(t):
    """Return 1 + the seat that earned everything while the others earned nothing, or 0."""
    winner = 0
    for seat in range(t.rules[SEATS]):
        if t.reward[seat] == 1.0 and winner == 0:
            winner = seat + 1
        elif t.reward[seat] != 0.0:
            return 0
    return winner


@helper
def _prove(t, node):
    """Prove a node from its children: its mover wins if one child is won, someone else if all children are his."""
    first = t.link[node * LINKS + FIRST]
    winner = t.link[first * LINKS + PROOF]
    for child in range(first, end_of_tried(t, node)):
        if t.link[child * LINKS + PROOF] != 0 and t.link[child * LINKS + PROOF] == (t.edge[child] & 15) + 1:
            t.link[node * LINKS + PROOF] = t.link[child * LINKS + PROOF]
            return
        if t.link[child * LINKS + PROOF] != winner:
            winner = 0
    if end_of_tried(t, node) == first + count(t, node):
        t.link[node * LINKS + PROOF] = winner


@helper
def _settle(t, node):
    """Give a proven node its true mean, and no more curiosity."""
    seat, root = t.edge[node] & 15, t.control[ROOT]
    won = t.link[node * LINKS + PROOF] == seat + 1
    if t.control[STYLE] != MAXN and seat != root:
        won = t.link[node * LINKS + PROOF] != root + 1
    t.stats[node * STATS + MEAN] = 1.0 if won else 0.0
    t.stats[node * STATS + INVERSE] = 0.0


@helper
def _learn(t, length):
    """Count the reward in the averages of the moves made."""
    for i in range(length):
        gain = _gain_of(t, t.played[i] & 15)
        for grams in range(1, max(t.control[GRAMS], 1) + 1):
            slot = _slot(t, i, grams)
            t.sums[slot] += gain
            t.tries[slot] += 1


@helper
def _back_up(t, depth):
    """Count the reward on the path, and prove what can be proven."""
    below = 0  # the proof of the child on the path
    for i in range(depth, -1, -1):
        node = t.path[i]
        visits = t.link[node * LINKS + VISITS] + 1
        t.link[node * LINKS + VISITS] = visits
        at = node * STATS
        t.stats[at + MEAN] += (_gain_of(t, t.edge[node] & 15) - t.stats[at + MEAN]) / visits
        t.stats[at + INVERSE] = 1.0 / sqrt(float(visits))
        proof = t.link[node * LINKS + PROOF]
        if proof == 0 and below != 0:
            _prove(t, node)
            proof = t.link[node * LINKS + PROOF]
        if proof != 0:
            _settle(t, node)
        below = proof
    if depth > 0:
        at = (t.path[1] - t.link[FIRST]) * (1 + t.rules[SEATS])
        t.gained[at] += 1.0
        for seat in range(t.rules[SEATS]):
            t.gained[at + 1 + seat] += t.reward[DISCOUNTED + seat]


@helper
def _iterate(t, root):
    """Walk down, add to the tree, play out; return the depth, and the length of the path that is remembered."""
    copy(t.rules, root, t.state)
    node, depth = 0, 0
    t.path[0] = 0
    while True:
        if t.link[node * LINKS + PROOF] != 0:
            for seat in range(t.rules[SEATS]):
                t.reward[seat] = 1.0 if seat + 1 == t.link[node * LINKS + PROOF] else 0.0
            return depth, depth
        if turn(t.rules, t.state) == OVER:
            _pay(t)
            if t.control[SOLVE] != 0:
                t.link[node * LINKS + PROOF] = _sole_winner(t)
            return depth, depth
        at = node * LINKS
        if t.link[at + FIRST] == 0 and (t.link[at + VISITS] > 0 or node == 0) and depth < MOST_PLIES // 2:
            _expand(t, node)
        if t.link[at + FIRST] == 0:
            return depth, _sample(t, depth)
        node = _select(t, node, depth)
        _prefetch_children(t, node)
        _make(t, node)
        t.played[depth] = t.edge[node]
        depth += 1
        t.path[depth] = node


@compiled
def grow(tree, root_, iterations):
    """Grow the tree by so many iterations; stop early if told to, after one at least, or if the result is proven."""
    t = opened(tree)
    root = pointer(root_)
    learning = t.control[GRAMS] > 0 or t.tuning[HISTORY] > 0.0
    for _ in range(iterations):
        if t.link[PROOF] != 0 or t.link[VISITS] >= MOST_VISITS:
            return
        if t.control[STOP] != 0 and t.control[DONE] > 0:
            return
        if t.control[DONE] & HEEDED == HEEDED:
            heed(t.rules[HALT_AT])
        t.control[PLAYED] = 0
        depth, length = _iterate(t, root)
        _shape_rewards(t, depth + t.control[PLAYED])
        _back_up(t, depth)
        if learning:
            _learn(t, length)
        t.control[DONE] += 1
