"""What the author of a bot is told: the sentences say what was wrong, and nothing that was not."""

import sys

import pytest

from kibitz.agents import build
from kibitz.agents.external_agent import TimeControl
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.bots.bot_fault import PROTOCOL, TIME
from kibitz.bots.checkup import HINTS, Checkup
from kibitz.bots.protocol import Clock
from kibitz.core.errors import BadValue
from kibitz.core.spec import Spec
from tests.bots.gallery import EXAMPLES, LINUX, bot

pytestmark = LINUX
BOT = """
import json, sys
def say(**message): print({before!r} + json.dumps(message), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": print(json.dumps(dict(type="ready", id=m["id"])), flush=True)
    if m["type"] == "new" and {new}: print(json.dumps(dict(type="ok", id=m["id"])), flush=True)
    if m["type"] == "decide": say(type="move", id=m["id"] - {old}, move=m["moves"][0], {more})
    if m["type"] == "quit": break
"""


@pytest.fixture
def found(tmp_path, quarto):
    """Return what is found to be wrong with a bot."""

    def check(before="", old=0, more="", new=True):
        path = tmp_path / "bot.py"
        path.write_text(BOT.format(before=before, old=old, more=more, new=new), encoding="utf-8")
        options = {"cmd": Spec(f"{sys.executable} -I -S {path}"), "walls": Spec("limits"), "seconds": Spec("0.3")}
        checkup = Checkup(Spec("bot", options), quarto)
        checkup.mind.new_seconds = 0.3
        return list(checkup.findings())[-1]

    return check


@pytest.mark.parametrize(("how", "words"), [
    ({"old": 1}, "it answered message 2, and the `id` to be answered was 3"),
    ({"before": "ready> "}, "a message begins with {"),
    ({"before": "\ufeff"}, "a mark of byte order"),
])  # fmt: skip
def test_a_line_that_answers_nothing_is_named_in_place_of_flushing(found, how, words):
    finding = found(**how)
    assert not finding.sound
    assert words in finding.sentence
    assert "flush" not in finding.sentence
    assert finding.hint == HINTS[PROTOCOL]


def test_what_should_have_been_answered_is_named(found):
    finding = found(new=False)
    assert "after `new`, which is answered with `ok`" in finding.sentence
    assert finding.hint == HINTS[TIME]


def test_a_move_and_another_one_as_text_in_one_answer_are_refused(found):
    assert "send one" in found(more="text=m['texts'][-1]").sentence
    assert found(more="text=m['texts'][0]").sound


def test_the_clock_of_a_game_without_one_is_the_patience_of_the_referee(quarto):
    mind = build(bot(EXAMPLES / "random_bot.py", seconds=7), quarto, 1)
    mind._begin = lambda seat: None
    SeatedAgent(mind, 0).new()
    assert mind._clock == Clock(move_ms=7000, game_ms=None, increment_ms=0)
    SeatedAgent(mind, 0).new(TimeControl(None, 60.0))
    assert mind._clock == Clock(move_ms=None, game_ms=60_000, increment_ms=0)


def test_a_file_that_is_not_executable_is_named_so(quarto, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stu.py").write_text("print()")
    for program in ("./stu.py", "stu.py"):
        with pytest.raises(BadValue, match=r"not executable; chmod \+x ./stu.py"):
            build(f"bot(cmd='{program}')", quarto, 1)
    (tmp_path / "stu.py").chmod(0o755)
    with pytest.raises(BadValue, match=r"did you mean \./stu\.py"):
        build("bot(cmd='stu.py')", quarto, 1)
