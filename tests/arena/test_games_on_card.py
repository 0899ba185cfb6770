"""Games between policies on a graphics card are those of processors; here the card is simulated."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena import balance, mass_session
from kibitz.arena.balance import play_balance, play_variants
from kibitz.arena.match import play_match
from kibitz.arena.plan.plan import Plan
from kibitz.arena.session import Interrupted
from kibitz.arena.tournament import play_tournament
from kibitz.batches import mass_play
from kibitz.batches.mass_play import DifferentGames
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.native import INTERPRETED
from tests.batches.on_simulated_card import simulated_card  # noqa: F401

pytestmark = [
    pytest.mark.skipif(INTERPRETED, reason="nothing is compiled"), pytest.mark.usefixtures("simulated_card"),
]  # fmt: skip
CHEATING, PIG = (str(Path(__file__).parents[1] / name) for name in ("cheating", "pig"))
SLY = "sly(seldom=9)"


def _equal(here, there):
    assert replace(here, seconds=0) == replace(there, seconds=0)


@pytest.mark.parametrize(("game", "agents", "limits"), [
    (CHEATING, ["honest", SLY], None),
    (CHEATING, ["honest", SLY], {"plies": 16}),
    (PIG, ["random", "random"], None),
])  # fmt: skip
def test_a_match_on_a_card_has_the_same_records_and_the_same_result(tmp_path, game, agents, limits):
    files = [tmp_path / device for device in ("cpu", "gpu")]
    here, there = (
        play_match(game, agents, 40, 3, limits=limits, save=file, device=file.name) for file in files
    )  # fmt: skip
    _equal(here, there)
    assert files[0].read_text() == files[1].read_text()
    assert bool(here.faults) == (SLY in agents)
    assert ("cap" in here.reasons) == (limits is not None)
    assert ("illegal" in here.reasons) == (SLY in agents)


def test_a_tournament_has_the_same_digest_and_continues_on_another_device(tmp_path):
    plans = [Plan.make(CHEATING, ["honest", SLY], games=games, seed=3, openings=2) for games in (20, 60)]
    whole = play_tournament(plans[1], tmp_path / "whole.db")
    play_tournament(plans[0], tmp_path / "parts.db", device="gpu")
    parts = play_tournament(plans[1], tmp_path / "parts.db", device="cpu")
    there = play_tournament(plans[1], tmp_path / "card.db", device="gpu")
    assert whole.digest == parts.digest == there.digest


@pytest.mark.parametrize(("game", "agent"), [(PIG, "random"), (CHEATING, SLY)])
def test_sums_of_very_many_games_are_those_of_single_ones(monkeypatch, game, agent):
    one_by_one = play_balance(game, agent, 300, 5)
    there = play_balance(game, agent, 300, 5, device="gpu")
    monkeypatch.setattr(balance, "WORTH_IT", 100)
    _equal(one_by_one, there)
    _equal(one_by_one, play_balance(game, agent, 300, 5, jobs=2))
    assert one_by_one.distinct > 200


def test_few_games_are_played_one_by_one_and_so_are_those_that_a_ledger_keeps(tmp_path):
    _equal(play_balance(CHEATING, SLY, 60, 5), play_balance(CHEATING, SLY, 60, 5, device="gpu"))
    kept = play_balance(CHEATING, SLY, 300, 5, db=tmp_path / "kept.db", device="gpu")
    _equal(kept, play_balance(CHEATING, SLY, 300, 5, device="gpu"))


def test_variants_are_compared_on_a_card():
    here, there = (
        play_variants([PIG, PIG], "random", 220, 3, device=device) for device in ("cpu", "gpu")
    )  # fmt: skip
    for one, other in zip(here.variants, there.variants, strict=True):
        _equal(one, other)


def test_ctrl_c_gives_the_figures_of_the_games_so_far(monkeypatch):
    monkeypatch.setattr(balance, "WORTH_IT", 100)
    monkeypatch.setattr(mass_session, "FIRST_LAUNCH", 250)

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        play_balance(PIG, "random", 1000, 5, progress=stop)
    found = stopped.value.result
    assert (found.games, found.planned) == (250, 1000)
    _equal(replace(found, planned=250), play_balance(PIG, "random", 250, 5))


def test_many_faults_and_draws_are_counted_and_the_first_are_told(monkeypatch):
    monkeypatch.setattr(balance, "WORTH_IT", 100)
    monkeypatch.setattr(mass_session, "MOST_TOLD", 5)
    found = play_balance(CHEATING, "sly(seldom=4)", 300, 5)
    assert found.reasons["illegal"] > 100
    assert len(found.faults) == 5
    assert mass_session.FIRST_FAULTS in found.notes
    drawn = play_balance("quarto", "random", 300, 5)
    assert drawn.reasons["drawn"] > 5
    assert sum(drawn.drawn_by.values()) == 5
    assert mass_session.FIRST_DRAWS in drawn.notes


def test_different_games_are_counted_exactly_and_beyond_a_limit_by_a_sample(monkeypatch):
    monkeypatch.setattr(mass_play, "HASHES_KEPT", 1000)
    hashes, found = np.random.default_rng(1).integers(2**64, size=20_000, dtype=np.uint64), DifferentGames()
    found.add(hashes[:900])
    found.add(hashes[:900])
    assert (int(found), found.is_exact) == (900, True)
    for part in np.split(hashes, 40):
        found.add(part[(part & found.mask) == 0])
    assert not found.is_exact
    assert int(found) == pytest.approx(20_000, rel=0.1)


def test_a_rule_that_fails_is_explained_by_the_processors():
    broken = str(Path(__file__).parents[1] / "batches" / "failing")
    for device in ("cpu", "gpu"):
        with pytest.raises(BadGame, match="the rule payoff gives a seat a payoff that does not lie between 0 and 1"):
            play_balance(broken, "random", 300, 5, device=device)
        with pytest.raises(BadGame, match="the rule payoff gives a seat a payoff that does not lie between 0 and 1"):
            play_match(broken, ["random", "random"], 40, 5, device=device)


@pytest.mark.parametrize(("agents", "limits", "sentence"), [
    (["novice", "minimax(depth=1)"], None, r"agent minimax\(depth=1\) cannot play on a graphics card, where games are "
     "between policies of the game: random, novice"),
    (["novice", "random"], {"move_seconds": 1}, "limits of time and memory cannot be watched on a graphics card"),
])  # fmt: skip
def test_what_a_card_cannot_play_is_refused_in_a_sentence(agents, limits, sentence):
    with pytest.raises(BadValue, match=sentence):
        play_match("quarto", agents, 10, 1, limits=limits, device="gpu")


def test_a_card_is_of_this_machine():
    plan = Plan.make("quarto", ["novice", "random"], games=10, seed=1)
    with pytest.raises(BadValue, match="device=gpu is the graphics card of this machine, and these games are played"):
        play_tournament(plan, play=lambda *given: iter(()), device="gpu")
