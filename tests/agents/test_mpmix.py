"""MP-Mix: when it defends, when it attacks, in the units that values declare; and how worlds agree on what is worth."""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.agents.agent import Decision
from kibitz.agents.search.determinization import agree
from kibitz.core.playout import value_of
from kibitz.games.chexers import position

# Red owns 5 pieces (one of them out), green 4, blue 3: red leads by one piece, whoever counts.
ONE_AHEAD = "red+1 a4 a5 a6 a7; green d4 e4 f2 f3; blue e5 f4 g3; {} to move"


@pytest.mark.parametrize(
    ("value", "apart"),
    [("own", 1.0), ("count", 2.0)],  # 5 - 4; (5 - 4 - 3) - (4 - 5 - 3)
)
@pytest.mark.parametrize(
    ("seat", "options", "strategy"),
    [
        ("red", "defend=1", "paranoid"), ("red", "defend=1.01", "maxn"), ("red", "defend=9, attack=0", "maxn"),
        ("green", "attack=1", "offensive"), ("green", "attack=1.01", "maxn"), ("blue", "attack=1", "offensive"),
        ("blue", "defend=0, attack=9", "maxn"),
    ],
)  # fmt: skip
def test_a_lead_of_one_piece_is_one_whichever_value_counts_pieces(value, apart, seat, options, strategy):
    game, state = games.find("chexers"), position.read(ONE_AHEAD.format(seat))
    out = np.zeros(3)
    value_of(game.rules, game.value(value).handle, game.value(value).weights, state, out)
    assert out[0] - out[1] == apart
    mind = agents.build(f"mpmix({options}, value={value}, depth=1)", game, 1)
    assert mind.strategy(state)[0] == strategy
    decision = mind.decide(state)
    assert decision.why.startswith("red leads by 1 pieces, ")
    assert decision.why.endswith(f": {strategy}")
    text = "paranoid" if strategy == "paranoid" else strategy
    assert decision.move == agents.build(f"{text}(value={value}, depth=1)", game, 1).decide(state).move


def test_the_usual_value_of_chexers_counts_pieces_too():
    game, state = games.find("chexers"), position.read(ONE_AHEAD.format("red"))
    # Red is worth 1000 * (5 - 7) + 100 * 1 and more, green 1000 * (4 - 8) - 100: a piece, and what else it has.
    assert agents.build("mpmix(defend=1, depth=1)", game, 1).strategy(state)[0] == "paranoid"
    assert agents.build("mpmix(defend=1.5, depth=1)", game, 1).strategy(state)[0] == "maxn"


def test_thresholds_beyond_reach_make_it_plain_maxn():
    game, state = games.find("chexers"), position.read(ONE_AHEAD.format("green"))
    mixed = agents.build("mpmix(defend=1e9, attack=1e9, depth=2)", game, 1).decide(state)
    plain = agents.build("maxn(depth=2)", game, 1).decide(state)
    assert (mixed.move, mixed.values, mixed.considered) == (plain.move, plain.values, plain.considered)


def test_worlds_agree_on_what_the_chosen_move_is_worth_not_on_each_world_s_favourite():
    asked = [
        Decision(1, [0.9, 0.1], [1], {1: 0.9, 2: 0.5}, {1: [0.9, 0.1], 2: [0.5, 0.5]}, {1: 6, 2: 4}, visits=10),
        Decision(2, [0.6, 0.4], [2], {1: 0.1, 2: 0.6}, {1: [0.1, 0.9], 2: [0.6, 0.4]}, {1: 3, 2: 7}, visits=10),
        Decision(2, [0.7, 0.3], [2], {1: 0.2, 2: 0.7}, {1: [0.2, 0.8], 2: [0.7, 0.3]}, {1: 3, 2: 7}, visits=10),
    ]
    found = agree(asked, "vote")
    assert found.move == 2
    assert found.values == pytest.approx([0.6, 0.4])
    assert found.values[0] == pytest.approx(found.considered[2])
    assert found.move_values[1] == pytest.approx([0.4, 0.6])
    assert found.tries == {1: 12, 2: 18}


def test_a_move_that_a_world_left_out_is_worth_no_more_than_those_it_kept():
    asked = [Decision(1, None, [1], {1: -3.0, 2: -5.0}), Decision(1, None, [1], {1: -4.0})]
    assert agree(asked, "mean").considered == {1: -3.5, 2: -4.5}
