"""`kibitz replay`: records played again and checked."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli.verb import console, print_json, verb

if TYPE_CHECKING:
    from kibitz.core.record import Record

SHOWN = 20  # records listed before the rest are only counted


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--number", type=int, help="Show this record move by move (the first is 1).")
@click.option("--ply", type=int, help="Stop after so many moves.")
@click.option("--trust", is_flag=True, help="Run the code of games and agents that records name by a path.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object.")
@verb
def replay(file: Path, number: int | None, ply: int | None, trust: bool, as_json: bool) -> None:
    """Play the records of FILE again and check each of them."""
    from kibitz.core.errors import BadRecord, BadValue, KibitzError
    from kibitz.core.record import read_records
    from kibitz.games import find

    if ply is not None and ply < 0:
        raise BadValue(f"--ply must be at least 0, not {ply}")
    records = list(read_records(file, trust))
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
        print_json({"file": str(file), "records": len(records), "plies": sum(len(r.moves) for r in records)})
    elif number is not None or len(records) == 1:
        _show(records[(number or 1) - 1], ply, console())
    else:
        _list(file, records, console())


def _show(record: "Record", ply: int | None, out: Any) -> None:
    from kibitz.core.table import Table
    from kibitz.games import find

    game = record.replay(find, plies=0).game
    out.print(f"{game}, seed {record.seed}", markup=False)
    for seat, agent in enumerate(record.agents):
        out.print(f"  {game.seat_names[seat]}: {agent}", markup=False)
    table = Table(game, record.seed)
    for move in record.moves[:ply]:
        out.print(f"{table.ply + 1:4}. {game.seat_names[table.turn]:<8} {table.write(move)}", markup=False)
        table.play(move)
    viewer = table.turn if not table.over else 0
    out.print(game.text(table.view(viewer)), markup=False)
    out.print(f"payoff: {table.payoff()}" if table.over else f"{game.seat_names[table.turn]} is to move")


def _list(file: Path, records: "list[Record]", out: Any) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("record", "game", "agents", "moves", "payoff", title=escape(str(file)), title_justify="left")
    for line, record in enumerate(records[:SHOWN], 1):
        payoff = "unfinished" if record.payoff is None else ", ".join(f"{earned:g}" for earned in record.payoff)
        names = escape(", ".join(record.agents))
        table.add_row(str(line), escape(record.game), names, str(len(record.moves)), payoff)
    out.print(table)
    if len(records) > SHOWN:
        out.print(f"… and {len(records) - SHOWN} more")
    out.print(f"{len(records)} records, all of them correct. Show one with --number N.")
