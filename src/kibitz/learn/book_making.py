"""Making an opening book: an agent plays itself, and the book keeps its choices in the first plies.

Some of the moves played are random, so that the book also has answers to moves that the agent would not make. Every
game has its own deal.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz.agents import build
from kibitz.agents.agent import Agent, decide_at
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadValue
from kibitz.core.game import Game, option_values
from kibitz.core.seeds import LEARN, derive_seed
from kibitz.core.table import Table
from kibitz.core.user_files import check_writable, write_bytes
from kibitz.learn.exploration import explores
from kibitz.learn.resume_check import check_same, game_of, plain_game
from kibitz.networks.opening_book import Book, as_bytes, new_book, normal_form, read_book

_BOOK = 7  # the number of its streams


@dataclass(frozen=True)
class BookProgress:
    """How far a book has come."""

    games: int
    positions: int
    choices: int


def make_book(
    game: Game, agent: str, games: int, plies: int, explore: float, out: Path, seed: int = 1
) -> Iterator[BookProgress]:
    """Let an agent play the first plies of games and keep its choices; resume the book in `out` if there is one.

    The file is written after every game, before progress is yielded.
    """
    book = _begun(game, agent, plies, explore, seed, out)
    done = book.about.made["games"]
    mind = build(agent, game, derive_seed(seed, LEARN, _BOOK, done))
    for number in range(done, games):
        _play(game, mind, book, plies, explore, derive_seed(seed, LEARN, _BOOK, number))
        book.about.made["games"] = number + 1
        write_bytes(out, as_bytes(book))
        chosen = sum(count for found in book.rows.values() for count, _ in found.values())
        yield BookProgress(number + 1, len(book.rows), chosen)


def _begun(game: Game, agent: str, plies: int, explore: float, seed: int, out: Path) -> Book:
    """Return the book of an earlier run with the same settings, or an empty one."""
    made = {"method": "book", "agent": agent, "plies": plies, "explore": explore, "seed": seed}
    if not out.exists():
        check_writable(out)
        return new_book(game, option_values(game), {**made, "games": 0})
    found = read_book(out)
    check_same(out, game_of(found.about), plain_game(game), "a new book")
    check_same(out, {name: found.about.made.get(name) for name in made}, made, "a new book")
    if type(found.about.made.get("games")) is not int:
        raise BadValue(f"{out} is damaged: it does not say how many games are in it")
    return found


def _play(game: Game, mind: Agent, book: Book, plies: int, explore: float, seed: int) -> None:
    """Play the first plies of a game and keep the choices."""
    table, rng = Table(game, seed), dice(seed)
    while not table.over and table.ply < plies:
        view, legal = table.view(table.turn), table.moves()
        chosen = decide_at(table, mind)
        if len(legal) > 1:
            position, rename = normal_form(game, view)
            book.add(position, rename(chosen.move), float(chosen.considered.get(chosen.move, 0.0)))
        if explores(rng, explore):
            table.play(legal[int(roll(rng, len(legal)))])
        else:
            table.play(chosen.move)
