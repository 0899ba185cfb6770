"""The files of a report: the page, and its games as CSV or Parquet, one row for each game and seat or each move."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.arena.results.game_columns import moves_in
from kibitz.arena.results.ledger import Ledger, open_ledger
from kibitz.arena.results.ledger_file import is_database
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.arena.show.report.markup import plain
from kibitz.arena.show.report.page import page
from kibitz.arena.show.report.report_data import report
from kibitz.core.errors import BadValue
from kibitz.core.user_files import whole_file

COLUMNS = (
    "run", "number", "block", "seat", "agent", "payoff", "place", "won", "drew", "plies", "reason", "offender",
    "seconds", "moves", "drawn_by", "name", "unit",
)  # fmt: skip
MOVE_COLUMNS = ("run", "number", "ply", "seat", "agent", "seconds", "nodes", "depth", "value")


def write_report(
    run: str, db: Path, out: Path | None = None, csv: Path | None = None, parquet: Path | None = None,
    moves: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Write the files that are named, each as a whole, and return the report as data; `moves` has a row per move."""
    path, name = (Path(run), None) if _names_a_file(run) else (db, run)
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


def _names_a_file(text: str) -> bool:
    return "/" in text or Path(text).suffix == ".db" or Path(text).is_file()


def _check_targets(ledger: Path, targets: list[Path]) -> None:
    for target in targets:
        if target.resolve() == ledger.resolve():
            raise BadValue(f"{target} is the ledger; write the report elsewhere")
        if target.is_file() and is_database(target):
            raise BadValue(f"{target} is a database; write the report elsewhere")
    if len({target.resolve() for target in targets}) < len(targets):
        raise BadValue("the page and the files of rows must be different files")


def columns(ledger: Ledger, name: str | None) -> dict[str, list[Any]]:
    """Return the columns; games and places count from 1, seats from 0, and `offender` is whether this seat failed."""
    found = ledger.find(name)
    games = ledger.games(found["id"])
    agents = [plain(agent) for agent in games.agents]
    number, seats = games.payoffs.shape if len(games.numbers) else (0, 0)
    won, drew = outcomes(games.payoffs) if number else (games.payoffs, games.payoffs)
    place = 1 + (games.payoffs[:, None, :] > games.payoffs[:, :, None]).sum(axis=2) if number else games.payoffs
    rows = number * seats
    places = {"place": place.ravel().tolist(), "won": won.ravel().tolist(), "drew": drew.ravel().tolist()}
    if games.scoring.shared:  # there is neither place nor winner
        places = {name: [None] * rows for name in places}
    return {
        "run": [found["name"]] * rows,
        "number": (games.numbers + 1).repeat(seats).tolist(),
        "block": games.blocks.repeat(seats).tolist(),
        "seat": list(range(seats)) * number,
        "agent": [agents[agent] for agent in games.seatings.ravel()],
        "payoff": games.payoffs.ravel().tolist(),
        **places,
        "plies": games.plies.repeat(seats).tolist(),
        "reason": [str(reason) for reason in games.reasons for _ in range(seats)],
        "offender": [bool(seat == failed) for failed in games.offenders.tolist() for seat in range(seats)],
        "seconds": [seconds or None for seconds in games.seconds.ravel().tolist()],
        "moves": games.moves.ravel().tolist(),
        "drawn_by": [plain(text) for text in games.drawn_by for _ in range(seats)],
        "name": [plain(games.called[agent]) for agent in games.seatings.ravel()],
        "unit": [games.scoring.unit] * rows,
    }


def move_columns(ledger: Ledger, name: str | None) -> dict[str, list[Any]]:
    """Return how much was searched for each move, by columns; `ply` counts from 1, with the opening.

    Games that compiled code played have no rows, and what an agent did not tell is left empty.
    """
    found = ledger.find(name)
    games = ledger.games(found["id"])
    agents = [plain(agent) for agent in games.agents]
    table: dict[str, list[Any]] = {column: [] for column in MOVE_COLUMNS}
    for row, (_, line) in enumerate(ledger.annotations(found["id"])):
        known = moves_in(line)
        if known is not None:
            _add_moves(table, known, int(games.plies[row]))
            made = len(table["seat"]) - len(table["agent"])
            seating = games.seatings[row]
            table["run"] += [found["name"]] * made
            table["number"] += [int(games.numbers[row]) + 1] * made
            table["agent"] += [agents[seating[seat]] for seat in table["seat"][-made:]] if made else []
    return table


def _add_moves(table: dict[str, list[Any]], thoughts: dict[str, list[Any]], plies: int) -> None:
    """Add the moves of one game."""
    made = len(thoughts["seats"])
    table["ply"] += [ply + 1 for ply in thoughts.get("plies", range(plies - made, plies))]
    table["seat"] += thoughts["seats"]
    table["seconds"] += thoughts["seconds"]
    table["nodes"] += [nodes or None for nodes in thoughts.get("nodes", [0] * made)]
    table["depth"] += [depth or None for depth in thoughts.get("depth", [0] * made)]
    table["value"] += [
        None if values is None else values[seat]
        for seat, values in zip(thoughts["seats"], thoughts["values"], strict=True)
    ]


def write_csv(table: dict[str, list[Any]], path: Path) -> None:
    """Write rows with a heading; true and false are written as 1 and 0."""
    with whole_file(path, overwrite=True) as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(_rows(table))


def write_parquet(table: dict[str, list[Any]], path: Path) -> None:
    """Write a Parquet file, which needs pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise BadValue("Parquet needs pyarrow; install it with: pip install 'kibitz[parquet]'") from None
    kinds = [
        pyarrow.string(), pyarrow.int64(), pyarrow.int64(), pyarrow.int8(), pyarrow.string(), pyarrow.float64(),
        pyarrow.int8(), pyarrow.bool_(), pyarrow.bool_(), pyarrow.int32(), pyarrow.string(), pyarrow.bool_(),
        pyarrow.float64(), pyarrow.int32(), pyarrow.string(), pyarrow.string(), pyarrow.string(),
    ]  # fmt: skip
    schema = pyarrow.schema(list(zip(COLUMNS, kinds, strict=True)))
    with whole_file(path, overwrite=True) as out:
        parquet.write_table(pyarrow.table(table, schema=schema), out.buffer)  # type: ignore[attr-defined]


def _rows(table: dict[str, list[Any]]) -> Iterator[tuple[Any, ...]]:
    for row in zip(*table.values(), strict=True):
        yield tuple(int(cell) if isinstance(cell, bool) else cell for cell in row)
