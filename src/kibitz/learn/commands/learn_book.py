"""`kibitz learn book`: make an opening book."""

from pathlib import Path

import click

from kibitz.console.command_line import GAME_HELP, SEED, console, verb


@click.command(epilog=GAME_HELP)
@click.argument("game")
@click.argument("agent")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
    help="Keep the book in this file, a .npz; the same command resumes a run.",
)  # fmt: skip
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games in all.")
@click.option("--plies", type=click.IntRange(1), default=8, show_default=True, help="Plies of each game that are kept.")
@click.option(
    "--explore", type=click.FloatRange(0, 1), default=0.3, show_default=True,
    help="The probability of a random move in place of the agent's.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same games.")
@verb
def book(game: str, agent: str, out: Path, games: int, plies: int, explore: float, seed: int) -> None:
    """Let AGENT play itself at GAME, and keep what it chooses in the first plies as an opening book.

    Any agent can then use it: 'paranoid(seconds=0.1, book=./my.npz)'.
    """
    from kibitz import games as library
    from kibitz.console.progress_line import changing_line
    from kibitz.learn.book_making import make_book

    found, last = library.find(game), None
    with changing_line() as show:
        for last in make_book(found, agent, games, plies, explore, out, seed):
            show(f"{found.name}: {last.games:,} of {games:,} games, {last.positions:,} positions")
    told = "holds all the games that were asked for" if last is None else (
        f"{last.games:,} games, {last.positions:,} positions, {last.choices:,} choices"
    )  # fmt: skip
    console().print(f"{out}: {told}.", markup=False, highlight=False)
