"""`kibitz new` writes what works at once, and never over anything."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import kibitz
from kibitz.cli import main
from kibitz.cli.new_command import start_agent, start_game
from kibitz.console.command_line import command
from kibitz.core.errors import BadValue


def run(*words):
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


def pytest_in(folder):
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", str(folder)]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def test_a_new_game_can_be_played_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written = run("new", "game", "high_low")
    assert written.exit_code == 0
    assert "wrote high_low/rules.py" in written.stdout
    assert f"  {command()} check ./high_low\n" in written.stdout
    match = run("match", "./high_low", "random", "random", "--games", "10", "--json")
    assert match.exit_code == 0
    advised = next(line for line in Path("high_low/README.md").read_text().splitlines() if " match " in line)
    *_, hero, rival, _, _ = advised.split()
    for agent in (hero, rival):
        kibitz.agent(agent, kibitz.game("./high_low"))


def test_the_tests_of_a_new_game_pass(tmp_path):
    start_game("high_low", tmp_path)
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout


def test_the_tests_of_a_new_agent_pass(tmp_path):
    start_agent("careful", tmp_path)
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout


def test_nothing_is_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("precious")
    (tmp_path / "ours").mkdir()
    assert run("new", "agent", "mine").exit_code == 2
    assert run("new", "game", "ours").exit_code == 2
    assert (tmp_path / "mine.py").read_text() == "precious"
    monkeypatch.syspath_prepend(tmp_path)
    assert "mine.py exists already" in run("new", "agent", "mine").stderr
    assert "random is a module of Python" in run("new", "agent", "random").stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["mine.py", "ours"]


@pytest.mark.parametrize("name", ["3x", "my game", "../up", "class", "", "Über", "Mine", "kibitz", "test_it", "rules"])
def test_what_is_no_name_for_a_file_of_code_is_refused(name, tmp_path):
    for start in (start_game, start_agent):
        with pytest.raises(BadValue, match=r"cannot name|another name"):
            start(name, tmp_path)
    assert list(tmp_path.iterdir()) == []
