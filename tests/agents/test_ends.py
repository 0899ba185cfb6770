"""Where a game says that no move from a position can end it, none does."""

import pytest

from kibitz import games
from kibitz.agents import build
from kibitz.core.table import Table
from kibitz.games.chexers import hints, position

THERE_AND_BACK = ("a7-b6", "d1-d2", "d7-c7", "b6-a7", "d2-d1", "c7-d7")


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_no_move_ends_a_game_of_chexers_where_the_hint_says_so(policy):
    quiet = loud = 0
    for seed in range(12):
        game = games.find("chexers")
        table, mind = Table(game, seed), build(f"policy({policy})", game, seed)
        while not table.over:
            view, may_end = table.view(table.turn), hints.may_end(table.view(table.turn))
            quiet, loud = quiet + (may_end == 0), loud + (may_end == 1)
            table.play(mind.decide(view).move)
            assert may_end or not table.over
    assert quiet > loud > 0


def test_a_fourth_exit_may_end_the_game_and_a_third_does_not():
    assert hints.may_end(position.read("red+3 g2; green a4; blue d4; red to move"))
    assert not hints.may_end(position.read("red+2 g2; green a4; blue d4; red to move"))
    assert not hints.may_end(position.read("red+3 f3; green a4; blue d4; red to move"))


def test_a_position_that_has_occurred_three_times_may_end_the_game():
    table, known = Table(games.find("chexers"), 1), []
    for _ in range(3):
        for move in THERE_AND_BACK:
            known.append(hints.may_end(table.view(table.turn)))
            table.play(table.read(move))
    assert table.over
    assert known[-1] == 1
    assert known[: 2 * len(THERE_AND_BACK)] == [0] * 2 * len(THERE_AND_BACK)


def test_the_last_turn_ends_the_game():
    assert hints.may_end(position.read("red; green a4; blue d4; blue to move after 767 turns"))
