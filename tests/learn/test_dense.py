"""Learning from encodings that write numbers."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from kibitz.core.bits import popcount
from kibitz.core.errors import BadValue
from kibitz.games import find
from kibitz.games.quarto import features
from kibitz.games.quarto.rules import FREE, HAND, NONE, POOL
from kibitz.learn.gradient import descend
from kibitz.learn.self_play import KEPT, new_self_play, play_games
from kibitz.learn.training import TrainingBudget, train
from kibitz.learn.training_settings import default_settings
from kibitz.networks import net as shipped
from kibitz.networks.encoding import encoding
from kibitz.networks.inference import read_layers
from kibitz.networks.network_file import MOST_LAYERS, MOST_UNITS, About, new_network, read_network

GAME = find("quarto")
MEAN, SPREAD, RATE = np.array([8.0, 20.0, 0.5]), np.array([5.0, 40.0, 0.5]), 0.1
FEW = 3_000


@encoding(length=3)
def _counts(view, seat, out):
    """Free cells, pieces in the pool times ten, and whether a piece is in hand."""
    out[0] = popcount(view[FREE])
    out[1] = popcount(view[POOL]) * 10.0
    out[2] = 0.0 if view[HAND] == NONE else 1.0


@pytest.fixture(autouse=True)
def _with_counts(monkeypatch):
    monkeypatch.setattr(features, "counts", _counts, raising=False)


@pytest.mark.parametrize("hidden", [(), (5,)])
def test_a_step_goes_where_one_on_standardised_numbers_would(hidden):
    network = new_network(About("quarto", GAME.version, {}, 2, "counts", 3), hidden, seed=3)
    heads = np.random.default_rng(4).normal(0, 0.5, network.layers[-1][0].shape).astype(np.float32)
    network = replace(network, layers=(*network.layers[:-1], (heads, network.layers[-1][1])))
    buffer = new_self_play(
        GAME, shipped.value_of(GAME, network), GAME.policy("random"), _counts, 64, 0.9, 0.0, 0, 64, 5
    )
    buffer.mean[:3], buffer.deviation[:3] = MEAN, SPREAD
    play_games(buffer, 1)
    buffer.control[KEPT] = 1
    shown, target = (buffer.numbers[:3] - MEAN) / SPREAD, buffer.targets[:2].copy()
    descend(buffer, 1, RATE, *np.zeros((2, MOST_LAYERS * MOST_UNITS), dtype=np.float32))
    first, biases = network.layers[0]
    layers = [(first * SPREAD[:, None], biases + MEAN @ first), *network.layers[1:]]
    units = [shown, *([np.maximum(shown @ layers[0][0] + layers[0][1], 0)] if hidden else [])]
    odds = np.exp(units[-1] @ layers[-1][0] + layers[-1][1])
    slopes = odds / odds.sum() - target
    for at in range(len(layers) - 1, -1, -1):
        weights, biases = layers[at]
        layers[at] = weights - RATE * np.outer(units[at], slopes), biases - RATE * slopes
        slopes = (weights @ slopes) * (units[at] > 0)
    folded = layers[0][0] / SPREAD[:, None]
    layers[0] = folded, layers[0][1] - MEAN @ folded
    for (weights, biases), (own, own_biases) in zip(layers, read_layers(buffer.net), strict=True):
        assert own == pytest.approx(weights, abs=1e-4)
        assert own_biases == pytest.approx(biases, abs=1e-3)


def _taught(out, rounds=None):
    settings = default_settings(GAME, FEW, encoding="counts", hidden=(8,), standardise=True)
    for _ in islice(train(GAME, settings, TrainingBudget(positions=FEW), out), rounds):
        pass
    return read_network(out)


def test_numbers_are_standardised_and_a_killed_run_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.learn.training.SAVE_EVERY", 0.0)
    whole = _taught(tmp_path / "a.npz")
    assert 5 < whole.about.trained["mean"][0] < 16
    _taught(tmp_path / "b.npz", rounds=5)
    assert _taught(tmp_path / "b.npz").digest == whole.digest
    with pytest.raises(BadValue, match="lists rows"):
        default_settings(GAME, standardise=True)
