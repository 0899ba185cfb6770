"""The record that a person chooses from a file, and the position in it."""

from pathlib import Path

from kibitz.core.errors import BadRecord, BadValue
from kibitz.core.record import Record, read_records
from kibitz.core.table import Table
from kibitz.games import find


def chosen_record(path: Path, number: int, trusted: bool) -> Record:
    """Return a record of a file by its number; the first is 1."""
    records = list(read_records(path, trusted))
    if not records:
        raise BadRecord(f"{path} holds no records")
    if not 1 <= number <= len(records):
        raise BadValue(f"there is no record {number} in {path}; it holds 1 to {len(records)}")
    return records[number - 1]


def replayed(record: Record, ply: int | None) -> Table:
    """Return the table after so many moves of a record; without a number, after the last."""
    plies = len(record.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise BadValue(f"the game has {plies} plies, so there is no ply {ply}; --ply takes 0 to {plies}")
    return record.replay(find, ply)
