"""Outcomes of experiments, kept in the ledger of their games."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from kibitz.arena.results.ledger import open_ledger
from kibitz.core.errors import BadValue
from kibitz.lab.experiment import ENDING
from kibitz.lab.experiment_outcome import Outcome

FORMAT = 3  # of what is kept; another one was written by another version of Kibitz
_TABLE = "CREATE TABLE IF NOT EXISTS outcomes (experiment TEXT PRIMARY KEY, outcome TEXT NOT NULL)"


def keep(outcome: Outcome, db: Path) -> None:
    """Keep an outcome in place of an earlier one of the same experiment, by its name or the file of a user's own.

    Its seconds are those of the longest session, since a session that resumes from the ledger plays little or nothing.
    """
    with open_ledger(db, write=True) as ledger:
        connection = ledger.beside(_TABLE)
        before = connection.execute("SELECT outcome FROM outcomes WHERE experiment = ?", (key(outcome),)).fetchone()
        seconds = max(outcome.seconds, _seconds_of(outcome, before[0]) if before else 0.0)
        data = {**outcome.as_dict(), "seconds": seconds, "format": FORMAT}
        connection.execute("REPLACE INTO outcomes VALUES (?, ?)", (key(outcome), json.dumps(data)))


def _seconds_of(outcome: Outcome, text: str) -> float:
    """Return the seconds of an earlier outcome; 0 if it has another scale or seed or is damaged."""
    try:
        data = json.loads(text)
        return float(data["seconds"]) if (data["scale"], data["seed"]) == (outcome.scale, outcome.seed) else 0.0
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0.0


def kept(db: Path) -> dict[str, Outcome]:
    """Return the newest outcome of every experiment in a ledger, by name or file; nothing is run."""
    with open_ledger(db) as ledger:
        connection = ledger.beside("SELECT 1")
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'outcomes'").fetchone():
            return {}
        rows = connection.execute("SELECT experiment, outcome FROM outcomes ORDER BY rowid").fetchall()
    data = {name: _plain(db, name, text) for name, text in rows}
    if old := sorted(name for name, entry in data.items() if entry.get("format") != FORMAT):
        raise BadValue(
            f"{db} holds outcomes that another version of Kibitz wrote; run these experiments again: {', '.join(old)}"
        )
    found = {key(outcome): outcome for outcome in (_outcome(db, name, entry) for name, entry in data.items())}
    return dict(sorted(found.items()))


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
