"""Learning from many games side by side, here with NumPy on the processor."""

import numpy as np
import pytest

from kibitz.batches.game_batch import GameBatch, device_of
from kibitz.core.calls import evaluate
from kibitz.core.errors import BadValue
from kibitz.core.native import from_python
from kibitz.games import find
from kibitz.learn.batch_training import BatchTraining
from kibitz.learn.side_by_side import Judge, SideBySide
from kibitz.learn.training import TrainingBudget
from kibitz.learn.training_settings import default_settings, sides_of
from kibitz.networks.inference import read_layers
from kibitz.networks.net import encodings, network, value_of
from kibitz.networks.network_file import About, new_network
from tests.test_cli import run

value_at = from_python(evaluate)
GAMES = ["quarto", "colonizers", "cartagena(version=jamaica)"]


def _new(game, hidden=(8,)):
    name, encoding = next(iter(encodings(game).items()))
    about = About(game.name, game.version, {}, game.seats, name, encoding.length, sides=sides_of(game))
    return new_network(about, hidden, 3)


@pytest.mark.parametrize("text", GAMES)
def test_positions_are_judged_as_compiled_searches_judge_them(text):
    game = find(text)
    made = _new(game)
    value = value_of(game, made)
    batch = GameBatch(game, 12, device_of(game, "cpu"), 4)
    batch.run(moves=9)
    found = Judge(game, made.about, list(read_layers(value.weights))).judged(batch)
    for row in range(12):
        expected = np.zeros(game.seats)
        value_at(game.rules, value.handle, value.weights, batch._states[row], expected)
        if batch.turn[row] >= 0:
            assert found[row] == pytest.approx(expected, abs=1e-4)


def test_positions_after_moves_are_those_that_games_come_to():
    batch = GameBatch(find("quarto"), 3, device_of(find("quarto"), "cpu"), 4)
    batch.run(moves=3)
    rows, actions = np.nonzero(batch.legal())
    after = batch.after(rows, actions)
    assert after.games == len(rows)
    chosen = np.array([actions[rows == row][1] for row in range(3)])
    wanted = [np.flatnonzero((rows == row) & (actions == chosen[row]))[0] for row in range(3)]
    batch.play(chosen)
    assert (after.states[wanted] == batch.states).all()
    assert (after.plies[wanted] == batch.plies).all()


def test_targets_are_td_returns_computed_back_from_the_end():
    game = find("quarto")
    made = _new(game)
    settings = default_settings(game, trace=1.0, epsilon=0.0, openings=0)
    batch = GameBatch(game, 20, device_of(game, "cpu"), 6)
    judge = Judge(game, made.about, list(made.layers))
    inputs, targets, games = SideBySide(batch, judge, settings, 1).play()
    assert games == 20
    assert len(inputs) == len(targets) == batch.plies.sum()
    assert np.unique(targets).tolist() in ([0.0, 1.0], [0.0, 0.5, 1.0])  # with lambda = 1 nothing but results
    assert targets.sum(axis=1) == pytest.approx(1)


def _train(path, positions):
    game = find("quarto")
    settings = default_settings(game, positions, hidden=(8,), round=400, rate=0.01)
    return list(BatchTraining(game, settings, TrainingBudget(positions), path, None).rounds())


def test_a_network_learns_and_a_run_goes_on_where_it_was_stopped(tmp_path):
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    progress = _train(whole, 4000)
    assert progress[-1].error < progress[0].error
    assert progress[-1].games > 100
    game = find("quarto")
    settings = default_settings(game, 4000, hidden=(8,), round=400, rate=0.01)
    rounds = BatchTraining(game, settings, TrainingBudget(4000), parts, None).rounds()
    for _ in range(3):
        next(rounds)
    rounds.close()
    _train(parts, 4000)
    for one, other in zip(network(game, str(whole)).layers, network(game, str(parts)).layers, strict=True):
        assert np.array_equal(one[0], other[0])


def test_what_a_card_does_not_learn_is_refused_in_a_sentence(tmp_path):
    for option in (["--policy"], ["--first", "novice"], ["--by", "maxn(depth=1)"]):
        shown = run("learn", "td", "quarto", "--out", str(tmp_path / "x.npz"), "--device", "gpu", *option)
        assert shown.exit_code == 2
        assert f"{option[0]} runs on the processor only; a graphics card does learn td without it" in shown.stderr
    with pytest.raises(BadValue, match="there is no device 'tpu'; the devices are cpu, gpu"):
        default_settings(find("quarto"), device="tpu")
