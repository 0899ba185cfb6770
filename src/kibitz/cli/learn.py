"""`kibitz learn`: teach networks."""

from pathlib import Path

import click

from kibitz.cli.learn_book import book
from kibitz.cli.learn_compare import compare
from kibitz.cli.learn_data import data
from kibitz.cli.learn_export import export
from kibitz.cli.learn_fit import fit
from kibitz.cli.learn_iterate import iterate
from kibitz.cli.verb import GAME_HELP, SEED, console, verb

NO_HIDDEN = "0"


@click.group()
def learn() -> None:
    """Teach networks by play, and use what others play."""


@learn.command(epilog=GAME_HELP)
@click.argument("game")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
    help="Keep the network in this file, a .npz; if the same command has begun it, go on.",
)  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Learn for so long; 60 if not said.")
@click.option(
    "--positions", type=click.IntRange(1), help="Learn from so many positions; then the seed settles the weights."
)
@click.option("--hidden", default="64", show_default=True, help="Units of each hidden layer, as in 64,32; 0 for none.")
@click.option("--encoding", help="What the network is shown; the game's first encoding if not said.")
@click.option(
    "--lambda", "trace", type=float, help="How much of what came of a game counts against the next guess at it."
)
@click.option("--epsilon", type=float, help="How often a random move is tried.")
@click.option("--rate", type=float, help="How far the first steps go; the last go a twentieth as far.")
@click.option("--openings", type=int, help="Games begin with up to so many random moves.")
@click.option("--longest", type=int, help="Games end after so many moves, with what the network thinks of them.")
@click.option("--first", help="The policy that plays at the beginning; the network itself if not said.")
@click.option("--by", help="Let this agent play by the network, and learn from the ends of its lines (TD-leaf).")
@click.option("--policy", is_flag=True, help="Teach it too which moves are good, for mcts(prior=net(…)).")
@click.option("--start", help="A network to begin with, by name or path.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same network.")
@verb
def td(
    game: str, out: Path, seconds: float | None, positions: int | None, hidden: str, encoding: str | None,
    trace: float | None, epsilon: float | None, rate: float | None, openings: int | None, longest: int | None,
    first: str | None, by: str | None, policy: bool,
    start: str | None, seed: int,
) -> None:  # fmt: skip
    """Teach a network GAME by letting it play itself, looking one move ahead (TD learning).

    It then judges positions in any search: 'maxn(seconds=1, value=net(./my.npz))'.
    """
    from kibitz import games as library
    from kibitz.cli.learning_line import learning_line
    from kibitz.core.errors import BadValue
    from kibitz.learn.td import USUAL_SECONDS, Budget, teach, usual_lesson

    if seconds is not None and positions is not None:
        raise BadValue("name seconds or positions, not both")
    found = library.find(game)
    begin = found.network(start) if start else None
    given = {
        "encoding": begin.about.encoding if begin else encoding, "trace": trace, "epsilon": epsilon, "rate": rate,
        "openings": openings, "longest": longest, "first": first, "by": by,
        "policy": policy,
        "seed": seed,
        "hidden": tuple(begin.hidden) if begin else sizes(hidden),
    }  # fmt: skip
    lesson = usual_lesson(found, positions, **{name: value for name, value in given.items() if value is not None})
    budget = Budget(positions, None if positions else seconds or USUAL_SECONDS)
    last = None
    with learning_line(str(found)) as show:
        for last in teach(found, lesson, budget, out, begin):
            show(last)
    if last is None:
        console().print(f"{out} has learnt all that was asked for.", markup=False, highlight=False)
        return
    even = 1 / found.seats
    told = "" if last.strength is None else (
        f" Looking one move ahead it earns {last.strength:.2f} against {found.usual_value} (even is {even:.2f})."
    )  # fmt: skip
    console().print(
        f"{out}: {last.games:,} games, {last.positions:,} positions, error {last.error:.3f}.{told}", markup=False,
        highlight=False,
    )  # fmt: skip


def sizes(text: str) -> tuple[int, ...]:
    """Return the sizes of hidden layers that a text names."""
    from kibitz.core.errors import BadValue

    try:
        return () if text.strip() == NO_HIDDEN else tuple(int(word) for word in text.split(","))
    except ValueError:
        raise BadValue(f"hidden layers are numbers, as in 64 or 64,32, not {text!r}") from None


for _verb in (book, compare, data, export, fit, iterate):
    learn.add_command(_verb)
