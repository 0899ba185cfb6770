"""The pages about bots are true: transcripts, schema, examples, commands."""

import json
import os
import shutil
import subprocess
import sys
from itertools import count
from math import inf

import pytest

from kibitz.agents import names, outside_names
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.play import referee
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import play_fixture
from kibitz.bots import bot_pool
from kibitz.bots.bot_fault import KINDS
from kibitz.bots.bot_worlds import BotWorlds
from kibitz.bots.protocol import WANTS, line_of, read_bot
from kibitz.core.dice import dice
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.web.allowlist import Allowlist
from kibitz.web.messages import RequestRefused
from tests.bots.gallery import EXAMPLES, LINUX, ROGUE, bot
from tests.bots.move_texts import MOVES_OF
from tests.bots.pages import GAMES, PAGE, SCHEMA, page, schema_text, transcript


@pytest.fixture(autouse=True)
def ended():
    """End all bots after a test."""
    yield
    bot_pool.end_all()


def test_the_transcripts_and_the_table_of_moves_are_what_the_referee_and_the_games_say():
    assert PAGE.read_text() == page(PAGE.read_text()), "run: python -m tests.bots.pages"


@pytest.mark.parametrize("text", GAMES)
def test_a_transcript_ends_as_the_game_did(text):
    end = next(json.loads(line[2:]) for line in transcript(text).splitlines() if line.startswith('> {"type":"end"'))
    alone = end["payoff"].count(max(end["payoff"])) == 1
    assert (end["reason"] == "won") == alone


def test_a_transcript_is_the_same_on_a_machine_that_is_far_too_slow(monkeypatch):
    monkeypatch.setattr(referee, "perf_counter", count(0, 10).__next__)  # seconds
    assert transcript("quarto") in PAGE.read_text()


def test_every_game_has_entries_in_the_table_of_moves(game_name):
    assert game_name in MOVES_OF, f"tests/bots/move_texts.py lacks {game_name}; then: python -m tests.bots.pages"


def test_the_requests_are_answered_as_the_page_says(quarto):
    lines = PAGE.read_text().partition("<!-- requests -->\n```text\n")[2].partition("```")[0].splitlines()
    worlds = BotWorlds(quarto, quarto.opened(), Table(quarto, 1).view(0), 0, dice(1))
    for asked, answered in zip(lines[:-1:2], lines[1::2], strict=True):
        assert answered == f"> {line_of(worlds.answer(read_bot(asked[2:].encode()), inf)).decode().strip()}"
    assert len(worlds.worlds) == 3


def test_the_schema_is_that_of_the_code():
    assert SCHEMA.read_text() == schema_text(), "run: python -m tests.bots.pages"


def test_every_line_of_the_transcripts_fits_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    whole = json.loads(SCHEMA.read_text())
    for side, sign in (("referee", ">"), ("bot", "<")):
        check = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{side}", "$defs": whole["$defs"]})
        for line in PAGE.read_text().splitlines():
            if line.startswith(f"{sign} {{"):
                check.validate(json.loads(line[2:]))


def test_the_page_names_every_reason_part_and_option():
    text = PAGE.read_text()
    for word in (*KINDS, *WANTS):
        assert f"| `{word}` |" in text


def test_a_transcript_hides_what_the_seat_cannot_see():
    said = transcript("cartagena(version=jamaica)")
    decides = [json.loads(line[2:]) for line in said.splitlines() if '"decide"' in line]
    assert decides
    for decide in decides:
        assert [hand is None for hand in decide["view"]["hands"]] == [seat != 1 for seat in range(3)]


def _won(game, agents):
    result = play_fixture(game, agents, Fixture(0, 0, tuple(range(game.seats)), 7, tuple(range(1, game.seats + 1))))
    assert result.offender == -1, result.fault
    assert result.reason in (Reason.WON, Reason.DRAWN)


@LINUX
@pytest.mark.parametrize("text", ["quarto", "chexers", "cartagena(version=jamaica)", "colonizers"])
def test_the_random_bot_plays_every_game(text):
    game = find(text)
    _won(game, [bot(EXAMPLES / "random_bot.py")] + ["random"] * (game.seats - 1))


@LINUX
def test_the_search_bot_needs_no_rules():
    game = find("colonizers(max_rounds=3)")
    _won(game, [bot(EXAMPLES / "ismcts_bot.py", "8"), "random", "random", "random"])


@LINUX
@pytest.mark.skipif(shutil.which("node") is None, reason="NO NODE, so the bot in JavaScript is not tried")
def test_the_bot_in_javascript_plays(quarto):
    _won(quarto, [f"bot(cmd='node {EXAMPLES / 'random_bot.js'}', walls=limits, start=60)", "random"])


@LINUX
@pytest.mark.skipif(shutil.which("g++") is None, reason="NO C++ COMPILER, so the bot in C++ is not tried")
def test_the_bot_in_cpp_plays(quarto, tmp_path):
    program = tmp_path / "random_bot"
    subprocess.run(["g++", "-O1", "-o", program, EXAMPLES / "random_bot.cpp"], check=True)
    _won(quarto, [f"bot(cmd='{program}', walls=limits, start=60)", "random"])


def _kibitz(*words):
    command = [sys.executable, "-m", "kibitz", "bot", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)


@LINUX
def test_check_says_what_is_wrong_in_plain_words():
    program = f"{sys.executable} {ROGUE}"
    sound = _kibitz("check", f"{program} chatter", "--walls", "limits")
    assert sound.returncode == 0, sound.stdout
    assert "it played a game in seat 1 to its end" in sound.stdout
    wrong = _kibitz("check", f"{program} 999", "--walls", "limits")
    assert wrong.returncode == 1
    assert "WRONG  move 999 is not legal" in wrong.stdout
    assert "advice: play one of `moves`" in wrong.stdout
    assert '< {"type": "move", "id": 3, "move": 999}' in wrong.stdout
    assert _kibitz("check", "no-such-program").returncode == 2


@LINUX
def test_check_prints_all_that_is_said_and_ends_games_as_a_referee_does():
    done = _kibitz(
        "check", f"{sys.executable} {EXAMPLES / 'random_bot.py'}", "--game", "chexers", "--walls", "limits", "--lines"
    )
    assert done.returncode == 0, done.stdout
    sent = [json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("> ")]
    assert [message["type"] for message in (sent[0], sent[-1])] == ["hello", "quit"]
    ends = [message for message in sent if message["type"] == "end"]
    assert len(ends) == 2
    for end in ends:
        assert end["reason"] == ("won" if max(end["payoff"]) == 1 else "drawn")
        assert ("drawn_by" in end) == (end["reason"] == "drawn")


def test_walls_are_stated():
    said = _kibitz("walls", "--walls", "limits").stdout
    assert "COULD      connect over TCP" in said
    assert "yes  memory: 512 MB" in said


@LINUX
def test_two_installations_can_meet(quarto):
    command = f'"{sys.executable}" -m kibitz bot run novice'
    _won(quarto, [f"bot(cmd='{command}', walls=none, start=60)", "random"])


def test_programs_are_agents_that_a_browser_cannot_ask_for(quarto):
    assert {"bot", "isolated"} <= set(outside_names())
    assert set(outside_names()).isdisjoint(names())
    for text in ("bot(cmd=true)", "isolated(random)", "pimc(bot(cmd=true))", "minimax(opening=isolated(random))"):
        with pytest.raises(RequestRefused, match="runs other programs"):
            Allowlist().agent(text, quarto)
