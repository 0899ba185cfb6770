"""`kibitz play`: a game in the terminal."""

from pathlib import Path

import click

from kibitz.console.command_line import AGENT_HELP, GAME_HELP, POSITION_HELP, SEED, command, verb, with_position
from kibitz.core.level import LEVELS


@click.command(epilog=f"{GAME_HELP} {AGENT_HELP}")
@click.argument("game", required=False)
@click.argument("agents", nargs=-1)
@click.option("--level", type=click.Choice(LEVELS), help="How well your opponents play, if no agents are named.")
@click.option("--position", help=POSITION_HELP)
@click.option("--seed", type=SEED, help="The seed of the deal and of the agents' dice; default: random.")
@click.option(
    "--resume", is_flag=False, flag_value="", metavar="[FILE]", help="Continue the last unfinished game, or FILE."
)
@click.option(
    "--seat", "seats", multiple=True, metavar="SEAT=AGENT",
    help="With --resume: give a seat, by number or name, to another agent, or to `human`; may be given several times.",
)  # fmt: skip
@click.option("--trust", is_flag=True, help="With --resume: run the code of games and agents named by a path.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the record here at the end.")
@verb
def play(
    game: str | None, agents: tuple[str, ...], level: str | None, position: str | None, seed: int | None,
    resume: str | None, seats: tuple[str, ...], trust: bool, save: Path | None,
) -> None:  # fmt: skip
    """Play GAME in the terminal, one AGENT for each seat; `human` is a person.

    Without agents you play the first seat and the computer the others. Type `help` at the prompt to list commands.
    """
    from kibitz.cli import terminal_game

    if resume is not None:
        if any(given is not None for given in (game, level, position, seed)) or agents:
            raise click.UsageError("--resume takes game, agents and seed from the record; --seat changes an agent")
        terminal_game.resume(Path(resume) if resume else None, dict(map(_seat, seats)), trust, save)
    elif game is None:
        raise click.UsageError(f"name a GAME (`{command()} games` lists them), or --resume the last one")
    elif seats:
        raise click.UsageError("--seat goes with --resume; in a new game name an AGENT for each seat")
    elif agents and level is not None:
        raise click.UsageError("--level chooses the agents, so name either a level or the agents")
    else:
        terminal_game.start(with_position(game, position), agents, level, seed, save)


def _seat(text: str) -> tuple[str, str]:
    seat, equals, agent = text.partition("=")
    if not equals or not agent.strip():
        raise click.UsageError(f"--seat takes SEAT=AGENT, for example 2=random, not {text!r}")
    return seat, agent
