"""`kibitz play`: a game in the terminal."""

from pathlib import Path

import click

from kibitz.cli.verb import AGENT_HELP, GAME_HELP, SEED, verb


@click.command(epilog=f"{GAME_HELP} {AGENT_HELP}")
@click.argument("game", required=False)
@click.argument("agents", nargs=-1)
@click.option("--seed", type=SEED, help="The deal and the agents' dice; a random one if not given.")
@click.option(
    "--resume", is_flag=False, flag_value="", metavar="[FILE]", help="Continue the game that was left last, or FILE."
)
@click.option("--trust", is_flag=True, help="With --resume: run the code of games and agents named by a path.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the record here at the end.")
@verb
def play(
    game: str | None, agents: tuple[str, ...], seed: int | None, resume: str | None, trust: bool, save: Path | None
) -> None:
    """Play GAME in the terminal, one AGENT for each seat; `human` is a person.

    Without agents you have the first seat and the computer the others. Type `help` at the prompt for what you can do.
    """
    from kibitz.cli import terminal_game

    if resume is not None:
        if game is not None or agents or seed is not None:
            raise click.UsageError("--resume takes game, agents and seed from the record; name none of them")
        terminal_game.resume(Path(resume) if resume else None, trust, save)
    elif game is None:
        raise click.UsageError("name a GAME (see `kibitz games`), or --resume the last one")
    else:
        terminal_game.start(game, agents, seed, save)
