"""The step that a network learns by, against the textbook."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.games import find
from kibitz.learn.gradient import learn
from kibitz.learn.self_play import KEPT, new_self_play, play_games
from kibitz.networks import net as shipped
from kibitz.networks.inference import read_layers
from kibitz.networks.network_file import MOST_LAYERS, MOST_UNITS, About, new_network

GAME = find("quarto")
RATE = 0.1


def _by_hand(network, rows, target, offered, shares):
    """Return the layers after a step down the gradient, by backpropagation with matrices."""
    relu = network.about.activation == "relu"
    inputs = np.zeros(network.about.inputs)
    inputs[rows] = 1
    units = [inputs]
    for weights, biases in network.layers[:-1]:
        sums = units[-1] @ weights + biases
        units.append(np.maximum(sums, 0) if relu else 1 / (1 + np.exp(-sums)))
    logits = units[-1] @ network.layers[-1][0] + network.layers[-1][1]
    slopes = np.zeros(len(logits))
    slopes[:2] = np.exp(logits[:2]) / np.exp(logits[:2]).sum() - target
    if len(offered):
        odds = np.exp(logits[2 + offered])
        slopes[2 + offered] = odds / odds.sum() - shares
    layers = []
    for (weights, biases), below in zip(reversed(network.layers), reversed(units), strict=True):
        layers.append((weights - RATE * np.outer(below, slopes), biases - RATE * slopes))
        slopes = (weights @ slopes) * ((below > 0) if relu else below * (1 - below))
    return layers[::-1]


@pytest.mark.parametrize(
    ("hidden", "activation", "moves"), [((), "relu", 0), ((40,), "relu", 16), ((9, 6, 33), "sigmoid", 16)]
)
def test_a_step_goes_down_the_gradient(hidden, activation, moves):
    encoding = shipped.encodings(GAME)["lines"]
    about = About("quarto", GAME.version, {}, 2, "lines", encoding.length, activation, moves=moves)
    network = new_network(about, hidden, seed=3)
    heads = np.random.default_rng(4).normal(0, 0.5, network.layers[-1][0].shape).astype(np.float32)
    network = replace(network, layers=(*network.layers[:-1], (heads, network.layers[-1][1])))
    value = shipped.value_of(GAME, network)
    buffer = new_self_play(GAME, value, GAME.policy("random"), encoding, 64, 0.9, 0.0, 0, 64, 5)
    play_games(buffer, 1)
    buffer.control[KEPT] = 1  # the first position is the only one that can be drawn
    rows, target = buffer.rows[: buffer.counts[0]].copy(), buffer.targets[:2].copy()
    offered, shares = buffer.offered[: buffer.choices[0]].copy(), buffer.shares[: buffer.choices[0]].copy()
    assert len(offered) == moves
    assert target.sum() == pytest.approx(1, abs=1e-5)
    learn(buffer, 1, RATE, *np.zeros((2, MOST_LAYERS * MOST_UNITS), dtype=np.float32))
    for (weights, biases), (own, own_biases) in zip(
        _by_hand(network, rows, target, offered, shares), read_layers(buffer.net), strict=True
    ):
        assert own == pytest.approx(weights, abs=1e-5)
        assert own_biases == pytest.approx(biases, abs=1e-5)


@pytest.mark.parametrize("hidden", [(), (16, 8)])
def test_the_error_falls_on_positions_that_are_seen_often(hidden):
    encoding = shipped.encodings(GAME)["lines"]
    network = new_network(About("quarto", GAME.version, {}, 2, "lines", encoding.length), hidden, seed=3)
    buffer = new_self_play(
        GAME, shipped.value_of(GAME, network), GAME.policy("random"), encoding, 600, 1.0, 0.0, 0, 64, 5
    )  # fmt: skip
    play_games(buffer, 500)
    room = np.zeros((2, MOST_LAYERS * MOST_UNITS), dtype=np.float32)
    first, *_, last = (learn(buffer, 3000, 0.02, *room) for _ in range(10))
    assert last < 0.9 * first
