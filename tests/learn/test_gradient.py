"""The step of training by self-play, against the step of fitting."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.games import find
from kibitz.learn.array_module import ArrayModule
from kibitz.learn.fit_math import FitMath
from kibitz.learn.fit_options import PLAIN, FitOptions
from kibitz.learn.gradient import descend
from kibitz.learn.samples import Samples
from kibitz.learn.self_play import KEPT, new_self_play, play_games
from kibitz.networks import net as shipped
from kibitz.networks.inference import read_layers
from kibitz.networks.network_file import MOST_LAYERS, MOST_UNITS, About, new_network

GAME = find("quarto")
RATE = 0.1


def _fitted(network, rows, target, offered, shares):
    """Return the layers after a plain step of fitting, whose gradient is held against differences of the error."""
    listed = Samples(rows[None], network.about.inputs, target[None], shares[None], offered[None])
    options = FitOptions(activation=network.about.activation, steps=PLAIN, momentum=0, decay=0)
    moments = [((0, 0), (0, 0)) for _ in network.layers]
    step = FitMath(ArrayModule(), listed, options).step
    return step(network.layers, moments, listed.arrays(), np.zeros(1, dtype=int), RATE, 1)[0]


@pytest.mark.parametrize(
    ("hidden", "activation", "moves"), [((), "relu", 0), ((40,), "relu", 16), ((9, 6, 33), "sigmoid", 16)]
)
def test_a_step_is_a_step_of_fitting_with_batches_of_one(hidden, activation, moves):
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
    descend(buffer, 1, RATE, *np.zeros((2, MOST_LAYERS * MOST_UNITS), dtype=np.float32))
    for (weights, biases), (own, own_biases) in zip(
        _fitted(network, rows, target, offered, shares), read_layers(buffer.net), strict=True
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
    first, *_, last = (descend(buffer, 3000, 0.02, *room) for _ in range(10))
    assert last < 0.9 * first
