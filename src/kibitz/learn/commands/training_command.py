"""What `kibitz learn td` and `kibitz learn q` have in common: options, and a run that is shown as it goes."""

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.console.command_line import SEED, console

if TYPE_CHECKING:
    from kibitz.learn.training_settings import TrainingSettings

_OPTIONS = (
    click.option(
        "--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
        help="Keep the network in this file, a .npz; if the same command has begun it, go on.",
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
        help="Learn from a dense encoding as if each of its numbers had mean 0 and spread 1.",
    ),
    click.option(
        "--lambda", "trace", type=float, help="TD's lambda: how much the result counts against the next estimate."
    ),
    click.option("--epsilon", type=float, help="How often a random move is tried."),
    click.option("--rate", type=float, help="How far the first steps go; the last go a twentieth as far."),
    click.option("--openings", type=int, help="Games begin with up to N random moves."),
    click.option("--longest", type=int, help="Games end after N moves, with what the network thinks of them."),
    click.option("--round", type=int, help="Positions that are kept and shuffled before they are learnt from."),
    click.option("--reuse", type=float, help="How often each of them is learnt from, on average."),
    click.option("--start", help="A network to begin with, by name or path."),
    click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same network."),
)  # fmt: skip


def teaching_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options of every run that teaches by play."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), function)


def teach_by_play(
    game: str, usual_settings: Callable[..., "TrainingSettings"], plays: str, out: Path, seconds: float | None,
    positions: int | None, hidden: str, start: str | None, **given: Any,
) -> None:  # fmt: skip
    """Teach a network and tell how it goes; `plays` says in words how its strength is measured."""
    from kibitz import games as library
    from kibitz.core.errors import BadValue
    from kibitz.learn.commands.training_progress_line import learning_line
    from kibitz.learn.fit import sizes
    from kibitz.learn.training import USUAL_SECONDS, TrainingBudget, teach
    from kibitz.networks.net import network

    if seconds is not None and positions is not None:
        raise BadValue("name seconds or positions, not both")
    found = library.find(game)
    begin = network(found, start) if start else None
    given["encoding"] = begin.about.encoding if begin else given["encoding"]
    given["hidden"] = tuple(begin.hidden) if begin else sizes(hidden)
    settings = usual_settings(found, positions, **{name: value for name, value in given.items() if value is not None})
    budget = TrainingBudget(positions, None if positions else seconds or USUAL_SECONDS)
    last = None
    with learning_line(str(found)) as show:
        for last in teach(found, settings, budget, out, begin):
            show(last)
    if last is None:
        console().print(f"{out} has learnt all that was asked for.", markup=False, highlight=False)
        return
    even = 1 / found.seats
    told = "" if last.strength is None else (
        f" {plays} it earns {last.strength:.2f} against {found.usual_value} (even is {even:.2f})."
    )  # fmt: skip
    console().print(
        f"{out}: {last.games:,} games, {last.positions:,} positions, error {last.error:.3f}.{told}", markup=False,
        highlight=False,
    )  # fmt: skip
