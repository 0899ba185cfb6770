"""UCT for any number of seats, on positions in which nothing is hidden: selection, playouts, backup.

While a node has untried children, one of them is drawn; from then on, selection follows the best by UCB1. Both terms of
a child's score are updated along the path of each iteration, so that a score costs one multiplication and one addition.
"""

from math import exp, log, sqrt

from kibitz.agents.search.sampling.uct_tree import (
    BY_PRIOR,
    CHANCE_EDGE,
    CONTEMPT,
    CUT,
    DISCOUNTED,
    DONE,
    EXPLORATION,
    FIRST,
    GRAMS,
    HISTORY,
    INVERSE,
    KNOWN_LOGS,
    LAST_SEAT,
    LINKS,
    MAXN,
    MEAN,
    MOST_PLIES,
    MOST_VISITS,
    NEVER,
    NO_EDGE,
    PLAYED,
    PROOF,
    REPLIES,
    ROOT,
    SCALE,
    SHAPE,
    SHAPED,
    SOLVE,
    STATS,
    STOP,
    STYLE,
    TABLE_MASK,
    VISITS,
    count,
    end_of_tried,
    expand,
)
from kibitz.agents.search.search_arrays import opened
from kibitz.core.calls import (
    copy,
    counts_payoffs,
    evaluate,
    hand_over,
    moves,
    payoff,
    payoff_shares,
    play,
    roll_index,
    turn,
)
from kibitz.core.contract import CHANCE, HALT_AT, OVER, SEATS
from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, heed, helper, pointer, prefetch
from kibitz.core.playout import HEEDED, choose, play_out, play_rolls

EXPLOIT_PROBABILITY = 0.8  # how often playouts by averages take the move with the best one
# The most that a late win loses, and the moves after which half of it is lost.
MAX_DISCOUNT, DISCOUNT_HALF_PLIES = 0.05, 100.0
FIRST_PLAY_REDUCTION = 0.2  # with priors: how much less an untried move is worth than the mean of those tried


@helper
def _slot(t, at, grams):
    """Return the slot for the average of a move of the path, by itself or with the move before it."""
    mixed = t.played[at]
    if grams == 2:
        before = t.played[at - 1] if at > 0 else NO_EDGE
        mixed = mixed * 0x9E37 + before * 0x1B873 + 1
    return (mixed ^ (mixed >> 14)) & TABLE_MASK


@helper
def _average(t, edge, at, grams, default):
    """Return the average reward of an edge at an index of the path, or `default` if it was never played."""
    t.played[at] = edge
    slot = _slot(t, at, grams)
    return t.sums[slot] / t.counts[slot] if t.counts[slot] > 0 else default


@helper
def _draw_untried(t, start, n, depth):
    """Return one of n untried children: the likeliest, with progressive history the best average, else a random one."""
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
    """Return the best child by UCB1."""
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
    """Return the best child by UCT with a bonus for good averages elsewhere (progressive history)."""
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
    """Return the best child by PUCT: its mean, and its prior against its visits.

    An untried child counts as the mean of those tried, less FIRST_PLAY_REDUCTION times the square root of the
    sum of their priors. A proven child gets no exploration bonus.
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
    """Return the child to follow; where chance moves, that of an outcome drawn by its odds."""
    if turn(t.rules, t.state) == CHANCE:
        return t.link[node * LINKS + FIRST] + roll_index(t.rules, t.state, t.rng, t.scratch)
    if t.control[BY_PRIOR] != 0:
        return _best_by_puct(t, node, depth)
    if end_of_tried(t, node) < t.link[node * LINKS + FIRST] + count(t, node):
        return _try_child(t, node, depth)
    if t.tuning[HISTORY] > 0.0:
        return _best_by_history(t, node, depth)
    return _best_by_uct(t, node)


@helper
def _prefetch_children(t, node):
    """Prefetch the children that have been tried, so that they are in the cache once the move is made."""
    first = t.link[node * LINKS + FIRST]
    if first != 0:
        prefetch(t.edge, first)
        for child in range(first, end_of_tried(t, node), 2):  # two lie in one line of the cache
            prefetch(t.stats, child * STATS)


@helper
def _make(t, child):
    """Play the move of a child; in best-reply style, the seat of its edge plays it and the root seat moves next.

    What chance does belongs to the turn of the seat before it.
    """
    edge, root = t.edge[child], t.control[ROOT]
    seat = edge & 15
    rolled = seat == CHANCE_EDGE
    if rolled:
        seat = t.control[LAST_SEAT]
    t.control[LAST_SEAT] = seat
    replying = t.control[STYLE] == REPLIES and seat != root
    if replying and not rolled and turn(t.rules, t.state) != seat:
        hand_over(t.rules, t.state, seat)
    play(t.rules, t.state, edge >> 4)
    if replying:
        then = turn(t.rules, t.state)
        if then >= 0 and then != root and then != seat:
            hand_over(t.rules, t.state, root)


@helper
def _pick_by_average(t, length):
    """Return the legal move with the best average so far, a random one now and then (MAST, NAST)."""
    n = moves(t.rules, t.state, t.scratch)
    if unit(t.rng) >= EXPLOIT_PROBABILITY:
        return t.scratch[below(t.rng, n)]
    seat = turn(t.rules, t.state)
    at = below(t.rng, n)
    best, best_average = t.scratch[at], -1.0
    for _ in range(n):
        average = _average(t, t.scratch[at] * 16 + seat, length, t.control[GRAMS], 1.0)
        if average > best_average:
            best, best_average = t.scratch[at], average
        at = at + 1 if at + 1 < n else 0
    return best


@helper
def _share_out(t):
    """Turn the value of the position into rewards that sum to 1; with scale 0, use it as it is."""
    evaluate(t.rules, t.value_function, t.value_weights, t.state, t.reward)
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
    """Write the payoffs; as shares if playouts may be cut off, since a value gives shares too."""
    if t.control[CUT] == NEVER:
        payoff(t.rules, t.state, t.reward)
    else:
        payoff_shares(t.rules, t.state, t.reward)


@helper
def _play_on(t, length):
    """Play out by averages, or to where playouts are cut off; return how many moves count in averages."""
    grams, left = t.control[GRAMS], t.control[CUT]
    while turn(t.rules, t.state) != OVER:
        if turn(t.rules, t.state) == CHANCE:
            t.control[PLAYED] += play_rolls(t.rules, t.state, t.rng, t.scratch)
            continue
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
            move = choose(t.rules, t.policy, t.policy_weights, t.state, t.rng, t.scratch)
        play(t.rules, t.state, move)
    _pay(t)
    return length


@helper
def _sample(t, depth):
    """Play out and write the rewards; return how many moves count in averages."""
    if t.control[GRAMS] > 0 or t.control[CUT] < NEVER:
        return _play_on(t, depth)
    t.control[PLAYED] = play_out(t.rules, t.policy, t.policy_weights, t.state, t.rng, t.scratch)
    _pay(t)
    return depth


@helper
def _shape_rewards(t, plies):
    """Write the rewards discounted by `plies` moves, which draws them towards equal shares, and then with contempt."""
    seats, even, drawn = t.rules[SEATS], 0.0, True
    for seat in range(seats):
        even += t.reward[seat] / seats
        drawn = drawn and t.reward[seat] == t.reward[0]
    near = 1.0 - MAX_DISCOUNT * plies / (plies + DISCOUNT_HALF_PLIES)
    if counts_payoffs(t.rules):  # a payoff is worth the same sooner and later, and an equal one no less
        near, drawn = 1.0, False
    for seat in range(seats):
        t.reward[DISCOUNTED + seat] = t.reward[SHAPED + seat] = even + (t.reward[seat] - even) * near
    if drawn and turn(t.rules, t.state) == OVER:
        t.reward[SHAPED + t.control[ROOT]] = max(even - t.tuning[CONTEMPT], 0.0)


@helper
def _reward_of(t, seat):
    """Return the reward of the seat that moved."""
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
    """Prove a node from its children: won for its mover if one child is, for another seat if all children are."""
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
    """Give a proven node its true mean, and no exploration bonus."""
    seat, root = t.edge[node] & 15, t.control[ROOT]
    won = t.link[node * LINKS + PROOF] == seat + 1
    if t.control[STYLE] != MAXN and seat != root:
        won = t.link[node * LINKS + PROOF] != root + 1
    t.stats[node * STATS + MEAN] = 1.0 if won else 0.0
    t.stats[node * STATS + INVERSE] = 0.0


@helper
def _back_up_averages(t, length):
    """Add the reward to the averages of the moves made."""
    for i in range(length):
        if t.played[i] & 15 == CHANCE_EDGE:
            continue
        reward = _reward_of(t, t.played[i] & 15)
        for grams in range(1, max(t.control[GRAMS], 1) + 1):
            slot = _slot(t, i, grams)
            t.sums[slot] += reward
            t.counts[slot] += 1


@helper
def _back_up(t, depth):
    """Back up the reward along the path, and prove what can be proven."""
    below = 0  # the proof of the child on the path
    for i in range(depth, -1, -1):
        node = t.path[i]
        visits = t.link[node * LINKS + VISITS] + 1
        t.link[node * LINKS + VISITS] = visits
        at = node * STATS
        t.stats[at + MEAN] += (_reward_of(t, t.edge[node] & 15) - t.stats[at + MEAN]) / visits
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
        t.root_sums[at] += 1.0
        for seat in range(t.rules[SEATS]):
            t.root_sums[at + 1 + seat] += t.reward[DISCOUNTED + seat]


@helper
def _iterate(t, root):
    """Select, expand and play out; return the depth, and how many moves count in averages."""
    copy(t.rules, root, t.state)
    node, depth = 0, 0
    t.path[0], t.control[LAST_SEAT] = 0, NO_EDGE
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
            expand(t, node)
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
    """Run `iterations` iterations; stop early, but after at least one, if told to or if the result is proven."""
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
            _back_up_averages(t, length)
        t.control[DONE] += 1
