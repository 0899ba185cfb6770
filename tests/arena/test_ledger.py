"""The ledger: safe to read at any time, also while it is written, and from a folder that cannot be written."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.tournament import play_tournament
from kibitz.core.errors import BadValue

PATIENCE = 120  # seconds until a test gives up
NOBODY = 65534  # a user who may write nowhere
WRITER = """
import sys
from pathlib import Path
from tests.arena.test_ledger import play
for games in range(20, 820, 20):
    play(Path(sys.argv[1]), games)
"""


def play(path, games):
    """Play a tournament of so many games, or go on with it."""
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
    before = play(db, 4000)
    with open_ledger(db) as ledger:
        assert ledger.find(None)["played"] == 4000
        command = "import sys; from pathlib import Path; from tests.arena.test_ledger import play; "
        command += "play(Path(sys.argv[1]), 9000)"
        subprocess.run([sys.executable, "-c", command, str(db)], check=True, timeout=PATIENCE)
        assert read(ledger) == (4000, before.digest)
    with open_ledger(db) as ledger:
        assert read(ledger)[0] == 9000


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
