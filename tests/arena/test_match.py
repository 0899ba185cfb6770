"""Matches: fair seats, the same result on any number of workers, honest intervals."""

import json

import numpy as np
import pytest
from scipy import stats

from kibitz import games
from kibitz.arena.fixture import rotations
from kibitz.arena.match import play_match
from kibitz.arena.pool import play_all
from kibitz.arena.referee import AgentFault, play_fixture
from kibitz.arena.statistics.outcome import outcomes
from kibitz.core.errors import BadValue
from kibitz.core.record import read_records

QUITTER = """
import sys
from kibitz.agents.agent import Agent

class Quitter(Agent):
    def decide(self, view):
        sys.exit("enough")
"""


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_agent_has_every_seat_equally_often_on_the_same_deals(seats):
    fixtures = list(rotations(seats * 6, seats, 1))
    for agent in range(seats):
        held = [fixture.seating.index(agent) for fixture in fixtures]
        assert [held.count(seat) for seat in range(seats)] == [6] * seats
        for seat in range(seats):
            deals = {fixture.deal_seed for fixture in fixtures if fixture.seating[seat] == agent}
            assert deals == {fixture.deal_seed for fixture in fixtures}
    minds = [seed for fixture in fixtures for seed in fixture.agent_seeds]
    assert len(set(minds)) == len(minds)


def test_the_best_alone_wins_and_the_best_together_draw():
    won, drew = outcomes(np.array([[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3], [0, 0, 0]]))
    assert won.tolist() == [[True, False, False], [False] * 3, [False] * 3, [False] * 3]
    assert drew.tolist() == [[False] * 3, [True, True, False], [True] * 3, [True] * 3]


def _without_times(result):
    result = json.loads(json.dumps(result))
    result.pop("seconds")
    for agent in result["agents"]:
        agent.pop("seconds_per_move")
    return result


@pytest.mark.parametrize("agents", [("novice", "random"), ("minimax(depth=1, opening=none)", "novice")])
def test_the_number_of_workers_changes_nothing(quarto, agents):
    results = [_without_times(play_match(quarto, agents, 41, 5, jobs)) for jobs in (1, 2)]
    assert results[0] == results[1]
    assert _without_times(play_match(quarto, agents, 41, 6, 1)) != results[0]


def test_an_agent_that_fails_is_named_and_ends_the_match(quarto, tmp_path):
    path = tmp_path / "quitter.py"
    path.write_text(QUITTER)
    for jobs in (1, 2):
        with pytest.raises(AgentFault, match=r"quitter.py failed in seat 0 at ply 0 of game 0: SystemExit: enough"):
            play_match(quarto, [str(path), "random"], 8, 1, jobs, tmp_path / "games.jsonl")
        assert not (tmp_path / "games.jsonl").exists()


def test_the_compiled_lane_plays_the_same_games_as_the_table(game_name):
    game = games.find(game_name)
    lineup = [*(f"policy({name})" for name in game.policies), *["random"] * game.seats][: game.seats]
    fixtures = list(rotations(4 * game.seats, game.seats, 3))
    (batch,) = play_all(game, lineup, fixtures, 1, keep_records=True)
    slow = [play_fixture(game, lineup, fixture) for fixture in fixtures]
    assert batch.records == [result.record.line() for result in slow]
    assert batch.moves.tolist() == [list(result.moves) for result in slow]
    assert batch.seatings.tolist() == [list(result.fixture.seating) for result in slow]


def test_wins_draws_and_losses_add_up(quarto):
    result = play_match(quarto, ["novice", "random"], 300, 2)
    first, second = result["agents"]
    assert first["wins"] == second["losses"]
    assert first["draws"] == second["draws"]
    for agent in result["agents"]:
        assert agent["wins"] + agent["draws"] + agent["losses"] == 300
        assert sum(seat["games"] for seat in agent["by_seat"]) == 300
        assert agent["mean_payoff"] == pytest.approx((agent["wins"] + agent["draws"] / 2) / 300)
        assert agent["interval"][0] < agent["win_rate"] < agent["interval"][1]


def test_records_of_a_match_replay(quarto, tmp_path):
    path = tmp_path / "games.jsonl"
    result = play_match(quarto, ["novice", "random"], 50, 2, save=path)
    records = list(read_records(path))
    assert len(records) == 50
    assert sum(len(record.moves) for record in records) == result["plies"]
    for number, record in enumerate(records):
        record.replay(games.find)
        assert record.agents == (["novice", "random"] if number % 2 == 0 else ["random", "novice"])


def test_novice_beats_random_as_the_report_says(quarto):
    """976 / 21 / 3 of 1000 there; homogeneous with ours."""
    ours = play_match(quarto, ["novice", "random"], 1000, 1)["agents"][0]
    table = [[976, 21 + 3], [ours["wins"], ours["losses"] + ours["draws"]]]
    assert stats.chi2_contingency(table).pvalue > 0.01


def test_the_searcher_beats_novice_as_the_report_says(quarto):
    """952 / 34 / 14 of 1000 there; a tenth of it here, the whole behind `kibitz match`."""
    ours = play_match(quarto, ["minimax(depth=3, value=completing_absolute)", "novice"], 100, 1)["agents"][0]
    assert ours["wins"] >= 88  # 3.2 standard deviations below 95.2


def test_a_match_that_cannot_be_is_refused(quarto, tmp_path):
    for agents, number, jobs, complaint in (
        (["random"], 10, 1, "quarto has 2 seats, but 1 agents were named: random"),
        (["random", "nobody"], 10, 1, "unknown agent"),
        (["random", "random"], 0, 1, "at least 1 game"),
        (["random", "random"], 10, 0, "jobs must be"),
    ):
        with pytest.raises(Exception, match=complaint):
            play_match(quarto, agents, number, 1, jobs, tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old.jsonl").write_text("precious")
    with pytest.raises(BadValue, match="exists already"):
        play_match(quarto, ["random", "random"], 10, 1, save=tmp_path / "old.jsonl")
