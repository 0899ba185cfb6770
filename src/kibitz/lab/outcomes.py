"""Outcomes: what came of experiments, kept in the ledger that holds their games."""

import json
from pathlib import Path
from typing import Any

from kibitz.arena.results.ledger import open_ledger
from kibitz.lab.finding import Finding
from kibitz.lab.running import Outcome

_TABLE = "CREATE TABLE IF NOT EXISTS outcomes (experiment TEXT PRIMARY KEY, outcome TEXT NOT NULL)"


def keep(outcome: Outcome, db: Path) -> None:
    """Keep an outcome in place of an earlier one of the same experiment."""
    with open_ledger(db, write=True) as ledger:
        connection = ledger.beside(_TABLE)
        row = (outcome.experiment, json.dumps(outcome.as_dict()))
        connection.execute("REPLACE INTO outcomes VALUES (?, ?)", row)


def kept(db: Path) -> dict[str, Outcome]:
    """Return the newest outcome of every experiment in a ledger, by name."""
    with open_ledger(db) as ledger:
        connection = ledger.beside("SELECT 1")
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'outcomes'").fetchone():
            return {}
        rows = connection.execute("SELECT experiment, outcome FROM outcomes ORDER BY experiment").fetchall()
    return {name: _outcome(json.loads(text)) for name, text in rows}


def _outcome(data: dict[str, Any]) -> Outcome:
    rows = tuple(
        Finding(**{**row, "interval": None if row["interval"] is None else tuple(row["interval"])})
        for row in data["rows"]
    )
    return Outcome(data["experiment"], rows, data["seconds"], data["scale"], data["file"])
