"""Outcomes of experiments, kept in the ledger of their games."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.arena.results.ledger import open_ledger
from kibitz.core.errors import BadValue, UnknownName
from kibitz.lab.experiment import ENDING, TEXTS, names, outline
from kibitz.lab.finding import Finding
from kibitz.lab.runner import Outcome
from kibitz.lab.validation import list_of, maybe, number, table, table_of, text, text_or_number, truth

_TABLE = "CREATE TABLE IF NOT EXISTS outcomes (experiment TEXT PRIMARY KEY, outcome TEXT NOT NULL)"
_FINDING = {
    "what": text, "published": maybe(text_or_number), "measured": text_or_number,
    "interval": maybe(list_of(number(), 2, 2)), "direction": maybe(truth), "compatible": maybe(truth), "unit": text,
    "why": text, "curves": maybe(table_of(list_of(number()))),
}  # fmt: skip
_OUTCOME = {
    "experiment": text, "rows": list_of(table("key of a row", _FINDING, ("what", "published", "measured"))),
    "seconds": number(0), "scale": number(0), "file": text, "texts": table("text", dict.fromkeys(TEXTS, text)),
}  # fmt: skip


def keep(outcome: Outcome, db: Path) -> None:
    """Keep an outcome in place of an earlier one of the same experiment, by its name or the file of a user's own.

    Its seconds are those of the longest session, since a session that resumes from the ledger plays little or nothing.
    """
    with open_ledger(db, write=True) as ledger:
        connection = ledger.beside(_TABLE)
        before = connection.execute("SELECT outcome FROM outcomes WHERE experiment = ?", (key(outcome),)).fetchone()
        seconds = max(outcome.seconds, _seconds_at(outcome.scale, before[0]) if before else 0.0)
        row = (key(outcome), json.dumps({**outcome.as_dict(), "seconds": seconds}))
        connection.execute("REPLACE INTO outcomes VALUES (?, ?)", row)


def _seconds_at(scale: float, text: str) -> float:
    """Return the seconds of an outcome; 0 if it has another scale or is damaged."""
    try:
        data = json.loads(text)
        return float(data["seconds"]) if data["scale"] == scale else 0.0
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0.0


def kept(db: Path) -> dict[str, Outcome]:
    """Return the newest outcome of every experiment in a ledger, by name or file; nothing is run."""
    with open_ledger(db) as ledger:
        connection = ledger.beside("SELECT 1")
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'outcomes'").fetchone():
            return {}
        rows = connection.execute("SELECT experiment, outcome FROM outcomes ORDER BY rowid").fetchall()
    found = {key(outcome): outcome for outcome in (_read(db, name, text) for name, text in rows)}
    return dict(sorted(found.items()))


def key(outcome: Outcome) -> str:
    """Return the key of an outcome: the file of a user's own experiment, or the name."""
    return outcome.file or outcome.experiment


def named(known: Mapping[str, Outcome], name: str) -> list[Outcome]:
    """Return the outcomes that a user names: by name, by file, or by the name of a file anywhere."""
    exact = known.get(str(Path(name).resolve()) if name.endswith(ENDING) else name)
    return [exact] if exact else [outcome for outcome in known.values() if outcome.experiment == name]


def _read(db: Path, name: Any, text: Any) -> Outcome:
    try:
        data = json.loads(text)
        table("key of an outcome", _OUTCOME, ("experiment", "rows", "seconds", "scale", "file"))("outcome", data)
    except (ValueError, TypeError, RecursionError, BadValue, UnknownName) as error:
        raise BadValue(f"{db}: the outcome of {name} is damaged ({error}); run that experiment again") from None
    return _outcome(data)


def _outcome(data: dict[str, Any]) -> Outcome:
    rows = tuple(Finding(**{**row, "interval": row.get("interval") and tuple(row["interval"])}) for row in data["rows"])
    own = data["file"] or data["experiment"] not in names()
    told = data.get("texts") or ({} if own else outline(data["experiment"]).texts)  # old ledgers have none
    return Outcome(data["experiment"], rows, data["seconds"], data["scale"], data["file"], told)
