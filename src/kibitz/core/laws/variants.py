"""The variants of a game that laws are tried on."""

from collections.abc import Iterator
from typing import Any

from kibitz.core.game import Game
from kibitz.core.options import Option, as_text
from kibitz.core.spec import Spec


def variants(game: Game) -> list[Spec]:
    """Return the game as it is, and with each option in turn at each choice or at its extremes."""
    found = [Spec(game.name)]
    for key, option in game.declared.items():
        for value in _values(key, option):
            if value != option.default:
                found.append(Spec(game.name, {key: Spec(as_text(value))}))
    return found


def _values(key: str, option: Option) -> Iterator[Any]:
    if option.sort == "bool":
        yield from (False, True)
    elif option.choices:
        yield from option.choices
    elif key == "seats":
        yield from range(int(option.least or 1), int(option.most or 1) + 1)
    elif option.sort in ("int", "float"):
        yield from (bound for bound in (option.least, option.most) if bound is not None)
