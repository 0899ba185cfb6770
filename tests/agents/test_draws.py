"""What a draw is worth: an even share of the position, on the value's own scale; to mcts, less contempt."""

from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.playout import value_of
from kibitz.core.table import Table
from kibitz.games.chexers import position

BEFORE_A_DRAW = "red a4 b4; green g2; blue d4; blue to move after 767 turns"  # whatever blue does
NIM = Path(__file__).parents[2] / "examples" / "nim"


def considered(agent):
    """Return what an agent thinks of its move before a draw."""
    found = agents.build(agent, games.find("chexers"), 1).decide(position.read(BEFORE_A_DRAW))
    return found.considered[found.move]


def values(value):
    """Return what the position before a draw is worth to each seat."""
    game, worth = games.find("chexers"), np.zeros(3)
    ready = game.value(value)
    value_of(game.rules, ready.handle, ready.weights, position.read(BEFORE_A_DRAW), worth)
    return worth


@pytest.mark.parametrize("agent", ["maxn(depth=1", "paranoid(depth=1", "greedy("])
@pytest.mark.parametrize("value", ["weighted", "own"])
def test_a_draw_is_worth_what_the_position_is_worth_to_an_average_seat(agent, value):
    found = considered(f"{agent}{', ' if agent[-1] != '(' else ''}value={value})")
    assert found == pytest.approx(values(value).mean(), abs=1e-5)


@pytest.mark.parametrize(("agent", "value"), [("maxn", "own"), ("paranoid", "weighted"), ("maxn", "shares")])
def test_a_draw_can_be_worth_what_the_position_is_worth_to_each_seat(agent, value):
    found = considered(f"{agent}(depth=1, value={value}, draw=own)")
    assert found == pytest.approx(values(value)[2], abs=1e-5)
    assert found != pytest.approx(values(value).mean(), abs=1e-5)


def test_contempt_makes_a_draw_count_less_but_is_no_part_of_what_it_is_said_to_be_worth():
    mind = agents.build("mcts(iterations=50, contempt=0.2)", games.find("chexers"), 1)
    found = mind.decide(position.read(BEFORE_A_DRAW))
    assert found.values == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert found.considered[found.move] == pytest.approx(1 / 3 - 0.2, abs=1e-5)


@pytest.fixture(scope="module")
def vain_nim(tmp_path_factory):
    """Nim in which nobody earns anything, with two sticks left, and a network."""
    folder = copytree(NIM, tmp_path_factory.mktemp("vain") / "nim")
    rules = (folder / "rules.py").read_text()
    (folder / "rules.py").write_text(rules.replace("1.0 if seat == state[LAST] else 0.0", "0.0"))
    table = Table(games.find(str(folder)), 1)
    for move in (2, 2, 2, 2, 2, 2, 0):
        table.play(move)
    return table, f"net({folder / 'taught.npz'})"


@pytest.mark.parametrize("agent", ["maxn(depth=1, value=", "mcts(iterations=9, value=", "ismcts(iterations=9, value="])
def test_a_draw_that_pays_nothing_is_an_even_share_to_a_search_by_network(vain_nim, agent):
    table, net = vain_nim
    found = agents.build(f"{agent}{net})", table.game, 1).decide(table.view(table.turn))
    assert found.move_values[1] == [0.5, 0.5]
