"""MCTS: the compiled tree against a plain one node by node, proofs against brute force, and what it promises."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.mcts import tried
from kibitz.agents.search.sampling import uct_tree as uct
from kibitz.core.contract import OVER
from kibitz.core.dice import derive, dice, roll
from kibitz.core.errors import BadValue
from kibitz.core.native import INTERPRETED
from kibitz.core.playout import random_position, who
from kibitz.core.table import Table
from kibitz.games.chexers import position as chexers_position
from kibitz.games.chexers.mozi import phase_of
from tests.agents.reference import Reference
from tests.agents.reference_sampling import Uct
from tests.conftest import ROOT

TREES = f"{ROOT}/tests/trees"
ITERATIONS = 30 if INTERPRETED else 400
VARIANTS = [
    {}, {"c": 0}, {"solver": "false"}, {"history": 3}, {"mast": "mast"}, {"mast": "nast"}, {"cut": 3},
    {"contempt": 0.2},
    {"mast": "nast", "history": 2, "cut": 4, "scale": 5},
]  # fmt: skip
GAMES = [
    ("quarto", 0), ("quarto", 23), ("quarto(squares=true)", 14), (f"{TREES}(seats=2, ends=true)", 0),
    (f"{TREES}(seats=3, ends=true)", 0), (f"{TREES}(seats=4, branch=2, ends=true)", 0), ("chexers", 6),
]  # fmt: skip


def position(text, plies, seed=1):
    """Return a game and a position after random moves."""
    game = games.find(text)
    table, rng = Table(game, seed), dice(seed)
    for _ in range(plies):
        table.play(table.moves()[roll(rng, len(table.moves()))])
    assert not table.over
    return game, table.view(table.turn)


def mind(game, seed=1, **options):
    options = {"iterations": ITERATIONS, **options}
    return agents.build(f"mcts({', '.join(f'{name}={value}' for name, value in options.items())})", game, seed)


def dump(tree, node=0):
    """Return a compiled tree as the plain one dumps itself."""
    found = []
    for child in tried(tree, node):
        edge, proof = int(tree.edge[child]), int(tree.link[child * uct.LINKS + uct.PROOF])
        visits, mean = int(tree.link[child * uct.LINKS + uct.VISITS]), float(tree.stats[child * uct.STATS + uct.MEAN])
        found.append(((edge >> 4, edge & 15), visits, mean, proof - 1 if proof else None, dump(tree, child)))
    return found


def agree(found, expected):
    """Assert that two dumps are the same tree."""
    assert [branch[:2] for branch in found] == [branch[:2] for branch in expected]
    for (edge, _, mean, proof, below), (_, _, other_mean, other_proof, other_below) in zip(
        found, expected, strict=True
    ):
        assert mean == pytest.approx(other_mean, abs=1e-12), edge
        assert proof == other_proof
        agree(below, other_below)


def plain(game, view, style, options, iterations=ITERATIONS, **more):
    """Grow the plain tree with the dice of a first decision."""
    reading = {"solver": lambda text: text == "true", "mast": str}
    given = {name: reading.get(name, float)(value) for name, value in options.items()}
    given["cut"] = int(given.get("cut", 0))
    tree = Uct(game, view, dice(derive(1, 1, 0)), style, **given, **more)
    tree.grow(iterations)
    return tree


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("style", ["maxn", "paranoid", "brs"])
@pytest.mark.parametrize(("text", "plies"), GAMES)
def test_the_compiled_tree_is_the_plain_tree(text, plies, style, options):
    game, view = position(text, plies)
    if style == "brs" and not game.has("hand_over"):
        pytest.skip("the game hands over no turns")
    few = 20 if text == "chexers" else ITERATIONS
    searcher = mind(game, style=style, iterations=few, **options)
    searcher.decide(view)
    agree(dump(searcher.trees[0]), plain(game, view, style, options, few).root.dump())


def test_a_full_tree_is_the_plain_tree_too():
    game, view = position("quarto", 0)
    searcher = mind(game, iterations=ITERATIONS)
    searcher.trees[0].control[uct.FULL] = 200
    searcher.decide(view)
    expected = plain(game, view, "maxn", {}, most_nodes=200)
    assert expected.used == searcher.trees[0].control[uct.USED] <= 200
    agree(dump(searcher.trees[0]), expected.root.dump())


def test_compiled_equals_interpreted():
    code = """
from kibitz import agents, games
from kibitz.core.table import Table
for text, options in (("quarto", ""), ("quarto", ", mast=nast, history=2"), ("chexers", ", style=paranoid, cut=5")):
    game = games.find(text)
    print(agents.build(f"mcts(iterations=40, trees=2, reuse=true{options})", game, 1).decide(Table(game, 1).view(0)))
"""

    def run(**environment):
        return subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
        ).stdout

    assert run() == run(NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize(("seats", "branch"), [(2, 3), (3, 2), (4, 2)])
def test_proofs_are_true(seats, branch):
    proven = 0
    game = games.find(f"{TREES}(seats={seats}, branch={branch}, ends=true)")
    reference = Reference(game, "whole")
    for seed in range(20):
        view = Table(game, seed).view(0)
        searcher = mind(game, iterations=2000)
        searcher.decide(view)
        tree = searcher.trees[0]
        for child in tried(tree, 0):
            proof = int(tree.link[child * uct.LINKS + uct.PROOF])
            if proof:
                known = _winner(reference, reference.after(view, int(tree.edge[child]) >> 4), 9)
                assert known in (proof - 1, None)
                proven += known is not None
    assert proven >= 4


def _winner(reference, state, depth):
    """Return who wins for certain by the standard rule, by brute force; None if no one does, or not so soon."""
    mover = reference.turn(state)
    if mover == OVER:
        worth = reference.worth(state)
        return int(np.argmax(worth)) if worth.max() > 0 else None
    if depth == 0:
        return None
    found = set()
    for move in reference.moves(state):
        winner = _winner(reference, reference.after(state, move), depth - 1)
        if winner == mover:
            return mover
        found.add(winner)
    return found.pop() if len(found) == 1 else None


def test_proofs_in_late_quarto_positions_are_those_of_minimax():
    exact = 0
    for seed in range(25):
        game = games.find("quarto")
        view, room = np.zeros(game.size, dtype=np.int64), game.new_moves()
        if not random_position(game.rules, game.encoded_options, 21, dice(seed), view, room):
            continue
        known = agents.build("minimax(depth=1000, value=zero, opening=none, memory=16)", game, 1).decide(view)
        found = mind(game, iterations=10_000).decide(view)
        assert known.exact
        seat = int(who(game.rules, view))
        if found.exact:
            exact += 1
            assert np.sign(found.values[seat] - 0.5) == np.sign(known.considered[known.move])
        elif known.considered[known.move] > 0:
            pytest.fail("a win in a small tree was not proven")
    assert exact > 3


def test_in_paranoid_style_opponents_gain_what_the_root_seat_does_not():
    game, view = position(f"{TREES}(seats=3, ends=true)", 0)
    searcher = mind(game, style="paranoid", solver="false", iterations=2000)
    searcher.decide(view)
    tree = searcher.trees[0]
    for child in tried(tree, 0):
        own, n = 0.0, 0
        for below in tried(tree, child):
            visits = int(tree.link[below * uct.LINKS + uct.VISITS])
            own += visits * (1 - float(tree.stats[below * uct.STATS + uct.MEAN]))
            n += visits
        total = tree.stats[child * uct.STATS + uct.MEAN] * tree.link[child * uct.LINKS + uct.VISITS]
        assert 0 <= total - own <= 1 + 1e-9  # the playout of the child's first visit lies between
        assert n == tree.link[child * uct.LINKS + uct.VISITS] - 1


def test_a_value_that_looks_first_judges_by_where_the_search_began():
    game = games.find("chexers")
    view = chexers_position.read("red a4 a7 d1 d7; green d4 e4 f2 f3; blue e5 f4 g3 g4; blue to move")
    searcher = mind(game, cut=2, value="mozi", iterations=20)
    searcher.decide(view)
    phase = phase_of(view, 2)
    assert searcher.trees[0].value_weights[:2].tolist() == [2, phase]
    expected = plain(game, view, "maxn", {"cut": 2}, 20, value=f"mozi(ours=2, phase={phase})")
    agree(dump(searcher.trees[0]), expected.root.dump())


def test_what_each_move_is_worth_to_every_seat_and_how_often_it_was_tried_is_told():
    game, view = position("chexers", 6)
    searcher = mind(game, trees=2)
    found = searcher.decide(view)
    assert sum(found.tries.values()) == found.visits
    for move, share in found.move_values.items():
        assert share[int(who(game.rules, view))] == pytest.approx(found.considered[move])
        assert sum(share) == pytest.approx(1.0)
    for other in mind(game, trees=2).consider(view, 3):
        assert other.line[0] == other.move
        assert other.values == found.move_values[other.move]


def test_threads_change_nothing(monkeypatch):
    game, view = position("quarto", 5)
    decisions = []
    for threads in ("1", "4"):
        monkeypatch.setenv("KIBITZ_THREADS", threads)
        decisions.append(mind(game, trees=4, iterations=2000).decide(view))
    assert decisions[0] == decisions[1]


@pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
def test_a_full_tree_goes_on_within_its_memory():
    game, view = position("quarto", 0)
    searcher = mind(game, memory=1, iterations=100_000)
    decision = searcher.decide(view)
    assert decision.visits == 100_000
    assert decision.nodes * uct.NODE_BYTES <= 2**20
    assert searcher.trees[0].edge.nbytes + searcher.trees[0].stats.nbytes <= 2**20


def test_too_little_memory_is_refused_with_what_would_do():
    with pytest.raises(BadValue, match="memory=1 is too little for 256 trees of quarto; it takes"):
        mind(games.find("quarto"), mast="mast", trees=256, memory=1)


def test_untried_moves_come_first_even_without_curiosity():
    game, view = position("quarto", 0)
    searcher = mind(game, c=0, iterations=16)
    assert sorted(searcher.decide(view).considered) == list(range(16))


def test_best_replies_prove_nothing_about_the_game():
    for seed in range(10):
        game = games.find(f"{TREES}(seats=3, branch=2, ends=true)")
        decision = mind(game, style="brs", iterations=2000).decide(Table(game, seed).view(0))
        assert not decision.exact
    with pytest.raises(BadValue, match="nothing to reuse"):
        mind(games.find(f"{TREES}(seats=3)"), style="brs", reuse="true")


def test_a_reused_tree_is_the_part_that_the_game_went_into():
    table = Table(games.find("quarto"), 1)
    searcher = mind(table.game, reuse="true", iterations=2000)
    line = searcher.decide(table.view(0)).line[:3]
    for move in line:  # seat 0 hands a piece over, seat 1 places it and hands over another
        table.play(move)
    expected = _below(searcher.trees[0], line)
    searcher._reset_tree(0, table.view(0), 0)
    assert table.turn == 0
    assert dump(searcher.trees[0]) == expected != []


def _below(tree, moves):
    """Return the dump of what lies below a line of moves."""
    node = 0
    for move in moves:
        node = next((child for child in tried(tree, node) if tree.edge[child] >> 4 == move), None)
        if node is None:
            return []
    return dump(tree, node)


def test_where_the_tree_did_not_go_a_new_one_is_begun():
    game, view = position("quarto", 6)
    searcher = mind(game, reuse="true", iterations=300)
    fresh = mind(game, iterations=300)
    searcher.decide(position("quarto", 2, seed=5)[1])
    fresh.decide(position("quarto", 2, seed=5)[1])
    assert searcher.decide(view) == fresh.decide(view)


@pytest.mark.parametrize("text", ["quarto", "chexers"])
def test_with_reuse_the_same_seed_still_gives_the_same_game(text):
    played = []
    for _ in range(2):
        table = Table(games.find(text), 1)
        minds = [
            mind(table.game, seat, reuse="true", mast="mast", iterations=60, trees=2)
            for seat in range(table.game.seats)
        ]
        while not table.over and table.ply < 24:
            table.play(minds[table.turn].decide(table.view(table.turn)).move)
        played.append(table.moves_made)
    assert played[0] == played[1]


def test_averages_of_moves_are_cleared_between_moves():
    game, view = position("quarto", 0)
    searcher = mind(game, reuse="true", mast="nast", history=1)
    searcher.decide(view)
    assert searcher.trees[0].counts.any()
    searcher._reset_tree(0, view, 0)
    assert not searcher.trees[0].counts.any()
    assert not searcher.trees[0].sums.any()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("mcts(policy=paranoid)", "mcts: policy names what plays the playouts; for the tree write style=paranoid"),
    ],
)
def test_an_option_by_its_old_name_is_refused_with_the_new_one(text, sentence):
    with pytest.raises(BadValue, match=sentence):
        agents.build(text, games.find("chexers"), 1)
