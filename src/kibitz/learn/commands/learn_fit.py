"""`kibitz learn fit`: a network fitted to data."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import SEED, console, verb

if TYPE_CHECKING:
    from kibitz.networks.network_file import Network


@click.command()
@click.argument("data", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Write the network here, a .npz."
)
@click.option("--start", help="A network to begin with, by name or path.")
@click.option("--hidden", default="64", show_default=True, help="Units of each hidden layer, as in 64,32; 0 for none.")
@click.option("--activation", help="Hidden units: relu or sigmoid; default: relu.")
@click.option(
    "--result", type=float, default=0.5, show_default=True,
    help="The share of the game's result in the target values; the rest is the search's value.",
)  # fmt: skip
@click.option("--policy/--no-policy", default=True, help="Whether to fit a policy head too.")
@click.option("--policy-error", help="Cross-entropy over legal moves (legal) or all moves (all), or squares (squared).")
@click.option("--policy-weight", type=float, help="Weight of the policy's error beside the value's; default: 1.")
@click.option("--epochs", type=int, help="Epochs, at most; default: 30.")
@click.option("--patience", type=int, help="Stop after N epochs without a smaller error on held-out games.")
@click.option("--held", type=float, help="The share of games held out; default: 0.1.")
@click.option("--batch", type=int, help="Positions in a batch; default: 512.")
@click.option("--rate", type=float, help="The learning rate; it falls to a twentieth of that; default: 0.002.")
@click.option("--decay", type=float, help="Weight decay; default: 0.0001.")
@click.option("--seed", type=SEED, help="The same seed gives the same weights, on one kind of machine.")
@click.option("--by", help="The array library: numpy, or jax if it is installed.")
@verb
def fit(
    data: tuple[Path, ...], out: Path, start: str | None, hidden: str, result: float, policy: bool, **told: object
) -> None:
    """Fit a network to DATA, policy and value together.

    Some games are held out, and the weights with the least error on them are kept. On a machine without Kibitz's other
    requirements, run python -m kibitz.learn.fit.
    """
    from kibitz.console.progress_line import changing_line
    from kibitz.learn.fit import FitTask, epoch_line, fit_files, summary
    from kibitz.learn.fit_options import FitOptions, hidden_layers

    options = FitOptions(**{name: value for name, value in told.items() if value is not None})  # type: ignore[arg-type]
    task = FitTask(hidden_layers(hidden), result, policy, _network(start, data[0]) if start else None)
    with changing_line() as show:
        found = fit_files(data, out, task, options, lambda epoch: show(epoch_line(epoch, options.epochs)))
    for line in summary(out, found):
        console().print(line, markup=False, highlight=False)


def _network(name: str, data: Path) -> "Network":
    """Return a network by its path, or by its name among those of the data's game.

    The data may come from anywhere, so it may name only games of the library, never code elsewhere.
    """
    from kibitz import games
    from kibitz.core.errors import BadValue
    from kibitz.core.game import spec_of
    from kibitz.core.user_files import is_network_path
    from kibitz.learn.data_file import read_data
    from kibitz.networks.net import network
    from kibitz.networks.network_file import read_network

    if is_network_path(name):
        return read_network(Path(name))
    about = read_data(data).about
    if about.game not in games.names():
        raise BadValue(
            f"{data} is of {about.game}, a game of your own; name the network to begin with by the path of its file, "
            f"not {name!r}"
        )
    return network(games.find(spec_of(about.game, about.options)), name)
