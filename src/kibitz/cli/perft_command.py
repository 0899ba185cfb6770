"""`kibitz perft`: count the move sequences of a given length."""

import click

from kibitz.console.command_line import GAME_HELP, SEED, console, print_json, verb


@click.command(epilog=GAME_HELP)
@click.argument("game")
@click.option("--depth", type=int, default=3, show_default=True, help="Length of the sequences, in moves.")
@click.option("--split", is_flag=True, help="Count by the first move.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The seed of the deal.")
@click.option(
    "--device", metavar="cpu|gpu", default="cpu", show_default=True, help="Count here, or on a graphics card."
)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
@verb
def perft(game: str, depth: int, split: bool, seed: int, device: str, as_json: bool) -> None:
    """Count the move sequences of a given length from the start of GAME.

    Where chance moves, its outcomes count as moves; a game that begins with a roll is counted from before it.
    """
    from rich.table import Table as Sheet

    from kibitz import games as library
    from kibitz.batches.card_perft import counter_on
    from kibitz.core import perft as counting
    from kibitz.core.errors import BadValue
    from kibitz.core.table import Table

    if depth < 0 or (split and depth < 1):
        raise BadValue(f"--depth must be at least {1 if split else 0}, not {depth}")
    table = Table(library.find(game), seed)
    counter = counter_on(device, table.game)
    start = counting.start_of(table)
    if split:
        counts = {start.write(move): n for move, n in counting.split(start, depth, counter).items()}
        total = sum(counts.values())
    else:
        counts = {str(level): counting.perft(start, level, counter) for level in range(depth + 1)}
        total = counts[str(depth)]
    if as_json:
        print_json(
            {"game": str(table.game), "seed": seed, "depth": depth, "split": split, "counts": counts, "total": total}
        )
        return
    sheet = Sheet("first move" if split else "moves", "ways", title=f"{table.game}, seed {seed}", title_justify="left")
    sheet.columns[1].justify = "right"
    for what, count in counts.items():
        sheet.add_row(what, f"{count:,}")
    if split:
        sheet.add_row("total", f"{total:,}")
    console().print(sheet)
