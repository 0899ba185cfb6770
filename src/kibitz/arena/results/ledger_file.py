"""The file of a ledger, opened by one writer, or by any number of readers that each see one moment."""

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from kibitz.core.errors import BadValue
from kibitz.core.user_files import check_writable

SQLITE = b"SQLite format 3\0"  # how a database begins
VERSION = 3
APPLICATION = 0x4B69627A  # "Kibz", by which SQLite files say whose they are
PATIENCE = 20.0  # seconds to wait while another process opens or closes the file
COPIES = 20  # attempts to copy a file that may be changing
TICK = 0.05  # seconds, longer than the steps in which file systems count time


def is_database(path: Path) -> bool:
    """Return whether a file is an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a ledger as it is at this moment, whatever is written to it meanwhile."""
    if not path.is_file():
        raise BadValue(f"there is no ledger {path}")
    with _readable(path) as file, _connected(path, file) as connection:
        connection.execute("PRAGMA query_only = 1")
        check(path, connection)
        connection.execute("BEGIN")
        yield connection


@contextmanager
def writing(path: Path, tables: str) -> Iterator[tuple[sqlite3.Connection, Callable[[], None]]]:
    """Connect to a ledger as the only process that writes, and make a new one with these tables.

    The function that comes with the connection raises BadValue if the file is not ours alone any more.
    """
    if path.exists():
        check_place(path)
    with _locked(path) as handle, _connected(path, path) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        if not check(path, connection, may_be_new=True):
            connection.executescript(
                f"PRAGMA journal_mode = WAL; BEGIN; {tables} PRAGMA application_id = {APPLICATION}; "
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
        yield connection, partial(_still_ours, path, handle, connection, _changes_of_others(connection))


def check_place(path: Path) -> None:
    """Refuse a path where no ledger can be kept now: another file, one in use, or a folder that cannot be written."""
    if not path.exists():
        check_writable(path)
        return
    with _locked(path), _connected(path, path) as connection:
        check(path, connection, may_be_new=True)


def _still_ours(path: Path, handle: int, connection: sqlite3.Connection, changes: int) -> None:
    """Refuse a file that is gone, or that others have written to since we opened it."""
    try:
        there = os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        there = False
    if not there:
        raise BadValue(
            f"{path} was removed or replaced while games were played, and all that it held is lost; play again, "
            "where nothing else can reach the file"
        )
    if _changes_of_others(connection) != changes:
        raise BadValue(
            f"{path} was changed by another process while games were played, and what it holds cannot be trusted; "
            "play again with another file, where nothing else can reach it"
        )


def _changes_of_others(connection: sqlite3.Connection) -> int:
    """Return a number that changes when another connection writes."""
    (found,) = connection.execute("PRAGMA data_version").fetchone()
    return int(found)


def check(path: Path, connection: sqlite3.Connection, may_be_new: bool = False) -> bool:
    """Return whether there is a ledger of this version already; refuse any other file."""
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        raise BadValue(f"{path} is not a ledger of Kibitz: {error}") from None
    if tables == 0 and may_be_new:
        return False
    if tables == 0:
        raise BadValue(f"{path} holds no run yet")
    if application != APPLICATION:
        raise BadValue(f"{path} is an SQLite file, but not a ledger of Kibitz")
    if version != VERSION:
        older = "; it was written by an older Kibitz, so begin a new ledger" if version < VERSION else ""
        raise BadValue(
            f"{path} is a ledger of version {version}; this program reads and writes version {VERSION}{older}"
        )
    return True


@contextmanager
def _readable(path: Path) -> Iterator[Path]:
    """Yield a file that SQLite can read: the ledger, or a copy of it where its folder cannot be written."""
    if _can_be_shared(path):
        yield path
        return
    with TemporaryDirectory() as folder:
        yield _copied(path, Path(folder))


def _can_be_shared(path: Path) -> bool:
    """Return whether SQLite can make the files beside a ledger by which readers and a writer agree."""
    try:
        with closing(_connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        return not error.sqlite_errorname.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN"))
    return True


def _copied(path: Path, folder: Path) -> Path:
    """Return a copy of a ledger and of its log, made while nothing changed."""
    files = [path, Path(f"{path}-wal")]
    for _ in range(COPIES):
        before = [_stamp(file) for file in files]
        sleep(TICK)  # what changes from now on has another time
        for file in files:
            (folder / file.name).unlink(missing_ok=True)
            try:
                shutil.copyfile(file, folder / file.name)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise BadValue(f"cannot read {file}: {error.strerror}") from None
        if [_stamp(file) for file in files] == before:
            return folder / path.name
    raise BadValue(f"{path} is being written, and its folder cannot be; try again when the run has ended")


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Lock a file, made if need be, as the only process; the system unlocks it even if we are killed.

    SQLite's own locks are of another kind. They are lost when any handle of the file is closed, so this one is last.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise BadValue(f"cannot write {path}: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield handle
    except BlockingIOError:
        raise BadValue(f"{path} is in use by another run; wait for it, or name another file") from None
    finally:
        os.close(handle)


@contextmanager
def _connected(path: Path, file: Path) -> Iterator[sqlite3.Connection]:
    """Connect to the file of a ledger; the last to close it removes SQLite's files beside it."""
    try:
        connection = _connect(file)
    except sqlite3.Error as error:
        raise BadValue(f"cannot open {path}: {error}") from None
    try:
        yield connection
    except sqlite3.Error as error:
        raise BadValue(f"cannot use {path} as a ledger: {error}") from None
    finally:
        connection.close()


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=rw", timeout=PATIENCE, uri=True, isolation_level=None)
    connection.text_factory = lambda text: text.decode(errors="replace")  # what was damaged does not fit its checksum
    return connection
