"""What a search tells of its choice comes from one depth, also where the budget cut a deeper one off."""

import pytest

import kibitz
from kibitz.core.errors import BadValue
from kibitz.core.playout import who
from tests.agents.test_budgets import position

CUT_OFF = [300, 1_000, 5_000, 30_000, 120_000]


@pytest.mark.parametrize("nodes", CUT_OFF)
@pytest.mark.parametrize("plies", [3, 8, 14])
@pytest.mark.parametrize("name", ["maxn", "paranoid"])
def test_the_worth_of_a_choice_is_what_the_mover_gets_at_the_depth_it_names(name, nodes, plies):
    game, view = position("chexers", plies)
    decision = kibitz.agent(f"{name}(nodes={nodes})", game, seed=1).decide(view)
    worth = decision.considered[decision.move]
    if decision.values is not None:
        assert decision.values[int(who(game.rules, view))] == pytest.approx(worth)
    whole = kibitz.agent(f"{name}(depth={decision.depth})", game, seed=1).decide(view)
    assert whole.considered[decision.move] >= worth - 1e-9


@pytest.mark.parametrize("nodes", CUT_OFF)
def test_all_moves_of_an_analysis_are_searched_equally_deep_and_the_choice_comes_first(nodes):
    for text, agent in (("chexers", "paranoid"), ("chexers", "maxn"), ("quarto", "minimax")):
        game, view = position(text, 9)
        more = ", opening=none" if agent == "minimax" else ""
        found = kibitz.agent(f"{agent}(nodes={nodes}{more})", game, seed=1).consider(view, 3)
        assert len({one.depth for one in found if not one.exact}) <= 1, agent
        worths = [one.considered[one.move] for one in found]
        assert worths == sorted(worths, reverse=True), agent


def test_depth_in_progress_counts_what_the_game_passes_over():
    game, view = position("colonizers", 23)
    nodes = {
        text: kibitz.agent(f"maxn(worlds=1, {text})", game, seed=1).decide(view).nodes
        for text in ("depth=3, unit=moves", "depth=6, unit=progress", "depth=6, unit=moves")
    }
    assert sorted(nodes.values()) == list(nodes.values())
    assert len(set(nodes.values())) == 3
    game, view = position("chexers", 8)  # which passes nothing over: progress is turns
    found = [
        kibitz.agent(f"maxn(depth=2, {unit})", game, seed=1).decide(view) for unit in ("unit=turns", "unit=progress")
    ]
    assert found[0] == found[1]
    with pytest.raises(BadValue, match="unit=progress is for searches by max"):
        kibitz.agent("paranoid(unit=progress)", game, seed=1)
