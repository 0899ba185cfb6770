"""Turns: every end of a turn once, with a way that leads there."""

import numpy as np

from kibitz.core.playout import play_legal, who
from kibitz.core.rules import OVER
from kibitz.core.table import Table
from kibitz.core.turns import turns


def test_a_turn_of_quarto_is_placing_and_handing(quarto):
    table = Table(quarto, 1)
    assert [turn.moves for turn in turns(quarto, table._state)] == [(piece,) for piece in range(16)]
    table.play(3)
    ends = turns(quarto, table._state)
    assert {turn.moves for turn in ends} == {(cell, p) for cell in range(16) for p in range(16) if p != 3}
    room = np.empty(quarto.most_moves, dtype=np.int64)
    for turn in ends:
        state = table._state.copy()
        assert all(play_legal(quarto.rules, state, move, room) for move in turn.moves)
        assert (state == turn.end).all()
        assert who(quarto.rules, state) == 0


def test_room_grows_with_the_turns_there_are(quarto):
    table = Table(quarto, 1)
    table.play(3)
    assert [turn.moves for turn in turns(quarto, table._state, most=4)] == [
        t.moves for t in turns(quarto, table._state)
    ]


def test_a_game_that_is_over_has_no_turns(quarto):
    table = Table(quarto, 1)
    while not table.over:
        table.play(table.moves()[0])
    assert who(quarto.rules, table._state) == OVER
    assert turns(quarto, table._state) == []
