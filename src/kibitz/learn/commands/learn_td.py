"""`kibitz learn td`: TD learning."""

from typing import Any

import click

from kibitz.console.command_line import GAME_HELP, verb
from kibitz.learn.commands.training_command import teach_by_play, teaching_options


@click.command(epilog=GAME_HELP)
@click.argument("game")
@teaching_options
@click.option("--first", help="The policy that plays at the beginning; default: the network itself.")
@click.option("--watched", type=float, help="The share of the run in which that policy plays; default: 0.05.")
@click.option("--by", help="Let this agent play by the network, and learn from the ends of its lines (TD-leaf).")
@click.option("--policy", is_flag=True, help="Teach it too which moves are good, for mcts(prior=net(…)).")
@verb
def td(game: str, **options: Any) -> None:
    """Teach a network GAME by letting it play itself, looking one move ahead (TD learning).

    It then judges positions in any search: 'maxn(seconds=1, value=net(./my.npz))'.
    """
    from kibitz.learn.td import usual_settings

    teach_by_play(game, usual_settings, "Looking one move ahead", **options)
