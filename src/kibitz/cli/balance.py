"""`kibitz balance`: is a game fair by seat?"""

from pathlib import Path

import click

from kibitz.cli.verb import AGENT_HELP, GAME_HELP, JOBS_HELP, OPENINGS_HELP, SEED, SEED_HELP, number, verb


@click.command(epilog=f"{GAME_HELP} {AGENT_HELP}")
@click.argument("game")
@click.argument("agent")
@click.option("--games", type=int, default=1000, show_default=True, help="How many games.")
@click.option("--seed", type=SEED, default=1, show_default=True, help=SEED_HELP)
@click.option("--openings", metavar="N|auto", default="auto", show_default=True, help=OPENINGS_HELP)
@click.option("--jobs", type=int, help=JOBS_HELP)
@click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path),
    help="Keep every game in this ledger; what is in it already is not played again.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@verb
def balance(
    game: str, agent: str, games: int, seed: int, openings: str, jobs: int | None, db: Path | None, as_json: bool
) -> None:
    """Test whether GAME is fair by seat: AGENT plays against itself in all seats."""
    from kibitz.arena.balance import play_balance
    from kibitz.arena.results.balance_result import BalanceResult
    from kibitz.arena.show.balance_table import balance_table
    from kibitz.arena.show.live import live_view
    from kibitz.cli.in_bulk import in_ledger, show
    from kibitz.core.threads import available_threads

    def play() -> BalanceResult:
        workers = available_threads() if jobs is None else jobs
        with live_view(game) as progress:
            return play_balance(game, agent, games, seed, workers, number(openings), db, progress)

    show(play, balance_table, as_json, in_ledger(db))
