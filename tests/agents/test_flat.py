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


def test_a_draw_counts_half_in_payoffs_and_nothing_in_wins(quarto):
    drawn = 0
    for table in positions(quarto, 25, range(12)):
        texts = [f"flat(playouts=50, policy=novice, count={count})" for count in ("payoffs", "wins")]
        payoffs, wins = (agents.build(text, quarto, 1).decide(table.view(table.turn)).move_values for text in texts)
        for move, earned in payoffs.items():
            draws = 1 - sum(wins[move])
            assert earned == pytest.approx([won + draws / 2 for won in wins[move]])
            drawn += draws > 0
    assert drawn > 0


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


def test_whole_turns_are_played_out_when_a_width_is_given(quarto):
    table = table_after("quarto", "WSQH", "a1", "WSQS", "b1", "WSRH")
    decision = agents.build("flat(playouts=40, width=3)", quarto, 1).decide(table.view(table.turn))
    assert len(decision.line) == 2  # a cell and a piece
    for move in decision.line:
        table.play(move)
    assert decision.visits == 9 * 40
    assert 1 <= len(decision.considered) <= 3


def test_width_lists_every_turn_once_when_it_keeps_all(quarto):
    table = next(positions(quarto, 27, range(40)))
    mind = agents.build("flat(playouts=1, width=16)", quarto, 1)
    turns = {tuple(row[1 : 1 + row[0]]) for row in mind._turns(table.view(table.turn), table.turn).tolist()}
    expected = set()
    for cell in table.moves():
        table.play(cell)
        pieces = table.moves()
        expected |= {(cell, piece) for piece in pieces} if pieces else {(cell,)}
        table.undo()
    assert turns == expected


def test_steady_effort_grows_as_the_game_shortens(quarto):
    mind = agents.build("flat(playouts=10, steady=true)", quarto, 1)
    begin, late = Table(quarto, 1), next(positions(quarto, 24, range(40)))
    early = mind.decide(begin.view(0)).visits / 16
    assert 6 <= early <= 16
    assert mind.decide(late.view(late.turn)).visits / len(late.moves()) > 2 * early
