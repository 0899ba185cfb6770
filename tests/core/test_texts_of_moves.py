"""Moves by their texts: a table and a world take what a person writes, and agents answer in numbers."""

import pytest

import kibitz
from kibitz.agents.agent import Decision
from kibitz.agents.seated_agents import SeatedAgents
from kibitz.arena.play.referee import AgentFault, take_turn


def test_the_texts_are_those_of_the_moves_in_their_order(game_text):
    table = kibitz.Table(kibitz.game(game_text), seed=4)
    for _ in range(6):
        assert table.moves_text() == [table.write(move) for move in table.moves()]
        assert kibitz.World.of(table).moves_text() == table.moves_text()
        table.play(table.moves()[-1])


def test_a_text_plays_what_its_number_plays(game_text):
    game = kibitz.game(game_text)
    by_text, by_number = kibitz.Table(game, seed=2), kibitz.Table(game, seed=2)
    world = kibitz.World.of(by_text)
    for _ in range(8):
        move = by_number.moves()[len(by_number.moves()) // 2]
        world.play(by_text.write(move))
        by_text.play(by_text.write(move))
        by_number.play(move)
    assert by_text.moves_made == by_number.moves_made
    assert (by_text.copy_of_truth() == by_number.copy_of_truth()).all()
    assert (world.cells == by_number.copy_of_truth()).all()


@pytest.mark.parametrize("wrong", ["e9", "", "0", "a1 a2", "x" * 500])
def test_a_text_that_is_no_move_is_refused_with_the_choices_and_changes_nothing(wrong):
    table = kibitz.Table(kibitz.game("quarto"), seed=1)
    before = table.copy_of_truth()
    for place in (table, kibitz.World.of(table)):
        with pytest.raises(kibitz.BadMove, match=r"the moves are WSQH, .*BTRS") as caught:
            place.play(wrong)
        assert "\n" not in str(caught.value)
        with pytest.raises(kibitz.BadMove) as read:
            place.read(wrong)
        assert str(read.value) == str(caught.value)
    assert table.ply == 0
    assert (table.copy_of_truth() == before).all()


@pytest.mark.parametrize("wrong", [True, False, None, 1.0, b"1"])
def test_what_is_neither_a_number_nor_a_text_is_not_a_move(quarto, wrong):
    table = kibitz.Table(quarto, 1)
    for place in (table, kibitz.World.of(table)):
        with pytest.raises(kibitz.BadMove, match="is not a move; a move is a whole number or its text"):
            place.play(wrong)
    assert table.ply == 0


def test_when_a_game_is_over_no_text_is_a_move_and_there_are_none():
    table = kibitz.Table(kibitz.game("quarto"), seed=1)
    while not table.over:
        table.play(table.moves_text()[0])
    world = kibitz.World.of(table)
    assert table.moves_text() == world.moves_text() == []
    for place in (table, world):
        with pytest.raises(kibitz.BadMove, match=r"'a1'.* is not a move: the game is over"):
            place.play("a1")


def test_an_agent_that_decides_on_a_text_still_breaks_the_rules(quarto):
    table = kibitz.Table(quarto, seed=1)
    mind = kibitz.agent("random", quarto)
    mind.decide = lambda view: Decision(table.moves_text()[0])
    with pytest.raises(AgentFault, match="is not a move; an agent decides on a whole number"):
        take_turn(SeatedAgents(table, {0: mind}), "random", "game 1")
    assert table.ply == 0
