"""The table store: every table in one SQLite file. What is written is on the disk before anybody is shown it.

One thread writes. Whatever waits while it syncs goes into the next transaction together, so that many tables cost
little more than one.
"""

import asyncio
import contextlib
import json
import logging
import os
import sqlite3
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread

import msgspec

from kibitz.core.errors import SERVER_FAILED, BadValue
from kibitz.core.hidden_files import hide, unhide
from kibitz.web.table_data import MoveNote, NotedMove, TableData

APPLICATION, VERSION = 0x4B425457, 1  # "KBTW"
_TABLES = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    data TEXT NOT NULL,        -- JSON: game, seed, seats, what kind of table it is; of tokens only hashes
    over INTEGER NOT NULL,     -- whether the game has ended
    changed TEXT NOT NULL      -- UTC
) WITHOUT ROWID;
CREATE INDEX tables_by_change ON tables (changed);
CREATE TABLE moves (
    id TEXT NOT NULL REFERENCES tables,
    ply INTEGER NOT NULL,
    move INTEGER NOT NULL,
    note TEXT NOT NULL,        -- JSON: who made it, seconds and what was thought
    PRIMARY KEY (id, ply)
) WITHOUT ROWID;
"""
Statement = tuple[str, tuple[str | int, ...]]
PendingWrite = tuple[list[Statement], asyncio.AbstractEventLoop, "asyncio.Future[None]"]  # to be written, and who waits
_STOP = None
_LOG = logging.getLogger(__name__)


class TableStore:
    """The tables of a server in a file."""

    def __init__(self, path: Path | str):
        self.path = str(path)
        self._guard = _alone(self.path)
        self._hidden = [] if self.path == ":memory:" else hide(self.path)  # it holds the deals of games that go on
        try:
            self._connection = _open(self.path)
        except BadValue:
            self._let_go()
            raise
        self._queue: SimpleQueue[PendingWrite | None] = SimpleQueue()
        self._reader = self._connection if self.path == ":memory:" else _open(self.path)
        self._reading = Lock()  # nobody reads a file that is being closed, or a connection that is being written to
        self._open = True
        self._thread = Thread(target=self._write, daemon=True)
        self._thread.start()

    async def save(self, statements: list[Statement]) -> None:
        """Write statements in one transaction; they are on the disk when this returns."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put((statements, loop, done))
        await done

    def close(self) -> None:
        """Write what is left, and close the file."""
        self._queue.put(_STOP)
        self._thread.join()
        with self._reading:
            self._open = False
            self._connection.close()
            self._reader.close()
        self._let_go()

    def _let_go(self) -> None:
        unhide(self._hidden)
        if self._guard is not None:
            os.close(self._guard)

    def find(self, table: str) -> tuple[TableData, list[NotedMove]] | None:
        """Return what is kept of a table, and its moves with notes; None if there is no such table."""
        with self._reading, contextlib.closing(self._cursor()) as cursor:
            row = cursor.execute("SELECT data FROM tables WHERE id = ?", (table,)).fetchone()
            if row is None:
                return None
            rows = cursor.execute("SELECT move, note FROM moves WHERE id = ? ORDER BY ply", (table,)).fetchall()
        moves = [(move, msgspec.convert(json.loads(note), MoveNote)) for move, note in rows]
        return msgspec.convert(json.loads(row[0]), TableData), moves

    def left_off(self, newest: int, playing_on: int) -> list[str]:
        """Return the unfinished tables that changed last, and the editors in which agents play on."""
        query = "SELECT id FROM tables WHERE over = 0 {} ORDER BY changed DESC LIMIT ?"
        with self._reading, contextlib.closing(self._cursor()) as cursor:
            found = cursor.execute(query.format(""), (newest,)).fetchall()
            going = query.format("AND json_extract(data, '$.bench') AND json_extract(data, '$.playing_on')")
            found += cursor.execute(going, (playing_on,)).fetchall()
        return list(dict.fromkeys(table for (table,) in found))

    def _cursor(self) -> sqlite3.Cursor:
        if not self._open:
            raise BadValue("the server is stopping")
        return self._reader.cursor()

    def _write(self) -> None:
        while True:
            waiting = [self._queue.get()]
            while not self._queue.empty():
                waiting.append(self._queue.get())
            stop = _STOP in waiting
            entries = [entry for entry in waiting if entry is not _STOP]
            if entries:
                self._commit(entries)
            if stop:
                return

    def _commit(self, entries: list[PendingWrite]) -> None:
        error: Exception | None = None
        alone = self._reading if self._reader is self._connection else contextlib.nullcontext()
        try:
            with alone, self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                for statements, _, _ in entries:
                    for statement, values in statements:
                        self._connection.execute(statement, values)
        except Exception as failure:  # whoever waits is told, and the thread goes on
            _LOG.error("tables could not be kept in %s: %s", self.path, failure)
            error = BadValue(f"the table could not be kept: {SERVER_FAILED}")
        for _, loop, done in entries:
            with contextlib.suppress(RuntimeError):  # the server has gone
                loop.call_soon_threadsafe(_settle, done, error)


def _settle(done: "asyncio.Future[None]", error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def saved_table(table: str, data: TableData, over: bool) -> Statement:
    """Return the statement that keeps what a table is."""
    return (
        "INSERT INTO tables VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%f')) ON CONFLICT (id) DO UPDATE SET "
        "data = excluded.data, over = excluded.over, changed = excluded.changed",
        (table, json.dumps(msgspec.to_builtins(data)), int(over)),
    )


def touched_table(table: str, over: bool) -> Statement:
    """Return the statement that notes a change of a table."""
    return "UPDATE tables SET over = ?, changed = strftime('%Y-%m-%dT%H:%M:%f') WHERE id = ?", (int(over), table)


def saved_move(table: str, ply: int, move: int, note: MoveNote) -> Statement:
    """Return the statement that keeps a move."""
    return "INSERT INTO moves VALUES (?, ?, ?, ?)", (table, ply, move, json.dumps(msgspec.to_builtins(note)))


def cut_moves(table: str, ply: int) -> Statement:
    """Return the statement that takes back the moves from a ply on."""
    return "DELETE FROM moves WHERE id = ? AND ply >= ?", (table, ply)


def _alone(path: str) -> int | None:
    """Lock a file, so that no other server uses it while the lock is open; a file that is locked is a BadValue."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return None
    if path == ":memory:":
        return None
    try:
        guard = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadValue(f"cannot keep tables in {path}: {error.strerror}") from None
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(guard)
        raise BadValue(f"another server keeps its tables in {path}; stop it, or name another file") from None
    return guard


def _open(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
    try:
        (found,) = connection.execute("PRAGMA application_id").fetchone()
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and found != APPLICATION:
            raise BadValue(f"{path} is a database, but it holds no tables of a Kibitz server")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not tables:
            connection.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
            )
        return connection
    except sqlite3.Error as error:
        connection.close()
        raise BadValue(f"cannot keep tables in {path}: {error}") from None
