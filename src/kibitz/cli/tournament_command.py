"""`kibitz tournament`: a plan played out, and continued where it was stopped."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.console import command_line

if TYPE_CHECKING:
    from kibitz.arena.plan.plan import Plan


@click.command(epilog=f"{command_line.GAME_HELP} {command_line.AGENT_HELP}")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--example", is_flag=True, help="Print a complete tournament file with comments, and do nothing else.")
@click.option("--game", help="The game. This and the next options, up to --hook, replace lines of FILE.")
@click.option("--agent", "agents", multiple=True, help="An agent that takes part; may be given several times.")
@click.option(
    "--scheme",
    help="round-robin, rotation, circle, gauntlet, one-against-copies, fixed, self-play, equal-shares or cross-play.",
)
@click.option("--hero", help="The agent that plays the field, or that a stop rule is about.")
@click.option("--games", type=int, help="Number of games in all.")
@click.option("--seed", type=command_line.SEED, help=command_line.USUAL_SEED_HELP)
@click.option("--openings", metavar="N|auto", help=command_line.OPENINGS_HELP)
@click.option("--stop", metavar="BETTER", help="Stop once it is clear whether the hero is better by, say, '+3 %'.")
@click.option(
    "--alpha", type=float, help="With a stop rule: the probability of calling the hero better when it is not."
)
@click.option("--beta", type=float, help="With a stop rule: the probability of missing that the hero is better.")
@click.option(
    "--limit", "limits", multiple=True, metavar="NAME=NUMBER",
    help="A limit as in the file, for example move_seconds=1; may be given several times.",
)  # fmt: skip
@click.option("--isolate/--no-isolate", default=None, help=command_line.ISOLATE_HELP)
@click.option("--hook", "hooks", multiple=True, help="A Python file with your own statistics.")
@click.option(
    "--db", type=click.Path(dir_okay=False, path_type=Path), default="results.db", show_default=True,
    help="The ledger that keeps every game; games that it holds are not played again.",
)  # fmt: skip
@click.option("--jobs", type=int, help=command_line.JOBS_HELP)
@command_line.DEVICE
@click.option("--on", metavar="WHERE", help=command_line.ON_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@command_line.verb
def tournament(
    file: Path | None,
    example: bool,
    db: Path,
    jobs: int | None,
    device: str,
    on: str | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Play the tournament of a TOML FILE, or continue it.

    The smallest file: game = "quarto", agents = ["random", "novice"]. Every seating is played equally often, on the
    same deals; every game is kept in the ledger as soon as it ends. The same command continues a stopped tournament and
    plays nothing twice.
    """
    if example:
        from kibitz.arena.plan.plan_file import EXAMPLE

        click.echo(EXAMPLE, nl=False)
        return
    from kibitz.arena.session import preflight

    preflight(1 if jobs is None else jobs, db)
    plan = _plan(file, _as_in_a_file(**flags))
    from kibitz.arena.results.tournament_result import TournamentResult
    from kibitz.arena.show.live import live_view
    from kibitz.arena.show.tournament_table import tournament_table
    from kibitz.arena.tournament import play_tournament, players
    from kibitz.cli.bulk_options import in_ledger, replay_command, show

    def play() -> TournamentResult:
        with players(on) as (player, workers), live_view(f"{plan.game}, {plan.scheme}") as progress:
            return play_tournament(plan, db, workers if jobs is None else jobs, progress, player, device)

    closing = (
        f"All games are in {db}\nfor a page with figures: {command_line.command()} report {plan.run} --db {db}\n"
        f"to see a game: {replay_command(db, str(plan.game))} --game 1"
    )
    show(play, tournament_table, as_json, in_ledger(db, plan.seed is None), closing, faults_end_badly=False)


def _plan(file: Path | None, given: Mapping[str, object]) -> "Plan":
    if file is None and not (given["game"] and given["agents"]):
        raise click.UsageError("name a FILE, or --game and an --agent or more; --example prints a file")
    from kibitz.arena.plan.plan import Plan
    from kibitz.arena.plan.plan_file import read_plan
    from kibitz.core.errors import BadValue

    if file is not None and not file.exists():
        raise BadValue(
            f"there is no file {file}; one to start from: {command_line.command()} tournament --example > {file}"
        )
    return Plan.read(given) if file is None else read_plan(file, given)


def _as_in_a_file(
    openings: str | None, stop: str | None, alpha: float | None, beta: float | None, limits: tuple[str, ...],
    **flags: Any,
) -> dict[str, object]:  # fmt: skip
    """Return the flags of a tournament as its file would say them; a flag that is not given is None."""
    from kibitz.cli.bulk_options import limits_from

    rule = {"better": stop, "alpha": alpha, "beta": beta}
    return {
        **{name: list(value) or None if isinstance(value, tuple) else value for name, value in flags.items()},
        "openings": None if openings is None else command_line.number(openings),
        "stop": {name: value for name, value in rule.items() if value is not None} or None,
        "limits": limits_from(limits),
    }
