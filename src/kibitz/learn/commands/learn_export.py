"""`kibitz learn export`: data as a table for other tools."""

from pathlib import Path

import click

from kibitz.console.command_line import console, verb


@click.command()
@click.argument("data", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Write the table here, a .csv."
)
@verb
def export(data: Path, out: Path) -> None:
    """Write DATA as comma-separated values: encodings with their targets, a line each.

    The columns: game; x0, x1, … the inputs; v0, … the search's win probabilities and r0, … the result, both with the
    seat that is shown the position first; choice, the best move; p0, … the share of each move.
    """
    from kibitz.learn.data_export import export_csv, headings
    from kibitz.learn.data_file import read_data

    found = read_data(data)
    export_csv(found, out)
    text = f"{out}: {len(found):,} positions, {len(headings(found)):,} columns."
    console().print(text, markup=False, highlight=False)
