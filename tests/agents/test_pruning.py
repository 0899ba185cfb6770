"""What max^n leaves out changes nothing: shallow, last-branch and speculative pruning, lazy evaluation, the table."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.search.control import CUTOFFS, LEAVES, NODES, SLOTS
from kibitz.agents.search.maxn.maxn_arrays import EVALUATIONS, LAZY, NOT, PRUNE, SHALLOW
from kibitz.core.dice import derive, dice
from kibitz.core.errors import BadValue
from kibitz.core.native import INTERPRETED
from kibitz.core.playout import guess_world
from kibitz.core.table import Table
from tests.agents.reference import Reference
from tests.agents.test_real_games import worlds
from tests.agents.test_trees import SHAPES, TREES, decide, tree

COUNTED = {"NODES": NODES, "LEAVES": LEAVES, "EVALUATIONS": EVALUATIONS, "CUTOFFS": CUTOFFS}


def counted(text, game, state, depth, told=()):
    """Search all moves in order; return the root's values and line, and what was counted."""
    mind = agents.build(text, game, 1)
    engine = mind.driver.engine
    engine.control.parameters.update(told)
    engine.begin(int(Reference(game, game.usual_value).turn(state)))
    tried = np.array(mind.legal(state))
    best = engine.search(state, depth, tried, np.zeros(len(tried)))
    counts = {name: int(engine.control.cells[cell]) for name, cell in COUNTED.items()}
    return engine.move_values[best].tolist(), engine.line(state, int(tried[best]), depth, 0.0), counts


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
@pytest.mark.parametrize("spread", [2, 3, 1000])
@pytest.mark.parametrize("ends", [False, True])
def test_plain_shallow_and_last_branch_find_the_same(seats, branch, depth, spread, ends):
    for seed in range(40):
        game, state = tree(seats, branch, spread, ends, seed)
        plain = counted("maxn(value=shares, prune=none, lazy=false)", game, state, depth, {SLOTS: 0})
        shallow = counted("maxn(value=shares, prune=shallow)", game, state, depth)
        last = counted("maxn(value=shares, prune=last-branch)", game, state, depth)
        assert shallow[:2] == plain[:2], seed
        assert last[:2] == plain[:2], seed
        assert last[2]["LEAVES"] <= plain[2]["LEAVES"]


def test_every_kind_of_pruning_saves_leaves_and_the_bolder_save_more():
    leaves = dict.fromkeys(("none", "shallow", "last-branch", "speculative"), 0)
    for seed in range(30):
        game, state = tree(3, 3, 1000, seed=seed)
        for how in leaves:
            mind = agents.build(f"maxn(depth=6, value=shares, prune={how}, lazy=false)", game, 1)
            mind.driver.engine.control.parameters[SLOTS] = 0
            mind.decide(state)
            leaves[how] += int(mind.driver.engine.control.cells[LEAVES])
    shares = {how: n / leaves["none"] for how, n in leaves.items()}
    assert leaves["none"] == 30 * 3**6
    assert shares["speculative"] < shares["last-branch"] < shares["shallow"] < 0.95
    assert shares["last-branch"] < 0.87


def test_with_two_seats_last_branch_is_shallow():
    for seed in range(10):
        game, state = tree(2, 3, 1000, seed=seed)
        shallow = counted("maxn(value=shares, prune=shallow, lazy=false)", game, state, 6, {SLOTS: 0})
        assert counted("maxn(value=shares, prune=last-branch)", game, state, 6) == shallow


def test_last_branch_needs_a_total_and_the_leftmost_tie():
    game, state = tree(3, 3)
    with pytest.raises(BadValue, match="declares its total"):
        decide("maxn(prune=last-branch)", game, state)
    with pytest.raises(BadValue, match="ties=leftmost"):
        decide("maxn(value=shares, prune=last-branch, ties=paranoid)", game, state)


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_a_lazy_search_judges_as_much_as_luckhardt_and_irani_say_and_finds_the_same(seats, branch, depth):
    for seed in range(12):
        game, state = tree(seats, branch, 5, seed=seed)
        full = counted("maxn(lazy=false)", game, state, depth, {SLOTS: 0})
        lazy = counted("maxn(lazy=true)", game, state, depth, {SLOTS: 0})
        assert lazy[:2] == full[:2]
        assert full[2]["EVALUATIONS"] == seats * branch**depth
        # The mover's worth is judged first; the chosen position is then judged for all seats, the mover again.
        assert lazy[2]["EVALUATIONS"] == branch**depth + seats * branch ** (depth - 1)


@pytest.mark.parametrize("ties", ["leftmost", "paranoid", "random"])
def test_lazy_evaluation_change_nothing_whatever_the_tie_rule(ties):
    for seed in range(20):
        game, state = tree(3, 3, 2, ends=True, seed=seed)
        full = counted(f"maxn(lazy=false, ties={ties})", game, state, 4)
        assert counted(f"maxn(lazy=true, ties={ties})", game, state, 4)[:2] == full[:2]


@pytest.mark.parametrize(("seats", "branch", "depth"), [(2, 3, 8), (3, 3, 8), (3, 2, 10), (4, 2, 9), (6, 2, 9)])
@pytest.mark.parametrize("options", ["value=whole", "value=whole, width=2", "value=shares", "ties=paranoid"])
@pytest.mark.parametrize("spread", [4, 30])
def test_the_table_changes_nothing(seats, branch, depth, options, spread):
    saved = 0
    for seed in range(16):
        game = games.find(f"{TREES}(seats={seats}, branch={branch}, spread={spread}, ends=true, joins=true)")
        state = Table(game, seed).view(0)
        plain = counted(f"maxn({options}, lazy=false)", game, state, depth, {SLOTS: 0})
        found = counted(f"maxn({options})", game, state, depth)
        assert found[:2] == plain[:2], seed
        saved += plain[2]["NODES"] - found[2]["NODES"]
    assert saved > 0


def test_a_table_that_outgrows_its_first_size_changes_nothing():
    game = games.find(f"{TREES}(seats=2, branch=4, spread=3, joins=true)")
    state = Table(game, 3).view(0)
    plain = counted("maxn(lazy=false)", game, state, 8, {SLOTS: 0})
    for slots in (1 << 12, 1 << 13, 1 << 20):
        assert counted("maxn", game, state, 8, {SLOTS: slots})[:2] == plain[:2]


@pytest.mark.parametrize(("name", "plies", "width"), [("cartagena", 12, 3), ("chexers", 25, 4), ("quarto", 23, 0)])
def test_on_real_games_the_plain_search_finds_the_same(name, plies, width):
    for game, world, _ in worlds(name, plies, range(4)):
        text, depth = f"maxn(width={width}, prune=none, opening=none)", 2 if name == "cartagena" else 4
        plain = counted(text, game, world, depth, {SLOTS: 0, LAZY: 0})
        found = counted(text, game, world, depth)
        assert found[:2] == plain[:2]
        assert found[2]["NODES"] <= plain[2]["NODES"]
        assert found[2]["EVALUATIONS"] <= plain[2]["EVALUATIONS"]


def endings(name, policy, plies, seeds=range(6)):
    """Yield a game with open positions `plies` moves before the end of quick games."""
    game = games.find(name)
    for seed in seeds:
        table, mind = Table(game, seed), agents.build(f"policy({policy})", game, seed)
        while not table.over:
            table.play(mind.decide(table.view(table.turn)).move)
        for _ in range(plies):
            table.undo()
        world = table.view(table.turn)
        guess_world(game.rules, world, table.turn, dice(derive(seed, 9)))
        yield game.opened(), world


REAL = [  # game, width and depth, moves played at random, policy that plays an ending, moves before its end
    ("cartagena(seats=2)", 3, 4, 12, "top3", 8),
    ("cartagena", 3, 3, 12, "top3", 8),
    ("cartagena", 0, 2, 12, "top3", 6),
    ("cartagena(seats=4)", 3, 3, 12, "top3", 8),
    ("chexers", 0, 4, 25, "greedy", 4),
    ("colonizers", 0, 5, 60, "heuristic", 8),
    ("colonizers(payoff=rank)", 0, 5, 60, "heuristic", 8),
]


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
@pytest.mark.parametrize(("name", "width", "depth", "plies", "policy", "left"), REAL)
def test_on_real_games_pruning_changes_nothing(name, width, depth, plies, policy, left):
    cutoffs = dict.fromkeys(("shallow", "last-branch", "speculative"), 0)
    positions = [(game, world) for game, world, _ in worlds(name, plies)]
    for game, world in [*positions, *endings(name, policy, left)]:
        options = f"value=shares, width={width}, opening=none"
        plain = counted(f"maxn({options}, prune=none, lazy=false)", game, world, depth, {SLOTS: 0})
        for how in ("shallow", "last-branch"):
            found = counted(f"maxn({options}, prune={how})", game, world, depth)
            assert found[:2] == plain[:2], how
            cutoffs[how] += found[2]["CUTOFFS"]
        if game.seats == 3 and not width:
            mind = agents.build(f"maxn({options}, depth={depth}, prune=speculative)", game, 1)
            found = mind.driver.deepen(world)
            assert (found.values, found.line) == plain[:2]
            cutoffs["speculative"] += found.cutoffs
    assert cutoffs["last-branch"] >= cutoffs["shallow"] > 0
    assert cutoffs["speculative"] > 0 or game.seats != 3 or width


@pytest.mark.parametrize("name", ["cartagena", "chexers", "colonizers"])
def test_a_value_with_a_total_is_pruned_by_itself(name):
    game = games.find(name).opened()
    assert agents.build("maxn(value=shares)", game, 1).driver.engine.control.parameters[PRUNE] == SHALLOW
    assert agents.build("maxn", game, 1).driver.engine.control.parameters[PRUNE] == NOT


def test_ends_are_shares_of_the_total_too_whatever_the_payoffs_sum_up_to():
    met = 0
    for payoff, worths in (("win", [100]), ("rank", [100 / 1.3, 20 / 1.3, 10 / 1.3])):
        for game, world in endings(f"colonizers(payoff={payoff})", "heuristic", 1):
            found = agents.build("maxn(value=shares, depth=1, opening=none)", game, 1).decide(world)
            if found.exact:
                met += 1
                assert sorted(found.values)[-len(worths) :] == pytest.approx(sorted(worths), abs=1e-5)
                assert sum(found.values) <= 100
    assert met > 1


def test_whoever_does_not_prune_by_bounds_has_a_table():
    game = games.find("cartagena").opened()
    for text, has_one in (("maxn", True), ("nsp", True), ("offensive", True), ("nsp(prune=all)", False),
                          ("nsp(prune=any)", False), ("maxn(ties=random)", False)):  # fmt: skip
        assert bool(agents.build(text, game, 1).driver.engine.control.parameters[SLOTS]) == has_one, text
