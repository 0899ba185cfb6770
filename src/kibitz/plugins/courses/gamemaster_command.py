"""`kibitz gamemaster`: programs that play through plain lines against each other."""

from pathlib import Path

import click

from kibitz.console.command_line import JOBS_HELP, KEEP_GAMES, SEED, SEED_HELP, verb


@click.command()
@click.argument("game")
@click.argument("commands", nargs=-1, metavar="CMD...")
@click.option("--games", type=int, default=100, show_default=True, help="Number of games per pair; an even number.")
@click.option("--seed", type=SEED, default=1, show_default=True, help=SEED_HELP)
@click.option(
    "--limit", "limits", multiple=True, metavar="NAME=NUMBER",
    help="A limit as in a tournament file, for example move_seconds=1; may be given several times.",
)  # fmt: skip
@click.option("--jobs", type=int, help=JOBS_HELP)
@KEEP_GAMES
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@verb
def gamemaster(
    game: str, commands: tuple[str, ...], games: int, seed: int, limits: tuple[str, ...], jobs: int | None,
    db: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Let programs play Quarto in pairs through plain lines, and count who won against whom.

    GAME is quarto. Every CMD is one argument, as in kibitz gamemaster quarto "python3 one.py" ./two. Programs read and
    write lines that a person could type; docs/courses.md describes them. The two programs of a pair take turns to
    begin. A program that fails loses its game; the exit code is then 1.
    """
    from kibitz.arena.show.live import live_view
    from kibitz.cli.bulk_options import in_ledger, limits_from, show
    from kibitz.core.threads import available_threads
    from kibitz.plugins.courses.gamemaster import play_gamemaster
    from kibitz.plugins.courses.gamemaster_result import GamemasterResult
    from kibitz.plugins.courses.gamemaster_table import gamemaster_table

    def play() -> GamemasterResult:
        workers = available_threads() if jobs is None else jobs
        with live_view(game) as progress:
            return play_gamemaster(game, commands, games, seed, workers, limits_from(limits), db, progress)

    show(play, gamemaster_table, as_json, in_ledger(db))
