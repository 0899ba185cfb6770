"""`kibitz bench`: speed on one core."""

import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from kibitz.console.command_line import GAME_HELP, complain, console, print_json, verb

if TYPE_CHECKING:
    from kibitz.bench.speed_rows import Row

LEGEND = (
    "yardstick: the same measured beside it, such as a loop in C++ or the same work done once more; "
    "ratio: value / yardstick"
)


@click.command(epilog=GAME_HELP)
@click.argument("what", required=False, metavar="[GAME|arena|bots|deals|gpu|learn|start|web]")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as one JSON object.")
@verb
def bench(what: str | None, games: tuple[str, ...], as_json: bool) -> None:
    """Measure speed on one core, compared with hand-written C++ if there is such a loop (and a compiler).

    `start` measures the CPU time until a first decision and the functions compiled for it, with an empty cache; the
    yardstick is the same use once more.

    `deals` measures the CPU time of guessing hands of cards (docs/adding-a-card-game.md).

    `gpu` plays the games named, or all, on a graphics card; the yardstick is one core of the processor, or pgx where
    that is installed (docs/batches.md).

    `web` loads the browser's server, on all cores: 200 tables with agents, then 1,000 spectators.
    """
    from kibitz.bench.speed_rows import COMPILER, rows

    if shutil.which(COMPILER) is None:
        complain(f"there is no {COMPILER} here, so nothing is measured beside the C++ yardsticks")
    measured = []
    for row in rows(what, games):
        measured.append(row)
        if not as_json and sys.stderr.isatty():
            click.echo(f"  measured {row['name']}", err=True)
    if as_json:
        print_json({"rows": measured})
    else:
        console().print(_table(measured))
        if any(row["yardstick"] is not None for row in measured):
            click.echo(LEGEND)


def _table(measured: "list[Row]") -> Any:
    from rich.table import Table

    table = Table(title="Speed on one core", title_justify="left")
    for heading in ("what", "value", "unit", "yardstick", "ratio"):
        words = heading in ("what", "unit")  # which go on in the next line rather than be cut; numbers stay whole
        table.add_column(heading, justify="left" if words else "right", no_wrap=not words, overflow="fold")
    for row in measured:
        yardstick = "" if row["yardstick"] is None else f"{row['yardstick']:,.4g}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        table.add_row(row["name"], f"{row['value']:,.4g}", row["unit"], yardstick, ratio)
    return table
