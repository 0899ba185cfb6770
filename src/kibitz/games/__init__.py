"""The games: one folder each, with the same file names in each; a folder found here is a game."""

from functools import lru_cache
from pathlib import Path

from kibitz.core.errors import UnknownName
from kibitz.core.game import Game
from kibitz.core.spec import Spec, parse


def names() -> list[str]:
    """Return the names of all games."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/rules.py"))


def find(text: str | Spec) -> Game:
    """Return the game that a text names, for example `quarto` or `quarto(squares=true)`."""
    return _find(str(text))


@lru_cache(maxsize=64)
def _find(text: str) -> Game:
    spec = parse(text)
    if spec.name not in names():
        raise UnknownName("game", spec.name, names())
    return Game(f"{__name__}.{spec.name}", spec)
