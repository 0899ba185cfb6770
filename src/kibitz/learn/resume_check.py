"""Checks that a run resumes only with the settings it was begun with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadValue
from kibitz.core.game import Game, option_values
from kibitz.networks.network_file import About
from kibitz.networks.opening_book import BookAbout


def plain_game(game: Game) -> dict[str, Any]:
    """Return the game of a run as plain data."""
    return {"game": Path(game.name).name, "version": game.version, "seats": game.seats, **option_values(game)}


def game_of(about: About | BookAbout) -> dict[str, Any]:
    """Return the game that a network or a book was made for, in the form of `plain_game`."""
    return {"game": about.game, "version": about.version, "seats": about.seats, **about.options}


def check_same(path: Path, before: Mapping[str, Any], now: Mapping[str, Any], what: str) -> None:
    """Refuse to resume a run whose settings have changed; `what` names its product in the error."""
    for name in [*now, *before]:
        if before.get(name) != now.get(name):
            raise BadValue(
                f"{path} was begun with {name}={before.get(name)}, not {now.get(name)}; choose another name for "
                f"{what}, or go on with the same"
            )
