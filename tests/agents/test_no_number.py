"""A value that is no number somewhere is the game's mistake, and said in a sentence."""

import pytest

from kibitz import agents, games
from kibitz.cli.new_command import start_game
from kibitz.core.errors import BadGame
from kibitz.core.table import Table

VALUES = """
from kibitz.rules import value

USUAL = "none"


@value()
def none(state, weights, seat):
    return float("nan")
"""


@pytest.mark.parametrize("agent", ["greedy", "paranoid(depth=2)", "maxn(depth=2)"])
def test_searches_refuse_a_value_that_is_no_number(agent, tmp_path):
    start_game("numberless", tmp_path)
    (tmp_path / "numberless" / "values.py").write_text(VALUES)
    game = games.find(str(tmp_path / "numberless"))
    with pytest.raises(BadGame, match="the value none is not a number here"):
        agents.build(agent, game, 1).decide(Table(game, 1).view(0))
