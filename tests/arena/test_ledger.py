"""The ledger: safe to read at any time, from any folder, and rows that were changed are named and never counted."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.run import open_run
from kibitz.arena.show.report.report_data import report
from kibitz.arena.show.report.report_files import write_report
from kibitz.arena.tournament import play_tournament
from kibitz.core.errors import BadValue

PATIENCE = 120  # seconds until a test gives up
NOBODY = 65534  # a user who may write nowhere
WRITER = """
import sys
from pathlib import Path
from tests.arena.test_ledger import play
for games in range(20, 320, 20):
    play(Path(sys.argv[1]), games)
"""


def play(path, games):
    """Play a tournament of `games` games, or continue it."""
    return play_tournament(Plan.make("quarto", ["random", "novice"], games=games, seed=3), path)


@pytest.fixture
def db(tmp_path):
    """A ledger with twenty games, in nobody's use."""
    play(tmp_path / "results.db", 20)
    return tmp_path / "results.db"


def read(ledger):
    """All that a report reads of the games, and how many there are."""
    run = ledger.find(None)
    numbers = ledger.games(run["id"]).numbers.tolist()
    assert numbers == list(range(len(numbers)))
    assert ledger.distinct(run["id"]) == len(list(ledger.records(run["id"]))) == len(numbers)
    return len(numbers), ledger.digest(run["id"])


def test_a_reader_sees_one_moment_though_a_tournament_starts_and_ends_meanwhile(db):
    before = play(db, 1000)
    with open_ledger(db) as ledger:
        assert ledger.find(None)["planned"] == 1000
        command = "import sys; from pathlib import Path; from tests.arena.test_ledger import play; "
        command += "play(Path(sys.argv[1]), 2500)"
        subprocess.run([sys.executable, "-c", command, str(db)], check=True, timeout=PATIENCE)
        assert read(ledger) == (1000, before.digest)
    with open_ledger(db) as ledger:
        assert read(ledger)[0] == 2500


def test_readers_are_safe_while_games_are_kept_and_the_ledger_is_opened_and_closed(db):
    seen = {}
    with subprocess.Popen([sys.executable, "-c", WRITER, str(db)], stderr=subprocess.PIPE) as writer:
        try:
            while writer.poll() is None:
                with open_ledger(db) as ledger:
                    games, digest = read(ledger)
                    assert read(ledger) == (games, digest)
                assert seen.setdefault(games, digest) == digest
        finally:
            writer.send_signal(signal.SIGKILL)
        assert writer.stderr.read() == b""
    assert len(seen) > 3
    for games in sorted(seen)[:: max(1, len(seen) // 3)]:
        assert play(db.with_name(f"{games}.db"), games).digest == seen[games]


def test_a_reader_leaves_nothing_beside_the_ledger(db):
    with open_ledger(db) as ledger:
        read(ledger)
    assert [path.name for path in db.parent.iterdir()] == [db.name]


@pytest.mark.parametrize("in_use", [False, True])
def test_a_ledger_in_a_folder_that_cannot_be_written_is_read(in_use):
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "results.db"
        play(db, 20)
        if in_use:
            with open_ledger(db, write=True):
                assert as_nobody(lambda: read_at(db)) == 20
        else:
            assert as_nobody(lambda: read_at(db)) == 20


def read_at(path):
    path.parent.chmod(0o555)
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    with open_ledger(path) as ledger:
        return read(ledger)[0]


def as_nobody(deed):
    """Return the number that a function finds as a user who may not write, in a process of its own."""
    child = os.fork()
    if child == 0:
        try:
            found = deed()
        except BaseException:
            found = 255
        os._exit(found)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_ledger_that_is_being_made_holds_no_run_yet(tmp_path):
    (tmp_path / "results.db").touch()
    with pytest.raises(BadValue, match="holds no run yet"), open_ledger(tmp_path / "results.db"):
        pass


CHANGES = {
    "payoffs": "'[0.0, 1.0]'", "seating": "'[1, 1]'", "plies": "3", "reason": "'lost'", "offender": "1",
    "record": "'{}'", "deal": "0", "number": "'seventeen'", "checksum": "''",
}  # fmt: skip


def change(path, command):
    """Change a ledger as someone might with an SQLite browser."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(command)
        connection.commit()


@pytest.mark.parametrize("column", CHANGES)
def test_a_result_that_does_not_fit_its_checksum_is_named_and_not_counted(db, column):
    whole = play(db, 20)
    change(db, f"UPDATE results SET {column} = {CHANGES[column]} WHERE number = 17")
    with open_ledger(db) as ledger:
        data = report(ledger, None)
    assert data["played"] == 19
    named = "do not fit their checksums: games 18, seventeen" if column == "number" else "fit its checksum: game 18"
    assert any(named in note for note in data["notes"])
    again = play(db, 20)
    assert again.digest == whole.digest
    assert any(named in note and "played again" in note for note in again.notes)
    if column != "number":
        assert play(db, 20).notes == whole.notes


@pytest.mark.parametrize("column", ["seconds", "moves", "fault", "thoughts"])
def test_a_note_that_does_not_fit_is_like_a_result_that_does_not(db, column):
    change(db, f"UPDATE notes SET {column} = 'nonsense' WHERE number IN (3, 11)")
    with open_ledger(db) as ledger:
        data = report(ledger, None)
    assert data["played"] == 18
    assert any("do not fit their checksums: games 4, 12" in note for note in data["notes"])
    assert play(db, 20).played == 20


def test_a_result_whose_note_is_missing_is_played_again(db):
    whole = play(db, 20)
    change(db, "DELETE FROM notes WHERE number < 5")
    with open_ledger(db) as ledger:
        assert report(ledger, None)["played"] == 15
    assert play(db, 20).digest == whole.digest


def test_a_note_whose_result_is_missing_is_named_and_its_game_played_again(db):
    whole = play(db, 20)
    change(db, "DELETE FROM results WHERE number = 3")
    with open_ledger(db) as ledger:
        data = report(ledger, None)
    assert data["played"] == 19
    assert any("is missing or does not fit its checksum: game 4." in note for note in data["notes"])
    assert play(db, 20).digest == whole.digest
    assert play(db, 20).notes == whole.notes


@pytest.mark.parametrize("value", ["'abc'", "9e999", "-1e300", "X'00'"])
def test_a_time_played_that_is_none_is_named_and_left_out(db, value, tmp_path):
    whole = play(db, 20)
    change(db, f"UPDATE runs SET wall = {value}")
    data = write_report(str(db), db, tmp_path / "page.html", None, None)
    assert data["wall_seconds"] == 0
    assert any("the time for which it was played is not a time" in note for note in data["notes"])
    json.dumps(data, allow_nan=False)
    assert play(db, 20).notes == whole.notes
    assert not any("makes no sense" in note for note in write_report(str(db), db, None, None, None)["notes"])


def test_a_state_of_the_code_that_is_none_is_named_and_not_counted(db):
    change(db, "INSERT INTO programs VALUES (1, 'zzz')")
    with open_ledger(db) as ledger:
        data = report(ledger, None)
        assert ledger.programs(1) == 1
    assert [note for note in data["notes"] if "code" in note] == [
        "The ledger makes no sense in one place: a version of Kibitz's code that played it is not one. The file was "
        "changed or damaged."
    ]


def test_a_plan_that_was_changed_is_refused_in_one_sentence_and_put_right_by_playing(db):
    whole = play(db, 20)
    change(db, "UPDATE runs SET plan = '{'")
    with (
        open_ledger(db) as ledger,
        pytest.raises(BadValue, match=r"the plan of run quarto-.* does not fit its checksum"),
    ):
        report(ledger, None)
    assert play(db, 20).digest == whole.digest
    with open_ledger(db) as ledger:
        assert report(ledger, None)["played"] == 20


def test_a_ledger_of_an_older_kibitz_is_refused_in_one_sentence(db):
    change(db, "PRAGMA user_version = 2")
    with pytest.raises(BadValue, match=r"version 2; .* older Kibitz, so begin a new ledger"), open_ledger(db):
        pass


@pytest.mark.parametrize(
    ("command", "said"),
    [("", "was removed or replaced"), ("DROP TABLE notes", "was changed by another process"),
     ("BEGIN IMMEDIATE", "database is locked")],
)  # fmt: skip
def test_a_ledger_that_others_reach_while_games_are_played_ends_the_run_in_one_sentence(db, command, said, monkeypatch):
    monkeypatch.setattr("kibitz.arena.results.ledger_file.PATIENCE", 0.1)
    with closing(sqlite3.connect(db)) as other:

        def attack(state):
            if command:
                other.executescript(command)
            else:
                db.unlink()

        plan = Plan.make("quarto", ["random", "novice"], games=400, seed=3)
        with pytest.raises(BadValue, match=said):
            play_tournament(plan, db, progress=attack)


def test_a_ledger_that_is_removed_after_the_last_game_is_missed(db):
    plan = Plan.make("quarto", ["random", "novice"], games=20, seed=3)
    with pytest.raises(BadValue, match="was removed or replaced"), open_run(plan, db):
        db.unlink()
