"""What a draw is worth: an even share of the position, on the value's own scale, less contempt."""

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


def worths(value):
    """Return what the position before a draw is worth to each seat."""
    game, worth = games.find("chexers"), np.zeros(3)
    ready = game.value(value)
    value_of(game.rules, ready.handle, ready.weights, position.read(BEFORE_A_DRAW), worth)
    return worth


@pytest.mark.parametrize("agent", ["maxn(depth=1", "paranoid(depth=1", "greedy("])
@pytest.mark.parametrize("value", ["weighted", "own"])
def test_a_draw_is_worth_what_the_position_is_worth_to_an_average_seat(agent, value):
    found = considered(f"{agent}{', ' if agent[-1] != '(' else ''}value={value})")
    assert found == pytest.approx(worths(value).mean(), abs=1e-5)


@pytest.mark.parametrize(("agent", "value"), [("maxn", "own"), ("paranoid", "weighted"), ("maxn", "shares")])
def test_a_draw_can_be_worth_what_the_position_is_worth_to_each_seat(agent, value):
    found = considered(f"{agent}(depth=1, value={value}, draw=own)")
    assert found == pytest.approx(worths(value)[2], abs=1e-5)
    assert found != pytest.approx(worths(value).mean(), abs=1e-5)


def test_contempt_makes_a_draw_worth_less_in_the_units_of_the_value():
    for name in ("maxn", "paranoid"):
        even, less = considered(f"{name}(depth=1)"), considered(f"{name}(depth=1, contempt=0.5)")
        assert even - less == pytest.approx(1000.0)  # half a piece
    assert considered("mcts(iterations=50, contempt=0.2)") == pytest.approx(1 / 3 - 0.2)
    assert considered("ismcts(iterations=50, contempt=0.2)") == pytest.approx(1 / 3 - 0.2)


@pytest.mark.parametrize(
    "agent", ["maxn(depth=1, value=net(champion)", "paranoid(depth=1, value=net(champion)", "mcts(iterations=9",
              "ismcts(iterations=9"],
)  # fmt: skip
def test_contempt_is_no_part_of_what_a_draw_is_said_to_be_worth(agent):
    found = agents.build(f"{agent}, contempt=0.2)", games.find("chexers"), 1).decide(position.read(BEFORE_A_DRAW))
    assert found.values == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert found.considered[found.move] == pytest.approx(1 / 3 - 0.2, abs=1e-5)


def test_a_win_is_worth_less_to_mcts_the_longer_it_takes():
    game = games.find("chexers")
    state = position.read("red+3 a4; green g2; blue d4; red to move")
    near, far = (
        agents.build(f"mcts(iterations=100, solver=false, policy=greedy, haste={haste})", game, 1).decide(state)
        for haste in (0, 0.5)
    )
    assert near.considered[near.move] > far.considered[far.move] > 0.5


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
    assert found.worths[1] == [0.5, 0.5]
