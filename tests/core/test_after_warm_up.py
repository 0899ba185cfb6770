"""Machine code is made before the first move, and said in one tidy line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.compile_forecast import CompileForecast
from kibitz.core.compile_notice import SENTENCE, CompileNotice
from kibitz.core.native import INTERPRETED

ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
KUHN = str(Path(__file__).parents[1] / "kuhn")
COUNT = """
import sys, kibitz
from kibitz.arena.play.warm_up import warm_up_agents
from kibitz.core.native import watch_compilation
game, agent, compiled = kibitz.game(sys.argv[1]), sys.argv[2], []
warm_up_agents(game, [agent])
watch_compilation(compiled.append)
table, mind = kibitz.Table(game, seed=5), kibitz.agent(agent, game, seed=1)
while not table.over and table.ply < 30:
    table.play(mind.decide(table.view(table.turn)).move)
print(compiled)
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("game", "agent"),
    [
        pytest.param("chexers", "maxn(depth=1)", marks=ONLY_LONG),
        pytest.param("quarto", "mcts(iterations=5, reuse=true)", marks=ONLY_LONG),
        (KUHN, "greedy"),
    ],
)
def test_after_a_warm_up_nothing_is_compiled_in_play(tmp_path, game, agent):
    words = [sys.executable, "-c", COUNT, game, agent]
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path)}
    run = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


PLAYED = """
import sys
from click.testing import CliRunner
from kibitz.cli import main
from kibitz.console import command_line
from kibitz.core.native import watch_compilation
command_line._announce_compilation = lambda: watch_compilation(lambda name: print("making", name))
words = ["play", sys.argv[1], *["human"] * int(sys.argv[2]), "--seed", "3"]
print(CliRunner().invoke(main, words, input=sys.argv[3]).stdout)
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("game", "seats", "typed", "end"),
    [
        (KUHN, "2", "pass\n\npass\n", "first (human) wins"),
        pytest.param("colonizers", "4", "miner\n\nomnium\n\nquit\n", "Hand over to seat 2", marks=ONLY_LONG),
    ],
    ids=["kuhn", "colonizers"],
)
def test_nothing_is_compiled_once_people_have_begun_to_play(tmp_path, game, seats, typed, end):
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    words = [sys.executable, "-c", PLAYED, game, seats, typed]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    before, _, after = done.stdout.partition("type help for what you can do")
    assert "making" in before
    assert end in after
    assert "making" not in after


class _Terminal:
    def __init__(self) -> None:
        self.written = ""

    def isatty(self) -> bool:
        """Return that it is one."""
        return True

    def write(self, text: str) -> None:
        """Keep what is written."""
        self.written += text

    def flush(self) -> None:
        """Do nothing."""


def _notice(folder):
    forecast = CompileForecast(folder, lambda key: False)
    notice = CompileNotice(forecast)
    forecast.watch(notice.tell)
    return forecast, notice


def test_the_line_on_a_terminal_says_how_far_it_is_and_goes_again(monkeypatch, tmp_path):
    terminal, (forecast, _) = _Terminal(), _notice(tmp_path)
    monkeypatch.setattr(sys, "stderr", terminal)
    forecast.expect("swap rules", ["swap.one", "swap.two"])
    with forecast.compiling("swap.one", "key"), forecast.compiling("swap.inner", "key"):
        pass
    assert f"{SENTENCE}: 1 of 2, about 1 s left" in terminal.written
    assert terminal.written.endswith("\r\x1b[2K")
    assert "\n" not in terminal.written
    assert "inner" not in terminal.written


def test_off_a_terminal_commands_say_one_sentence_and_libraries_none(capsys, tmp_path):
    forecast, notice = _notice(tmp_path)
    for speaks, said in ((False, ""), (True, f"kibitz: {SENTENCE}: about 1 s\n"), (True, "")):
        notice.speaks = speaks
        with forecast.compiling("swap.one", "key"):
            pass
        assert capsys.readouterr().err == said
