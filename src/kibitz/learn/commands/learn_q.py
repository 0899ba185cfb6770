"""`kibitz learn q`: Q-learning."""

from typing import Any

import click

from kibitz.console.command_line import GAME_HELP, verb
from kibitz.learn.commands.training_command import teach_by_play, teaching_options


@click.command(epilog=GAME_HELP)
@click.argument("game")
@teaching_options
@click.option("--against", help="The policy that all seats but one play by; default: the network itself.")
@verb
def q(game: str, **options: Any) -> None:
    """Teach a network GAME by letting it learn what each move earns (Q-learning; with hidden units, DQN).

    It then plays without looking ahead, as the agent 'policy(net(./my.npz, heat=0))'.
    """
    from kibitz.learn.q import usual_settings

    teach_by_play(game, usual_settings, "By its best move", **options)
