"""`kibitz match`: agents against each other."""

from pathlib import Path

import click

from kibitz.console import command_line


@click.command(epilog=f"{command_line.GAME_HELP} {command_line.AGENT_HELP}")
@click.argument("game")
@click.argument("agents", nargs=-1, metavar="AGENT...")
@click.option("--games", type=int, default=100, show_default=True, help="Number of games, rounded up to whole blocks.")
@click.option("--seed", type=command_line.SEED, help=command_line.USUAL_SEED_HELP)
@click.option("--position", help=command_line.POSITION_HELP)
@click.option("--openings", metavar="N|auto", default="auto", show_default=True, help=command_line.OPENINGS_HELP)
@click.option(
    "--limit", "limits", multiple=True, metavar="NAME=NUMBER",
    help="A limit as in a tournament file, for example move_seconds=1; may be given several times.",
)  # fmt: skip
@click.option("--isolate/--no-isolate", default=True, show_default=True, help=command_line.ISOLATE_HELP)
@click.option("--jobs", type=int, help=command_line.JOBS_HELP)
@command_line.DEVICE
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the records here, one per line.")
@command_line.KEEP_GAMES
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@command_line.verb
def match(
    game: str, agents: tuple[str, ...], games: int, seed: int | None, position: str | None, openings: str,
    limits: tuple[str, ...], isolate: bool, jobs: int | None, device: str, save: Path | None, db: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Let agents play GAME against each other and count wins, or what they earn where payoffs count.

    Every agent plays every seat equally often on the same deals. With one agent per seat, seats rotate; with fewer
    agents, all seatings in which every agent takes part are played. An agent named twice, as in random random or
    2*random, is one agent in two seats. Where all seats earn the same, everyone plays with everyone and with copies of
    itself. An agent that fails loses its game; the exit code is then 1.
    """
    from kibitz.arena.match import play_match
    from kibitz.arena.results.match_result import MatchResult
    from kibitz.arena.show.live import live_view
    from kibitz.arena.show.match_table import match_table
    from kibitz.cli.bulk_options import in_ledger, limits_from, openings_from, replay_command, show
    from kibitz.core.threads import available_threads

    game = command_line.with_position(game, position)

    def play() -> MatchResult:
        workers = available_threads() if jobs is None else jobs
        with live_view(game) as progress:
            opening, limit = openings_from(openings), limits_from(limits)
            return play_match(
                game, agents, games, seed, workers, opening, limit, db, save, progress, isolate, device
            )  # fmt: skip

    closing = f"The records are in {save}; to see them: {replay_command(save, game)}" if save else ""
    show(play, match_table, as_json, in_ledger(db), closing)
