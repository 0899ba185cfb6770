"""Where a game says that no move from a position can end it, none does."""

import pytest

from kibitz import games
from kibitz.agents import build
from kibitz.core.contract import OVER
from kibitz.core.playout import play_legal, who
from kibitz.core.table import Table
from kibitz.games.chexers import hints as chexers
from kibitz.games.chexers import position
from kibitz.games.colonizers import hints as colonizers
from kibitz.games.quarto import hints as quarto

THERE_AND_BACK = ("a7-b6", "d1-d2", "d7-c7", "b6-a7", "d2-d1", "c7-d7")


def ends(table):
    """Return whether some move ends the game."""
    for move in table.moves():
        after = table.copy_of_truth()
        assert play_legal(table.game.rules, after, move, table.game.new_moves())
        if who(table.game.rules, after) == OVER:
            return True
    return False


@pytest.mark.parametrize(
    ("name", "hints", "policy"),
    [("chexers", chexers, "random"), ("chexers", chexers, "greedy"), ("quarto", quarto, "random"),
     ("quarto(squares=true)", quarto, "novice"), ("colonizers", colonizers, "random"),
     ("colonizers", colonizers, "heuristic"), ("colonizers(max_rounds=4)", colonizers, "random")],
)  # fmt: skip
def test_no_move_ends_the_game_where_the_hint_says_so(name, hints, policy):
    answers = []
    for seed in range(12):
        game = games.find(name)
        table, mind = Table(game, seed), build(f"policy({policy})", game, seed)
        while not table.over:
            answers.append(hints.may_end(table.copy_of_truth()))
            assert answers[-1] or not ends(table)
            table.play(mind.decide(table.view(table.turn)).move)
    assert answers.count(0) > answers.count(1) > 0


def test_a_fourth_exit_may_end_the_game_and_a_third_does_not():
    assert chexers.may_end(position.read("red+3 g2; green a4; blue d4; red to move"))
    assert not chexers.may_end(position.read("red+2 g2; green a4; blue d4; red to move"))
    assert not chexers.may_end(position.read("red+3 f3; green a4; blue d4; red to move"))


def test_a_position_that_has_occurred_three_times_may_end_the_game():
    table, known = Table(games.find("chexers"), 1), []
    for _ in range(3):
        for move in THERE_AND_BACK:
            known.append(chexers.may_end(table.view(table.turn)))
            table.play(table.read(move))
    assert table.over
    assert known[-1] == 1
    assert known[: 2 * len(THERE_AND_BACK)] == [0] * 2 * len(THERE_AND_BACK)


def test_the_last_turn_ends_the_game():
    assert chexers.may_end(position.read("red; green a4; blue d4; blue to move after 767 turns"))
