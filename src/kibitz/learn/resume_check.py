"""What a run was begun with: one goes on only with the same."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadValue
from kibitz.core.game import Game, option_values
from kibitz.networks.network_file import About
from kibitz.networks.opening_book import BookAbout


def plain_game(game: Game) -> dict[str, Any]:
    """Return what a run keeps of its game, as plain data."""
    return {"game": Path(game.name).name, "version": game.version, "seats": game.seats, **option_values(game)}


def game_of(about: About | BookAbout) -> dict[str, Any]:
    """Return the game that a network or a book was made for, as `plain_game` does."""
    return {"game": about.game, "version": about.version, "seats": about.seats, **about.options}


def check_same(path: Path, before: Mapping[str, Any], now: Mapping[str, Any], what: str) -> None:
    """Refuse to go on with what was begun with something else than now; `what` a run makes."""
    for name in [*now, *before]:
        if before.get(name) != now.get(name):
            raise BadValue(
                f"{path} was begun with {name}={before.get(name)}, not {now.get(name)}; choose another name for "
                f"{what}, or go on with the same"
            )
