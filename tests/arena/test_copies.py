"""Copies: an agent that is listed twice is one agent in two seats, in every table, page and file."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.arena.match import play_match
from kibitz.arena.plan import plan as plans
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import batch_of
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.run import open_run
from kibitz.arena.show.report.report_data import report
from kibitz.arena.show.report.report_files import columns
from kibitz.arena.tournament import play_tournament
from kibitz.cli import main
from kibitz.core.errors import BadValue
from tests.arena.playing import play_inside

VERSION_THEN = "0.1.0"  # the name of a run depends on it


def test_one_agent_against_two_copies_has_one_row_for_the_copies():
    found = play_match("chexers", ["greedy", "random", "random"], games=9)
    one, copies = found.agents
    assert (one.agent, one.games) == ("greedy", 9)
    assert (copies.agent, copies.games) == ("random", 18)
    assert [seat.games for seat in one.by_seat] == [3, 3, 3]  # every seat in turn
    assert [seat.games for seat in copies.by_seat] == [6, 6, 6]
    assert one.wins + copies.wins + found.without_winner == 9


def test_copies_can_be_written_with_their_number():
    short, long = (Plan.make("chexers", agents, scheme="rotation", games=9)
                   for agents in (["greedy", "2*random"], ["greedy", "random", "random"]))  # fmt: skip
    assert short == long
    assert short.run == long.run


@pytest.mark.parametrize("text", ["0*random", "17*random", "2*"])
def test_a_wrong_number_of_copies_is_named(text):
    with pytest.raises(BadValue, match="copies are written as 2"):
        Plan.make("chexers", ["greedy", text], scheme="rotation")


@pytest.mark.parametrize(
    ("agents", "run", "digest"),
    [
        (["greedy", "random", "set_out"], "d8c0217683", "53c0274ef0728f96"),
        (["greedy", "random", "random"], "e280539a9e", "38d889d3fc3941a6"),
    ],
)
def test_runs_and_digests_are_those_from_before_copies_were_one_agent(agents, run, digest, monkeypatch):
    monkeypatch.setattr(plans, "__version__", VERSION_THEN)
    plan = Plan.make("chexers", agents, scheme="rotation", games=6, seed=3)
    assert plan.run == f"chexers-{run}"
    assert play_tournament(plan).digest.startswith(digest)


def test_the_ledger_keeps_the_list_and_every_reader_counts_copies_as_one(tmp_path):
    db = tmp_path / "results.db"
    plan = Plan.make("chexers", ["greedy", "random", "random"], scheme="rotation", games=9)
    result = play_tournament(plan, db=db)
    again = play_tournament(plan)
    assert [row.agent for row in result.standings] == ["greedy", "random"]
    assert (result.digest, result.standings[1].games) == (again.digest, 18)
    with open_ledger(db) as ledger:
        data, rows = report(ledger, None), columns(ledger, None)
        kept = [seating for (seating,) in ledger._connection.execute("SELECT seating FROM results ORDER BY number")]
    assert data["plan"]["agents"] == ["greedy", "random", "random"]
    assert kept[:3] == ["[0, 1, 2]", "[1, 2, 0]", "[2, 0, 1]"]
    assert [(row["agent"], row["games"]) for row in data["standings"]] == [("greedy", 9), ("random", 18)]
    assert len(data["encounters"]) == 1
    assert [row["seats"] for row in data["compositions"][0]["agents"]] == [1, 2]
    assert sorted(set(rows["agent"])) == ["greedy", "random"]


def test_a_stop_rule_judges_all_copies_of_the_hero(tmp_path):
    plan = Plan.make("chexers", ["random", "random", "greedy"], scheme="rotation", games=90, stop={"better": "+20 %"})
    found = play_tournament(plan)
    assert found.stop.call == "not better"
    with pytest.raises(BadValue, match="stop can never decide"):
        Plan.make("chexers", ["3*random"], scheme="rotation", stop={"better": "+20 %"})


def test_copies_of_an_agent_that_failed_get_nothing_wherever_they_are_listed(tmp_path):
    path = tmp_path / "faulty.py"
    source = "from kibitz.agents.agent import Agent\nclass Faulty(Agent):\n    'Fails.'\n"
    path.write_text(source + "    def decide(self, view):\n        raise ValueError('oh')\n", encoding="utf-8")
    plan = Plan.make("chexers", [str(path), str(path), "random"], scheme="rotation", games=3, openings=0)
    fixture = next(plan.fixtures())
    result = play_inside(plan.game, plan.agents, fixture)
    assert result.payoff == (0.0, 0.0, 1.0)
    with open_run(plan, None) as run:
        run.add(batch_of([result], True), 0.0)
        assert run.games().seatings.tolist() == [[0, 0, 1]]
        assert np.array_equal(run.games().payoffs, [[0.0, 0.0, 1.0]])


def test_the_command_shows_one_row_for_copies():
    found = CliRunner().invoke(main, ["match", "chexers", "greedy", "2*random", "--games", "6", "--json"])
    assert found.exit_code == 0, found.output
    assert [(row["agent"], row["games"]) for row in json.loads(found.stdout)["agents"]] == [
        ("greedy", 6),
        ("random", 12),
    ]
