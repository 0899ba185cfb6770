"""Trees of what seats can tell apart: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

Every iteration guesses a world and uses only the part of the tree that fits it. A child is found by its label: the
move, or how the move looks to the tree's owner. With several observers each seat has a tree of its own, all walked
down together; the seat to move chooses in its own. There a child's `available` counts the iterations in which it
could have been chosen, the one that added it included.
"""

from math import log, sqrt
from typing import Any, NamedTuple

from kibitz.core.calls import copy, evaluate, guess, moves, payoff, payoff_shares, play, seen, turn
from kibitz.core.contract import HALT_AT, OVER, SEATS
from kibitz.core.dice import below
from kibitz.core.native import compiled, heed, helper, offset, pointer
from kibitz.core.playout import HEEDED, choose, play_out
from kibitz.networks.inference import weigh_moves

# Cells of `control`. What is counted, then what is told.
USED, STOP, DONE, FIRST_PLACE = range(4)
FULL, ROOT, OBSERVER, REWARD, CUT, BY_PRIOR = range(4, 10)
CONTROL_CELLS = 10
NEVER = 2**62  # CUT: playouts go on to the end
SINGLE, SINGLE_POM, MULTI = 0, 1, 2  # OBSERVER: the root seat, by moves; by how moves look to it; every seat
PAYOFF, RANK = 0, 1  # REWARD
SECOND_PLACE = 0.2  # of the rewards by rank: 1, then from here down to 0 (Colonizers thesis)
MOST_PLIES = 512  # deeper than this the tree does not grow
UNTRIED = 0.2  # with priors: how much less a move promises that was never tried, once all likely ones have been


class Forest(NamedTuple):
    """The trees and everything they are grown with; arrays when Python hands them in, addresses inside."""

    rules: Any
    policy: Any
    weights: Any
    value: Any  # judges where a playout is cut off, in chances to win
    value_weights: Any
    net: Any  # a network whose policy head gives priors, where BY_PRIOR is set
    control: Any
    exploration_constants: Any  # two numbers: the exploration constant, and the contempt of the root seat for a draw
    label: Any  # from here to `total`: by node
    mover: Any
    child: Any  # the first child, 0 for none
    sibling: Any  # the next child of the same parent, 0 for none
    visits: Any
    available: Any
    total: Any  # what the seat that moved here gained
    gained: Any  # legal move at the root x (1 + seats): visits, and what each seat gained in them, without contempt
    at: Any  # by tree: the node it stands on
    path: Any  # ply x tree
    world: Any
    listed: Any
    labels: Any
    found: Any  # by legal move: the child in the chooser's tree, 0 for none
    prior: Any  # by legal move, where BY_PRIOR is set: how likely the network finds it
    room: Any
    reward: Any  # what each seat gains, what that is worth with contempt, and room for as many
    rng: Any


@helper
def _opened(f):
    return Forest(
        pointer(f.rules), f.policy, pointer(f.weights), pointer(f.value), pointer(f.value_weights), pointer(f.net),
        pointer(f.control), pointer(f.exploration_constants), pointer(f.label), pointer(f.mover), pointer(f.child),
        pointer(f.sibling), pointer(f.visits), pointer(f.available), pointer(f.total), pointer(f.gained),
        pointer(f.at), pointer(f.path), pointer(f.world), pointer(f.listed), pointer(f.labels), pointer(f.found),
        pointer(f.prior), pointer(f.room), pointer(f.reward), pointer(f.rng),
    )  # fmt: skip


@helper
def _trees(f):
    return f.rules[SEATS] if f.control[OBSERVER] == MULTI else 1


@helper
def _label(f, move, seat, tree):
    """Return what a move by a seat is called in a tree."""
    owner = tree if f.control[OBSERVER] == MULTI else f.control[ROOT]
    if f.control[OBSERVER] == SINGLE or owner == seat:
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
def _add(f, node, label, seat, chosen):
    """Add a child and return it; it counts as available if it was chosen here."""
    child = f.control[USED]
    f.control[USED] = child + 1
    f.label[child], f.mover[child] = label, seat
    f.sibling[child], f.child[node] = f.child[node], child
    f.child[child] = f.visits[child] = 0
    f.available[child] = 1 if chosen else 0
    f.total[child] = 0.0
    return child


@helper
def _place(f, n, label):
    """Return the place of a label among n that ascend, or of one that is greater."""
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
    ascending = f.control[OBSERVER] != SINGLE_POM or seat == f.control[ROOT]  # moves ascend, looks need not
    for i in range(n):
        f.labels[i] = _label(f, f.listed[i], seat, tree)
        f.found[i] = 0
    missing = n
    child = f.child[f.at[tree]]
    while child != 0:
        start = _place(f, n, f.label[child]) if ascending else 0
        before = missing
        for i in range(start, start + 1 if ascending else n):
            if f.labels[i] == f.label[child]:
                f.found[i] = child
                missing -= 1
        f.available[child] += 1 if missing < before else 0
        child = f.sibling[child]
    return missing


@helper
def _nth_where(f, n, wanted, skip):
    """Return the place of the legal move number `skip` among those whose child is `wanted`."""
    for i in range(n):
        if f.found[i] == wanted:
            if skip == 0:
                return i
            skip -= 1
    return 0


@helper
def _select(f, n):
    """Return the child to follow: the best by its mean and by how little it was tried when it could be."""
    best, best_score = 0, -1.0
    for i in range(n):
        child = f.found[i]
        if child != 0:
            before = f.available[child] - 1.0  # this iteration is counted already
            score = f.total[child] / f.visits[child] + f.exploration_constants[0] * sqrt(log(before) / f.visits[child])
            if score > best_score:
                best, best_score = child, score
    return best


@helper
def _by_prior(f, n, seat, tree, may_add):
    """Return the place of the move that is best by its mean, and by how likely it seems against its visits (PUCT).

    A move that was never tried counts as the mean of those that were, less UNTRIED times the root of their priors. What
    a move's visits are set against is how often it could have been chosen.
    """
    weigh_moves(f.net, f.world, seat, f.listed, n, f.prior)
    total, visits, known, best, best_score = 0.0, 0, 0.0, 0, -1e9
    for i in range(n):
        if f.found[i] != 0:
            total, visits = total + f.total[f.found[i]], visits + f.visits[f.found[i]]
            known += f.prior[i]
    hope = total / visits - UNTRIED * sqrt(known) if visits > 0 else 0.0
    for i in range(n):
        child = f.found[i]
        if child != 0:
            exploration = sqrt(float(f.available[child])) / (1.0 + f.visits[child])
            score = f.total[child] / f.visits[child] + f.exploration_constants[0] * f.prior[i] * exploration
        else:
            score = hope + f.exploration_constants[0] * f.prior[i] * sqrt(max(float(f.visits[f.at[tree]]), 1.0))
        if (child != 0 or may_add) and score > best_score:
            best, best_score = i, score
    return best


@helper
def _choose(f, n, seat, tree):
    """Return the place of the next move, and whether it is new to the tree; equal looks are drawn from evenly."""
    missing = _look_up(f, n, seat, tree)
    if f.control[BY_PRIOR] != 0:
        place = _by_prior(f, n, seat, tree, missing == n or f.control[USED] < f.control[FULL])
        return place, f.found[place] == 0
    if missing > 0 and (missing == n or f.control[USED] < f.control[FULL]):
        return _nth_where(f, n, 0, below(f.rng, missing)), True
    child, alike = _select(f, n), 0
    for i in range(n):
        alike += 1 if f.found[i] == child else 0
    return _nth_where(f, n, child, below(f.rng, alike)), False


@helper
def _step(f, move, seat, ply):
    """Walk every tree down to where a move leads, adding what is missing; return whether all could follow."""
    trees = _trees(f)
    if f.control[USED] + trees > f.control[FULL]:
        for tree in range(trees):
            if _find(f, f.at[tree], _label(f, move, seat, tree)) == 0:
                return False
    for tree in range(trees):
        label = _label(f, move, seat, tree)
        child = _find(f, f.at[tree], label)
        if child == 0:
            child = _add(f, f.at[tree], label, seat, trees == 1 or tree == seat)
        f.at[tree] = child
        f.path[(ply + 1) * trees + tree] = child
    return True


@helper
def _reward_of_place(seats, place):
    """Return the reward for a place, from 0 on."""
    return 1.0 if place == 0 else SECOND_PLACE * (seats - 1 - place) / max(seats - 2, 1)


@helper
def _rank_rewards(seats, reward, room):
    """Turn payoffs into rewards by rank; seats that tie share those of the places they take together."""
    for seat in range(seats):
        better, equal = 0, 0
        for other in range(seats):
            better += 1 if reward[other] > reward[seat] else 0
            equal += 1 if reward[other] == reward[seat] else 0
        shared = 0.0
        for place in range(better, better + equal):
            shared += _reward_of_place(seats, place)
        room[seat] = shared / equal
    for seat in range(seats):
        reward[seat] = room[seat]


@helper
def _feel(f, scorned):
    """Write the rewards as the root seat feels them, to whom a draw that it scorns is worth less."""
    seats = f.rules[SEATS]
    shaped, room = offset(f.reward, seats), offset(f.reward, 2 * seats)
    for seat in range(seats):
        shaped[seat] = f.reward[seat]
    if scorned:
        shaped[f.control[ROOT]] -= f.exploration_constants[1]
    if f.control[REWARD] == RANK:
        _rank_rewards(seats, f.reward, room)
        _rank_rewards(seats, shaped, room)


@helper
def _is_draw(f):
    """Return whether all seats earned the same."""
    for seat in range(1, f.rules[SEATS]):
        if f.reward[seat] != f.reward[0]:
            return False
    return True


@helper
def _sample(f):
    """Play out, to the end or to where playouts are cut off, and write the rewards; return whether it was a draw."""
    if f.control[CUT] == NEVER:
        play_out(f.rules, f.policy, f.weights, f.world, f.rng, f.room)
        payoff(f.rules, f.world, f.reward)
    else:
        for _ in range(f.control[CUT]):
            if turn(f.rules, f.world) != OVER:
                play(f.rules, f.world, choose(f.rules, f.policy, f.weights, f.world, f.rng, f.room))
        if turn(f.rules, f.world) != OVER:
            evaluate(f.rules, f.value, f.value_weights, f.world, f.reward)
            return False
        payoff_shares(f.rules, f.world, f.reward)
    return _is_draw(f)


@helper
def _walk(f, view):
    """Guess a world, walk down, add a move, play out; return how many plies lie in the trees."""
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
        place, new = _choose(f, n, seat, seat if f.control[OBSERVER] == MULTI else 0)
        move = f.listed[place]
        if ply == 0:
            f.control[FIRST_PLACE] = place
        followed = _step(f, move, seat, ply)
        growing = followed and not new
        ply += 1 if followed else 0
        play(f.rules, f.world, move)
    _feel(f, _sample(f))
    return ply


@helper
def _back_up(f, plies):
    """Count the rewards on the path."""
    trees, seats = _trees(f), f.rules[SEATS]
    shaped = offset(f.reward, seats)
    for ply in range(plies + 1):
        for tree in range(trees):
            node = f.path[ply * trees + tree]
            f.visits[node] += 1
            if ply > 0:
                f.total[node] += shaped[f.mover[node]]
    at = f.control[FIRST_PLACE] * (1 + seats)
    f.gained[at] += 1.0
    for seat in range(seats):
        f.gained[at + 1 + seat] += f.reward[seat]


@compiled
def grow(forest, view_, iterations):
    """Grow the trees by so many iterations, or until told to stop, but by one at least."""
    f = _opened(forest)
    view = pointer(view_)
    for _ in range(iterations):
        if f.control[STOP] != 0 and f.control[DONE] > 0:
            return
        if f.control[DONE] & HEEDED == HEEDED:
            heed(f.rules[HALT_AT])
        _back_up(f, _walk(f, view))
        f.control[DONE] += 1
