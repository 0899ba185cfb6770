"""Agents that would rather not repeat a position."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.errors import BadValue
from kibitz.core.native import from_python, pointer
from kibitz.core.playout import play_legal
from kibitz.games.chexers import position, rules
from tests.games.positions import table_after


@from_python
def remember_as_past(state, position):
    """Append a position to the past of a state."""
    rules.append(pointer(state), position)


THERE_AND_BACK = ("a7-b6", "g1-f2", "d7-d6", "b6-a7", "f2-g1", "d6-d7")


def test_a_move_to_a_position_that_has_occurred_is_left_out():
    table = table_after("chexers", *THERE_AND_BACK)
    view = table.view(table.turn)
    repeated = table.read("a7-b6")
    careless = agents.build("maxn(depth=1)", table.game, 1).decide(view)
    careful = agents.build("maxn(depth=1, avoid=true)", table.game, 1).decide(view)
    assert set(careless.considered) - set(careful.considered) == {repeated}
    assert careful.move != repeated


def test_where_every_move_repeats_all_are_searched():
    table = table_after("chexers", *THERE_AND_BACK)
    repeated = table.read("a7-b6")
    mind = agents.build("maxn(depth=1, avoid=true)", table.game, 1)
    assert mind.driver._search_new(table.view(table.turn), np.array([repeated])).move == repeated


def test_repeating_is_better_than_losing():
    """Blue exits and wins unless red jumps over it; that red has done so before does not keep it from doing so."""
    game = games.find("chexers")
    state = position.read("red a4; green g2 f2; blue+3 b3 g4; red to move")
    saving = game.read(state, agents.build("random", game, 1).legal(state), "a4xc2")
    after = state.copy()
    assert play_legal(game.rules, after, saving, game.new_moves())
    state[rules.MARKS : rules.PAST] |= after[rules.MARKS : rules.PAST]
    remember_as_past(state, int(after[rules.past_cell(int(after[rules.LENGTH]) - 1)]))
    mind = agents.build("maxn(depth=3, avoid=true)", game, 1)
    found = mind.decide(state)
    assert found.move == saving
    assert len(found.considered) == 3


@pytest.mark.parametrize("agent", ["paranoid(depth=1", "mcts(iterations=200"])
def test_every_search_can_avoid_what_has_occurred(agent):
    table = table_after("chexers", *THERE_AND_BACK)
    found = agents.build(f"{agent}, avoid=true)", table.game, 1).decide(table.view(table.turn))
    assert found.move != table.read("a7-b6")


@pytest.mark.parametrize("agent", ["maxn", "paranoid", "mcts"])
def test_games_that_do_not_count_repetitions_are_refused(agent):
    with pytest.raises(BadValue, match=f"{agent}: avoid=true needs an open game that counts repetitions"):
        agents.build(f"{agent}(avoid=true)", games.find("quarto"), 1)
