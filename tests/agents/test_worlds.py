"""Guesses at what is hidden: each gets its share of the budget, and they agree on what the agent is after."""

import pytest

from kibitz import agents, games
from kibitz.agents.agent import Decision
from kibitz.agents.search.determinization import agree
from kibitz.agents.search.iterative_deepening import WorldResult
from kibitz.core.dice import dice, roll
from kibitz.core.playout import who
from kibitz.core.table import Table


def _view(name, plies, seed):
    """Return a game, and what the seat to move sees after `plies` random moves."""
    table, rng = Table(games.find(name), seed), dice(seed)
    while table.ply < plies:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    return table.game, table.view(table.turn)


@pytest.mark.parametrize("agent", ["paranoid", "maxn"])
@pytest.mark.parametrize(
    ("game", "budget"), [("cartagena", "nodes=20000"), ("colonizers", "nodes=20000"), ("cartagena", "seconds=1")]
)
def test_every_world_gets_a_share_of_the_budget(agent, game, budget, monkeypatch):
    game, view = _view(game, 30, 3)
    mind = agents.build(f"{agent}(depth=0, {budget}, worlds=5, width=4, opening=none)", game, 1)
    driver, searched, real = mind.driver, [], mind.driver._search_world

    def search(*told):
        before = driver.engine.control.nodes
        found = real(*told)
        searched.append(driver.engine.control.nodes - before)
        return found

    monkeypatch.setattr(driver, "_search_world", search)
    found = mind.decide(view)
    worlds = searched[-5:]
    assert len(worlds) == 5
    assert all(worlds)
    if budget.startswith("nodes"):
        assert max(worlds) < 20000 - 2 * min(worlds)
        assert found.nodes <= 20000 + 5


def test_few_nodes_are_for_few_worlds():
    game, view = _view("cartagena", 30, 3)
    found = agents.build("maxn(depth=2, nodes=3, worlds=50)", game, 1).decide(view)
    assert found.nodes <= 4
    assert found.move in agents.build("random", game, 1).legal(view)


def test_a_world_that_had_no_time_to_think_has_no_vote():
    game, view = _view("cartagena", 30, 3)
    mind = agents.build("maxn(depth=1, width=3, worlds=3)", game, 1)
    scores = {1: 0.0, 2: 1.0}
    said = [
        WorldResult(Decision(1), {}),
        WorldResult(Decision(2, considered=scores), scores),
        WorldResult(Decision(1), {}),
    ]
    mind.driver._search_worlds = lambda *_: said
    assert mind.decide(view).move == 2


@pytest.mark.parametrize("plies", [20, 31, 50, 64])
def test_worlds_agree_on_what_harms_the_target_most(plies):
    game, view = _view("cartagena", plies, 2)
    target = (int(who(game.rules, view)) + 1) % game.seats
    found = agents.build(f"offensive(target={target + 1}, depth=1, worlds=5, agree=mean)", game, 1).decide(view)
    left = {move: values[target] for move, values in found.move_values.items()}
    assert len(left) > 1
    assert left[found.move] == min(left.values())
    assert found.considered == {move: -worth for move, worth in left.items()}


def test_the_mean_decides_by_what_each_world_was_after():
    one = Decision(1, considered={1: -10.0, 2: -12.0}, move_values={1: [50.0, 10.0], 2: [60.0, 12.0]})
    two = Decision(1, considered={1: -11.0, 2: -12.0}, move_values={1: [40.0, 11.0], 2: [60.0, 12.0]})
    assert agree([one, two], "mean").move == 1


def test_a_search_that_is_cut_short_plays_no_move_that_it_has_just_refuted():
    game, view = _view("quarto", 15, 2)
    best = agents.build("minimax(opening=none)", game, 1)
    truth = {d.move: d.considered[d.move] for d in best.consider(view, 99)}
    saves = [move for move, worth in truth.items() if worth >= 0]
    assert 0 < len(saves) < len(truth)
    for seed in range(12):
        for nodes in (200, 1000, 5000):
            mind = agents.build(f"minimax(depth=0, nodes={nodes}, opening=none)", game, seed)
            found, real = [], mind.driver.engine.search

            def search(state, depth, tried, scores, found=found, real=real):
                place = real(state, depth, tried, scores)
                found.append((tried.copy(), scores.copy(), place))
                return place

            mind.driver.engine.search = search
            move = mind.decide(view).move
            tried, scores, place = found[-1]
            refuted = {int(m) for m, score in zip(tried, scores, strict=True) if score < -1000}
            if place >= 0 and len(refuted) < len(tried):
                assert move not in refuted
