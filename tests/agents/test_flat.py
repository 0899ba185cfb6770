"""Flat Monte Carlo and greedy."""

import pytest

from kibitz import agents
from kibitz.core.table import Table
from tests.agents.test_minimax import positions
from tests.games.positions import table_after


@pytest.mark.parametrize("policy", ["random", "novice"])
def test_the_number_of_threads_changes_nothing(quarto, policy):
    view = Table(quarto, 1).view(0)
    texts = [f"flat(playouts=300, policy={policy}, threads={threads})" for threads in (1, 2, 5)]
    decisions = [agents.build(text, quarto, 3).decide(view) for text in texts]
    assert decisions[0] == decisions[1] == decisions[2]
    assert decisions[0].visits == 4800


def test_a_winning_move_has_a_perfect_score():
    table = table_after("quarto", "WSQH", "a1", "WSQS", "b1", "WSRH", "c1", "WTRS")
    decision = agents.build("flat(playouts=200)", table.game, 1).decide(table.view(table.turn))
    assert table.write(decision.move) == "d1"
    assert decision.values[table.turn] == 1.0


def test_averages_are_payoffs(quarto):
    for table in positions(quarto, 11, range(4)):
        decision = agents.build("flat(playouts=50, policy=novice)", quarto, 1).decide(table.view(table.turn))
        assert sum(decision.values) == pytest.approx(1.0)
        assert decision.considered[decision.move] == max(decision.considered.values())


def test_greedy_takes_a_win_and_shuns_nothing_it_cannot_see():
    table = table_after("quarto", "WSQH", "a1", "WSQS", "b1", "WSRH", "c1", "WTRS")
    decision = agents.build("greedy(value=zero)", table.game, 1).decide(table.view(table.turn))
    assert table.write(decision.move) == "d1"


def test_greedy_follows_its_value():
    # a1 b1 c1 share white and short. To place BTRS: only d1 destroys the threat, worth 0; seat 0's rival gets the
    # next piece, so the mover wants as few completing pieces as possible.
    table = table_after("quarto", "WSQH", "a1", "WSQS", "b1", "WSRH", "c1", "BTRS")
    decision = agents.build("greedy(value=completing_absolute)", table.game, 1).decide(table.view(table.turn))
    assert table.write(decision.move) == "d1"
    assert decision.considered[decision.move] == 0


def test_equal_moves_are_chosen_by_the_agent_s_own_dice(quarto):
    view = Table(quarto, 1).view(0)
    chosen = {agents.build("greedy(value=zero)", quarto, seed).decide(view).move for seed in range(60)}
    assert len(chosen) > 8
