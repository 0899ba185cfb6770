"""Guesses and shuffles that are wrong are found, those that are right are let be, and what is said of it is true."""

import os
import re
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from kibitz import games
from kibitz.core.errors import BadValue
from kibitz.core.laws import ONCE, Broken, calibration
from kibitz.core.laws.calibration import GuessEffort, find_faults, the_truth_looks_like_a_guess
from kibitz.core.laws.guess_samples import WORLDS
from kibitz.core.laws.law import variants
from kibitz.core.laws.relabelling import p_value, standardised
from kibitz.core.native import INTERPRETED
from kibitz.core.table import Table

HERE = Path(__file__).parents[1]
KUHN, ASKING, DOUBTS, HEARTS, HINTS, PEEK = (
    str(HERE / name) for name in ("kuhn", "asking", "doubts", "hearts", "hints", "peek")
)
SLOW = pytest.mark.skipif(INTERPRETED, reason="too slow interpreted")
ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
BROKEN = [
    *(f"{DOUBTS}(fault={fault})" for fault in ("voids", "hints", "twice", "discards", "passes", "hash")),
    *(f"{HEARTS}(fault={fault})" for fault in ("voids", "choices", "twice", "discards")),
    *(f"{HINTS}(fault={fault})" for fault in ("hints", "discards")),
    *(f"{ASKING}(fault={fault})" for fault in ("void", "shuffle")),
]
RIGHT = ["cartagena", "colonizers", KUHN, f"{KUHN}(coins=true)", ASKING, DOUBTS, HEARTS, HINTS, PEEK]


@SLOW
@pytest.mark.parametrize("text", RIGHT, ids=lambda text: Path(text).name)
def test_right_guesses_cannot_be_told_from_the_truth(text):
    remark = the_truth_looks_like_a_guess(games.find(text), 1) or ""
    assert re.match(r"no fault found in (800|1,600) positions; a fault that marks ", remark)
    assert "would have been found with 95%" in remark
    assert "calibrated" not in remark


@SLOW
@pytest.mark.parametrize("text", BROKEN, ids=lambda text: Path(text).name)
def test_a_broken_twin_is_found(text):
    with pytest.raises(Broken, match="not calibrated"):
        the_truth_looks_like_a_guess(games.find(text), 1)


@SLOW
def test_what_is_found_is_named():
    with pytest.raises(
        Broken,
        match=r"4 runs \(0 to 12; 13 to 25; …\) that are named in VOID are in HAND.*: 0 on average in truth and 0",
    ):
        the_truth_looks_like_a_guess(games.find(f"{HEARTS}(fault=voids)"), 1)


@SLOW
@pytest.mark.parametrize("seed", range(1, 4))
def test_a_card_of_a_hidden_hand_that_everybody_sees_is_missed_in_few_guesses_and_many_variants(seed):
    game, effort = games.find(f"{PEEK}(blind=true)"), GuessEffort(200, None, calibration.ALLOWED / 20)
    with pytest.raises(Broken, match=r"whether the number in PEEK is in .*HAND") as error:
        calibration.with_effort(game, seed, effort)
    assert re.search(r"There PEEK is \d+; .*HAND\[\d\] is {.*} in truth, {.*} in a guess", error.value.sentence)


@SLOW
def test_a_fault_names_a_position_to_which_a_table_can_be_led():
    with pytest.raises(Broken) as error:
        the_truth_looks_like_a_guess(games.find(f"{PEEK}(blind=true)"), 1)
    where = error.value.position
    table = Table(games.find(where.game), where.seed)
    table.follow(where.moves)
    shown = re.search(r"There PEEK is (\d+); .*HAND\[1\] is {([\d, –]+)} in truth", error.value.sentence)
    assert int(shown[1]) == table.view(0)[table.game.cells["PEEK"]]
    assert int(shown[2].replace("–", ", ").split(", ")[0]) == int(shown[1])
    assert list(map(table.game.write, [table.view(0)] * len(where.moves), where.moves)) == list(where.texts)
    assert f"a world guessed by seat {where.guess_of} in " in str(where)


def test_what_looks_suspicious_is_judged_in_other_games_and_a_right_game_is_let_be(monkeypatch):
    """Two tests of 1 in 20 and of 1 in 50 make one of 1 in 1000."""
    asked = iter((0.01, 0.3, 0.01, 0.02))
    monkeypatch.setattr(calibration, "p_value", lambda *given: next(asked))
    right, wrong = (find_faults(games.find(KUHN), 1, GuessEffort(positions=80)) for _ in range(2))
    assert (right.p, right.fault) == (pytest.approx(0.015), False)
    assert (wrong.p, wrong.fault) == (pytest.approx(0.001), True)
    assert right.positions == 80 + 40 * calibration.AGAIN


def test_a_game_that_hides_little_is_compared_interpreted_too():
    found = find_faults(games.find(KUHN), 1, GuessEffort(positions=100))
    assert found is not None
    assert not found.fault


def exchangeable_scores(rng):
    """Scores of worlds that are drawn from the same distribution in each position, with ties."""
    return standardised(np.round(rng.normal(size=(20, WORLDS, 3)) * rng.random((20, 1, 3)), 1))


def test_p_values_of_exchangeable_worlds_are_uniform():
    rng = np.random.default_rng(1)
    found = [p_value(exchangeable_scores(rng), seed, 0.01) for seed in range(400)]
    assert stats.kstest(found, "uniform").pvalue > 0.01
    for level in (0.5, 0.2, 0.1, 0.05):
        assert stats.binomtest(sum(p <= level for p in found), len(found), level).pvalue > 0.01


def test_p_values_are_those_of_all_relabellings():
    """Two positions with 16 worlds each: 256 relabellings can be listed."""
    scores = standardised(np.random.default_rng(2).normal(size=(2, WORLDS, 2)))
    sums = (scores[0, :, None] + scores[1, None, :]).max(axis=2)
    exact = float((sums >= scores[:, 0].sum(axis=0).max() - 1e-9).mean())
    found = np.mean([p_value(scores, seed, 0.01) for seed in range(200)])
    assert found == pytest.approx(exact, rel=0.15)


def test_a_limit_of_time_brings_more_positions_at_lower_levels(monkeypatch):
    clock = count()
    monkeypatch.setattr(calibration, "perf_counter", lambda: float(next(clock)))
    game = games.find(KUHN)
    once = find_faults(game, 1, GuessEffort(positions=80))
    longer = find_faults(game, 1, GuessEffort(positions=80, seconds=3.5))
    assert once is not None
    assert longer is not None
    assert longer.positions > 2 * once.positions
    assert longer.level < once.level / 2
    assert longer.least_share < once.least_share


def test_variants_share_the_probability_of_a_false_alarm():
    effort = GuessEffort.shared(variants=5, games=4, seconds=10.0)
    assert effort == GuessEffort(positions=800, seconds=2.0, level=pytest.approx(0.0002))


@SLOW
def test_a_fault_of_twice_the_size_told_is_found():
    found = find_faults(games.find(DOUBTS), 1, GuessEffort())
    assert found is not None
    marked = find_faults(games.find(f"{DOUBTS}(marked={round(2000 * found.least_share)})"), 1, GuessEffort())
    assert marked is not None
    assert marked.fault
    assert any("MARK" in deviation.way for deviation in marked.told)


@ONLY_LONG
@SLOW
@pytest.mark.timeout(0)
def test_a_fault_of_the_size_told_is_found_with_the_probability_told():
    sizes = [find_faults(games.find(DOUBTS), seed, GuessEffort()).least_share for seed in range(5)]
    game = games.find(f"{DOUBTS}(marked={round(1000 * float(np.mean(sizes)))})")
    hits = [find_faults(game, seed, GuessEffort()).fault for seed in range(100, 160)]
    assert stats.binomtest(sum(hits), len(hits), calibration.FOUND, alternative="less").pvalue > 0.01


@ONLY_LONG
@SLOW
@pytest.mark.timeout(0)
@pytest.mark.parametrize("text", [ASKING, KUHN, DOUBTS, PEEK], ids=lambda text: Path(text).name)
def test_p_values_of_a_game_with_exact_guesses_are_uniform(text):
    game, effort = games.find(text), GuessEffort(positions=200)
    found = [find_faults(game, seed, effort).p for seed in range(300)]
    assert stats.kstest(found, "uniform").pvalue > 0.001


@ONLY_LONG
@SLOW
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", [name for name in games.names() if games.find(name).hidden])
def test_no_variant_of_a_shipped_game_is_blamed(name):
    for each in variants(games.find(name)):
        try:
            game = games.find(str(each))
        except BadValue:
            continue
        if game.hidden:
            for check in ONCE.values():
                check(game, 5, GuessEffort(level=calibration.ALLOWED / 20))
