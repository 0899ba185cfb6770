"""The result of a gamemaster as the tables of the Quarto report: wins in all, then each program against the others."""

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from kibitz.arena.show.table_parts import remarks
from kibitz.plugins.courses.gamemaster_result import GamemasterResult


def gamemaster_table(result: GamemasterResult) -> Iterator[Table | str]:
    """Yield what to print, from the top."""
    yield _table("player", ((row.program, row.wins, row.losses, row.ties) for row in result.programs))
    for row in result.programs:
        met = [(one.opponent, one.wins, one.losses, one.ties) for one in row.against]
        yield _table(f"{row.program} vs.", [*met, ("in all", row.wins, row.losses, row.ties)])
    yield from remarks(
        result.distinct, result.played, result.planned, 0, result.reasons, result.drawn_by, result.faults
    )


def _table(heading: str, rows: Iterator[tuple[str, int, int, int]] | list[tuple[str, int, int, int]]) -> Table:
    table = Table()
    table.add_column(escape(heading), overflow="fold")
    for name in ("wins", "losses", "ties"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, *counts in rows:
        table.add_row(escape(name), *map(str, counts))
    return table
