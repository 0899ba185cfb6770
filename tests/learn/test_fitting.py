"""Fitting: against differences of the error, and on samples whose answer is known. Nothing here needs a game."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from kibitz.core.errors import BadValue
from kibitz.learn.array_module import ArrayModule
from kibitz.learn.fit_math import FitMath
from kibitz.learn.fit_metrics import assess, predict
from kibitz.learn.fit_options import ALL, LEGAL, SQUARED, FitOptions
from kibitz.learn.fitting import fit
from kibitz.learn.samples import NONE, Samples, concatenated
from kibitz.networks.network_file import new_layers

RNG = np.random.default_rng(1)
SEATS, MOVES, ROWS = 3, 5, 12


def _samples(n: int = 40, listed: bool = True) -> Samples:
    """Positions of three rows each; the seat and the move to find are the least row's number, modulo."""
    rows = np.sort(np.array([RNG.choice(ROWS, 3, replace=False) for _ in range(n)], dtype=np.int32), axis=1)
    inputs = rows if listed else RNG.normal(0, 1, (n, ROWS)).astype(np.float32)
    values = np.eye(SEATS, dtype=np.float32)[rows[:, 0] % SEATS]
    moves = np.tile(np.array([0, 2, 3, NONE]), (n, 1))
    shares = np.array([[0.1, 0.1, 0.1, 0]] * n, dtype=np.float32)
    shares[np.arange(n), rows[:, 0] % 3] = 0.8
    return Samples(inputs, ROWS, values, shares, moves, np.arange(n) // 4)


def _layers(hidden=(7, 6)):
    return tuple(
        (RNG.normal(0, 0.5, weights.shape).astype(np.float32), RNG.normal(0, 0.1, biases.shape).astype(np.float32))
        for weights, biases in new_layers(ROWS, hidden, SEATS + MOVES, 1)
    )


def _flat(layers) -> list[float]:
    return [number for layer in layers for part in layer for number in part.ravel().tolist()]


@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
@pytest.mark.parametrize("by", [LEGAL, ALL, SQUARED])
@pytest.mark.parametrize(("listed", "hidden"), [(True, (7, 6)), (False, ())])
def test_slopes_are_the_differences_of_the_error(activation, by, listed, hidden):
    samples, layers = _samples(listed=listed), _layers(hidden)
    options = FitOptions(activation=activation, policy_error=by, policy_weight=0.7)
    kernel, batch = FitMath(ArrayModule(), samples, options), samples.arrays()
    layers = [tuple(part.astype(np.float64) for part in layer) for layer in layers]

    def error() -> float:
        chances, outputs, _ = kernel._predict(kernel.forward(layers, batch)[-1], batch)
        value, policy = kernel._errors(chances, outputs, batch)
        return float((value + 0.7 * policy).mean())

    units = kernel.forward(layers, batch)
    found = kernel._backward(layers, units, kernel._predict(units[-1], batch)[2] / len(samples))
    for layer, gradients in zip(layers, found, strict=True):
        for part, gradient in zip(layer, gradients, strict=True):
            at = tuple(int(RNG.integers(size)) for size in part.shape)
            part[at] += 1e-4
            above = error()
            part[at] -= 2e-4
            below = error()
            part[at] += 1e-4
            assert gradient[at] == pytest.approx((above - below) / 2e-4, abs=1e-4)


@pytest.mark.parametrize("by", [LEGAL, ALL, SQUARED])
def test_a_network_learns_both_heads_and_the_seed_settles_its_weights(by):
    samples, options = _samples(600), FitOptions(policy_error=by, epochs=40, batch=50, rate=0.02, patience=40)
    layers = new_layers(ROWS, (16,), SEATS + MOVES, 3)
    found = fit(layers, samples, options)
    assert found.held is not None
    assert found.held.agreement == found.held.legal == 1
    assert found.held.value_entropy < 0.1
    assert found.held.policy_entropy > found.held.least_entropy
    again = fit(layers, samples, options)
    assert _flat(again.layers) == _flat(found.layers)
    other = fit(layers, samples, replace(options, seed=2, epochs=2))
    assert _flat(other.layers) != _flat(found.layers)


def test_fitting_ends_at_the_least_error_on_games_that_are_held_out():
    samples = _samples(80)
    noise = replace(samples, values=np.eye(SEATS, dtype=np.float32)[RNG.integers(0, SEATS, 80)])
    found = fit(new_layers(ROWS, (32,), SEATS + MOVES, 1), noise, FitOptions(rate=0.05, batch=20, held=0.5, patience=3))
    errors = [epoch.held.error for epoch in found.epochs]
    assert found.best == 1 + errors.index(min(errors)) == len(errors) - 3
    assert found.held.error == pytest.approx(min(errors), rel=1e-4)


def test_positions_of_one_game_are_never_on_both_sides():
    train, held = _samples(40).split(0.3, 5)
    assert (len(train), len(held)) == (28, 12)
    assert not {*train.games} & {*held.games}


def test_nothing_is_learnt_of_a_target_that_is_not_known():
    samples = _samples(20)
    blank = replace(samples, values=0 * samples.values)
    layers = new_layers(ROWS, (8,), SEATS + MOVES, 1)
    found = fit(layers, blank, FitOptions(epochs=2, held=0, decay=0))
    assert (found.layers[-1][0][:, :SEATS] == 0).all()
    assert (found.layers[-1][0][:, SEATS:] != 0).any()
    assert np.isnan(found.train.value_entropy)


def test_a_sample_has_a_column_a_move_or_a_list_of_moves():
    listed = _samples(30)
    written = np.zeros((30, MOVES), dtype=np.float32)
    written[:, [0, 2, 3]] = listed.shares[:, :3]
    dense, layers, options = replace(listed, moves=None, shares=written), _layers(), FitOptions(policy_error=ALL)
    one, other = assess(layers, listed, options), assess(layers, dense, options)
    assert one.policy_entropy == pytest.approx(other.policy_entropy)
    assert predict(layers, dense, options).shape == (30, SEATS + MOVES)


def test_samples_are_joined_with_their_games_apart():
    both = concatenated([_samples(8), replace(_samples(4), games=None)])
    assert both.games.tolist() == [0] * 4 + [1] * 4 + [2, 3, 4, 5]
    with pytest.raises(BadValue, match="different encodings"):
        concatenated([_samples(8), _samples(8, listed=False)])


def test_what_does_not_fit_is_a_sentence():
    samples, dense = _samples(8), _samples(8, listed=False)
    with pytest.raises(BadValue, match=r"do not fit samples of 12 inputs, 3 seats and 4 moves"):
        fit(new_layers(ROWS, (4,), 5, 1), samples, FitOptions())
    with pytest.raises(BadValue, match="not finite"):
        replace(samples, values=samples.values * np.nan)
    with pytest.raises(BadValue, match="do not fit an encoding of 3"):
        replace(samples, length=3)
    with pytest.raises(BadValue, match="nothing to learn from"):
        fit(_layers(), samples.select(np.arange(0)), FitOptions())
    with pytest.raises(BadValue, match="rate is -1"):
        FitOptions(rate=-1)
    with pytest.raises(BadValue, match="seed is -1; it must be from 0"):
        FitOptions(seed=-1)
    with pytest.raises(BadValue, match="relu or sigmoid, not 'tanh'"):
        FitOptions(activation="tanh")
    with pytest.raises(BadValue, match="smaller rate"):
        fit(_layers(), replace(dense, inputs=np.sign(dense.inputs) * np.float32(3e38)), FitOptions(rate=10))


BARE = """
import sys
for name in ("numba", "click", "rich", "scipy"):
    sys.modules[name] = None
import kibitz.learn.fitting
assert not [name for name in sys.modules if name.startswith(("kibitz.games", "kibitz.agents"))]
"""


def test_fitting_needs_nothing_but_numpy():
    subprocess.run([sys.executable, "-c", BARE], check=True, timeout=60)
