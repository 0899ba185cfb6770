"""The games: one folder each, with the same file names in each; a folder found here is a game.

Packages bring games by entry points of the group `kibitz.games` (core/plugins.py).
"""

from functools import lru_cache
from pathlib import Path

from kibitz.core import plugins
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.core.record import Record as Record
from kibitz.core.record import find_games_by
from kibitz.core.record import read_records as read_records
from kibitz.core.spec import Spec, parse
from kibitz.core.user_files import import_path, is_path

_GROUP = "games"  # of plugins


def names() -> list[str]:
    """Return the names of all games, those that packages bring included, if they can be loaded."""
    return sorted({*_own(), *(plugin.name for plugin, _ in plugins.loaded(_GROUP))})


def _own() -> list[str]:
    return [path.parent.name for path in Path(__file__).parent.glob("*/rules.py")]


def find(text: str | Spec) -> Game:
    """Return the game that a text names, for example `quarto`, `quarto(squares=true)` or `./mygame`."""
    return _find(str(text))


@lru_cache(maxsize=64)
def _find(text: str) -> Game:
    spec = parse(text)
    if is_path(spec.name):
        if not Path(spec.name, "rules.py").is_file():
            raise BadValue(f"there is no game at {spec.name}: {_hint(Path(spec.name))}")
        return Game(import_path(spec.name), spec)
    if spec.name not in _own() and plugins.find(_GROUP, spec.name) is None:
        if Path(spec.name, "rules.py").is_file():
            raise BadValue(f"unknown game {spec.name!r}; a game in a folder is named by its path: ./{spec.name}")
        raise UnknownName("game", spec.name, names())
    return Game(_package(spec.name), spec)


def _hint(folder: Path) -> str:
    """Return what to write in place of a folder that holds no game."""
    inside = sorted(rules.parent.name for rules in folder.glob("*/rules.py"))
    if len(inside) == 1:
        return f"did you mean {str(folder) if folder.is_absolute() else f'./{folder}'}/{inside[0]}?"
    return "a game is a folder with rules.py and its companions"


def _package(name: str) -> str:
    plugin = plugins.find(_GROUP, name, _own())
    if plugin is None:
        return f"{__name__}.{name}"
    return str(plugin.load().__name__)


find_games_by(find)
