"""Machine code is made before the first move, and said in one tidy line."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.arena.match import play_match
from kibitz.arena.show.live import live_view
from kibitz.console.progress_line import changing_line
from kibitz.core import code_on_disk, compile_notice
from kibitz.core.compile_forecast import RULES, CompileForecast, CompileProgress
from kibitz.core.compile_notice import SENTENCE, CompileNotice
from kibitz.core.native import INTERPRETED
from kibitz.games import find

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
        (KUHN, "2", "pass\n\npass\n", "first (human) earns 1 chip"),
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


def test_a_notebook_shows_the_line_too_and_it_goes_again(monkeypatch, tmp_path):
    cell = type("OutStream", (_Terminal,), {"__module__": "ipykernel.iostream", "isatty": lambda self: False})()
    forecast, _ = _notice(tmp_path)
    monkeypatch.setattr(sys, "stderr", cell)
    forecast.expect("swap rules", ["swap.one", "swap.two"])
    with forecast.compiling("swap.one", "key"):
        pass
    line, rest = cell.written.lstrip("\r ").split("\r", 1)
    assert line == f"kibitz: {SENTENCE}: 1 of 2, about 1 s left"
    assert rest.split("\r")[-1] == ""
    assert len(rest.split("\r")[0]) > len(line), "a cell knows no escape codes, so spaces erase the line"
    assert "\x1b" not in cell.written


def test_off_a_terminal_commands_say_one_sentence_and_libraries_only_if_it_takes_long(capsys, monkeypatch, tmp_path):
    now = [0.0]
    monkeypatch.setattr(compile_notice, "process_time", lambda: now[0])
    forecast, notice = _notice(tmp_path)
    for said in ("", "", f"kibitz: {SENTENCE}: about 1 s\n", ""):
        with forecast.compiling("swap.one", "key"):
            now[0] += 1.5
        assert capsys.readouterr().err == said
    forecast, notice = _notice(tmp_path)
    for speaks, said in ((False, ""), (True, f"kibitz: {SENTENCE}: about 1 s\n"), (True, "")):
        notice.speaks = speaks
        with forecast.compiling("swap.one", "key"):
            pass
        assert capsys.readouterr().err == said


def test_a_command_waits_with_its_sentence_until_the_whole_time_is_known(capsys, tmp_path):
    forecast, notice = _notice(tmp_path)
    notice.speaks = True
    forecast.announce("swap", RULES, lambda: ["swap.one", "swap.two"])
    for agents, said in (([], ""), (["random"], rf"kibitz: {SENTENCE}: about \d+ s\n")):
        forecast.foresee(agents)
        with forecast.compiling("swap.one", "key"):
            pass
        assert re.fullmatch(said, capsys.readouterr().err)


def test_a_view_that_fills_the_terminal_draws_the_notice_itself(monkeypatch, tmp_path):
    terminal, drawn = _Terminal(), []
    monkeypatch.setattr(sys, "stderr", terminal)
    forecast, notice = _notice(tmp_path)
    with notice.drawn_by(drawn.append), forecast.compiling("swap.one", "key"):
        pass
    assert (drawn[0], drawn[-1]) == (f"{SENTENCE}: 1 of 1, about 1 s left", "")
    assert terminal.written == ""


def test_what_a_worker_compiles_is_shown_unless_this_process_compiles_itself(tmp_path):
    drawn = []
    forecast, notice = _notice(tmp_path)
    with notice.drawn_by(drawn.append):
        notice.tell_of_worker(CompileProgress(3, 7, 4.0))
        notice.tell_of_worker(None)
        assert drawn == [f"{SENTENCE}: 3 of 7, about 4 s left", ""]
        with forecast.compiling("swap.one", "key"):
            del drawn[:]
            notice.tell_of_worker(CompileProgress(3, 7, 4.0))
            assert not any("3 of 7" in text for text in drawn)


def test_waiting_for_another_process_that_compiles_is_shown(tmp_path):
    drawn = []
    forecast, notice = _notice(tmp_path)
    forecast.expect("swap rules", ["swap.one"])
    with notice.drawn_by(drawn.append), forecast.waiting():
        assert "of 1, about" in drawn[-1]
    assert drawn[-1] == ""


class _Screen(_Terminal):
    """A terminal as wide as a line of the notice."""

    encoding = "utf-8"


@pytest.mark.parametrize("view", [live_view, lambda title: changing_line()], ids=["live_view", "changing_line"])
def test_every_view_of_progress_shows_the_notice(monkeypatch, view):
    screen = _Screen()
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    with view("swap"):
        code_on_disk.notice.tell_of_worker(CompileProgress(3, 7, 4.0))
        time.sleep(0.3)  # the screen is drawn four times a second
        code_on_disk.notice.tell_of_worker(None)
    assert f"{SENTENCE}: 3 of 7, about 4 s left" in screen.written


def test_no_view_of_progress_hides_the_notice():
    """A terminal view of rich's replaces standard error; all of them stand in the two files that draw the notice."""
    source = Path(code_on_disk.__file__).parents[1]
    views = {path.name for path in source.rglob("*.py") if re.search(r"\b(Live|Progress|Bar)\(", path.read_text())}
    assert views == {"live.py", "progress_line.py"}


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_what_workers_compile_of_an_own_game_is_shown_and_no_speed_counts_it(monkeypatch, tmp_path):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))  # of the workers
    drawn, begun, before = [], time.monotonic(), code_on_disk.forecast.held_up
    with code_on_disk.notice.drawn_by(drawn.append):
        result = play_match(find(KUHN), ["random", "ismcts(iterations=2)"], games=2, jobs=2)
    passed, compiled = time.monotonic() - begun, code_on_disk.forecast.held_up - before
    assert compiled > 0.1
    assert result.seconds <= passed - compiled / 2  # the clocks differ by what it takes to read them
    assert any(re.fullmatch(rf"{SENTENCE}: \d+ of \d+, about \d+ s left", text) for text in drawn)
    assert drawn[-1] == ""
