"""`kibitz learn iterate`: expert iteration."""

from pathlib import Path
from typing import Any

import click

from kibitz.console.command_line import AGENT_HELP, GAME_HELP, SEED, console, verb


@click.command(epilog=f"{GAME_HELP} {AGENT_HELP}")
@click.argument("game")
@click.option("--agent", required=True, help="The search; the network is its value and, for mcts, also its prior.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Rounds, with those of an earlier run.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
    help="The network that was kept last; a folder beside it holds the files of all rounds, and a run resumes from it.",
)  # fmt: skip
@click.option(
    "--start", help="A network to begin with, by name or path; without one the first round plays by AGENT alone."
)
@click.option("--games", type=click.IntRange(1), help="Games of self-play a round; default: 200.")
@click.option("--window", type=click.IntRange(1), help="Fit to the data of the last N rounds; default: 4.")
@click.option("--hidden", default="64", show_default=True, help="Units of each hidden layer of a first network.")
@click.option("--result", type=float, help="As in learn fit; default: 0.5.")
@click.option("--epochs", type=int, help="As in learn fit; default: 20.")
@click.option("--rate", type=float, help="As in learn fit; default: 0.001.")
@click.option("--better", type=float, help="The gain over an even share that the test looks for; default: 0.05.")
@click.option("--gate-games", type=click.IntRange(1), help="Games of the test, at most; default: 400.")
@click.option("--openings", type=int, help="Games of self-play begin with up to N random moves; default: 6.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Games played at a time.")
@verb
def iterate(
    game: str, agent: str, rounds: int, out: Path, start: str | None, hidden: str, seed: int, jobs: int, **told: Any
) -> None:
    """Train a network by expert iteration: it learns GAME from the search that uses it.

    A round plays games, fits a network to the search's data, and lets the search with it play the search with the one
    before; the new one is kept if a sequential test says that it is better.
    """
    from kibitz import games as library
    from kibitz.console.progress_line import changing_line
    from kibitz.learn.fit_options import hidden_layers
    from kibitz.learn.iteration import IterationOptions, iterate
    from kibitz.networks.net import network

    found = library.find(game)
    first = network(found, start) if start else None
    given = {name: value for name, value in told.items() if value is not None}
    how = IterationOptions(agent, hidden=hidden_layers(hidden), seed=seed, start=first.digest if first else "", **given)
    with changing_line() as show:
        for step in iterate(found, how, rounds, out, first, jobs, show):
            console().print(str(step), markup=False, highlight=False, soft_wrap=True)
    last = f"{out} holds the last that was kept." if out.exists() else "None was kept."
    console().print(f"{rounds} rounds. {last}", markup=False, highlight=False, soft_wrap=True)
