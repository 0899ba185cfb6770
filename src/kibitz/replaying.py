"""Showing and checking records in the terminal."""

import json
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadRecord, BadValue, KibitzError
from kibitz.core.record import Record, read_records
from kibitz.core.table import Table
from kibitz.games import find

SHOWN = 20  # records listed before the rest are only counted


def replay(file: Path, number: int | None, ply: int | None, trusted: bool, as_json: bool, console: Any) -> None:
    """Replay all records of a file; show one move by move if a number is given or there is only one."""
    if ply is not None and ply < 0:
        raise BadValue(f"--ply must be at least 0, not {ply}")
    records = list(read_records(file, trusted))
    if not records:
        raise BadRecord(f"{file} holds no records")
    if number is not None and not 1 <= number <= len(records):
        raise BadValue(f"there is no record {number} in {file}; it holds 1 to {len(records)}")
    for line, record in enumerate(records, 1):
        try:
            record.replay(find)
        except KibitzError as error:
            raise BadRecord(f"{file}, record {line}: {error}") from None
    if as_json:
        print(json.dumps({"file": str(file), "records": len(records), "plies": sum(len(r.moves) for r in records)}))
    elif number is not None or len(records) == 1:
        _show(records[(number or 1) - 1], ply, console)
    else:
        _list(file, records, console)


def _show(record: Record, ply: int | None, console: Any) -> None:
    game = record.replay(find, plies=0).game
    console.print(f"{game}, seed {record.seed}", markup=False)
    for seat, agent in enumerate(record.agents):
        console.print(f"  {game.seat_names[seat]}: {agent}", markup=False)
    table = Table(game, record.seed)
    for move in record.moves[:ply]:
        console.print(f"{table.ply + 1:4}. {game.seat_names[table.turn]:<8} {table.write(move)}", markup=False)
        table.play(move)
    viewer = table.turn if not table.over else 0
    console.print(game.text(table.view(viewer)), markup=False)
    console.print(f"payoff: {table.payoff()}" if table.over else f"{game.seat_names[table.turn]} is to move")


def _list(file: Path, records: list[Record], console: Any) -> None:
    from rich.markup import escape
    from rich.table import Table as Sheet

    sheet = Sheet("record", "game", "agents", "moves", "payoff", title=escape(str(file)), title_justify="left")
    for line, record in enumerate(records[:SHOWN], 1):
        payoff = "unfinished" if record.payoff is None else ", ".join(f"{share:g}" for share in record.payoff)
        names = escape(", ".join(record.agents))
        sheet.add_row(str(line), escape(record.game), names, str(len(record.moves)), payoff)
    console.print(sheet)
    if len(records) > SHOWN:
        console.print(f"… and {len(records) - SHOWN} more")
    console.print(f"{len(records)} records, all of them replay as they say. Show one with --number N.")
