"""Games that were kept: the records of a file, or the games of a ledger; and the position in one of them."""

from collections.abc import Iterator
from pathlib import Path

from kibitz.arena.results.ledger import open_ledger
from kibitz.core.errors import BadRecord, BadValue, KibitzError
from kibitz.core.record import Record, read_line, read_records
from kibitz.core.table import Table
from kibitz.games import find

SQLITE = b"SQLite format 3\0"  # how a ledger begins


def kept_games(path: Path, trusted: bool, run: str | None = None) -> Iterator[tuple[int, Record]]:
    """Yield number, from 1, and record of every game in a file, or of a run in a ledger; else of the newest.

    A record names its game by a text that may be a path, whose code runs; not trusted, that is a BadRecord.
    """
    if not is_ledger(path):
        if run is not None:
            raise BadValue(f"{path} is no ledger, so it holds no run {run}")
        yield from enumerate(read_records(path, trusted), 1)
        return
    with open_ledger(path) as ledger:
        found = ledger.find(run)
        for number, line in ledger.kept(found["id"]):
            record = read_line(line)
            if not trusted:
                record.refuse_paths()
            yield number + 1, record


def is_ledger(path: Path) -> bool:
    """Return whether a file is a database."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError as error:
        raise BadRecord(f"cannot read {path}: {error.strerror}") from None


def chosen_record(path: Path, number: int | None, trusted: bool, run: str | None = None) -> Record:
    """Return the record of a game by its number; the first there is if none is named."""
    least = most = None
    for at, record in kept_games(path, trusted, run):
        if number in (None, at):
            return record
        least, most = at if least is None else least, at
    if least is None:
        raise BadRecord(f"{path} holds no records")
    raise BadValue(f"there is no game {number} in {path}; it holds {least} to {most}")


def replayed(record: Record, ply: int | None) -> Table:
    """Return the table after so many moves of a record; without a number, after the last."""
    plies = len(record.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise BadValue(f"the game has {plies} plies, so there is no ply {ply}; --ply takes 0 to {plies}")
    return record.replay(find, ply)


def check(path: Path, number: int, record: Record) -> None:
    """Play a record again; what is wrong with it is a BadRecord that names the file and the record."""
    try:
        record.replay(find)
    except KibitzError as error:
        raise BadRecord(f"{path}, record {number}: {error}") from None
