"""Searches on random trees with 2 to 6 seats and ties, against brute force; and the counts of the best case."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.search import control
from kibitz.agents.search.alphabeta.alphabeta_kernel import search_root as search_sides
from kibitz.agents.search.maxn import maxn_arrays as maxn
from kibitz.agents.search.maxn.maxn_kernel import search_root as search_seats
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from tests.agents.reference import Reference, ratios, squares
from tests.conftest import ROOT

TREES = f"{ROOT}/tests/trees"
SHAPES = [(2, 3, 5), (3, 3, 4), (3, 2, 6), (4, 2, 5), (5, 2, 5), (6, 2, 4)]  # seats, branch, depth
SEEDS = range(12)


def tree(seats, branch, spread=10, ends=False, seed=1):
    """Return the root of a random tree."""
    game = games.find(f"{TREES}(seats={seats}, branch={branch}, spread={spread}, ends={str(ends).lower()})")
    return game, Table(game, seed).view(0)


def decide(text, game, state, seed=1):
    """Return what an agent thinks, its moves tried from the left."""
    return agents.build(text, game, seed).decide(state)


def best_score(decision):
    return decision.considered[decision.move]


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
@pytest.mark.parametrize("ends", [False, True])
def test_paranoid_is_brute_force(seats, branch, depth, ends):
    for seed in SEEDS:
        game, state = tree(seats, branch, 8, ends, seed)
        expected = Reference(game, "whole").two_sided(state, depth, 0)
        found = decide(f"paranoid(depth={depth}, memory=1)", game, state)
        if found.depth == depth:  # a decided game may be found sooner
            assert best_score(found) == pytest.approx(expected)
        else:
            assert np.sign(best_score(found)) == np.sign(expected)
            assert abs(expected) > 1e5


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
@pytest.mark.parametrize("spread", [3, 1000])
def test_maxn_is_brute_force_with_ties_too(seats, branch, depth, spread):
    for seed in SEEDS:
        game, state = tree(seats, branch, spread, ends=True, seed=seed)
        expected = Reference(game, "whole").maxn(state, depth)
        assert values_from_the_left(game, state, depth, "whole", maxn.NOT) == pytest.approx(expected.tolist())


def values_from_the_left(game, state, depth, value, prune, total=0.0, leaf=maxn.PLAIN):
    """Return the root's values, its moves tried in order."""
    mind = agents.build(f"maxn(value={value}, prune=none, lazy=false)", game, 1)
    engine = mind.driver.engine
    engine.arrays.total[0] = total
    engine.control.parameters |= {maxn.PRUNE: prune, maxn.LEAF: leaf, control.SLOTS: 0}
    engine.begin(0)
    scores = np.zeros(game.most_moves)
    tried = np.arange(len(mind.legal(state)))
    best = search_seats(engine.arrays, state, depth, tried, scores, engine.move_values)
    return engine.move_values[best].tolist()


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
@pytest.mark.parametrize("spread", [3, 1000])
@pytest.mark.parametrize("ends", [False, True])
def test_shallow_pruning_changes_nothing(seats, branch, depth, spread, ends):
    for seed in SEEDS:
        game, state = tree(seats, branch, spread, ends, seed)
        plain = values_from_the_left(game, state, depth, "shares", maxn.NOT, 100.0)
        assert plain == pytest.approx(Reference(game, "shares", total=100.0).maxn(state, depth).tolist())
        assert values_from_the_left(game, state, depth, "shares", maxn.SHALLOW, 100.0) == plain


def test_shallow_pruning_does_prune():
    game, state = tree(3, 4, 1000)
    full = decide("maxn(depth=5, value=shares, prune=none)", game, state)
    pruned = decide("maxn(depth=5, value=shares)", game, state)
    assert pruned.cutoffs > 0
    assert pruned.nodes < full.nodes
    assert pruned.values == full.values


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_not_so_paranoid_without_pruning_is_brute_force(seats, branch, depth):
    for seed in SEEDS:
        for leaf, transform in (("squares", squares), ("ratios", ratios)):
            game, state = tree(seats, branch, 8, ends=True, seed=seed)
            reference = Reference(game, "whole")
            expected = reference.maxn(state, depth, leaf=lambda node, r=reference, t=transform: t(r.utilities(node)))
            code = {"squares": maxn.SQUARES, "ratios": maxn.RATIOS}[leaf]
            assert values_from_the_left(game, state, depth, "whole", maxn.NOT, leaf=code) == pytest.approx(
                expected.tolist()
            )


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_offensive_harms_its_target(seats, branch, depth):
    for seed in SEEDS:
        game, state = tree(seats, branch, 5, ends=False, seed=seed)
        target = seats - 1

        def choose(seat, found, target=target):
            if seat == 0:
                return min(found, key=lambda worth: (worth[target], -worth[0]))
            return found[int(np.argmax([worth[seat] for worth in found]))]

        expected = Reference(game, "whole").maxn(state, depth, choose=choose)
        found = decide(f"offensive({target + 1}, depth={depth})", game, state)
        assert found.values[target] == expected[target]
        assert found.values[0] == expected[0]


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_best_reply_is_brute_force(seats, branch, depth):
    for seed in range(5):
        game, state = tree(seats, branch, 8, ends=False, seed=seed)
        depth = min(depth, 4)
        expected = Reference(game, "whole").best_reply(state, depth, 0)
        assert best_score(decide(f"brs(depth={depth}, memory=1)", game, state)) == expected


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
@pytest.mark.parametrize(("n1", "l1", "l2"), [(1, 8, 1), (1, 2, 1), (0, 8, 2), (2, 8, 1), (5, 8, 1), (1, 3, 2)])
def test_opponent_pruning_is_brute_force(seats, branch, depth, n1, l1, l2):
    for seed in range(4):
        game, state = tree(seats, branch, 8, ends=False, seed=seed)
        expected = Reference(game, "whole").opponent_pruning(state, depth, 0, n1, l1, l2)
        assert best_score(decide(f"opps({n1}, {l1}, {l2}, depth={depth}, memory=1)", game, state)) == expected


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_opponent_pruning_with_everyone_wide_is_paranoid(seats, branch, depth):
    for seed in SEEDS:
        game, state = tree(seats, branch, 8, ends=True, seed=seed)
        wide = best_score(decide(f"opps({seats - 1}, 0, 1, depth={depth})", game, state))
        assert wide == best_score(decide(f"paranoid(depth={depth})", game, state))


@pytest.mark.parametrize("width", [1, 2])
def test_width_keeps_the_best_by_the_mover_s_value(width):
    for seed in SEEDS:
        game, state = tree(3, 4, 20, ends=True, seed=seed)
        inner = Reference(game, "whole", width=width)
        outer = Reference(game, "whole")
        tops = {move: inner.maxn(outer.after(state, move), 3) for move in outer.moves(state)}
        found = decide(f"maxn(depth=4, width={width})", game, state)
        kept = inner.moves(state)
        assert found.move in kept
        assert found.values == pytest.approx(max((tops[move] for move in kept), key=lambda worth: worth[0]).tolist())


@pytest.mark.parametrize(
    ("seats", "branch", "depth", "leaves"), [(2, 3, 12, 1457), (3, 3, 12, 6641), (4, 3, 12, 19709), (6, 2, 12, 1027)]
)
def test_the_best_case_of_paranoid_has_as_many_leaves_as_the_formula(seats, branch, depth, leaves):
    mine = len([ply for ply in range(depth) if ply % seats == 0])
    assert leaves == branch ** (depth - mine) + branch**mine - 1
    game, state = tree(seats, branch)
    assert _leaves("paranoid(value=ordered, memory=64)", game, state, depth) == leaves


@pytest.mark.parametrize(("seats", "branch", "depth"), [(3, 3, 6), (4, 2, 6), (3, 2, 7)])
def test_the_best_case_of_best_reply_has_as_many_leaves_as_the_formula(seats, branch, depth):
    game, state = tree(seats, branch)
    leaves = (branch * (seats - 1)) ** (depth // 2) + branch ** (-(-depth // 2)) - 1
    assert _leaves("brs(value=ordered, memory=64)", game, state, depth) == leaves


def _leaves(text, game, state, depth):
    """Count the leaves of one search to a depth, the moves at the root from the left, without remembering anything."""
    mind = agents.build(text, game, 1)
    engine = mind.driver.engine
    engine.begin(0)
    scores = np.zeros(game.most_moves)
    search_sides(engine.arrays, state, depth, np.arange(len(mind.legal(state))), False, scores)
    return int(engine.control.cells[control.LEAVES])


def test_random_ties_give_every_equal_move_a_chance():
    game, state = tree(3, 4, spread=1)
    lines = {tuple(decide("maxn(depth=3, ties=random)", game, state, seed).line) for seed in range(60)}
    assert len(lines) > 30


def test_paranoid_ties_take_what_is_worst_for_the_root_seat():
    for seed in SEEDS:
        game, state = tree(3, 3, 2, seed=seed)

        def choose(seat, found):
            best = max(worth[seat] for worth in found)
            return min((worth for worth in found if worth[seat] == best), key=lambda worth: worth[0])

        expected = Reference(game, "whole").maxn(state, 4, choose=choose)
        found = decide("maxn(depth=4, ties=paranoid)", game, state)
        assert found.values[0] == expected[0]


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_pruning_below_all_bounds_finds_the_same_for_the_root_seat(seats, branch, depth):
    changed = 0
    for seed in range(40):
        game, state = tree(seats, branch, 1000, ends=False, seed=seed)
        plain = values_from_the_left(game, state, depth, "whole", maxn.NOT, leaf=maxn.RATIOS)
        pruned = values_from_the_left(game, state, depth, "whole", maxn.ALL, leaf=maxn.RATIOS)
        changed += plain != pruned
    assert changed == 0


@pytest.mark.parametrize(("branch", "depth"), [(3, 3), (3, 5), (2, 7), (4, 4)])
@pytest.mark.parametrize("spread", [3, 1000])
@pytest.mark.parametrize("ends", [False, True])
def test_speculative_pruning_changes_nothing(branch, depth, spread, ends):
    for seed in range(60):
        game, state = tree(3, branch, spread, ends, seed)
        plain = values_from_the_left(game, state, depth, "shares", maxn.NOT, 100.0)
        found = decide(f"maxn(depth={depth}, value=shares, prune=speculative)", game, state)
        assert found.values == plain, seed


def test_speculative_pruning_searches_less_than_shallow():
    game, state = tree(3, 4, 1000)
    nodes = [
        decide(f"maxn(depth=6, value=shares, prune={how})", game, state).nodes
        for how in ("speculative", "shallow", "none")
    ]
    assert nodes[0] < nodes[1] < nodes[2]


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_the_slip_of_comparing_whole_vectors_at_the_root_can_be_repeated(seats, branch, depth):
    for seed in SEEDS:
        game, state = tree(seats, branch, 3, ends=True, seed=seed)
        reference = Reference(game, "whole")
        root = reference.after(state, 0)  # so that the mover is not the first seat
        if reference.turn(root) < 0:
            continue
        found = decide(f"maxn(depth={depth}, root=lexicographic)", game, root)
        tops = [reference.maxn(reference.after(root, move), depth - 1) for move in reference.moves(root)]
        assert found.values == pytest.approx(max(top.tolist() for top in tops))


def test_comparing_whole_vectors_at_the_root_cannot_be_pruned():
    game, state = tree(3, 3)
    with pytest.raises(BadValue, match="root=own"):
        decide("maxn(value=shares, prune=shallow, root=lexicographic)", game, state)
    assert decide("maxn(depth=4, value=shares, root=lexicographic)", game, state).cutoffs == 0


def test_speculation_can_look_at_several_moves():
    for spread in (9, 1000):
        game, state = tree(3, 4, spread)
        found = agents.build("maxn(depth=4, value=shares, prune=speculative)", game, 1).consider(state, 3)
        plain = agents.build("maxn(depth=4, value=shares, prune=none)", game, 1).consider(state, 3)
        assert [decision.values[0] for decision in found] == [decision.values[0] for decision in plain]
        assert found[0].values == plain[0].values
