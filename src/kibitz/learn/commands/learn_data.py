"""`kibitz learn data`: positions with the targets of a search, for `kibitz learn fit`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.console.command_line import AGENT_HELP, GAME_HELP, SEED, console, verb

if TYPE_CHECKING:
    from kibitz.core.game import Game
    from kibitz.core.record import Record


@click.command(epilog=f"{GAME_HELP} {AGENT_HELP}")
@click.argument("game")
@click.argument("agent", required=False)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
    help="Keep the data in this file, a .npz; the same command resumes a run.",
)  # fmt: skip
@click.option("--games", type=click.IntRange(1), help="AGENT plays N games against itself; default: 100.")
@click.option(
    "--records", type=click.Path(dir_okay=False, path_type=Path),
    help="Take the games of this file of records or ledger; without AGENT, the moves made are the targets.",
)  # fmt: skip
@click.option("--run", help="Which run of a ledger; default: the newest.")
@click.option("--encoding", help="What a network will be shown; default: the game's first encoding.")
@click.option("--openings", type=int, help="Games begin with up to N random moves; default: 6.")
@click.option("--epsilon", type=float, help="The probability of a random move; default: 0.05.")
@click.option(
    "--temperature", type=float,
    help="How soft targets are: visits count to the power 1/T; or a move worth T more has e times the share.",
)  # fmt: skip
@click.option("--longest", type=int, help="Cut games off after N moves; default: 1000.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same data.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Games played at a time.")
@verb
def data(
    game: str, agent: str | None, out: Path, games: int | None, records: Path | None, run: str | None,
    encoding: str | None, openings: int | None, epsilon: float | None, temperature: float | None, longest: int | None,
    seed: int, jobs: int,
) -> None:  # fmt: skip
    """Keep positions of GAME with the targets that AGENT's search gives.

    Each has its encoding, from the side of the seat to move, the legal moves with AGENT's policy (visits, or softmax of
    values), its value for each seat, and the result of the game.
    """
    from kibitz import games as library
    from kibitz.console.progress_line import changing_line
    from kibitz.core.errors import BadValue
    from kibitz.learn.data_generation import default_data_options, generate, generate_from_records

    found = library.find(game)
    how = default_data_options(
        found, agent=agent, encoding=encoding, openings=openings, epsilon=epsilon, temperature=temperature,
        longest=longest, seed=seed,
    )  # fmt: skip
    if records is None:
        begun = generate(found, how, games or 100, out, jobs)
    elif games is not None:
        raise BadValue("name games to play or records of games, not both")
    else:
        begun = generate_from_records(found, how, _records(records, found, run), str(records), out, jobs)
    with changing_line() as show:
        for progress in begun:
            show(f"{found}: {progress}")
    assert begun.data is not None
    text = f"{out}: {begun.data.done:,} games, {len(begun.data):,} positions of {found}, shown by {how.encoding}."
    unjudged = begun.data.unjudged
    if agent is not None and unjudged:
        text += (
            f" For {unjudged:,} of them the agent gave no win probabilities (there was one legal move, or its values"
            " are on another scale); there, only the result of the game can be learnt."
        )
    console().print(text, markup=False, highlight=False)


def _records(path: Path, game: "Game", run: str | None) -> "Iterator[Record]":
    """Yield the games of a file, which must all be of this game; no code that records name is run."""
    from kibitz.arena.kept_games import kept_games
    from kibitz.core.errors import BadRecord
    from kibitz.core.game import option_values

    number = 0
    for number, record in kept_games(path, True, run):
        same = _place(record.game) == _place(game.name)
        if not same or (record.version, record.options) != (game.version, option_values(game)):
            raise BadRecord(
                f"{path}, game {number} is of {record.game} version {record.version} with {record.options}, not of "
                f"{game} version {game.version}"
            )
        yield record
    if not number:
        raise BadRecord(f"{path} holds no records")


def _place(game: str) -> str:
    """Return the same text for all names of one game."""
    from kibitz.core.user_files import is_path

    return str(Path(game).resolve()) if is_path(game) else game
