"""A law: what must hold for every game; and how a game breaks one."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.table import Table

Law = Callable[[Game, int], str | None]

_known: list[Law] = []


@dataclass(frozen=True)
class Position:
    """How a position came about: the game, the seed of its deal and the moves made, as numbers and as text."""

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

    def as_dict(self) -> dict[str, Any]:
        """Return the position as plain data."""
        return {"game": self.game, "seed": self.seed, "moves": list(self.moves), "texts": list(self.texts)}


def _texts(table: Table) -> list[str]:
    """Return the moves made as texts; as numbers from where the notation or the rules fail."""
    again, texts = Table(table.game, table.seed), []
    try:
        for move in table.moves_made:
            texts.append(again.write(move))
            again.play(move)
    except Exception:
        texts += map(str, table.moves_made[len(texts) :])
    return texts


class Broken(KibitzError):
    """A game breaks a law; the sentence says how, the position where."""

    def __init__(self, sentence: str, position: Position | None = None):
        super().__init__(f"{sentence} [{position}]" if position else sentence)
        self.sentence, self.position = sentence, position


class DoesNotApply(Exception):
    """A law says nothing about this game; the message says why."""


def law(check: Law) -> Law:
    """Add a law: a function of a game and a seed that raises Broken, with the law as its docstring.

    What it returns, if anything, is a remark on a game that keeps the law.
    """
    _known.append(check)
    return check


def laws_in(module: ModuleType) -> list[Law]:
    """Return the laws of a module, in the order in which it states them."""
    return [check for check in _known if check.__module__ == module.__name__]


def statement(check: Law) -> str:
    """Return a law in words."""
    return " ".join((check.__doc__ or "").split())
