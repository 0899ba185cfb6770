"""Matches: fair seats, the same result on any number of workers, games that differ, and nothing lost."""

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from scipy import stats

from kibitz import games
from kibitz.arena.match import play_match
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import batch_of, joined
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import play_fixture
from kibitz.arena.results.run import MemoryRun
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.arena.session import Interrupted
from kibitz.core.errors import BadValue
from kibitz.core.record import read_line, read_records
from tests.arena.playing import play, rotation, without_chance

CHEATING = str(Path(__file__).parents[1] / "cheating")
ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
QUITTER = """
import sys
from kibitz.agents.agent import Agent

class Quitter(Agent):
    def decide(self, view):
        sys.exit("enough")
"""


def test_the_best_alone_wins_and_the_best_together_draw():
    won, drew = outcomes(np.array([[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3], [0, 0, 0]]))
    assert won.tolist() == [[True, False, False], [False] * 3, [False] * 3, [False] * 3]
    assert drew.tolist() == [[False] * 3, [True, True, False], [True] * 3, [True] * 3]


def _without_times(result):
    return replace(result, seconds=0, agents=[replace(row, seconds_per_move=0) for row in result.agents])


@pytest.mark.parametrize("agents", [("novice", "random"), ("minimax(depth=1, opening=none)", "novice")])
def test_the_number_of_workers_changes_nothing(quarto, agents):
    results = [_without_times(play_match(quarto, agents, 40, 5, jobs)) for jobs in (1, 2)]
    assert results[0] == results[1]
    assert _without_times(play_match(quarto, agents, 40, 6, 1)) != results[0]


def test_without_openings_the_games_are_the_ones_of_a_plain_rotation(quarto):
    ours = play_match(quarto, ["novice", "random"], games=1000, seed=1, openings=0)
    assert [(row.wins, row.draws, row.losses) for row in ours.agents] == [(970, 1, 29), (29, 1, 970)]


def test_two_agents_in_three_seats_play_different_games_in_all_seatings(tmp_path):
    result = play_match("chexers", without_chance(tmp_path), games=60, isolate=False)
    assert (result.games, result.openings, result.distinct) == (60, 6, 60)
    assert result.notes == ()
    for row in result.agents:  # 6 seatings, and every agent in half of all seats
        assert [seat.games for seat in row.by_seat] == [30, 30, 30]


@pytest.mark.usefixtures("interpreted")
def test_agents_without_chance_repeat_themselves_without_openings_and_a_note_says_so(quarto, tmp_path):
    result = play_match(quarto, without_chance(tmp_path), games=60, openings=0, isolate=False)
    assert result.distinct == 2
    assert "Most games are repetitions" in result.notes[0]


def test_games_are_rounded_up_so_that_every_agent_has_every_seat_equally_often(quarto):
    result = play_match(quarto, ["novice", "random"], games=21)
    assert (result.games, result.planned) == (22, 22)
    assert [seat.games for seat in result.agents[0].by_seat] == [11, 11]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=ONLY_LONG)])
def test_an_agent_that_fails_loses_its_games_and_is_named(quarto, tmp_path, jobs):
    path, save = tmp_path / "quitter.py", tmp_path / "games.jsonl"
    path.write_text(QUITTER)
    result = play_match(quarto, [str(path), "random"], 4, 1, jobs, openings=0, save=save, isolate=False)
    assert result.reasons == {"crash": 4}
    assert "quitter.py failed in seat 1 at ply 0 of game 1: SystemExit: enough (quitter.py, line " in result.faults[0]
    assert (result.agents[0].losses, result.agents[1].wins) == (4, 4)
    assert len(list(read_records(save))) == 4


def test_a_match_in_a_ledger_is_continued(quarto, tmp_path):
    db = tmp_path / "match.db"
    agents = ["novice", "random"]
    play_match(quarto, agents, games=20, db=db)
    whole = play_match(quarto, agents, games=60, db=db, save=tmp_path / "kept.jsonl")
    at_once = play_match(quarto, agents, games=60, save=tmp_path / "at_once.jsonl")
    assert _without_times(whole) == _without_times(at_once)
    assert (tmp_path / "kept.jsonl").read_text() == (tmp_path / "at_once.jsonl").read_text()


def test_ctrl_c_keeps_what_was_played(quarto, tmp_path):
    def press_ctrl_c(progress):
        if progress.games >= 3:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(Interrupted) as stopped:
            play_match(
                quarto, ["minimax(depth=1)", "novice"], games=1000, save=tmp_path / "games.jsonl", progress=press_ctrl_c
            )
    finally:
        signal.signal(signal.SIGINT, before)
    result = stopped.value.result
    assert (result.games, result.planned) == (3, 1000)
    assert len(list(read_records(tmp_path / "games.jsonl"))) == 3


def test_compiled_games_are_those_at_the_table(game_name):
    game = games.find(game_name)
    lineup = [*(f"policy({name})" for name in game.policies), *["random"] * game.seats][: game.seats]
    fixtures = rotation(game, 4 * game.seats, 3)
    (batch,) = play(game, lineup, fixtures, 1, keep_records=True)
    slow = [play_fixture(game, lineup, fixture) for fixture in fixtures]
    assert batch.records == [result.record.line() for result in slow]
    assert batch.moves.tolist() == [list(result.moves) for result in slow]
    assert batch.seatings.tolist() == [list(result.fixture.seating) for result in slow]


@pytest.mark.parametrize(
    "lineup", [["policy(cheat)", "random"], ["policy(sly)", "policy(honest)"], ["policy(sly)"] * 2]
)
@pytest.mark.parametrize("openings", [0, 3])
def test_a_policy_that_cheats_loses_in_compiled_code_what_it_loses_at_the_table(lineup, openings):
    game = games.find(CHEATING)
    plan = Plan.make(game, lineup, scheme="rotation", games=40, seed=3, openings=openings)
    fixtures = list(plan.fixtures())
    fast = joined(play(game, lineup, fixtures, 1))
    slow = batch_of([play_fixture(game, lineup, fixture) for fixture in fixtures], True)
    runs = []
    for batch in (fast, slow):
        runs.append(MemoryRun(plan))
        runs[-1].add(batch, 0.0)
    assert runs[0].digest() == runs[1].digest()
    for column in ("payoffs", "plies", "moves", "offenders", "move_hashes"):
        assert (getattr(fast, column) == getattr(slow, column)).all(), column
    assert (fast.reasons, fast.faults, fast.records) == (slow.reasons, slow.faults, slow.records)
    assert Reason.ILLEGAL in fast.reasons
    assert {read_line(line).replay(games.find).over for line in fast.records} >= {False}


def test_a_rule_that_draws_moves_is_checked_in_compiled_code(tmp_path):
    """Only a move that is taken from the list of legal ones by its index needs no check."""
    copied = copytree(CHEATING, tmp_path / "drawing")
    rules = copied / "rules.py"
    rules.write_text(rules.read_text("utf-8") + "\n\n@rule\ndef sample(state, rng):\n    return 9\n", encoding="utf-8")
    (batch,) = play(games.find(str(copied)), ["random", "random"], rotation(games.find(str(copied)), 4, 1), 1)
    assert set(batch.reasons) == {Reason.ILLEGAL}


def test_wins_draws_and_losses_add_up(quarto):
    result = play_match(quarto, ["novice", "random"], 300, 2)
    first, second = result.agents
    assert first.wins == second.losses
    assert first.draws == second.draws
    for row in result.agents:
        assert row.games == row.wins + row.draws + row.losses == 300
        assert sum(seat.games for seat in row.by_seat) == 300
        assert row.mean_payoff == pytest.approx((row.wins + row.draws / 2) / 300)
        assert row.win_interval[0] < row.win_rate < row.win_interval[1]
    data = result.as_dict()
    assert json.loads(json.dumps(data)) == data
    assert repr(result) == (
        f"<MatchResult of quarto, 300 games, won/drawn/lost: novice {first.wins}/{first.draws}/{first.losses}, "
        f"random {second.wins}/{second.draws}/{second.losses}>"
    )


def test_records_of_a_match_replay(quarto, tmp_path):
    path = tmp_path / "games.jsonl"
    result = play_match(quarto, ["novice", "random"], 50, 2, save=path)
    records = list(read_records(path))
    assert len(records) == 50
    assert sum(len(record.moves) for record in records) == result.plies
    for number, record in enumerate(records):
        record.replay(games.find)
        assert record.agents == (["novice", "random"] if number % 2 == 0 else ["random", "novice"])


def test_novice_beats_random_as_the_report_says(quarto):
    """976 / 21 / 3 of 1000 there; homogeneous with ours."""
    ours = play_match(quarto, ["novice", "random"], 1000, 1, openings=0).agents[0]
    table = [[976, 21 + 3], [ours.wins, ours.losses + ours.draws]]
    assert stats.chi2_contingency(table).pvalue > 0.01


def test_the_searcher_beats_novice_as_the_report_says(quarto):
    """952 / 34 / 14 of 1000 there; a tenth of it here, the whole behind `kibitz match`."""
    agents = ["minimax(depth=3, value=completing_absolute)", "novice"]
    assert play_match(quarto, agents, 100, 1, openings=0).agents[0].wins >= 88  # 3.2 standard deviations below 95.2


def test_a_match_that_cannot_be_is_refused(quarto, tmp_path):
    for agents, number, jobs, complaint in (
        (["random"], 10, 1, "a match in 2 seats is between 2 agents, not 1"),
        (["random"] * 3, 10, 1, "a match in 2 seats is between 2 agents, not 3"),
        (["random", "nobody"], 10, 1, "unknown agent"),
        (["random", "random"], 0, 1, "games must be a whole number from 1"),
        (["random", "random"], 10, 0, "jobs must be"),
    ):
        with pytest.raises(Exception, match=complaint):
            play_match(quarto, agents, number, 1, jobs, save=tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old.jsonl").write_text("precious")
    with pytest.raises(BadValue, match="exists already"):
        play_match(quarto, ["random", "random"], 10, 1, save=tmp_path / "old.jsonl")
