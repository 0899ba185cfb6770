"""Draws: where a game can tell how one came about, everything that shows results says it."""

import json
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from kibitz import games
from kibitz.arena.match import play_match
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.reason import Reason
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.show.report.page import page
from kibitz.arena.show.report.report_data import report
from kibitz.arena.show.text import REASONS
from kibitz.arena.tournament import play_tournament
from kibitz.cli import main
from kibitz.core.errors import BadGame
from kibitz.core.record import record_of, write_records
from kibitz.core.table import Table
from kibitz.games.chexers.notation import from_action
from kibitz.games.quarto import notation
from kibitz.web.table_session import TableSession
from tests.arena.playing import play_inside

LIMITED = "cartagena(seats=2, max_turns=4)"
LIMIT = "the limit of 4 turns"
SCRIBE = Path(__file__).parents[1] / "bots" / "scribe.py"
THERE = {0: ((-3, 0), (-2, 0)), 1: ((0, -3), (0, -2)), 2: ((3, 0), (2, 0))}  # a step of each colour into the open


def repeated():
    """Three colours step forth and back until the first position is there for the fourth time, after 18 turns."""
    table = Table(games.find("chexers"), 1)
    for turn in range(18):
        start, goal = THERE[turn % 3][:: 1 if turn // 3 % 2 == 0 else -1]
        table.play(from_action(table.view(table.turn), ("MOVE", (start, goal))))
    assert table.over
    return table


def test_chexers_tells_repetition_from_the_limit_of_turns():
    assert repeated().drawn_by() == "fourfold repetition"
    found = play_match("chexers", ["3*random"], games=30, seed=1)
    assert found.drawn_by == {"the limit of 768 turns": found.reasons["drawn"]}


def test_a_full_board_draws_quarto_and_a_game_that_is_won_or_not_over_is_drawn_by_nothing():
    found = play_match("quarto", ["2*random"], games=400)
    assert found.drawn_by == {"a full board": found.reasons["drawn"]}
    table = Table(games.find("quarto"), 1)
    assert table.drawn_by() == ""


def test_a_game_that_cannot_tell_says_nothing():
    assert not games.find("tests/kuhn").tells_draws
    assert games.find("tests/kuhn").drawn_by(games.find("tests/kuhn").new_state()) == ""


@pytest.mark.parametrize(
    ("game", "agents"), [(LIMITED, ["random", "top3"]), ("chexers", ["random", "greedy", "random"])]
)
def test_compiled_games_and_those_at_the_table_tell_the_same(game, agents):
    plan = Plan.make(game, agents, scheme="rotation", games=6, seed=2)
    found = play_tournament(plan)
    at_table = [play_inside(plan.game, plan.agents, fixture) for fixture in plan.fixtures()]
    told = [result.drawn_by for result in at_table if result.drawn_by]
    assert sum(found.drawn_by.values()) == len(told) == found.reasons.get("drawn", 0)
    assert set(found.drawn_by) == set(told)


def test_the_ledger_the_report_and_its_rows_tell_it_and_no_digest_knows_it(tmp_path):
    db = tmp_path / "results.db"
    result = play_tournament(Plan.make(LIMITED, ["random", "top3"], games=4), db=db)
    assert result.drawn_by == {LIMIT: 4}
    with open_ledger(db) as ledger:
        data = report(ledger, None)
    assert (data["reasons"], data["drawn_by"]) == ({"drawn": 4}, {LIMIT: 4})
    assert f"ended: drawn by {LIMIT}" in page(data)
    found = CliRunner().invoke(main, ["report", str(db), "--csv", str(tmp_path / "rows.csv")])
    assert found.exit_code == 0
    assert LIMIT in (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()[1]
    with sqlite3.connect(db) as connection:
        connection.execute("DELETE FROM results")
        ((thoughts,),) = connection.execute("SELECT DISTINCT thoughts FROM notes")
    connection.close()
    assert json.loads(thoughts) == {"drawn_by": LIMIT}
    assert LIMIT not in str(result.digest)


def test_a_match_a_replay_and_a_game_in_the_terminal_tell_it(tmp_path):
    shown = CliRunner().invoke(main, ["match", LIMITED, "random", "top3", "--games", "4"]).stdout
    assert f"4 games drawn: 4 by {LIMIT}." in " ".join(shown.split())
    path = tmp_path / "game.jsonl"
    write_records(path, [record_of(repeated(), ["random"] * 3, [1, 2, 3]).line()])
    shown = CliRunner().invoke(main, ["replay", str(path), "--number", "1"]).stdout
    assert "a draw by fourfold repetition." in shown
    shown = CliRunner().invoke(main, ["play", LIMITED, "random", "random", "--seed", "1"]).stdout
    assert f"A draw by {LIMIT}." in shown


def test_the_browser_tells_it():
    table = repeated()
    assert TableSession.result(SimpleNamespace(table=table, game=table.game)) == "a draw by fourfold repetition"


def test_a_bot_is_told_it(tmp_path):
    notes = tmp_path / "notes.jsonl"
    bot = f"bot(cmd='{sys.executable} {SCRIBE} {notes} moves', walls=none)"
    play_match(LIMITED, [bot, "random"], games=2)
    ends = [json.loads(line) for line in notes.read_text().splitlines() if '"end"' in line]
    assert [(end["reason"], end["drawn_by"]) for end in ends] == [("drawn", LIMIT)] * len(ends)
    assert ends


def test_a_report_has_words_for_every_reason():
    assert set(REASONS) == set(map(str, Reason))


def test_a_game_whose_words_fail_is_named(monkeypatch):
    monkeypatch.setattr(notation, "drawn_by", lambda view: view[10**6])
    with pytest.raises(BadGame, match=r"quarto: drawn_by in notation\.py fails"):
        games.find("quarto").drawn_by(games.find("quarto").new_state())
