"""The trees of the Cartagena thesis: every search takes the way that the text describes."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.search import control
from kibitz.agents.search.alphabeta.alphabeta_kernel import search_root as search_sides
from kibitz.agents.search.maxn import maxn_arrays as maxn
from kibitz.agents.search.maxn.maxn_kernel import search_root as search_seats
from kibitz.core.table import Table
from tests.conftest import ROOT

NAMES = "ghijklmn"


def decide(text, seats=3, branch=2):
    game = games.find(f"{ROOT}/tests/figures(seats={seats}, branch={branch})")
    return agents.build(text, game, 1).decide(Table(game, 1).view(0))


def leaf(decision):
    return NAMES[int("".join(map(str, decision.line)), 2)]


def test_figure_3_1_minimax_takes_the_draw():
    decision = decide("minimax(depth=2, value=outcomes, opening=none)", 2, 3)
    assert decision.move == 1
    assert decision.values == [0, 0]


def test_figure_3_2_minimax_takes_3():
    decision = decide("minimax(depth=2, value=estimates, opening=none)", 2, 3)
    assert decision.move == 0
    assert decision.values[0] == 3


def test_figure_3_3_alpha_beta_leaves_two_leaves_out():
    game = games.find(f"{ROOT}/tests/figures(seats=2, branch=3)")
    engine = agents.build("minimax(depth=2, value=estimates, opening=none)", game, 1).driver.engine
    engine.begin(0)
    scores = np.zeros(3)
    assert search_sides(engine.arrays, Table(game, 1).view(0), 2, np.arange(3), False, scores) == 0
    assert engine.control.cells[control.LEAVES] == 7


@pytest.mark.parametrize(
    ("text", "chosen", "worths"),
    [
        ("maxn(depth=3)", "j", [3, 9, 7]),  # figure 3.4: a-d-j
        ("nsp(depth=3)", "l", [-8, 2, -8]),  # figure 5.1: b-e-l, worth (2, 4, 2)
        ("nsp(depth=3, prune=all)", "i", [-1.25, -1.25, -0.6]),  # figure 5.2: a-d-i, worth (4, 4, 5)
    ],
)
def test_figures_3_4_and_5(text, chosen, worths):
    decision = decide(text)
    assert leaf(decision) == chosen
    assert decision.values == pytest.approx(worths)


def test_figure_3_5_paranoid_is_sure_of_2():
    decision = decide("paranoid(depth=3)")
    assert decision.move == 0
    assert decision.considered[0] == 2
    assert leaf(decision) == "g"


def test_figure_5_2_the_first_leaf_of_f_is_enough():
    leaves = []
    for prune in (maxn.NOT, maxn.ALL):
        game = games.find(f"{ROOT}/tests/figures(seats=3, branch=2)")
        engine = agents.build("nsp(prune=all)", game, 1).driver.engine
        engine.control.parameters[maxn.PRUNE] = prune
        engine.begin(0)
        root = Table(game, 1).view(0)
        assert search_seats(engine.arrays, root, 3, np.arange(2), np.zeros(2), engine.move_values) == 0
        leaves.append(int(engine.control.cells[control.LEAVES]))
    assert leaves == [8, 7]
