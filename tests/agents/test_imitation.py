"""Imitation: networks that name actions, their teacher where they name none, and a search among what they name."""

import numpy as np
import pytest

from kibitz.agents import build
from kibitz.core.errors import BadValue
from kibitz.core.game import option_values
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.games.cartagena.rules import BACK, STOP
from kibitz.networks.network_file import About, Network, as_bytes
from kibitz.plugins.documents.cartagena_encodings import BOARD_LENGTH, FORWARD, NOTHING, UNITS

TEXT = "red 0*3 7*2 37 / hat*2 key; green 0*5 3 / skull; blue 0*6 / key; row hat key; red to move"
HAT, SKULL, KEY = 2, 3, 5
GAME = find(f"cartagena(position='{TEXT}')")


def _network(path, logits, inputs=BOARD_LENGTH, actions="pirate_actions"):
    """Write a network that says the same of all positions: small numbers, but for some units."""
    biases = np.full(UNITS, -3.0, dtype=np.float32)
    for unit, logit in logits.items():
        biases[unit] = logit
    about = About("cartagena", GAME.version, option_values(GAME), 3, "board", inputs, "sigmoid", actions=actions)
    layers = ((np.zeros((inputs, UNITS), dtype=np.float32), biases),)
    path.write_bytes(as_bytes(Network(about, layers)))
    return path


def _nets(tmp_path, *said):
    parts = ("first", "second", "third")
    return ", ".join(
        f"{part}=net({_network(tmp_path / f'{part}.npz', one)})" for part, one in zip(parts, said, strict=True)
    )


def _decision(nets, more=", choose=ones", table=None):
    table = table or Table(GAME, 1)
    return build(f"imitation({nets}, teacher=greedy{more})", GAME, 1).decide(table.view(table.turn))


def test_each_action_of_a_turn_has_its_network(tmp_path):
    nets = _nets(tmp_path, {FORWARD + HAT: 3.0}, {FORWARD + 3 * 6 + KEY: 3.0}, {NOTHING: 3.0})
    table = Table(GAME, 1)
    for move in (8 * 0 + HAT, 8 * 7 + KEY, STOP):
        decision = _decision(nets, table=table)
        assert (decision.move, decision.considered) == (move, {move: pytest.approx(0.9526, abs=1e-4)})
        table.play(move)


def test_the_best_of_what_is_named_is_played_if_it_is_legal(tmp_path):
    nets = _nets(tmp_path, {FORWARD + SKULL: 5.0, FORWARD + KEY: 2.0, FORWARD + HAT: 1.0}, {}, {})
    assert _decision(nets).move == 8 * 0 + KEY  # red has no skull


def test_the_teacher_decides_where_nothing_legal_is_named(tmp_path):
    nets = _nets(tmp_path, {FORWARD + SKULL: 5.0, FORWARD + HAT: -1.0}, {}, {})
    taught = build("greedy", GAME, 1).decide(Table(GAME, 1).view(0))
    assert _decision(nets).move == taught.move
    assert _decision(nets).considered == taught.considered
    assert _decision(nets, "").move == 8 * 0 + HAT
    assert _decision(nets, ", choose=ones, threshold=0.2").move == 8 * 0 + HAT


def test_a_search_looks_at_what_is_named_or_else_at_the_best_by_value(tmp_path):
    nets = _nets(tmp_path, {FORWARD + HAT: 1.0, 3: 1.0, FORWARD + SKULL: 1.0}, {FORWARD + SKULL: 1.0}, {NOTHING: 1.0})
    assert {*_decision(nets, ", choose=ones, depth=1").considered} == {8 * 0 + HAT, BACK + 7}
    assert len(_decision(nets, ", choose=ones, depth=1, own=best").considered) == 3  # the usual width
    assert len(_decision(_nets(tmp_path, {}, {}, {}), ", choose=ones, depth=1").considered) == 3
    assert len(_decision(nets, ", depth=1").considered) == 1


def test_a_search_decides_on_a_turn_made_of_named_actions(tmp_path):
    named = ({FORWARD + HAT: 1.0}, {FORWARD + 3 * 6 + KEY: 1.0}, {NOTHING: 1.0})
    decision = _decision(_nets(tmp_path, *named), ", choose=ones, depth=1")
    assert decision.line == [8 * 0 + HAT, 8 * 7 + KEY, STOP]
    assert decision.nodes == 1  # no other turn is looked at


def test_networks_that_name_no_actions_are_refused_and_those_that_do_judge_nothing(tmp_path):
    with pytest.raises(BadValue, match="choose among the same actions"):
        build("imitation(first=net(champion), second=net(champion), third=net(champion))", GAME, 1)
    path = _network(tmp_path / "x.npz", {})
    with pytest.raises(BadValue, match="judges no positions"):
        build(f"greedy(net({path}))", GAME, 1)
    with pytest.raises(BadValue, match="chooses among 'deeds'; cartagena knows pirate_actions"):
        build(f"imitation(first=net({_network(path, {}, actions='deeds')}))", GAME, 1)
    with pytest.raises(BadValue, match="is not a network"):
        build("imitation(first=utility)", GAME, 1)
