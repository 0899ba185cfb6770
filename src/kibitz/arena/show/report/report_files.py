"""The files of a report: the page, CSV and Parquet."""

from pathlib import Path
from typing import Any

from kibitz.arena.results.ledger import open_ledger
from kibitz.arena.show.report.page import page
from kibitz.arena.show.report.report_data import report
from kibitz.arena.show.report.table_export import columns, move_columns, write_csv, write_parquet
from kibitz.core.errors import BadValue
from kibitz.core.user_files import whole_file

_DATABASE = b"SQLite format 3"


def write_report(
    run: str, db: Path, out: Path | None = None, csv: Path | None = None, parquet: Path | None = None,
    moves: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Write the files that are named, each as a whole, and return the report as data; `moves` has a row a move."""
    path, name = (Path(run), None) if _is_ledger(run) else (db, run)
    _check_targets(path, [target for target in (out, csv, parquet, moves) if target])
    with open_ledger(path) as ledger:
        data = report(ledger, name)
        table = columns(ledger, data["run"]) if csv or parquet else {}
        by_move = move_columns(ledger, data["run"]) if moves else {}
    if parquet:
        write_parquet(table, parquet)
    if csv:
        write_csv(table, csv)
    if moves:
        write_csv(by_move, moves)
    if out:
        with whole_file(out, overwrite=True) as file:
            file.write(page(data, path.name))
    return data


def _is_ledger(text: str) -> bool:
    return "/" in text or Path(text).suffix == ".db" or Path(text).is_file()


def _check_targets(ledger: Path, targets: list[Path]) -> None:
    for target in targets:
        if target.resolve() == ledger.resolve():
            raise BadValue(f"{target} is the ledger; write the report elsewhere")
        if target.is_file():
            with target.open("rb") as file:
                if file.read(len(_DATABASE)) == _DATABASE:
                    raise BadValue(f"{target} is a database; write the report elsewhere")
    if len({target.resolve() for target in targets}) < len(targets):
        raise BadValue("the page and the files of rows must be different files")
