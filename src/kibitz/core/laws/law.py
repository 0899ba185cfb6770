"""A law: what must hold for every game; how a game breaks one, and the variants of a game that laws are checked on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.options import Option, as_text
from kibitz.core.spec import Spec
from kibitz.core.table import Table

Law = Callable[[Game, int], str | None]

_known: list[Law] = []


@dataclass(frozen=True)
class Position:
    """How to reach a position: the game, the seed of its deal, and the moves as numbers and as text."""

    game: str
    seed: int
    moves: tuple[int, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, table: Table) -> "Position":
        """Return the position of a table."""
        return cls(str(table.game), table.seed, tuple(table.moves_made), tuple(_texts(table)))

    def __str__(self) -> str:
        both = zip(self.texts, self.moves, strict=True)
        listed = ", ".join(text if text == str(move) else f"{text} ({move})" for text, move in both)
        number = f"{len(self.moves)} move{'s' if len(self.moves) > 1 else ''}"
        made = f"after {number}: {listed}" if self.moves else "before the first move"
        return f"{self.game}, seed {self.seed}, {made}"


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
        position = Position.of(where) if isinstance(where, Table) else where
        super().__init__(f"{sentence} [{position}]" if position else sentence)
        self.sentence, self.position = sentence, position


class DoesNotApply(Exception):
    """A law does not apply to this game; the message says why."""


def law(check: Law) -> Law:
    """Add a law: a function of a game and a seed that raises Broken; its docstring states the law.

    It may return a remark on a game that keeps the law.
    """
    _known.append(check)
    return check


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


def _values(key: str, option: Option) -> Iterator[bool | float | str]:
    if option.sort == "bool":
        yield from (False, True)
    elif option.choices:
        yield from option.choices
    elif key == "seats":
        yield from range(int(option.least or 1), int(option.most or 1) + 1)
    elif option.sort in ("int", "float"):
        yield from (bound for bound in (option.least, option.most) if bound is not None)
