"""`kibitz balance`: whether a game is fair by seat."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from kibitz.console import command_line

Found = TypeVar("Found")


@click.command(epilog=f"{command_line.GAME_HELP} {command_line.AGENT_HELP}")
@click.argument("words", nargs=-1, metavar="GAME... [AGENT]")
@click.option("--agent", help="The agent in all seats, if it is not the last argument.")
@click.option("--games", type=int, default=1000, show_default=True, help="Number of games of each GAME.")
@click.option("--seed", type=command_line.SEED, help=command_line.USUAL_SEED_HELP)
@click.option("--openings", metavar="N|auto", default="auto", show_default=True, help=command_line.OPENINGS_HELP)
@click.option("--jobs", type=int, help=command_line.JOBS_HELP)
@command_line.DEVICE
@command_line.KEEP_GAMES
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@command_line.verb
def balance(
    words: tuple[str, ...], agent: str | None, games: int, seed: int | None, openings: str, jobs: int | None,
    device: str, db: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Test whether GAME is fair by seat: AGENT plays against itself in all seats.

    Several GAMEs, such as variants of one, are compared side by side: kibitz balance quarto 'quarto(squares=true)'
    --agent novice. Where AGENT is a policy and no ledger keeps the games, there may be billions of them.
    """
    if agent is None:
        *words_of_games, agent = words if len(words) > 1 else ("", "")
    else:
        words_of_games = list(words)
    if not words_of_games or not agent:
        raise click.UsageError("name a GAME or more, and an AGENT: kibitz balance quarto novice")
    from kibitz.arena.balance import play_balance, play_variants
    from kibitz.arena.show.balance_table import balance_table, comparison_table
    from kibitz.arena.show.live import live_view
    from kibitz.cli.bulk_options import in_ledger, openings_from, show
    from kibitz.core.threads import available_threads

    def play(of: Callable[..., Found], games_played: str | list[str]) -> Found:
        workers = available_threads() if jobs is None else jobs
        with live_view(", ".join(words_of_games)) as progress:
            return of(games_played, agent, games, seed, workers, openings_from(openings), db, progress, device)

    if len(words_of_games) == 1:
        show(lambda: play(play_balance, words_of_games[0]), balance_table, as_json, in_ledger(db))
    else:
        show(lambda: play(play_variants, words_of_games), comparison_table, as_json, in_ledger(db))
