"""`kibitz learn td` and `kibitz learn q`: training by self-play."""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import click

from kibitz.console.command_line import GAME_HELP, SEED, console, verb

_OPTIONS = (
    click.option(
        "--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
        help="Keep the network in this file, a .npz; the same command resumes a run.",
    ),
    click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Learn for this long; default: 60."),
    click.option(
        "--positions", type=click.IntRange(1), help="Learn from N positions; then the seed determines the weights."
    ),
    click.option(
        "--hidden", default="64", show_default=True, help="Units of each hidden layer, as in 64,32; 0 for none."
    ),
    click.option("--encoding", help="What the network is shown; default: the game's first encoding."),
    click.option(
        "--standardise", is_flag=True,
        help="Scale the inputs of a dense encoding to mean 0 and standard deviation 1.",
    ),
    click.option(
        "--lambda", "trace", type=float, help="TD's lambda: how much the result counts against the next estimate."
    ),
    click.option("--epsilon", type=float, help="The probability of a random move."),
    click.option("--rate", type=float, help="The learning rate; it falls to a twentieth of that."),
    click.option("--openings", type=int, help="Games begin with up to N random moves."),
    click.option("--longest", type=int, help="Cut games off after N moves; the network's estimate is their result."),
    click.option("--round", type=int, help="Positions in the replay buffer, which each round fills anew."),
    click.option("--reuse", type=float, help="How often a position is learnt from, on average."),
    click.option("--start", help="A network to begin with, by name or path."),
    click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same network."),
)  # fmt: skip


def _training_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that both ways of training share."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), function)


@click.command(epilog=GAME_HELP)
@click.argument("game")
@_training_options
@click.option("--against", help="The policy that all seats but one play by; default: the network itself.")
@verb
def q(game: str, **options: Any) -> None:
    """Train a network by Q-learning: it learns what each move of GAME earns (with hidden units, DQN).

    It then plays without looking ahead, as the agent 'policy(net(./my.npz, temperature=0))'.
    """
    _train(game, "q", "By its best move", **options)


@click.command(epilog=GAME_HELP)
@click.argument("game")
@_training_options
@click.option("--first", help="The policy that plays at the beginning; default: the network itself.")
@click.option("--watched", type=float, help="The share of the run in which that policy plays; default: 0.05.")
@click.option("--by", help="Let this agent play by the network, and learn from its principal variations (TD-leaf).")
@click.option("--policy", is_flag=True, help="Train a policy head too, for mcts(prior=net(…)).")
@click.option(
    "--device",
    metavar="cpu|gpu",
    default="cpu",
    show_default=True,
    help="Play and learn on the processor, or on a graphics card with thousands of games side by side.",
)
@verb
def td(game: str, **options: Any) -> None:
    """Train a network by TD learning: it plays GAME against itself, looking one move ahead.

    It then judges positions in any search: 'maxn(seconds=1, value=net(./my.npz))'.
    """
    _train(game, "td", "Looking one move ahead", **options)


def _train(
    game: str, method: str, plays: str, out: Path, seconds: float | None, positions: int | None, hidden: str,
    start: str | None, **given: Any,
) -> None:  # fmt: skip
    """Train a network and show progress; `plays` says in words how its strength is measured."""
    from kibitz import games as library
    from kibitz.console.progress_line import changing_line
    from kibitz.core.errors import BadValue
    from kibitz.learn.fit_options import hidden_layers
    from kibitz.learn.training import USUAL_SECONDS, TrainingBudget, train
    from kibitz.learn.training_settings import default_settings
    from kibitz.networks.net import network

    if seconds is not None and positions is not None:
        raise BadValue("name seconds or positions, not both")
    found = library.find(game)
    initial = network(found, start) if start else None
    given["encoding"] = initial.about.encoding if initial else given["encoding"]
    given["hidden"] = tuple(initial.hidden) if initial else hidden_layers(hidden)
    changes = {name: value for name, value in given.items() if value is not None}
    settings = default_settings(found, positions, method, **changes)
    budget = TrainingBudget(positions, None if positions else seconds or USUAL_SECONDS)
    last = None
    with changing_line() as show:
        for last in train(found, settings, budget, out, initial):
            show(f"{found}: {last}")
    if last is None:
        console().print(f"{out} has learnt all that was asked for.", markup=False, highlight=False)
        return
    text = f"{out}: {last.games:,} games, {last.positions:,} positions, error {last.error:.3f}."
    if last.strength is not None:
        scoring, even = found.scoring, found.scoring.level(found.seats)[0]
        known = scoring.by_wins or scoring.total is not None
        text += (
            f" {plays} it earns {last.strength:.2f}{scoring.unit and f' {scoring.unit}'} against {found.usual_value}"
        )
        text += f" (even is {even:.2f})." if known else "."
    console().print(text, markup=False, highlight=False)
