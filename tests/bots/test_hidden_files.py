"""Files that tell deals: hidden from programs behind walls, wherever they lie."""

import ast
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from time import monotonic

import pytest

from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.plan_file import read_plan
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.tournament import play_tournament
from kibitz.bots import bot_pool
from kibitz.bots.bot_process import BotProcess
from kibitz.bots.sandbox import sandbox
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.cli import terminal_game
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadValue
from kibitz.core.hidden_files import VARIABLE, hidden, hidden_files, hide, unhide
from kibitz.core.user_files import state_folder
from kibitz.plugins.battleground.registry import keep_books
from kibitz.plugins.ray.cluster_task import task_for
from kibitz.web.table_store import TableStore
from tests.bots.gallery import BWRAP, LINUX, SOLID

OWN = """
from kibitz import Agent

class Mine(Agent):
    def decide(self, view):
        return self.legal(view)[0]
"""
SPY = '''
"""An agent that plays its first move unless it can read a file that is not its own code."""
import os
from pathlib import Path
from kibitz import Agent, Decision

HERE = Path(__file__).resolve().parent

class Spy(Agent):
    """Look around."""

    def decide(self, view):
        """Play the first move, if there is nothing to read."""
        for folder, _, names in os.walk(HERE):
            for name in names:
                try:
                    read = (Path(folder) / name).read_bytes()
                except OSError:
                    continue
                if read and not name.endswith((".py", ".pyc")):
                    raise RuntimeError(f"it can read {name}, which begins with {read[:16]!r}")
        return Decision(self.legal(view)[0])
'''


@pytest.fixture(autouse=True)
def nothing_hidden(monkeypatch, tmp_path):
    """Begin with nothing hidden, and with a home in the folder of the test."""
    monkeypatch.setenv(VARIABLE, "[]")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@LINUX
@BWRAP
def test_a_program_in_whose_folder_the_ledger_lies_reads_no_file_that_a_run_has_open_or_leaves(tmp_path):
    spy = tmp_path / "spy.py"
    spy.write_text(SPY)
    left = terminal_game.unfinished_folder() / "cartagena-7.jsonl"
    left.parent.mkdir(parents=True)
    left.write_text('{"seed": 7}\n')
    plan = Plan.make("cartagena(version=jamaica)", [str(spy), "random", "greedy"], scheme="rotation", games=6)
    with open_ledger(tmp_path / "other.db", write=True):
        result = play_tournament(plan, tmp_path / "results.db", jobs=2)
    bot_pool.end_all()
    assert result.faults == ()
    assert result.played == 6
    assert {"results.db", "other.db", "state", "spy.py"} <= {path.name for path in tmp_path.iterdir()}


def _ledger(path):
    return open_ledger(path, write=True)


def _store(path):
    stack = ExitStack()
    store = TableStore(path)
    stack.callback(store.close)
    return stack


def _books(path):
    return keep_books(path, Limits())


@pytest.mark.parametrize("opened", [_ledger, _store, _books, hidden])
def test_what_is_open_is_hidden_from_every_program_that_is_started_meanwhile(tmp_path, opened):
    path = tmp_path / "kept.db"
    before = hidden_files()
    with opened(path):
        wanted = {f"{path.resolve()}{end}" for end in ("", "-wal", "-shm", "-journal")}
        assert wanted <= set(hidden_files())
        assert wanted <= set(Sandbox().hidden)
        found = subprocess.run(
            [sys.executable, "-c", "from kibitz.core.hidden_files import hidden_files; print(*hidden_files())"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert wanted <= set(found.stdout.split()), "processes that we start know it too"
        beside = {str(entry.resolve()) for entry in tmp_path.iterdir()}
        assert beside <= set(hidden_files()), "SQLite keeps no other files"
    assert hidden_files() == before


def test_workers_of_a_cluster_hide_it_as_well(tmp_path, quarto, monkeypatch):
    with hidden(tmp_path / "kept.db"):
        task = task_for(quarto, ["random", "novice"], Limits())
    assert str((tmp_path / "kept.db").resolve()) in task.hidden
    monkeypatch.setenv(VARIABLE, "[]")
    task.play(list(Plan.make(quarto, ["random", "novice"], games=2).fixtures()))
    assert set(task.hidden) <= set(hidden_files())


def test_a_link_to_a_ledger_hides_both_places(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "there" / "kept.db")
    with hidden(tmp_path / "link.db"):
        assert {str(tmp_path / "link.db"), str(tmp_path / "there" / "kept.db-wal")} <= set(hidden_files())


def test_what_is_hidden_twice_is_shown_after_both_have_closed_it(tmp_path):
    first, second = hide(tmp_path / "a"), hide(tmp_path / "a")
    unhide(first)
    assert str(tmp_path / "a") in hidden_files()
    unhide(second)
    assert json.loads(os.environ[VARIABLE]) == []


def test_games_that_were_left_are_always_hidden():
    assert str(state_folder().resolve()) in hidden_files()
    assert terminal_game.unfinished_folder().is_relative_to(state_folder())


def test_a_game_that_is_continued_is_hidden(tmp_path, monkeypatch):
    path = tmp_path / "left.jsonl"
    seen = []
    monkeypatch.setattr(terminal_game._TerminalGame, "run", lambda self: seen.append(hidden_files()))
    table = terminal_game.Table(terminal_game.find("cartagena(version=jamaica)"), 3)
    path.write_text(terminal_game.record_of(table, ["human", "random", "random"], [1, 2, 3]).line() + "\n")
    terminal_game.resume(path, {}, False, None)
    assert str(path.resolve()) in seen[0]


def test_every_place_that_opens_a_database_is_known_here():
    places = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "connect" and getattr(node.value, "id", "") == "sqlite3"
    }
    assert places == {"arena/results/ledger_file.py", "web/table_store.py"}, (
        "what it keeps must be hidden: core/hidden_files.py"
    )


LOOK = """
import sys
for name in sys.argv[1:]:
    try:
        open(name).close()
        print("seen")
    except OSError:
        print("hidden")
"""


@pytest.mark.parametrize("level", SOLID)
def test_ledgers_of_earlier_runs_are_hidden_under_whatever_name(tmp_path, level):
    program, other = tmp_path / "look.py", tmp_path / "notes.txt"
    program.write_text(LOOK)
    other.write_text("mine")
    with open_ledger(tmp_path / "first.db", write=True):
        pass
    (tmp_path / "data.bin").hardlink_to(tmp_path / "first.db")
    names = [str(tmp_path / name) for name in ("first.db", "data.bin", "notes.txt")]
    process = BotProcess([sys.executable, str(program), *names], Sandbox(level))
    try:
        assert [process.receive(monotonic() + 60).decode() for _ in names] == ["hidden", "hidden", "seen"]
    finally:
        process.end()


def test_what_is_hidden_is_not_bound_with_a_folder_of_the_system(tmp_path, monkeypatch):
    (tmp_path / "lab").mkdir()
    for name in ("results.db", "bot.py"):
        (tmp_path / "lab" / name).touch()
    monkeypatch.setattr(sandbox, "_SYSTEM", (str(tmp_path),))
    words = sandbox._binds((), (), [str(tmp_path / "lab" / "results.db")])
    assert str(tmp_path / "lab" / "bot.py") in words
    assert not {str(tmp_path), str(tmp_path / "lab"), str(tmp_path / "lab" / "results.db")} & {
        words[at + 1] for at, word in enumerate(words) if word.startswith("--ro-bind")
    }


def test_a_plan_that_names_its_seed_is_hidden_where_that_tells_the_deals(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "[]")
    (tmp_path / "mine.py").write_text(OWN)
    agents = json.dumps([str(tmp_path / "mine.py"), "random"])
    for number, (game, seed, told) in enumerate((
        ("./tests/kuhn", "seed = 7410258963987654321", True), ("./tests/kuhn", "", False), ("quarto", "seed = 3", False)
    )):  # fmt: skip
        path = tmp_path / f"{number}.toml"
        path.write_text(f"game = {json.dumps(game)}\nagents = {agents}\n{seed}\n")
        read_plan(path)
        assert (str(path) in hidden_files()) == told


def test_a_list_of_hidden_files_that_cannot_be_read_is_named(monkeypatch):
    monkeypatch.setenv(VARIABLE, "foo")
    with pytest.raises(BadValue, match="KIBITZ_HIDDEN is 'foo'"):
        hidden_files()
