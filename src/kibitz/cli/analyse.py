"""`kibitz analyse`: the best moves of a position."""

from collections.abc import Sequence
from typing import Any

import click

from kibitz.cli.verb import AGENT_HELP, GAME_HELP, SEED, console, print_json, verb


@click.command(epilog=f"{GAME_HELP} {AGENT_HELP}")
@click.argument("what", metavar="FILE|GAME")
@click.option(
    "--ply", type=int, help="After how many moves; a record's last position, or a game's first, if not given."
)
@click.option("--agent", help="Who analyses; the strongest that fits the game if not given.")
@click.option("--top", type=int, default=3, show_default=True, help="How many moves to show.")
@click.option("--number", type=int, default=1, show_default=True, help="Which record of the file.")
@click.option("--trust", is_flag=True, help="Run the code of games and agents that records name by a path.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The agent's dice, and the deal of GAME.")
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as one JSON object.")
@verb
def analyse(
    what: str, ply: int | None, agent: str | None, top: int, number: int, trust: bool, seed: int, as_json: bool
) -> None:
    """Show the best moves of a position with values per seat and lines of play.

    The position is one of a record in FILE, or of a random game of GAME.
    """
    from kibitz.cli import analysis
    from kibitz.cli.terminal_game import usual_opponent

    table = analysis.position(what, ply, number, seed, trust)
    found = analysis.analyse(table, agent or usual_opponent(table.game), top, seed)
    if as_json:
        print_json(found)
        return
    out = console()
    out.print(table.game.text(table.view(table.turn)), markup=False)
    out.print(_table(found, table.game.seat_names))


def _table(found: dict[str, Any], seat_names: Sequence[str]) -> Any:
    """Return an analysis as a table for a person, with a line above it and one below."""
    from rich.console import Group
    from rich.table import Table as Sheet
    from rich.text import Text

    entries = found["moves"]
    sampled, judged, valued = (
        any(entry[what] is not None for entry in entries) for what in ("tries", "worth", "values")
    )
    digits = _digits([value for entry in entries for value in (entry["worth"], *(entry["values"] or []))])
    table = Sheet("move")
    for heading in [*["playouts"] * sampled, *["worth"] * judged, *(seat_names if valued else [])]:
        table.add_column(heading, justify="right")
    table.add_column("line of play", overflow="fold")
    for entry in entries:
        cells = [_count(entry["tries"])] * sampled + [_number(entry["worth"], digits)] * judged
        by_seat = [_number(value, digits) for value in entry["values"] or [None] * len(seat_names)] if valued else []
        table.add_row(*(Text(cell) for cell in (entry["move"], *cells, *by_seat, " ".join(entry["line"]))))
    title = f"{found['game']}, ply {found['ply']}, {seat_names[found['seat']]} to move, by {found['agent']}"
    notes = [note for note in (found["why"], _effort(entries[0]), found["meaning"]) if note]
    return Group(Text(title, style="italic"), table, *(Text(note, style="dim") for note in notes))


def _effort(first: dict[str, Any]) -> str:
    counted = {"nodes": "nodes", "cutoffs": "cut-offs", "visits": "playouts"}
    words = [f"{first[what]:,} {name}" for what, name in counted.items() if first[what]]
    words += [f"{first['depth']} deep"] if first["depth"] else []
    return ", ".join([*words, *(["proved to the end"] if first["exact"] else [])])


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _digits(values: Sequence[float | None]) -> int:
    """Return how many decimals to show: none for whole numbers, else six digits in all, three after the point."""
    from kibitz.agents.search.judge import MOST_VALUE

    sizes = [abs(value) for value in values if value is not None and abs(value) < MOST_VALUE]
    if all(size == int(size) for size in sizes):
        return 0
    return min(3, max(0, 6 - len(str(int(max(sizes))))))


def _number(value: float | None, digits: int) -> str:
    """Return a worth as text; what outweighs any value is a finished game."""
    from kibitz.agents.search.judge import MOST_VALUE

    if value is None:
        return ""
    if abs(value) >= MOST_VALUE:
        return "won" if value > 0 else "lost"
    return f"{round(value, digits) + 0.0:,.{digits}f}"  # no minus before nothing
