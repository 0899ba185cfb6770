"""`kibitz draw`: a picture of a position."""

from pathlib import Path

import click

from kibitz.console.command_line import verb


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--ply", type=int, help="After N moves; default: the last position.")
@click.option("--number", "--game", type=int, help="Which game of a file or a ledger; the first is 1.")
@click.option("--run", help="Which run of a ledger; default: the newest.")
@click.option("--seat", type=int, help="The seat whose view is drawn, from 1; default: the seat to move.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default="board.svg", show_default=True,
    help="Write the picture here; an existing file is replaced.",
)  # fmt: skip
@click.option("--trust", is_flag=True, help="Run the code of a game that a record names by a path.")
@verb
def draw(
    record: Path, ply: int | None, number: int | None, run: str | None, seat: int | None, out: Path, trust: bool
) -> None:
    """Draw a position of a game in RECORD, a file of records or a ledger, as SVG."""
    from kibitz.arena.kept_games import chosen_record, replayed
    from kibitz.core.contract import OVER
    from kibitz.core.errors import BadValue
    from kibitz.core.scene import svg
    from kibitz.core.user_files import whole_file

    table = replayed(chosen_record(record, number, trust, run), ply)
    game = table.game
    if seat is not None and not 1 <= seat <= game.seats:
        raise BadValue(f"--seat must be 1 to {game.seats}, not {seat}")
    to_move = 0 if table.turn == OVER else table.turn
    viewer = to_move if seat is None else seat - 1
    legal = table.moves() if viewer == table.turn else []
    with whole_file(out, overwrite=True) as file:
        file.write(svg(game.scene(table.view(viewer), legal)))
    click.echo(f"{game}, ply {table.ply}, as {game.seat_names[viewer]} sees it, is in {out}")
