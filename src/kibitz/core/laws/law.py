"""A law: what must hold for every game; how a game breaks one, and the variants of a game that laws are checked on."""

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from itertools import combinations
from types import ModuleType

import numpy as np

from kibitz.core.contract import CHANCE, OVER
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.options import Option, as_text
from kibitz.core.spec import Spec
from kibitz.core.table import Table
from kibitz.core.user_files import explained

Law = Callable[[Game, int], str | None]

_known: list[Law] = []


MOST_LISTED = 12  # moves of a position
MOST_SHOWN = 40  # moves that lead to a position
MOST_PAIRS = 100  # variants with two options changed together


@dataclass(frozen=True)
class Position:
    """How to reach a position: the game, the seed of its deal, and the moves as numbers and as text.

    `guess_of` is the number of the seat, from 1, if the position is a world that this seat guessed there.
    """

    game: str
    seed: int
    moves: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    turn: str = ""  # who is to move, in words
    guess_of: int | None = None
    at_table: bool = True  # whether a table that deals by the seed takes these moves, what chance does included

    @classmethod
    def of(cls, table: Table, guesser: int | None = None) -> "Position":
        """Return the position of a table, or a world that a seat guesses there."""
        guess_of = None if guesser is None else guesser + 1
        made = tuple(table.moves_made)
        return cls(str(table.game), table.seed, made, tuple(_texts(table)), turn_in_words(table.turn), guess_of)

    def __str__(self) -> str:
        both = list(zip(self.texts, self.moves, strict=True))
        listed = [text if text == str(move) else f"{text} ({move})" for text, move in both[-MOST_SHOWN:]]
        left_out = ["…"] if len(both) > MOST_SHOWN else []
        number = f"{len(self.moves):,} move{'s' if len(self.moves) > 1 else ''}"
        made = f"after {number}: {', '.join([*left_out, *listed])}" if self.moves else ""
        made = made or ("before the first move" if self.turn else "")
        guessed = f"a world guessed by seat {self.guess_of} in " if self.guess_of else ""
        return ", ".join(filter(None, (f"{guessed}{self.game}", f"seed {self.seed}", self.turn, made)))


def turn_in_words(turn: int) -> str:
    """Return who is to move, by what the cell SEAT holds."""
    return {OVER: "the game over"}.get(turn, f"{mover_in_words(turn)} to move")


def mover_in_words(turn: int) -> str:
    """Return whom the cell SEAT names, also if it is wrong."""
    if turn >= 0:
        return f"seat {turn + 1}"
    return {OVER: "nobody", CHANCE: "chance"}.get(turn, f"nobody (SEAT is {turn})")


def plainly(given: object) -> str:
    """Return a value as Python writes it, a NumPy number without its type."""
    return repr(given.item() if isinstance(given, np.generic) else given)


def some_of(moves: Sequence[object]) -> str:
    """Return a list of moves in words; of a long one the first and how many there are."""
    listed = ", ".join(map(str, moves[:MOST_LISTED]))
    return f"[{listed}]" if len(moves) <= MOST_LISTED else f"[{listed}, …: {len(moves):,} in all]"


def _texts(table: Table) -> list[str]:
    """Return the moves made as texts; as numbers once the notation or a rule fails."""
    again, texts = Table(table.game, table.seed), list[str]()
    try:
        texts += map(again.roll_text, again.rolls)
        while again.ply < table.ply:
            move = table.moves_made[again.ply]
            texts.append(again.write(move))
            again.play(move)
            texts += map(again.roll_text, again.rolls)
    except Exception:
        texts += map(str, table.moves_made[len(texts) :])
    return texts


class Broken(KibitzError):
    """A game breaks a law: how, as a sentence, and in which position."""

    def __init__(self, sentence: str, where: Position | Table | None = None):
        guesser = _examined.get().guesser
        position = Position.of(where, guesser) if isinstance(where, Table) else where
        super().__init__(f"{sentence} [{position}]" if position else sentence)
        self.sentence, self.position = sentence, position


class Failed(Broken):
    """A law cannot be tried, because something fails that the law asks for."""


class DoesNotApply(Exception):
    """A law does not apply to this game; the message says why."""


@dataclass(frozen=True)
class _Examined:
    """What a law is looking at: a table, and the seat whose guess there is meant, if one is."""

    table: Table | None = None
    guesser: int | None = None

    def position(self, game: Game, seed: int) -> Position:
        return Position(str(game), seed) if self.table is None else Position.of(self.table, self.guesser)


_NOTHING = _Examined()
_examined: ContextVar[_Examined] = ContextVar("_examined", default=_NOTHING)


def examine(table: Table, guesser: int | None = None) -> None:
    """Note what a law looks at from now on: a table, or a world that a seat guesses there."""
    _examined.set(_Examined(table, guesser))


def law(check: Law) -> Law:
    """Add a law: a function of a game and a seed that raises Broken; its docstring states the law.

    It may return a remark on a game that keeps the law. Whatever it raises names the position that it examined last.
    """

    @wraps(check)
    def placed(game: Game, seed: int) -> str | None:
        _examined.set(_NOTHING)
        try:
            return check(game, seed)
        except DoesNotApply:
            raise
        except Broken as error:
            if error.position is None:
                raise type(error)(error.sentence, _examined.get().position(game, seed)) from error
            raise
        except Exception as error:
            sentence = str(error) if isinstance(error, KibitzError) else explained(error)
            raise Failed(sentence, _examined.get().position(game, seed)) from error

    _known.append(placed)
    return placed


def laws_in(module: ModuleType) -> list[Law]:
    """Return the laws of a module, in the order of the module."""
    return [check for check in _known if check.__module__ == module.__name__]


def statement(check: Law) -> str:
    """Return a law in words."""
    return " ".join((check.__doc__ or "").split())


def variants(game: Game) -> list[Spec]:
    """Return the game with its defaults, and with each option in turn at each of its choices or at its extremes."""
    found = [Spec(game.name)]
    for key, option in game.declared.items():
        for value in _values(key, option):
            if value != option.default:
                found.append(Spec(game.name, {key: Spec(as_text(value))}))
    return found


def pairs(game: Game) -> list[Spec]:
    """Return the game with any two options changed together, each as in `variants`; every nth if there are many."""
    singles = [next(iter(spec.args.items())) for spec in variants(game)[1:]]
    found = [Spec(game.name, dict(both)) for both in combinations(singles, 2) if len(dict(both)) == 2]
    return found[:: -(-len(found) // MOST_PAIRS) or 1]


def _values(key: str, option: Option) -> Iterator[bool | float | str]:
    if option.sort == "bool":
        yield from (False, True)
    elif option.choices:
        yield from option.choices
    elif key == "seats":
        yield from range(int(option.least or 1), int(option.most or 1) + 1)
    elif option.sort in ("int", "float"):
        yield from (bound for bound in (option.least, option.most) if bound is not None)
