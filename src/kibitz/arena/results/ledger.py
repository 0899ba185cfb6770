"""The ledger: results kept in one SQLite file, a row for each game that was finished, and nothing written twice.

Batches are committed whole, each with a sync to disk, so that a crash loses only the games being played.
`results` holds what is equal in every run of a plan; `notes` what is not: times, faults and thoughts.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.play.batch import Batch
from kibitz.arena.play.reason import Reason
from kibitz.arena.results.games import Games
from kibitz.arena.results.ledger_file import APPLICATION, VERSION, check, reading, writing
from kibitz.core.errors import BadValue, UnknownName

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
    verdict TEXT NOT NULL          -- JSON: what the stop rule said, or null
);
CREATE TABLE programs (
    run INTEGER NOT NULL REFERENCES runs,
    code TEXT NOT NULL,            -- a hash of Kibitz's sources as they were when some of the games were played
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
    PRIMARY KEY (run, number)
);
CREATE TABLE notes (
    run INTEGER NOT NULL REFERENCES runs,
    number INTEGER NOT NULL,
    seconds TEXT NOT NULL,         -- JSON: by seat, in all
    moves TEXT NOT NULL,           -- JSON: by seat
    fault TEXT NOT NULL,           -- what went wrong, or empty
    thoughts TEXT NOT NULL,        -- JSON: seconds and values of each move, or empty
    PRIMARY KEY (run, number)
);
"""


class Ledger:
    """The results of any number of runs."""

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self.path = path
        self._connection = connection

    def enter(self, name: str, plan: dict[str, Any], planned: int, block: int, version: str) -> int:
        """Enter a run, or find it again by its name, and return its number."""
        with self._writing() as write:
            write(
                "INSERT INTO runs (name, plan, planned, block, begun, kibitz, wall, verdict) "
                "VALUES (?, ?, ?, ?, datetime(), ?, 0.0, 'null') "
                "ON CONFLICT (name) DO UPDATE SET plan = excluded.plan, planned = excluded.planned, verdict = 'null'",
                (name, json.dumps(plan), planned, block, version),
            )
        return int(self.find(name)["id"])

    def runs(self) -> list[dict[str, Any]]:
        """Return all runs, the oldest first."""
        rows = self._connection.execute(
            "SELECT runs.*, (SELECT count(*) FROM results WHERE run = id AND number < planned) AS played "
            "FROM runs ORDER BY id"
        )
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def find(self, name: str | None) -> dict[str, Any]:
        """Return the run of a name, or the newest one."""
        known = self.runs()
        if not known:
            raise BadValue(f"{self.path} holds no run yet")
        if name is None:
            return known[-1]
        for run in known:
            if run["name"] == name:
                return run
        raise UnknownName(f"run in {self.path}", name, [run["name"] for run in known])

    def numbers(self, run: int) -> set[int]:
        """Return which games of a run have been played."""
        return {number for (number,) in self._connection.execute("SELECT number FROM results WHERE run = ?", (run,))}

    def add(self, run: int, batch: Batch, deals: np.ndarray, code: str, seconds: float = 0.0) -> None:
        """Keep games played: all of them or none; `seconds` is how long they took by the clock on the wall.

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
            map(str, batch.moves.tolist()), batch.faults, batch.thoughts, strict=True,
        )  # fmt: skip
        with self._writing() as write:
            write("UPDATE runs SET wall = wall + ? WHERE id = ?", (seconds, run))
            write("INSERT OR IGNORE INTO programs VALUES (?, ?)", (run, code))
            self._connection.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", results)
            self._connection.executemany("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)", notes)

    def cut(self, run: int, planned: int, verdict: dict[str, Any]) -> None:
        """End a run after so many games, by a stop rule; those beyond are kept, but no part of it."""
        with self._writing() as write:
            write("UPDATE runs SET planned = ?, verdict = ? WHERE id = ?", (planned, json.dumps(verdict), run))

    def games(self, run: int) -> Games:
        """Return the games of a run that have been played."""
        rows = self._connection.execute(
            "SELECT number, number / block, seating, payoffs, plies, reason, offender, seconds, moves "
            "FROM results JOIN notes USING (run, number) JOIN runs ON id = run "
            "WHERE run = ? AND number < planned ORDER BY number",
            (run,),
        ).fetchall()
        columns = list(zip(*rows, strict=True)) or [()] * 9
        table = [_table(columns[place]) for place in (2, 3, 7, 8)]
        return Games(
            np.array(columns[0], dtype=np.int64), np.array(columns[1], dtype=np.int64), table[0].astype(np.int64),
            table[1], np.array(columns[4], dtype=np.int64), [Reason(text) for text in columns[5]],
            np.array(columns[6], dtype=np.int64), table[2], table[3].astype(np.int64),
        )  # fmt: skip

    def records(self, run: int) -> Iterator[str]:
        """Yield the records of a run, in the order of the plan."""
        rows = "SELECT record FROM results JOIN runs ON id = run WHERE run = ? AND number < planned ORDER BY number"
        return (line for (line,) in self._connection.execute(rows, (run,)))

    def distinct(self, run: int) -> int:
        """Count the games of a run that differ in what was dealt or in their moves."""
        rows = "SELECT deal, record FROM results JOIN runs ON id = run WHERE run = ? AND number < planned"
        found = self._connection.execute(rows, (run,))
        return len({hash((deal, line[line.rindex('"moves": ') :])) for deal, line in found})

    def programs(self, run: int) -> int:
        """Count the states of Kibitz's own code by which the games of a run were played."""
        (found,) = self._connection.execute("SELECT count(*) FROM programs WHERE run = ?", (run,)).fetchone()
        return int(found)

    def notes(self, run: int) -> Iterator[tuple[int, str, str]]:
        """Yield number, fault and thoughts of the games of a run, in the order of the plan."""
        rows = "SELECT number, fault, thoughts FROM notes JOIN runs ON id = run WHERE run = ? AND number < planned"
        return iter(self._connection.execute(f"{rows} ORDER BY number", (run,)))

    def digest(self, run: int) -> str:
        """Return a hash over all results of a run in the order of the plan."""
        rows = self._connection.execute(
            "SELECT number, seating, payoffs, plies, reason, offender, record FROM results JOIN runs ON id = run "
            "WHERE run = ? AND number < planned ORDER BY number",
            (run,),
        )
        return digest(rows)

    @contextmanager
    def _writing(self) -> Iterator[Callable[..., Any]]:
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection.execute
        except sqlite3.OperationalError as error:
            raise BadValue(
                f"cannot write {self.path}: {error}; all games kept so far are safe, and the same plan continues there"
            ) from None


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """Return a hash over results: number, seating, payoffs, plies, reason, offender and record of each game."""
    found = hashlib.sha256()
    for number, seating, payoffs, plies, reason, offender, record in rows:
        found.update(f"{number} {seating} {payoffs} {plies} {reason} {offender} {record}\n".encode())
    return found.hexdigest()


@contextmanager
def open_ledger(path: Path, write: bool = False) -> Iterator[Ledger]:
    """Open a ledger for reading, as it is at this moment, or for writing as the only process that does."""
    if not write:
        with reading(path) as connection:
            yield Ledger(path, connection)
        return
    with writing(path) as connection:
        if not check(path, connection, may_be_new=True):
            connection.executescript(
                f"PRAGMA journal_mode = WAL; BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION}; "
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
        yield Ledger(path, connection)


def _table(column: Sequence[str]) -> np.ndarray:
    """Read a column of JSON lists of the same length."""
    return np.array(json.loads(f"[{','.join(column)}]"), dtype=np.float64)
