"""Games that were kept: the records of a file or the games of a ledger, and positions in them."""

from collections.abc import Iterator
from pathlib import Path

from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.results.ledger_file import is_database
from kibitz.core.errors import BadRecord, BadValue, KibitzError
from kibitz.core.record import Record, read_line, read_records
from kibitz.core.table import Table
from kibitz.games import find


def kept_games(path: Path, trusted: bool, run: str | None = None) -> Iterator[tuple[int, Record]]:
    """Yield number, from 1, and record of every game in a file, or in a ledger of one run, by default the newest.

    A record may name its game by a path, whose code then runs; unless `trusted`, that is a BadRecord.
    """
    try:
        ledger = is_database(path)
    except OSError as error:
        raise BadRecord(f"cannot read {path}: {error.strerror}") from None
    if not ledger:
        if run is not None:
            raise BadValue(f"{path} is not a ledger, so it has no run {run}")
        yield from enumerate(read_records(path, trusted), 1)
        return
    with open_ledger(path) as opened:
        found = opened.find(run)
        for number, line in opened.kept(found["id"]):
            record = read_line(line)
            if not trusted:
                record.refuse_paths()
            yield number + 1, record


def chosen_record(path: Path, number: int | None, trusted: bool, run: str | None = None) -> Record:
    """Return the record of a game by its number; without a number, the first."""
    least = most = None
    for at, record in kept_games(path, trusted, run):
        if number in (None, at):
            return record
        least, most = at if least is None else least, at
    if least is None:
        raise BadRecord(f"{path} holds no records")
    raise BadValue(f"there is no game {number} in {path}; it holds {least} to {most}")


def replayed(record: Record, ply: int | None) -> Table:
    """Return the table after `ply` moves of a record, or after the last."""
    plies = len(record.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise BadValue(f"the game has {plies} plies, so there is no ply {ply}; --ply takes 0 to {plies}")
    return record.replay(find, ply)


def check(path: Path, number: int, record: Record) -> None:
    """Replay a record; raise BadRecord, which names the file and the record, if it is wrong."""
    try:
        record.replay(find)
    except KibitzError as error:
        raise BadRecord(f"{path}, record {number}: {error}") from None
