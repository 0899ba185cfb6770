"""Sequential tests: Wald's figures, errors as rare as promised, and the same decision however games arrive."""

import numpy as np
import pytest

from kibitz.arena.plan.stop_rule import StopRule
from kibitz.arena.results.statistics.stopping import BlockTest, Call, StopCheck, block_scores, bounds
from kibitz.core.errors import KibitzError


def test_the_bounds_are_wald_s():
    assert bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=5e-4)


@pytest.mark.parametrize(("edge", "call"), [(0.0, Call.NOT_BETTER), (0.1, Call.BETTER)])
def test_blocks_are_judged_right_as_often_as_promised(edge, call):
    """Both games of a block depend on the deal; the expected number is 0.9 * 2.944 * 2 variance / 0.1²."""
    rng, blocks, right = np.random.default_rng(2), [], 0
    for _ in range(300):
        test = BlockTest(0.0, 0.1)
        while test.call == Call.CONTINUE:
            test.feed((rng.random(100) < 0.5 + edge) - 0.5)
        blocks.append(test.blocks)
        right += test.call == call
    assert np.mean(blocks) == pytest.approx(0.9 * 2.944 * 2 * 0.25 / 0.01, rel=0.15)
    assert right >= 300 * 0.92


@pytest.mark.parametrize(("fair", "better", "error"), [(0.5, 0.2, 0.05), (0.5, 0.2, 0.01), (0.25, 0.2, 0.05)])
def test_errors_are_as_rare_as_promised_at_large_margins(fair, better, error):
    """Single games at tables of two and of four."""
    rng, runs = np.random.default_rng(5), 1500
    for edge, wrong in ((0.0, Call.BETTER), (better, Call.NOT_BETTER)):
        calls = []
        for _ in range(runs):
            test = BlockTest(0.0, better, error, error)
            while test.feed((rng.random(200) < fair + edge) - fair) == Call.CONTINUE:
                pass
            calls.append(test.call)
        assert calls.count(wrong) <= 1.25 * error * runs


def test_the_likelihood_ratio_is_the_formula_s():
    scores = np.random.default_rng(3).normal(0.01, 0.4, 50)
    test = BlockTest(0.0, 0.03)
    test.feed(scores)
    variance = (max((scores**2).sum(), ((scores - 0.03) ** 2).sum()) + 0.5) / 50
    assert test.ratio == pytest.approx(0.03 / variance * (scores - 0.015).sum())


def test_a_run_of_equal_scores_is_no_proof_at_once():
    test = BlockTest(0.0, 0.03)
    test.feed(np.full(15, 0.5))
    assert test.call == Call.CONTINUE
    test.feed(np.full(200, 0.5))
    assert test.call == Call.BETTER


def _games(rng, blocks, edge):
    seatings = np.tile([(0, 1, 1), (1, 0, 1), (1, 1, 0)], (blocks, 1))
    form = edge * (seatings == 0) + rng.random(seatings.shape)
    payoffs = (form == form.max(axis=1, keepdims=True)).astype(float)
    return seatings, payoffs, np.repeat(np.arange(blocks), 3)


def test_the_decision_does_not_depend_on_how_games_arrive():
    games, found = _games(np.random.default_rng(4), 600, 0.1), set()
    for size in (3, 6, 21, 300, 1800):
        check = StopCheck(StopRule.read({"better": "+5 %", "alpha": 0.05}))
        for begin in range(0, 1800, size):
            if check.feed(*(part[begin : begin + size] for part in games)) != Call.CONTINUE:
                break
        found.add((check.call, check.games, check.test.blocks))
    assert len(found) == 1
    assert found.pop()[0] == Call.BETTER


def test_the_most_games_end_a_tournament_that_stays_open():
    games = _games(np.random.default_rng(5), 100, 0.0)
    check = StopCheck(StopRule(0.001, games=200))
    assert check.feed(*games) == Call.UNDECIDED
    assert check.games == 201  # whole blocks
    check = StopCheck(StopRule(0.001))
    assert check.feed(*games) == Call.CONTINUE
    assert check.finish() == Call.UNDECIDED
    assert check.games == 300


def test_the_score_of_a_block_is_what_the_hero_earns_above_its_share():
    seatings = np.array([[0, 1], [1, 0], [1, 2], [0, 0], [0, 1], [1, 1]])
    payoffs = np.array([[1, 0], [0.5, 0.5], [1, 0], [1, 0], [0, 1], [1, 0]])
    scores = block_scores(seatings, payoffs, np.array([0, 0, 0, 1, 2, 3]), 0, "payoff")
    assert scores.tolist() == pytest.approx([0.25, np.nan, -0.5, np.nan], nan_ok=True)
    four = block_scores(np.array([[0, 1, 2, 3]]), np.array([[0.9, 0.9, 0.1, 0]]), np.zeros(1), 0, "wins")
    assert four.tolist() == [0.25]


@pytest.mark.parametrize("text", ["+3 %", "3%", "3 %", 0.03, "0.03"])
def test_a_difference_may_be_written_in_several_ways(text):
    assert StopRule.read({"better": text}).better == pytest.approx(0.03)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("soon", "must look like"),
        ({}, "lacks better"),
        ({"better": "much"}, "not 'much'"),
        ({"better": "-3 %"}, "above 0"),
        ({"better": 3}, "below 100 %"),
        ({"better": "nan"}, "above 0"),
        ({"better": True}, "not True"),
        ({"better": "+3 %", "alpha": 0.7}, "alpha must be"),
        ({"better": "+3 %", "beta": "low"}, "beta must be"),
        ({"better": "+3 %", "games": 1.5}, "whole number"),
        ({"better": "+3 %", "of": "luck"}, "payoff"),
        ({"better": "+3 %", "alfa": 0.1}, "Did you mean 'alpha'"),
    ],
)
def test_a_bad_rule_is_refused_in_one_sentence(given, complaint):
    with pytest.raises(KibitzError, match=complaint):
        StopRule.read(given)
