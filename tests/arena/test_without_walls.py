"""Where programs play hidden games without walls, everything says so, and what others can reach refuses them."""

import asyncio
import re

import pytest
from click.testing import CliRunner

import kibitz
from kibitz import cli
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import around_no_walls
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import batch_of
from kibitz.arena.play.referee import play_fixture
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.match_result import match_result
from kibitz.arena.session import play_plan
from kibitz.arena.show.report.report_data import report
from kibitz.bots import bot_pool
from kibitz.bots.sandbox import sandbox
from kibitz.web.allowlist import Allowlist
from kibitz.web.messages import RequestRefused
from kibitz.web.thinking_questions import DecideMove
from tests.bots.gallery import EXAMPLES, KERNEL, LINUX, bot
from tests.web.browsers import PERSON, agent, new_table, open_lobby, sit_down

pytestmark = LINUX
HIDDEN, KUHN = "cartagena(version=jamaica, seats=2)", "./tests/kuhn"
WITHOUT = re.compile("No walls keep secrets from bot")


@pytest.fixture
def jamaica():
    """A game with hidden hands."""
    return kibitz.game(HIDDEN)


def _played(game, level, db):
    """Play two games with a program, and return the notes of the result."""
    agents = [bot(EXAMPLES / "random_bot.py", walls=level), "random"]
    plan = Plan.make(game, agents, games=2)

    def play(plan, fixtures, jobs, keep_records):
        for fixture in fixtures:
            yield batch_of([play_fixture(game, plan.agents, fixture)], True)

    try:
        return play_plan(plan, match_result, db, play=play).notes
    finally:
        bot_pool.end_all()


def test_results_and_reports_say_that_no_walls_stood(jamaica, tmp_path):
    notes = _played(jamaica, "limits", None)
    assert len([note for note in notes if WITHOUT.match(note)]) == 1
    db = tmp_path / "results.db"
    for _ in range(2):  # the second session plays nothing, and still knows
        notes = _played(jamaica, "limits", db)
        assert len([note for note in notes if WITHOUT.match(note)]) == 1
    with open_ledger(db) as ledger:
        assert len([note for note in report(ledger, None)["notes"] if WITHOUT.match(note)]) == 1


def test_a_remark_that_was_changed_is_not_taken_for_true(jamaica, tmp_path):
    db = tmp_path / "results.db"
    _played(jamaica, "limits", db)
    with open_ledger(db, write=True) as ledger:
        ledger.beside("UPDATE remarks SET sentence = 'All is well.'")
        (said,) = ledger.remarks(ledger.find(None)["id"])
    assert "does not fit its checksum" in said


@KERNEL
def test_behind_solid_walls_and_in_open_games_nothing_is_said(jamaica, quarto, tmp_path):
    db = tmp_path / "results.db"
    assert not [note for note in _played(jamaica, "kernel", db) if WITHOUT.match(note)]
    with open_ledger(db) as ledger:
        assert ledger.remarks(ledger.find(None)["id"]) == []
    assert around_no_walls(quarto, [bot("x.py")], Limits()) == []


def test_agents_by_path_are_named_where_they_are_trusted_or_nothing_keeps_them_in(jamaica, tmp_path, monkeypatch):
    path = tmp_path / "mine.py"
    path.write_text("from kibitz.agents.greedy import Greedy as Mine\n")
    monkeypatch.setattr(sandbox, "why_no_bwrap", lambda: "")
    assert around_no_walls(jamaica, [str(path), "random"], Limits()) == []
    assert around_no_walls(jamaica, [str(path), "random"], Limits(isolate=False)) == [str(path)]
    monkeypatch.setattr(sandbox, "why_no_bwrap", lambda: "there is none")
    monkeypatch.setattr(sandbox, "why_no_kernel", lambda: "it is old")
    assert around_no_walls(jamaica, [str(path), "random"], Limits()) == [str(path)]


def test_a_server_that_others_reach_lets_no_program_without_walls_play_hidden_games(jamaica, quarto):
    loose = f"mybot={bot(EXAMPLES / 'random_bot.py', walls='limits')}"
    assert Allowlist(own_agents=[loose]).agent("mybot", jamaica) == "mybot"
    public = Allowlist(own_agents=[loose], public=True)
    assert public.agent("mybot", quarto) == "mybot"
    assert public.agent("random", jamaica) == "random"
    with pytest.raises(RequestRefused, match="no walls keep secrets from it"):
        public.agent("mybot", jamaica)


def test_the_battleground_refuses_a_program_without_walls_in_a_hidden_game():
    words = ["battleground", "join", "127.0.0.1:1", "--cmd", "true", "--name", "x", "--walls", "limits"]
    done = CliRunner().invoke(cli.main, [*words, "--game", HIDDEN])
    assert done.exit_code == 2
    assert "no walls keep secrets" in done.output
    done = CliRunner().invoke(cli.main, [*words, "--game", "quarto"])
    assert "no walls" not in done.output


def test_the_battleground_refuses_an_agent_by_path_where_no_walls_stand(tmp_path, monkeypatch):
    path = tmp_path / "mine.py"
    path.write_text("from kibitz.agents.greedy import Greedy as Mine\n")
    monkeypatch.setattr(sandbox, "why_no_bwrap", lambda: "there is none")
    monkeypatch.setattr(sandbox, "why_no_kernel", lambda: "it is old")
    words = ["battleground", "join", "127.0.0.1:1", str(path), "--name", "x"]
    done = CliRunner().invoke(cli.main, [*words, "--game", HIDDEN])
    assert done.exit_code == 2
    assert "no walls keep secrets" in done.output


def test_a_table_in_the_browser_says_that_no_walls_stand(tmp_path):
    loose = f"mybot={bot(EXAMPLES / 'random_bot.py', walls='limits')}"

    async def look(game, who):
        async with open_lobby(tmp_path / "tables.db", agents=[loose]) as lobby:
            made = await new_table(lobby, game, [PERSON, agent(who)])
            _, state = await sit_down(lobby, made["id"], made["owner"])
            return state["caution"]

    try:
        assert asyncio.run(look(HIDDEN, "mybot")).startswith("No walls keep secrets from mybot, which may know")
        assert asyncio.run(look(HIDDEN, "random")) == ""
        assert asyncio.run(look("quarto", "mybot")) == ""
    finally:
        bot_pool.end_all()


def test_a_program_that_sat_down_before_others_could_reach_the_server_plays_no_more(tmp_path):
    loose = f"mybot={bot(EXAMPLES / 'random_bot.py', walls='limits')}"

    async def begin():
        async with open_lobby(tmp_path / "tables.db", agents=[loose]) as lobby:
            return await new_table(lobby, HIDDEN, [agent("mybot"), PERSON])

    async def go_on(made):
        async with open_lobby(tmp_path / "tables.db") as lobby:
            lobby.allowlist = Allowlist(own_agents=[loose], public=True)
            browser, _ = await sit_down(lobby, made["id"], made["owner"])
            said = await browser.until(lambda message: message.get("trouble"))
            return said["trouble"], [type(question) for question in lobby.pool.asked]

    trouble, asked = asyncio.run(go_on(asyncio.run(begin())))
    assert trouble.startswith("mybot makes no move where others can reach this server")
    assert DecideMove not in asked


MINE = """
from kibitz import Agent

class Mine(Agent):
    def decide(self, view):
        return self.legal(view)[0]
"""


@pytest.mark.parametrize(
    "words",
    [("play", "{game}", "{agent}", "random", "--seed", "1"), ("analyse", "{game}", "--agent", "{agent}"),
     ("learn", "book", "{game}", "{agent}", "--games", "1", "--plies", "2", "--out", "{folder}/b.npz")],
    ids=lambda words: words[0],
)  # fmt: skip
@pytest.mark.parametrize(("game", "said"), [(KUHN, 1), ("quarto", 0)])
def test_whatever_an_agent_by_path_does_it_is_said_once_that_no_walls_stand(tmp_path, monkeypatch, words, game, said):
    monkeypatch.setattr(sandbox, "why_no_bwrap", lambda: "there is none")
    monkeypatch.setattr(sandbox, "why_no_kernel", lambda: "it is old")
    agent = tmp_path / "mine.py"
    agent.write_text(MINE)
    done = CliRunner().invoke(cli.main, [word.format(game=game, agent=agent, folder=tmp_path) for word in words])
    bot_pool.end_all()
    assert done.exit_code == 0, done.output
    assert done.output.count("No walls keep secrets from") == said


def test_play_says_of_a_bot_that_no_walls_stand(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    for program in (bot(EXAMPLES / "random_bot.py", walls="limits"), f"isolated({tmp_path}/mine.py, walls=limits)"):
        done = CliRunner().invoke(cli.main, ["play", KUHN, program, "random", "--seed", "1"])
        bot_pool.end_all()
        assert done.exit_code == 0, done.output
        assert done.output.count("No walls keep secrets from") == 1
