"""A Quarto player of the Politecnico di Torino: a class with __init__(quarto), choose_piece() and place_piece().

    python -m kibitz.plugins.courses.adapters.torino_adapter FOLDER MODULE CLASS [ARGUMENTS]

The module `quarto` is the player's own if its folder has one, otherwise that of modules/.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from operator import index
from pathlib import Path
from typing import Any

from kibitz.plugins.courses.adapters.conversation import Message, Side, arguments, converse, player_class

MODULES = Path(__file__).with_name("modules")
MOST_TRIES = 1000  # the course asks again until an answer fits; many players choose at random
COLUMNS = "abcd"


class TorinoPlayer(Side):
    """A player of the course, and the game object that it looks at."""

    game, wants = "quarto", ("view",)

    def __init__(self, folder: str, module: str, cls: str, args: str = ""):
        self.args, self.named = arguments(args)
        self.where, self.name = (folder, module, cls), module
        self.kind: Any = None
        self.player: Any = None
        self.quarto: Any = None
        self.placed: dict[str, str] = {}  # the pieces that the game object has, by cell

    def load(self) -> None:
        """Import the class."""
        self.kind = player_class(*self.where, before=[str(MODULES)])

    def begin(self, message: Message) -> Message:
        """Make a game object and a player that looks at it."""
        self.quarto, self.placed = import_module("quarto").Quarto(), {}
        self.player = self.kind(self.quarto, *self.args, **self.named)
        if hasattr(self.quarto, "set_players"):
            self.quarto.set_players((self.player, self.player))
        return {}

    def decide(self, message: Message) -> Message:
        """Bring the game object up to date, and ask for a cell or a piece."""
        view = message["view"]
        self._bring_up_to_date(view, message["seat"])
        if view["hand"] is None:
            return {"text": _until(lambda: piece_name(self.player.choose_piece()), view["pool"])}
        free = [cell for cell, piece in view["board"].items() if piece is None]
        return {"text": _until(lambda: cell_name(self.player.place_piece()), free)}

    def _bring_up_to_date(self, view: Message, seat: int) -> None:
        board = {cell: piece for cell, piece in view["board"].items() if piece is not None}
        if not self.placed.items() <= board.items():  # another game, or an earlier position of this one
            self.quarto.reset()
            self.placed = {}
        for cell, piece in board.items():
            if cell not in self.placed:
                self.quarto.select(piece_number(piece))
                self.quarto.place(COLUMNS.index(cell[0]), int(cell[1]) - 1)
        self.placed = board
        if view["hand"] is not None:
            self.quarto.select(piece_number(view["hand"]))
        for name in ("_current_player", "_Quarto__current_player"):  # as it was called from year to year
            if hasattr(self.quarto, name):
                setattr(self.quarto, name, seat)


def _until(ask: Callable[[], str], fitting: list[str]) -> str:
    """Ask until an answer fits, as the course does, and return the last."""
    for _ in range(MOST_TRIES):
        answer = ask()
        if answer in fitting:
            break
    return answer


def piece_number(name: str) -> int:
    """Return the course's number of a piece: 8 high, 4 coloured, 2 solid, 1 square; coloured is Kibitz's black."""
    return 8 * (name[1] == "T") + 4 * (name[0] == "B") + 2 * (name[3] == "S") + (name[2] == "Q")


def piece_name(number: Any) -> str:
    """Return Kibitz's name for a piece of the course; anything else is returned as text."""
    try:
        at = index(number)
    except TypeError:
        at = -1
    if not 0 <= at < 16:
        return repr(number)
    return "WB"[at >> 2 & 1] + "ST"[at >> 3 & 1] + "RQ"[at & 1] + "HS"[at >> 1 & 1]


def cell_name(place: Any) -> str:
    """Return Kibitz's name for a cell (column, row); anything else is returned as text."""
    try:
        column, row = map(index, place)
    except (TypeError, ValueError):
        return repr(place)
    return f"{COLUMNS[column]}{row + 1}" if 0 <= column < 4 and 0 <= row < 4 else repr(place)


def cell_number(name: str) -> tuple[int, int] | None:
    """Return the course's (column, row) of a cell, or None if the text names no cell."""
    if len(name) != 2 or name[0] not in COLUMNS or name[1] not in "1234":
        return None
    return COLUMNS.index(name[0]), int(name[1]) - 1


if __name__ == "__main__":
    converse(TorinoPlayer(*sys.argv[1:]))
