"""Searches of whole turns, against brute force; and turns that are followed to their end."""

import os

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.errors import BadValue
from kibitz.core.table import Table
from tests.agents.reference import Reference, squares
from tests.agents.test_trees import best_score, decide, tree

ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
OPEN = "cartagena(row=10, refill=always, cards=18, stock=open)"


def in_play(seed, turns=9):
    """Return a game of Cartagena with open stock after some turns."""
    game = games.find(OPEN)
    table, mind = Table(game, seed), agents.build("top3", game, seed)
    while table.view(0)[game.cells["TURNS"]] < turns:
        table.play(mind.decide(table.view(table.turn)).move)
    return game, table


@pytest.mark.parametrize("seed", range(4))
def test_each_style_backs_up_what_brute_force_does(seed):
    game, state = tree(3, 3, 8, ends=True, seed=seed)
    plain = Reference(game, "whole")
    expected = {
        "maxn": plain.maxn(state, 4)[0],
        "paranoid": plain.two_sided(state, 4, 0),
        "np": plain.maxn(state, 4, lambda end: squares(plain.utilities(end)))[0],
    }
    for style, score in expected.items():
        for cut in ("at", "beyond"):
            found = decide(f"turnwise({style}, depth=4, width=0, order=listed, cut={cut}, value=whole)", game, state)
            assert best_score(found) == pytest.approx(score)


def test_cutting_off_saves_positions_and_a_reached_bound_saves_more():
    game, state = tree(3, 3, 3, seed=2)
    texts = ("maxn, cut=at", "paranoid, cut=beyond", "paranoid, cut=at")
    nodes = [decide(f"turnwise({text}, depth=5, width=0, value=whole)", game, state).nodes for text in texts]
    assert nodes[0] == 3 + 9 + 27 + 81 + 243 > nodes[1] > nodes[2]


def test_a_search_need_never_cut_off():
    game, state = tree(3, 3, 3, seed=2)
    text = "turnwise(ep, depth=4, width=0, value=whole, cut={})"
    never, beyond = (decide(text.format(cut), game, state).nodes for cut in ("never", "beyond"))
    assert never == 3 + 9 + 27 + 81 > beyond


def test_a_turn_of_several_moves_is_one_choice():
    game, table = in_play(1)
    state, seat = table.view(table.turn), table.turn
    plain = Reference(game, "utility(card=5)", width=3)
    found = decide("turnwise(depth=1, value=utility(card=5))", game, state)
    assert found.values[seat] == plain.maxn(state, 1)[seat]
    against = decide("turnwise(paranoid, depth=2, value=utility(card=5))", game, state)
    assert best_score(against) == plain.two_sided(state, 2, seat)
    assert found.nodes <= 27


def test_a_part_of_the_decisions_looks_one_turn_further():
    game, state = tree(3, 3, 8, seed=1)
    mind = agents.build("turnwise(depth=2, deeper=0.3, width=0, value=whole)", game, 5)
    depths = [mind.decide(state).depth for _ in range(200)]
    assert set(depths) == {2, 3}
    assert 40 < depths.count(3) < 80
    again = agents.build("turnwise(depth=2, deeper=0.3, width=0, value=whole)", game, 5)
    assert [again.decide(state).depth for _ in range(200)] == depths
    assert decide("turnwise(depth=2, deeper=1, width=0, value=whole)", game, state).depth == 3


FOLLOWING = "flat(playouts=2, width=3, among=3, follow=true)"


@pytest.mark.parametrize("text", ["turnwise", pytest.param(FOLLOWING, marks=ONLY_LONG)])
def test_a_turn_that_was_decided_on_is_played_to_its_end(text):
    game, table = in_play(2)
    seat, mind = table.turn, agents.build(text, game, 1)
    first = mind.decide(table.view(seat))
    made = [first.move]
    table.play(first.move)
    while table.turn == seat:
        then = mind.decide(table.view(seat))
        assert (then.nodes, then.visits) == (0, 0)
        made.append(then.move)
        table.play(then.move)
    assert made == first.line


def test_a_turn_is_decided_on_anew_where_something_came_otherwise():
    game, table = in_play(2)
    mind = agents.build("turnwise", game, 1)
    first = mind.decide(table.view(table.turn))
    other = next(move for move in table.moves() if move != first.move)
    table.play(other)
    assert mind.decide(table.view(table.turn)).nodes > 0


def test_playouts_of_whole_turns_are_shorter_than_random_ones():
    game, table = in_play(3)
    view = table.view(table.turn)
    lengths = []
    for among in (0, 3):
        mind = agents.build(f"flat(playouts=3, width=3, among={among}, steady=true)", game, 1)
        assert sum(mind.decide(view).values) == pytest.approx(1.0)
        lengths.append(mind._length(view, table.turn))
    assert lengths[1] < lengths[0] / 2


def test_more_influence_makes_others_count_more():
    game, state = tree(3, 3, 9, seed=5)
    plain = Reference(game, "whole")

    def weighed(end):
        worth = plain.utilities(end)
        return worth - 3.0 * ((worth**2).sum() - worth**2) / worth

    expected = plain.maxn(state, 3, weighed)[0]
    for agent in ("nsp(depth=3, influence=3", "turnwise(np, depth=3, width=0, influence=3"):
        assert best_score(decide(f"{agent}, value=whole)", game, state)) == pytest.approx(expected)
    assert np.isfinite(expected)


@pytest.mark.parametrize(("style", "value", "depth"), [("np", "relative", 3), ("p", "ratios", 3), ("ep", "ratios", 2)])
def test_not_so_paranoid_finds_what_max_n_does_by_its_evaluation(style, value, depth):
    for seed in range(3):
        game, table = in_play(seed)
        view = table.view(table.turn)
        plain = agents.build(f"turnwise(maxn, depth={depth}, value={value}(card=5))", game, 1).decide(view)
        found = agents.build(f"turnwise({style}, depth={depth}, value=utility(card=5))", game, 1).decide(view)
        assert found.values[table.turn] == pytest.approx(plain.values[table.turn])


@pytest.mark.parametrize(
    ("game", "text"), [("quarto", "turnwise(ep)"), ("quarto", "flat(among=3)"), ("quarto", "flat(follow=true)")]
)
def test_what_does_not_fit_is_refused(game, text):
    with pytest.raises(BadValue, match=r"not always above 0|need width"):
        agents.build(text, games.find(game), 1)


def test_best_reply_search_looks_one_turn_further_in_a_part_of_its_decisions_too():
    game = games.find("chexers")
    table = Table(game, 1)
    mind = agents.build("brs(depth=1, deeper=0.5, value=weighted, deepen=false)", game, 3)
    depths = [mind.decide(table.view(0)).depth for _ in range(40)]
    assert 10 < depths.count(2) < 30
    assert set(depths) == {1, 2}
