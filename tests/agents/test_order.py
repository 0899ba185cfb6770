"""The order in which best-reply search tries moves, and where it stops."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.errors import UnknownName
from kibitz.core.laws.walk import walk
from kibitz.games.chexers import hints, position
from kibitz.networks import net as shipped
from kibitz.networks.network_file import About, Network, as_bytes
from tests.agents.reference import Reference
from tests.agents.test_trees import SHAPES, decide, tree


@pytest.fixture
def chexers():
    """The game."""
    return games.find("chexers")


def test_exits_come_before_jumps_before_steps_before_passing(chexers):
    state = position.read("red g1 f3; green e4; blue d7 a7; red to move")
    ranks = {chexers.write(state, move): hints.kinds(state, move) for move in Reference(chexers, "count").moves(state)}
    assert ranks["g1 out"] > ranks["f3xd5"] > ranks["f3-f2"]
    nothing = position.read("red; green e4; blue d7; red to move")
    assert hints.kinds(nothing, hints.PASS) < ranks["f3-f2"]


def test_the_order_changes_what_is_searched_but_not_what_is_found(chexers):
    nodes = {"none": 0, "kinds": 0}
    for plies, table in enumerate(walk(chexers, 1)):
        if plies % 40 != 10:
            continue
        state, best = table.view(table.turn), set()
        for order in nodes:
            found = agents.build(f"brs(depth=3, order={order}, memory=1)", chexers, 1).decide(state)
            nodes[order] += found.nodes
            best.add(found.considered[found.move])
        assert len(best) == 1
    assert nodes["kinds"] != nodes["none"]


def test_an_order_by_a_network_changes_what_is_searched_but_not_what_is_found(chexers, tmp_path):
    length, moves = shipped.encodings(chexers)["pieces"].length, chexers.moves_below
    about = About("chexers", chexers.version, {}, 3, "pieces", length, moves=moves, numbering="as_red")
    weights = np.random.default_rng(1).normal(0, 1, (length, 3 + moves)).astype(np.float32)
    (tmp_path / "x.npz").write_bytes(as_bytes(Network(about, ((weights, np.zeros(3 + moves, dtype=np.float32)),))))
    table = next(table for plies, table in enumerate(walk(chexers, 1)) if plies == 50)
    found = [
        agents.build(f"brs(depth=3, order={order}, memory=1)", chexers, 1).decide(table.view(table.turn))
        for order in ("none", f"net({tmp_path / 'x.npz'})")
    ]
    assert len({decision.considered[decision.move] for decision in found}) == 1
    assert len({decision.nodes for decision in found}) == 2


def test_an_order_that_the_game_does_not_have_is_refused(chexers):
    with pytest.raises(UnknownName, match="kinds"):
        agents.build("brs(order=kind)", chexers, 1)


def test_a_winning_move_ends_the_search_at_once(chexers):
    state = position.read("red+3 g1 a4 a5 a6; green d4 e4 f2; blue d7 e6; red to move")
    for seed in range(5):
        found = agents.build("brs(depth=5)", chexers, seed).decide(state)
        assert chexers.write(state, found.move) == "g1 out"
        assert found.exact
        assert found.nodes == 0


def test_a_rival_s_winning_reply_is_answered_without_looking_for_others(chexers):
    """Blue wins by exiting; that refutes every move of red but the jump over it, with a node or two each."""
    state = position.read("red a4 d5 e5; green g2 f2; blue+3 b3 d7 e6 f5; red to move")
    found = agents.build("brs(depth=2, memory=1)", chexers, 1).decide(state)
    assert chexers.write(state, found.move) == "a4xc2"
    legal = len(agents.build("random", chexers, 1).legal(state))
    replies = found.nodes - 2 * legal  # those searched once more at depth 2 are behind the jump
    assert replies < 40


@pytest.mark.parametrize(("seats", "branch", "depth"), SHAPES)
def test_best_reply_is_brute_force_where_games_end_too(seats, branch, depth):
    for seed in range(8):
        game, state = tree(seats, branch, 8, ends=True, seed=seed)
        depth = min(depth, 4)
        expected = Reference(game, "whole").best_reply(state, depth, 0)
        found = decide(f"brs(depth={depth}, memory=1)", game, state)
        score = found.considered[found.move]
        if found.depth == depth:
            assert score == pytest.approx(expected)
        else:  # decided at a lesser depth
            assert score * expected > 0
            assert abs(expected) > 1e5
