"""Budgets mean what they say: what is named is the only budget, and a decision says what ended it."""

from contextlib import contextmanager

import pytest

import kibitz
from kibitz.agents import declared, names
from kibitz.agents.agent import ENDS
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadValue
from tests.laws.test_agents import every_mind

LITTLE = 0.05


def position(text, plies=8):
    """Return a game and the view of the seat to move some plies into it, where there is a choice."""
    game, rng = kibitz.game(text), dice(3)
    table = kibitz.Table(game, seed=2)
    while table.ply < plies or len(table.moves()) < 2:
        table.play(table.moves()[roll(rng, len(table.moves()))])
    return game, table.view(table.turn)


@pytest.mark.parametrize(("agent", "text"), [
    ("mcts", "quarto"), ("ismcts", "colonizers"), ("flat", "colonizers"), ("maxn", "chexers"),
    ("paranoid", "cartagena"), ("minimax", "quarto"), ("brs", "chexers"), ("nsp", "cartagena"),
])  # fmt: skip
def test_seconds_are_the_only_budget_where_nothing_else_is_named(agent, text):
    game, view = position(text)
    more = ", opening=none" if "opening" in declared(agent) else ""
    decision = kibitz.agent(f"{agent}(seconds={LITTLE}{more})", game, seed=1).decide(view)
    assert decision.ended in ("seconds", "solved")
    usual = kibitz.agent(f"{agent}{'(opening=none)' if more else ''}", game, seed=1).decide(view)
    assert usual.ended not in ("seconds", "")


def test_nodes_are_the_only_budget_where_nothing_else_is_named():
    game, view = position("chexers")
    decision = kibitz.agent("maxn(nodes=300000)", game, seed=1).decide(view)
    assert decision.ended == "nodes"
    assert decision.depth > 3


def test_both_hold_where_both_are_named():
    game, view = position("chexers")
    assert kibitz.agent("paranoid(depth=2, seconds=60)", game, seed=1).decide(view).ended == "depth"
    assert kibitz.agent("paranoid(depth=2, nodes=20)", game, seed=1).decide(view).ended == "nodes"
    quarto, start = position("quarto")
    assert kibitz.agent("mcts(iterations=10, seconds=60)", quarto, seed=1).decide(start).ended == "iterations"


def test_no_limit_at_all_is_refused():
    game = kibitz.game("chexers")
    for text in ("maxn(depth=0)", "mcts(iterations=0)"):
        with pytest.raises(BadValue, match="means no limit, so it needs seconds"):
            kibitz.agent(text, game)


def only_move(text):
    """Return a game and a view in which there is one legal move."""
    game, rng = kibitz.game(text), dice(4)
    for seed in range(500):
        table = kibitz.Table(game, seed)
        while not table.over:
            if len(table.moves()) == 1:
                return game, table.view(table.turn), table.moves()[0]
            table.play(table.moves()[roll(rng, len(table.moves()))])
    raise AssertionError(f"no forced move in 500 games of {text}")


@pytest.mark.parametrize("text", ["quarto", "colonizers", "cartagena", "chexers"])
def test_nobody_searches_for_the_only_move(text):
    game, view, move = only_move(text)
    for mind in every_mind(game, 1):
        decision = mind.decide(view)
        assert decision.move == move, mind.text
        assert decision.visits == 0, mind.text
        assert decision.nodes <= 1, mind.text


@pytest.mark.parametrize("text", ["quarto", "colonizers", "chexers"])
def test_every_decision_says_what_ended_it_in_a_known_word(text):
    game, view = position(text)
    for mind in every_mind(game, 1):
        assert mind.decide(view).ended in ENDS, mind.text


@pytest.mark.parametrize("text", ["quarto", "colonizers", "chexers"])
def test_a_warm_up_changes_no_decision_of_an_agent_that_has_no_clock(text):
    game, view = position(text)
    for one, other in zip(every_mind(game, 1), every_mind(game, 1), strict=True):
        if other.policy is None:
            other.warm_up(view)
            assert other.decide(view).move in other.legal(view), one.text


def test_every_agent_that_searches_takes_seconds():
    # pimc hands them on; turnwise and imitation are of one depth
    quick = {"random", "policy", "greedy", "pimc", "turnwise", "imitation"}
    assert {name for name in names() if "seconds" not in declared(name)} == quick


@pytest.mark.parametrize("agent", ["mcts", "ismcts"])
def test_a_search_whose_time_is_over_at_once_still_tries_a_move(agent, monkeypatch):
    @contextmanager
    def over_at_once(seconds, halt):
        halt()
        yield

    monkeypatch.setattr("kibitz.agents.search.sampling.sampling_search.clock", over_at_once)
    game = kibitz.game("quarto")
    table = kibitz.Table(game, 1)
    decision = kibitz.agent(f"{agent}(seconds=0.01)", game).decide(table.view(0))
    assert (decision.visits, decision.move in table.moves()) == (1, True)
