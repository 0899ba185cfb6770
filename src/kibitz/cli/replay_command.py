"""`kibitz replay`: play records again and check them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import console, print_json, verb

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.core.record import Record
    from kibitz.core.table import Table

SHOWN = 20  # records listed before the rest are only counted


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--number", "--game", type=int, help="Show this game of a file or a ledger; the first is 1.")
@click.option("--run", help="Which run of a ledger; default: the newest.")
@click.option("--ply", type=int, help="Stop after N moves, and after the rolls that follow.")
@click.option("--trust", is_flag=True, help="Run the code of a game that a record names by a path.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@verb
def replay(file: Path, number: int | None, run: str | None, ply: int | None, trust: bool, as_json: bool) -> None:
    """Replay the records of FILE, or the games of a ledger, and check each of them."""
    from kibitz.arena.kept_games import check, chosen_record, kept_games
    from kibitz.core.errors import BadRecord, BadValue

    if ply is not None and ply < 0:
        raise BadValue(f"--ply must be at least 0, not {ply}")
    if number is not None:
        games = {number: chosen_record(file, number, trust, run)}
    else:
        games = dict(kept_games(file, trust, run))
    if not games:
        raise BadRecord(f"{file} holds no records")
    for at, record in games.items():
        check(file, at, record)
    if as_json:
        print_json({"file": str(file), "records": len(games), "plies": sum(len(r.moves) for r in games.values())})
    elif len(games) == 1:
        _show(next(iter(games.values())), ply, console())
    else:
        _list(file, games, console())


def _show(record: "Record", ply: int | None, out: "Console") -> None:
    from contextlib import suppress

    from kibitz.cli.board_text import board_text
    from kibitz.core.errors import BadValue
    from kibitz.core.table import Table
    from kibitz.games import find

    game = record.replay(find, plies=0).game
    out.print(f"{game}, seed {record.seed}", markup=False)
    for seat, agent in enumerate(record.agents):
        out.print(f"  {game.seat_names[seat]}: {agent}", markup=False)
    table = Table(game, record.seed)
    _print_rolls(table, out)
    while table.ply < len(record.moves[:ply]):
        move = record.moves[table.ply]
        out.print(f"{table.ply + 1:4}. {game.seat_names[table.turn]:<8} {table.write(move)}", markup=False)
        table.play(move)
        _print_rolls(table, out)
    viewer = table.turn if not table.over else 0
    out.print(board_text(game, game.text(table.view(viewer))))
    out.print(_end(table, record.agents) if table.over else f"{game.seat_names[table.turn]} is to move", markup=False)
    with suppress(BadValue):  # not every position can be written as text
        out.print(f"position: {game.position_text(table.copy_of_truth())}", markup=False, soft_wrap=True)


def _print_rolls(table: "Table", out: "Console") -> None:
    """Print what chance did after the last move."""
    for roll in table.rolls:
        out.print(f"{roll.ply + 1:4}. {'chance':<8} {table.roll_text(roll)}", markup=False)


def _end(table: "Table", agents: Sequence[str]) -> str:
    """Return who has won, and what each seat earned where that says more."""
    payoff, names, scoring = table.payoff(), table.game.seat_names, table.game.scoring
    if scoring.shared:
        return f"They scored {scoring.together_text(payoff[0])} together."
    if not scoring.by_wins:
        players = [f"{name} ({agent})" for name, agent in zip(names, agents, strict=True)]
        return f"{scoring.result_text(payoff, players)}."
    best = [seat for seat, earned in enumerate(payoff) if earned == max(payoff)]
    by = table.drawn_by()
    winner = f"{names[best[0]]} ({agents[best[0]]}) wins" if len(best) == 1 else f"a draw{by and f' by {by}'}"
    if sorted(payoff) == [0.0] * (len(payoff) - 1) + [1.0] or len(set(payoff)) == 1:
        return f"{winner}."
    earned = ", ".join(f"{name} {share:.3g}" for name, share in zip(names, payoff, strict=True))
    return f"{winner}; payoffs: {earned}."


def _list(file: Path, games: "dict[int, Record]", out: "Console") -> None:
    from rich.markup import escape
    from rich.table import Table

    from kibitz.core.scoring import number_of

    table = Table(title=escape(str(file)), title_justify="left")
    for heading in ("record", "game", "agents", "moves", "payoff"):
        table.add_column(heading, no_wrap=heading not in ("game", "agents"))
    for number, record in list(games.items())[:SHOWN]:
        payoff = "unfinished" if record.payoff is None else " ".join(map(number_of, record.payoff))
        names = escape(", ".join(record.agents))
        table.add_row(str(number), escape(record.game), names, str(len(record.moves)), payoff)
    out.print(table)
    if len(games) > SHOWN:
        out.print(f"… and {len(games) - SHOWN} more")
    out.print(f"{len(games)} records, all of them correct. Show one with --number N.")
