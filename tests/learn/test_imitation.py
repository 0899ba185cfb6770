"""Teaching by what an agent played: targets, and what is counted of outputs. Made up; no game is played here."""

import numpy as np
import pytest

from kibitz.learn.fit_metrics import predict
from kibitz.learn.fit_options import FitOptions
from kibitz.networks.encoding import NO_MOVE
from kibitz.plugins.documents.imitation_learning import Demonstrations, TargetOutputs, as_samples, imitate, said

UNITS = 10
LARGE = 9.0


def _demonstrations(n=400, seed=1):
    """The unit that is chosen is the one of the input that is on, and always legal."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, UNITS, n)
    moves = np.where(rng.random((n, UNITS)) < 0.5, np.arange(UNITS) + 100, NO_MOVE)
    moves[np.arange(n), chosen] = chosen + 100
    worths = np.where(moves == NO_MOVE, np.nan, 0.0).astype(np.float32)
    worths[np.arange(n), chosen] = 1.0
    return Demonstrations(np.eye(UNITS, dtype=np.float16)[chosen], moves, chosen, worths, np.arange(n) // 8)


def _taught(demonstrations, **options):
    fit = FitOptions(activation="sigmoid", slowest=1.0, batch=20, decay=0.0, **options)
    part = as_samples(demonstrations, TargetOutputs().shares(demonstrations), fit.policy_error == "legal")
    layers = imitate(part, part, (16,), fit)
    return said(
        predict(layers, as_samples(demonstrations, TargetOutputs().shares(demonstrations)), fit), demonstrations
    )


def test_large_plain_steps_on_squares_end_in_nothing_but_zeros():
    large = _taught(_demonstrations(), policy_error="squared", steps="plain", rate=10.0, epochs=4)
    assert large.silent.all()
    assert not large.ones.any()


def test_cross_entropy_over_legal_moves_finds_what_was_chosen():
    found = _taught(_demonstrations(), policy_error="legal", rate=0.02, epochs=20, patience=20)
    assert found.agrees.mean() > 0.95


def test_outputs_are_counted_by_hand():
    demonstrations = Demonstrations(
        np.zeros((3, 1)), np.array([[7, 7, 8], [7, NO_MOVE, 8], [7, NO_MOVE, 8]]), np.array([0, 2, 0]),
        np.array([[1, 1, 0], [0, np.nan, 1], [2, np.nan, 2]]), np.arange(3),
    )  # fmt: skip
    found = said(np.array([[LARGE, -LARGE, -LARGE], [LARGE, LARGE, -1], [-10, -10, -9.5]]), demonstrations)
    assert found.ones.tolist() == [1, 2, 0]
    assert found.invalid.tolist() == [0, 1, 0]
    assert (found.contains.tolist(), found.only.tolist()) == ([True, False, False], [True, False, False])
    assert (found.agrees.tolist(), found.among.tolist()) == ([True, False, False], [True, False, True])
    assert found.silent.tolist() == [False, False, True]


def test_targets_are_two_numbers_or_shares_by_worth():
    demonstrations = _demonstrations(1)
    hard = TargetOutputs(0.1, 0.9).shares(demonstrations)[0]
    assert sorted({*hard.tolist()}) == pytest.approx([0.1, 0.9])
    soft = TargetOutputs(softness=1.0).shares(demonstrations)[0]
    legal = demonstrations.moves[0] != NO_MOVE
    assert soft.sum() == pytest.approx(1)
    assert soft[demonstrations.chosen[0]] == pytest.approx(np.e * soft[legal].min())
    assert not soft[~legal].any()


def test_where_an_agent_told_no_worths_only_its_choice_counts():
    demonstrations = _demonstrations(2)
    demonstrations.worths[1] = np.nan
    shares = TargetOutputs(softness=1.0).shares(demonstrations)
    assert (shares[0] > 0).sum() > 1
    assert np.flatnonzero(shares[1]).tolist() == [demonstrations.chosen[1]]
