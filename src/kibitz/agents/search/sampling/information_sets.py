"""Trees of information sets: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

Every iteration draws a determinization and uses only the part of the tree that fits it. A child is found by its label:
the move, or how the move looks to the tree's owner. With several observers each seat has its own tree. All are
descended together, and the seat to move selects in its own. There a child's `available` counts the iterations in which
it could have been chosen, including the one that added it.
"""

from math import log, sqrt
from typing import NamedTuple

from kibitz.agents.search.sampling.uct_tree import DONE, NEVER, STOP, USED
from kibitz.agents.search.search_arrays import (
    Entries,
    Float32s,
    Float64s,
    Handle,
    Int64s,
    UInt64s,
    opened,
)
from kibitz.core.calls import copy, evaluate, guess, moves, payoff, payoff_shares, play, roll_index, seen, turn
from kibitz.core.contract import CHANCE, HALT_AT, OVER, SEATS
from kibitz.core.dice import below
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.playout import HEEDED, choose, play_out, play_rolls
from kibitz.networks.inference import weigh_moves

# Cells of `control`: counters, of which the first are those of a plain tree, then parameters.
FIRST_PLACE = 3
FULL, ROOT, OBSERVER, REWARD, CUT, BY_PRIOR = range(4, 10)
CONTROL_CELLS = 10
SINGLE, SINGLE_POM, MULTI = 0, 1, 2  # OBSERVER: the root seat, by moves; by how moves look to it; every seat
PAYOFF, RANK = 0, 1  # REWARD
SECOND_PLACE = 0.2  # of the rewards by rank: 1, then from here down to 0 (Colonizers thesis)
MOST_PLIES = 512  # the tree does not grow deeper than this
FIRST_PLAY_REDUCTION = 0.2  # with priors: how much less an untried move is worth than the mean of those tried


class InformationSetTrees(NamedTuple):
    """The trees and everything needed to grow them."""

    rules: Entries
    policy: Handle  # plays the playouts
    policy_weights: Float64s  # [weight]
    value_function: Entries  # evaluates where a playout is cut off, in chances to win
    value_weights: Float64s  # [weight]
    net: Float64s  # [weight]: a network whose policy head gives priors, where BY_PRIOR is set
    control: Int64s  # [cell]
    exploration_constant: float
    label: Int64s  # [node]
    mover: Int64s  # [node]
    child: Int64s  # [node]: the first child, 0 for none
    sibling: Int64s  # [node]: the next child of the same parent, 0 for none
    visits: Int64s  # [node]
    available: Int64s  # [node]: the iterations in which it could have been chosen
    value_sum: Float64s  # [node]: the rewards of the seat that moved here
    root_sums: Float64s  # [legal move at the root, 1 + seats]: visits, and the sum of each seat's rewards
    at: Int64s  # [tree]: the node it stands on
    path: Int64s  # [ply, tree]: the nodes of an iteration
    world: Int64s  # [cell]
    listed: Int64s  # [move]
    labels: Int64s  # [move]
    children: Int64s  # [move]: the child in the mover's tree, 0 for none
    prior: Float32s  # [move], where BY_PRIOR is set
    scratch: Int64s  # [move]
    reward: Float64s  # [2, seat]: the rewards, and scratch space
    rng: UInt64s  # [1]


@helper
def _trees(f):
    return f.rules[SEATS] if f.control[OBSERVER] == MULTI else 1


@helper
def _label(f, move, seat, tree):
    """Return the label of a move by a seat in a tree."""
    owner = tree if f.control[OBSERVER] == MULTI else f.control[ROOT]
    if f.control[OBSERVER] == SINGLE or owner == seat or seat == CHANCE:  # everybody sees what chance does
        return move
    return seen(f.rules, f.world, move, owner)


@helper
def _find(f, node, label):
    """Return the child with a label, or 0."""
    child = f.child[node]
    while child != 0 and f.label[child] != label:
        child = f.sibling[child]
    return child


@helper
def _add_child(f, node, label, seat, chosen):
    """Add a child and return it; it counts as available if it was chosen here."""
    child = f.control[USED]
    f.control[USED] = child + 1
    f.label[child], f.mover[child] = label, seat
    f.sibling[child], f.child[node] = f.child[node], child
    f.child[child] = f.visits[child] = 0
    f.available[child] = 1 if chosen else 0
    f.value_sum[child] = 0.0
    return child


@helper
def _place(f, n, label):
    """Return the index of a label among n ascending ones, or of a greater one if it is not there."""
    low, high = 0, n - 1
    while low < high:
        middle = (low + high) >> 1
        if f.labels[middle] < label:
            low = middle + 1
        else:
            high = middle
    return low


@helper
def _look_up(f, n, seat, tree):
    """Find the child of every legal move in a tree and count it as available; return how many moves have none."""
    ascending = f.control[OBSERVER] != SINGLE_POM or seat == f.control[ROOT]  # moves ascend; how they look may not
    for i in range(n):
        f.labels[i] = _label(f, f.listed[i], seat, tree)
        f.children[i] = 0
    missing = n
    child = f.child[f.at[tree]]
    while child != 0:
        start = _place(f, n, f.label[child]) if ascending else 0
        before = missing
        for i in range(start, start + 1 if ascending else n):
            if f.labels[i] == f.label[child]:
                f.children[i] = child
                missing -= 1
        f.available[child] += 1 if missing < before else 0
        child = f.sibling[child]
    return missing


@helper
def _nth_where(f, n, wanted, skip):
    """Return the index of legal move number `skip` among those whose child is `wanted`."""
    for i in range(n):
        if f.children[i] == wanted:
            if skip == 0:
                return i
            skip -= 1
    return 0


@helper
def _select(f, n):
    """Return the child to follow: the best by UCB1, with its availability in place of the parent's visits."""
    best, best_score = 0, -1.0
    for i in range(n):
        child = f.children[i]
        if child != 0:
            before = f.available[child] - 1.0  # this iteration is counted already
            score = f.value_sum[child] / f.visits[child] + f.exploration_constant * sqrt(log(before) / f.visits[child])
            if score > best_score:
                best, best_score = child, score
    return best


@helper
def _best_by_puct(f, n, seat, tree, may_add):
    """Return the index of the best move by PUCT: its mean, and its prior against its visits.

    An untried move counts as the mean of those tried, less FIRST_PLAY_REDUCTION times the square root of the
    sum of their priors. The availability of a move takes the place of the parent's visits.
    """
    weigh_moves(f.net, f.world, seat, f.listed, n, f.prior)
    total, visits, known, best, best_score = 0.0, 0, 0.0, 0, -1e9
    for i in range(n):
        if f.children[i] != 0:
            total, visits = total + f.value_sum[f.children[i]], visits + f.visits[f.children[i]]
            known += f.prior[i]
    hope = total / visits - FIRST_PLAY_REDUCTION * sqrt(known) if visits > 0 else 0.0
    for i in range(n):
        child = f.children[i]
        if child != 0:
            exploration = sqrt(float(f.available[child])) / (1.0 + f.visits[child])
            score = f.value_sum[child] / f.visits[child] + f.exploration_constant * f.prior[i] * exploration
        else:
            score = hope + f.exploration_constant * f.prior[i] * sqrt(max(float(f.visits[f.at[tree]]), 1.0))
        if (child != 0 or may_add) and score > best_score:
            best, best_score = i, score
    return best


@helper
def _choose(f, n, seat, tree):
    """Return the index of the next move, and whether it is new to the tree; look-alikes are equally likely."""
    missing = _look_up(f, n, seat, tree)
    if f.control[BY_PRIOR] != 0:
        place = _best_by_puct(f, n, seat, tree, missing == n or f.control[USED] < f.control[FULL])
        return place, f.children[place] == 0
    if missing > 0 and (missing == n or f.control[USED] < f.control[FULL]):
        return _nth_where(f, n, 0, below(f.rng, missing)), True
    child, alike = _select(f, n), 0
    for i in range(n):
        alike += 1 if f.children[i] == child else 0
    return _nth_where(f, n, child, below(f.rng, alike)), False


@helper
def _roll(f):
    """Return the index of what chance does, and whether it is new to the tree."""
    place = roll_index(f.rules, f.world, f.rng, f.scratch)
    tree = f.control[ROOT] if f.control[OBSERVER] == MULTI else 0
    return place, _find(f, f.at[tree], f.listed[place]) == 0


@helper
def _descend(f, move, seat, ply):
    """Descend every tree by a move, adding what is missing; return whether all could follow."""
    trees = _trees(f)
    if f.control[USED] + trees > f.control[FULL]:
        for tree in range(trees):
            if _find(f, f.at[tree], _label(f, move, seat, tree)) == 0:
                return False
    for tree in range(trees):
        label = _label(f, move, seat, tree)
        child = _find(f, f.at[tree], label)
        if child == 0:
            child = _add_child(f, f.at[tree], label, seat, trees == 1 or tree == seat)
        f.at[tree] = child
        f.path[(ply + 1) * trees + tree] = child
    return True


@helper
def _reward_of_place(seats, place):
    """Return the reward for a rank; the first is 0."""
    return 1.0 if place == 0 else SECOND_PLACE * (seats - 1 - place) / max(seats - 2, 1)


@helper
def _rank_rewards(seats, reward, scratch):
    """Turn payoffs into rewards by rank; seats that tie share the rewards of the ranks they take up."""
    for seat in range(seats):
        better, equal = 0, 0
        for other in range(seats):
            better += 1 if reward[other] > reward[seat] else 0
            equal += 1 if reward[other] == reward[seat] else 0
        shared = 0.0
        for place in range(better, better + equal):
            shared += _reward_of_place(seats, place)
        scratch[seat] = shared / equal
    for seat in range(seats):
        reward[seat] = scratch[seat]


@helper
def _play_out(f):
    """Play out, to the end or to where playouts are cut off, and write the rewards."""
    if f.control[CUT] == NEVER:
        play_out(f.rules, f.policy, f.policy_weights, f.world, f.rng, f.scratch)
        payoff(f.rules, f.world, f.reward)
    else:
        for _ in range(f.control[CUT]):
            if turn(f.rules, f.world) != OVER:
                play(f.rules, f.world, choose(f.rules, f.policy, f.policy_weights, f.world, f.rng, f.scratch))
        play_rolls(f.rules, f.world, f.rng, f.scratch)
        if turn(f.rules, f.world) != OVER:
            evaluate(f.rules, f.value_function, f.value_weights, f.world, f.reward)
        else:
            payoff_shares(f.rules, f.world, f.reward)
    if f.control[REWARD] == RANK:
        _rank_rewards(f.rules[SEATS], f.reward, offset(f.reward, f.rules[SEATS]))


@helper
def _iterate(f, view):
    """Draw a determinization, select, expand and play out; return how many plies lie in the trees."""
    trees = _trees(f)
    copy(f.rules, view, f.world)
    guess(f.rules, f.world, f.control[ROOT], f.rng)
    for tree in range(trees):
        f.at[tree] = tree + 1
        f.path[tree] = tree + 1
    ply, growing = 0, True
    while growing and ply < MOST_PLIES - 1:
        seat = turn(f.rules, f.world)
        if seat == OVER:
            break
        n = moves(f.rules, f.world, f.listed)
        if seat == CHANCE:
            place, new = _roll(f)
        else:
            place, new = _choose(f, n, seat, seat if f.control[OBSERVER] == MULTI else 0)
        move = f.listed[place]
        if ply == 0:
            f.control[FIRST_PLACE] = place
        followed = _descend(f, move, seat, ply)
        growing = followed and not new
        ply += 1 if followed else 0
        play(f.rules, f.world, move)
    _play_out(f)
    return ply


@helper
def _back_up(f, plies):
    """Back up the rewards along the path."""
    trees, seats = _trees(f), f.rules[SEATS]
    for ply in range(plies + 1):
        for tree in range(trees):
            node = f.path[ply * trees + tree]
            f.visits[node] += 1
            if ply > 0 and f.mover[node] != CHANCE:
                f.value_sum[node] += f.reward[f.mover[node]]
    at = f.control[FIRST_PLACE] * (1 + seats)
    f.root_sums[at] += 1.0
    for seat in range(seats):
        f.root_sums[at + 1 + seat] += f.reward[seat]


@compiled
def grow(forest, view_, iterations):
    """Run `iterations` iterations, fewer if told to stop, but at least one."""
    f = opened(forest)
    view = pointer(view_)
    for _ in range(iterations):
        if f.control[STOP] != 0 and f.control[DONE] > 0:
            return
        if f.control[DONE] & HEEDED == HEEDED:
            heed(f.rules[HALT_AT])
        _back_up(f, _iterate(f, view))
        f.control[DONE] += 1
