"""Outcomes of experiments, kept in the ledger of their games."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from kibitz.arena.results.ledger import open_ledger
from kibitz.core.errors import BadValue
from kibitz.lab.experiment import ENDING
from kibitz.lab.experiment_outcome import Outcome

FORMAT = 4  # of what is kept; another one was written by another version of Kibitz
_TABLE, _EARLIER = "experiment_outcomes", "outcomes"  # the latter is that of earlier versions
_MADE = (
    f"CREATE TABLE IF NOT EXISTS {_TABLE} (experiment TEXT, seed TEXT, scale REAL, data TEXT, seconds REAL, "
    "outcome TEXT NOT NULL, PRIMARY KEY (experiment, seed, scale))"
)
_KEEP = (
    f"INSERT INTO {_TABLE} VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (experiment, seed, scale) "
    "DO UPDATE SET seconds = excluded.seconds, outcome = excluded.outcome"
)
_LONGEST = f"SELECT max(seconds) FROM {_TABLE} WHERE experiment = ? AND seed = ? AND scale = ?"


def keep(outcome: Outcome, db: Path) -> None:
    """Keep an outcome beside those of the same experiment with other seeds and scales, which a report names.

    It replaces an earlier one with the same seed and scale, and all that came of the file before it was changed. Its
    seconds are those of the longest session, since a session that resumes from the ledger plays little or nothing.
    """
    which = key(outcome), str(outcome.seed), outcome.scale
    with open_ledger(db, write=True) as ledger:
        connection = ledger.beside(_MADE)
        connection.execute(f"DELETE FROM {_TABLE} WHERE experiment = ? AND data != ?", (which[0], outcome.data))
        if _EARLIER in _tables(connection):
            connection.execute(f"DELETE FROM {_EARLIER} WHERE experiment = ?", which[:1])
        (longest,) = connection.execute(_LONGEST, which).fetchone()
        seconds = max(outcome.seconds, longest or 0.0)
        data = {**outcome.as_dict(), "seconds": seconds, "format": FORMAT}
        connection.execute(_KEEP, (*which, outcome.data, seconds, json.dumps(data)))


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def kept(db: Path) -> dict[str, Outcome]:
    """Return the outcome of every experiment in a ledger, by name or file; nothing is run.

    Of several runs it is the one with the most games, and of equally large ones the first; the others go with it.
    """
    with open_ledger(db) as ledger:
        connection = ledger.beside("SELECT 1")
        known = [name for name in (_TABLE, _EARLIER) if name in _tables(connection)]
        tables = [connection.execute(f"SELECT experiment, outcome FROM {name} ORDER BY rowid") for name in known]
        rows = [row for each in tables for row in each]
    data = [(name, _plain(db, name, text)) for name, text in rows]
    if old := sorted({name for name, entry in data if entry.get("format") != FORMAT}):
        raise BadValue(
            f"{db} holds outcomes that another version of Kibitz wrote; run these experiments again: {', '.join(old)}"
        )
    runs: dict[str, list[Outcome]] = {}
    for name, entry in data:
        found = _outcome(db, name, entry)
        runs.setdefault(key(found), []).append(found)
    return {name: _with_others(runs[name]) for name in sorted(runs)}


def _with_others(runs: list[Outcome]) -> Outcome:
    """Return the largest run of an experiment, with the others."""
    first, *others = sorted(runs, key=lambda outcome: -outcome.scale)
    return replace(first, others=tuple(others))


def key(outcome: Outcome) -> str:
    """Return the key of an outcome: the file of a user's own experiment, or the name."""
    return outcome.file or outcome.experiment


def named(known: Mapping[str, Outcome], name: str) -> list[Outcome]:
    """Return the outcomes that a user names: by name, by file, or by the name of a file anywhere."""
    exact = known.get(str(Path(name).resolve()) if name.endswith(ENDING) else name)
    return [exact] if exact else [outcome for outcome in known.values() if outcome.experiment == name]


def _plain(db: Path, name: Any, text: Any) -> dict[str, Any]:
    """Return an outcome as plain data."""
    try:
        data = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise _damaged(db, name, error) from None
    if not isinstance(data, dict):
        raise _damaged(db, name, f"it is no table, but {data!r:.40}")
    return data


def _outcome(db: Path, name: Any, data: dict[str, Any]) -> Outcome:
    try:
        return msgspec.convert(data, Outcome)
    except msgspec.ValidationError as error:
        raise _damaged(db, name, error) from None


def _damaged(db: Path, name: Any, what: object) -> BadValue:
    return BadValue(f"{db}: the outcome of {name} is damaged ({what}); run that experiment again")
