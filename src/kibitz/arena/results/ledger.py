"""The ledger: results kept in one SQLite file, one row for each finished game; nothing is written twice.

Batches are committed whole, each with a sync to disk, so that a crash loses only the games being played.
`results` holds what is equal in every run of a plan; `notes` what is not: times, faults and thoughts.
Every row has a checksum of all else in it. A game with a row that does not fit its checksum, or without one of its
rows, is unsound: it is named, never counted, and played again when its run is continued.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypedDict, cast

import numpy as np

from kibitz.arena.plan.plan import AgentIndex
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.reason import Reason
from kibitz.arena.results.game_columns import GameColumns, names_of
from kibitz.arena.results.ledger_file import reading, writing
from kibitz.arena.results.secret_deals import Dealt, dealt
from kibitz.core.code_on_disk import PACKAGE
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.hidden_files import hidden
from kibitz.core.scoring import Scoring
from kibitz.core.user_files import fingerprint

_TABLES = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,            -- JSON: what plan.data() says
    planned INTEGER NOT NULL,      -- games
    block INTEGER NOT NULL,        -- games in a block
    begun TEXT NOT NULL,           -- UTC
    kibitz TEXT NOT NULL,          -- version of the program
    wall REAL NOT NULL,            -- seconds by the clock on the wall, while games were played, all sessions together
    verdict TEXT NOT NULL,         -- JSON: what the stop rule said, or null
    checksum TEXT NOT NULL         -- of all but the wall seconds
);
CREATE TABLE programs (
    run INTEGER NOT NULL REFERENCES runs,
    code TEXT NOT NULL,            -- a hash of Kibitz's sources when some of the games were played
    PRIMARY KEY (run, code)
);
CREATE TABLE results (
    run INTEGER NOT NULL REFERENCES runs,
    number INTEGER NOT NULL,       -- in the order of the plan
    seating TEXT NOT NULL,         -- JSON: the agent's number by seat
    payoffs TEXT NOT NULL,         -- JSON: by seat
    plies INTEGER NOT NULL,
    reason TEXT NOT NULL,          -- why the game ended: a word of play/reason.py
    offender INTEGER NOT NULL,     -- the seat that failed, or -1
    record TEXT NOT NULL,          -- a line that `kibitz replay` reads
    deal INTEGER NOT NULL,         -- a hash of the table as it was dealt
    checksum TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
CREATE TABLE notes (
    run INTEGER NOT NULL REFERENCES runs,
    number INTEGER NOT NULL,
    seconds TEXT NOT NULL,         -- JSON: by seat, in all
    moves TEXT NOT NULL,           -- JSON: by seat
    fault TEXT NOT NULL,           -- what went wrong, or empty
    thoughts TEXT NOT NULL,        -- JSON, or empty: what results/game_columns.py reads
    checksum TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
"""
_SECRETS = """
CREATE TABLE IF NOT EXISTS secrets (
    run INTEGER NOT NULL REFERENCES runs,
    seed TEXT NOT NULL,            -- from which a session dealt, told when it was over; too large for SQLite's numbers
    checksum TEXT NOT NULL,
    PRIMARY KEY (run, seed)
)
"""

_REMARKS = """
CREATE TABLE IF NOT EXISTS remarks (
    run INTEGER NOT NULL REFERENCES runs,
    sentence TEXT NOT NULL,        -- what a reader must know of how games were played
    checksum TEXT NOT NULL,
    PRIMARY KEY (run, sentence)
)
"""
_CHANGED_REMARK = "The ledger has a remark on how games were played that does not fit its checksum: it was changed."

_RESULT = "run, number, seating, payoffs, plies, reason, offender, record, deal"
_NOTE = "run, number, seconds, moves, fault, thoughts"
_RUN = "id, name, plan, planned, block, begun, kibitz, verdict"
_NOTES_ALONE = "SELECT number FROM notes WHERE run = :run EXCEPT SELECT number FROM results WHERE run = :run"
_TOLD = "CASE WHEN instr(thoughts, '\"{0}\": ') AND json_valid(thoughts) THEN json_extract(thoughts, '$.{0}') END"
_NO_TIME = "typeof(wall) NOT IN ('real', 'integer') OR wall NOT BETWEEN 0 AND 1e12"
_NO_CODE = "typeof(code) != 'text' OR length(code) != 16 OR code GLOB '*[^0-9a-f]*'"


class LedgerEntry(TypedDict):
    """A run as the ledger has it; the columns of the table of runs."""

    id: int
    name: str
    plan: str
    planned: int
    block: int
    begun: str
    kibitz: str
    wall: float
    verdict: str
    checksum: str


class Ledger:
    """The results of any number of runs."""

    def __init__(self, path: Path, connection: sqlite3.Connection, check: Callable[[], None] = lambda: None):
        self.path = path
        self.check = check  # raises a BadValue if others have changed a ledger that we write
        self._connection = connection
        self._unsound: dict[int, list[Any]] = {}  # by run, once they were looked for

    def enter(self, name: str, plan: dict[str, Any], planned: int, block: int, version: str) -> int:
        """Enter a run, or find it again by its name, and return its number."""
        with self._writing() as write:
            write(
                "INSERT INTO runs (name, plan, planned, block, begun, kibitz, wall, verdict, checksum) "
                "VALUES (?, ?, ?, ?, datetime(), ?, 0.0, 'null', '') ON CONFLICT (name) DO UPDATE SET "
                "plan = excluded.plan, planned = excluded.planned, block = excluded.block, verdict = 'null'",
                (name, json.dumps(plan), planned, block, version),
            )
            (number,) = write("SELECT id FROM runs WHERE name = ?", (name,)).fetchone()
            write(f"UPDATE runs SET wall = 0.0 WHERE id = ? AND ({_NO_TIME})", (number,))
            write(f"DELETE FROM programs WHERE run = ? AND ({_NO_CODE})", (number,))
            self._seal(number)
        return int(number)

    def beside(self, table: str) -> sqlite3.Connection:
        """Make a table for other data in the same file, and return the connection that reads and writes it."""
        self._connection.execute(table)
        return self._connection

    def runs(self) -> list[LedgerEntry]:
        """Return all runs, the oldest first."""
        rows = self._connection.execute(f"SELECT {', '.join(LedgerEntry.__annotations__)} FROM runs ORDER BY id")
        return [cast(LedgerEntry, dict(zip(LedgerEntry.__annotations__, row, strict=True))) for row in rows]

    def find(self, name: str | None) -> LedgerEntry:
        """Return the run of a name, or the newest one."""
        known = self.runs()
        if not known:
            raise BadValue(f"{self.path} holds no run yet")
        if name is None:
            return self._whole(known[-1])
        for run in known:
            if run["name"] == name:
                return self._whole(run)
        raise UnknownName(f"run in {self.path}", name, [str(run["name"]) for run in known])

    def numbers(self, run: int) -> set[int]:
        """Return which games of a run have been played and are sound."""
        rows = self._connection.execute("SELECT number FROM results WHERE run = ?", (run,))
        return {number for (number,) in rows} - set(self.unsound(run))

    def added(self, run: int) -> list[int]:
        """Return the numbers of the games of a run in the order in which they were kept."""
        return [number for (number,) in self._connection.execute(
            "SELECT number FROM results WHERE run = ? ORDER BY rowid", (run,)
        )]  # fmt: skip

    def unsound(self, run: int) -> list[Any]:
        """Return the numbers of games with missing rows or rows that do not fit their checksums, odd ones included."""
        if run not in self._unsound:
            rows = self._connection.execute(
                f"SELECT {_columns('results', _RESULT)}, results.checksum, {_columns('notes', _NOTE)}, notes.checksum "
                "FROM results LEFT JOIN notes USING (run, number) WHERE run = ?",
                (run,),
            )
            ends = len(_RESULT.split(", "))
            found = [
                row[1] for row in rows
                if row[ends] != checksum(row[:ends]) or row[-1] != checksum(row[ends + 1 : -1])
            ]  # fmt: skip
            found += [number for (number,) in self._connection.execute(_NOTES_ALONE, {"run": run})]
            self._unsound[run] = sorted(found, key=_by_number)
        return self._unsound[run]

    def add(self, run: int, batch: Batch, deals: np.ndarray, code: str, seconds: float = 0.0) -> None:
        """Keep games, all of them or none; `seconds` is how long they took by the clock on the wall.

        `deals` and `code` are hashes of the tables and of Kibitz. Lists of numbers look the same in Python and in JSON.
        """
        numbers = batch.numbers.tolist()
        results = zip(
            [run] * len(numbers), numbers, map(str, batch.seatings.tolist()), map(str, batch.payoffs.tolist()),
            batch.plies.tolist(), batch.reasons, batch.offenders.tolist(), batch.records, deals.tolist(),
            strict=True,
        )  # fmt: skip
        notes = zip(
            [run] * len(numbers), numbers, map(str, batch.seconds.round(9).tolist()),
            map(str, batch.moves.tolist()), batch.faults, batch.move_stats, strict=True,
        )  # fmt: skip
        again = [(run, number) for number in set(numbers) & set(self.unsound(run))]
        with self._writing() as write:
            write("UPDATE runs SET wall = wall + ? WHERE id = ?", (seconds, run))
            write("INSERT OR IGNORE INTO programs VALUES (?, ?)", (run, code))
            self._connection.executemany("DELETE FROM results WHERE run = ? AND number = ?", again)
            self._connection.executemany(f"INSERT INTO results VALUES ({'?, ' * 9}?)", map(_sealed, results))
            self._connection.executemany(f"REPLACE INTO notes VALUES ({'?, ' * 6}?)", map(_sealed, notes))
        self._unsound[run] = [number for number in self.unsound(run) if (run, number) not in again]

    def doubt(self, run: int, numbers: Iterable[int]) -> None:
        """Treat games as unsound from now on: they do not count, and are played again."""
        self._unsound[run] = sorted({*self.unsound(run), *numbers}, key=_by_number)

    def reveal(self, run: int, seed: int) -> None:
        """Keep the secret seed of a session that is over."""
        with self._writing() as write:
            write(f"REPLACE INTO secrets VALUES ({'?, ' * 2}?)", _sealed((run, str(seed))))

    def dealt(self, run: int) -> tuple[Dealt, ...]:
        """Return from which secret seeds the blocks of a run were dealt."""
        deals: dict[int, int] = {}
        for block, record in self._rows(run, "number / block, record"):
            if block not in deals:
                deals[block] = json.loads(record)["seed"]
        return dealt(deals, [int(seed) for seed, sound in reversed(self._beside_games("secrets", run)) if sound])

    def _beside_games(self, table: str, run: int) -> list[tuple[str, bool]]:
        """Return what the table of secrets or of remarks has on a run, and whether each row is as it was written."""
        if not self._connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone():
            return []
        rows = self._connection.execute(f"SELECT * FROM {table} WHERE run = ? ORDER BY rowid", (run,))
        return [(entry, sealed == checksum((number, entry))) for number, entry, sealed in rows]

    def cut(self, run: int, planned: int, verdict: dict[str, Any]) -> None:
        """End a run after `planned` games, by a stop rule; later ones are kept, but do not belong to it."""
        with self._writing() as write:
            write("UPDATE runs SET planned = ?, verdict = ? WHERE id = ?", (planned, json.dumps(verdict), run))
            self._seal(run)

    def games(self, run: int) -> GameColumns:
        """Return the games of a run that have been played."""
        told = f"{_TOLD.format('drawn_by')}, {_TOLD.format('called')}"
        wanted = "number, number / block, seating, payoffs, plies, reason, offender, seconds, moves, fault"
        columns = list(zip(*self._rows(run, f"{wanted}, {told}"), strict=True)) or [()] * 12
        numbers, blocks, plies, offenders = (np.array(columns[place], dtype=np.int64) for place in (0, 1, 4, 6))
        seatings, payoffs, seconds, moves = (_table(columns[place]) for place in (2, 3, 7, 8))
        (plan,) = self._connection.execute("SELECT plan FROM runs WHERE id = ?", (run,)).fetchone()
        data = json.loads(plan)
        who = AgentIndex.of_list(data["agents"])
        seatings = who.number[seatings.astype(np.int64)]
        called = (json.loads(text or "[]") for text in columns[11])
        return GameColumns(
            who.agents, numbers, blocks, seatings, payoffs, plies, [Reason(text) for text in columns[5]], offenders,
            seconds, moves.astype(np.int64), [text or "" for text in columns[10]], list(columns[9]),
            names_of(who.agents, zip(seatings, called, strict=True)), Scoring.of_plan(data),
        )  # fmt: skip

    def records(self, run: int) -> Iterator[str]:
        """Yield the records of a run, in the order of the plan."""
        return (line for (line,) in self._rows(run, "record"))

    def kept(self, run: int) -> Iterator[tuple[int, str]]:
        """Yield number and record of every sound game of a run, even beyond what is planned now."""
        return iter(self._rows(run, "number, record", everything=True))

    def distinct(self, run: int) -> int:
        """Count the games of a run that count and differ in the deal or in their moves."""
        found = self.games(run).of_counted(self._rows(run, "deal, record"))
        return len({hash((deal, line[line.rindex('"moves": ') :])) for deal, line in found})

    def programs(self, run: int) -> int:
        """Count the versions of Kibitz's own code that played the games of a run."""
        return self._count(f"FROM programs WHERE run = ? AND NOT ({_NO_CODE})", run)

    def oddities(self, run: int) -> list[str]:
        """Return a sentence for each entry beside the games that makes no sense and is left out of all results."""
        found = []
        if self._count(f"FROM runs WHERE id = ? AND ({_NO_TIME})", run):
            found.append("the time for which it was played is not a time")
        if self._count(f"FROM programs WHERE run = ? AND ({_NO_CODE})", run):
            found.append("a version of Kibitz's code that played it is not one")
        if not all(sound for _, sound in self._beside_games("secrets", run)):
            found.append("a secret seed from which it was dealt does not fit its checksum")
        return [f"The ledger makes no sense in one place: {what}. The file was changed or damaged." for what in found]

    def _count(self, rows: str, run: int) -> int:
        (found,) = self._connection.execute(f"SELECT count(*) {rows}", (run,)).fetchone()
        return int(found)

    def annotations(self, run: int) -> Iterator[tuple[int, str]]:
        """Yield the number of each game of a run and what is kept beside its result, in the order of the plan."""
        return iter(self._rows(run, "number, thoughts"))

    def digest(self, run: int) -> str:
        """Return a hash over all results of a run in the order of the plan."""
        return digest(self._rows(run, "number, seating, payoffs, plies, reason, offender, record"))

    def remark(self, run: int, sentence: str) -> None:
        """Keep, once, what a reader of a run must know of how its games were played."""
        self._connection.execute(_REMARKS)
        with self._writing() as write:
            write("REPLACE INTO remarks VALUES (?, ?, ?)", _sealed((run, sentence)))

    def remarks(self, run: int) -> list[str]:
        """Return what a reader of a run must know of how its games were played."""
        return [said if sound else _CHANGED_REMARK for said, sound in self._beside_games("remarks", run)]

    def _rows(self, run: int, columns: str, everything: bool = False) -> sqlite3.Cursor:
        """Return these columns of the sound games that are planned, or of `everything`, in the order of the plan."""
        return self._connection.execute(
            f"SELECT {columns} FROM results JOIN notes USING (run, number) JOIN runs ON id = run WHERE run = ? "
            "AND (? OR number < planned) AND number NOT IN (SELECT value FROM json_each(?)) ORDER BY number",
            (run, everything, json.dumps([number for number in self.unsound(run) if isinstance(number, int)])),
        )

    def _seal(self, run: int) -> None:
        row = self._connection.execute(f"SELECT {_RUN} FROM runs WHERE id = ?", (run,)).fetchone()
        self._connection.execute("UPDATE runs SET checksum = ? WHERE id = ?", (checksum(row), run))

    def _whole(self, run: LedgerEntry) -> LedgerEntry:
        """Return a run if it is as it was written; else raise BadValue."""
        columns: dict[str, Any] = {**run}
        if run["checksum"] != checksum(columns[name] for name in _RUN.split(", ")):
            raise BadValue(
                f"the plan of run {run['name']} in {self.path} does not fit its checksum: the file was changed or "
                "damaged; the same tournament or match, played again with it, puts the plan right"
            )
        odd = self._count(f"FROM runs WHERE id = ? AND ({_NO_TIME})", run["id"])
        return {**run, "wall": 0.0} if odd else run

    @contextmanager
    def _writing(self) -> Iterator[Callable[..., Any]]:
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self.check()
                yield self._connection.execute
        except sqlite3.OperationalError as error:
            raise BadValue(
                f"cannot write {self.path}: {error}; all games kept so far are safe, and the same plan continues there"
            ) from None


def checksum(row: Iterable[Any]) -> str:
    """Return a short hash of all that is in a row."""
    text = "\x1f".join(map(str, row))
    return hashlib.blake2b(text.encode(errors="backslashreplace"), digest_size=8).hexdigest()


def _sealed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*row, checksum(row))


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """Return a hash over results: number, seating, payoffs, plies, reason, offender and record of each game."""
    found = hashlib.sha256()
    for number, seating, payoffs, plies, reason, offender, record in rows:
        found.update(f"{number} {seating} {payoffs} {plies} {reason} {offender} {record}\n".encode())
    return found.hexdigest()


@contextmanager
def open_ledger(path: Path, write: bool = False) -> Iterator[Ledger]:
    """Open a ledger to read it as it is at this moment, or to write it as the only process that does."""
    if not write:
        with reading(path) as connection:
            yield Ledger(path, connection)
        return
    with hidden(path), writing(path, _TABLES) as (connection, still_ours):
        connection.execute(_SECRETS)
        yield Ledger(path, connection, still_ours)


def _by_number(number: Any) -> tuple[bool, int, str]:
    whole = isinstance(number, int)
    return not whole, number if whole else 0, str(number)


def _columns(table: str, names: str) -> str:
    return ", ".join(f"{table}.{name}" for name in names.split(", "))


def _table(column: Sequence[str]) -> np.ndarray:
    """Read a column of JSON lists of the same length."""
    return np.array(json.loads(f"[{','.join(column)}]"), dtype=np.float64)


@cache
def code_version() -> str:
    """Return a hash of the sources of Kibitz, games and agents included."""
    return fingerprint(str(PACKAGE))
