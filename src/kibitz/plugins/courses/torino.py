"""The agent for Quarto players of the Politecnico di Torino's course."""

from collections.abc import Callable

import numpy as np

from kibitz.agents.agent import Decision
from kibitz.bots.agents.bot import start_options
from kibitz.bots.bot_fault import ILLEGAL, BotFault
from kibitz.bots.protocol import Move
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.core.errors import BadValue
from kibitz.core.options import Option
from kibitz.games.quarto.fields import PIECE_NAMES
from kibitz.games.quarto.rules import HAND, NONE
from kibitz.plugins.courses.adapters.conversation import arguments
from kibitz.plugins.courses.adapters.torino_adapter import cell_number, piece_number
from kibitz.plugins.courses.student import Student, where_options


class Torino(Student):
    """A class with choose_piece() and place_piece(), as the Torino course has it: torino(./players, main, MyPlayer)."""

    convention = "torino"
    GAMES = ("quarto",)
    OPTIONS = {
        **where_options("Player"),
        "args": Option("", "what its constructor is given after the game object, as in args='depth=3'", by_name=True),
        **start_options(memory=2048, start=60.0),
        "seconds": Option(600.0, "for a move in a game without a clock", least=0.01, most=1_000_000),
    }

    def prepare(  # type: ignore[override]
        self, path: str, module: str, cls: str, args: str, walls: str, memory: int, cpu: int | None, seconds: float,
        start: float, fresh: bool,
    ) -> None:  # fmt: skip
        """Find the class."""
        if self.game.name != "quarto" or self.game.options["squares"]:
            raise BadValue(f"torino: its players play quarto without squares, not {self.game}")
        try:
            arguments(args)
        except ValueError as error:
            raise BadValue(f"torino: args are {args!r:.80}; {error}") from None
        self.host(path, module, cls, Sandbox(walls, memory, cpu), seconds, start, fresh, args)

    def decide(self, view: np.ndarray) -> Decision:
        """Ask the player for a cell or a piece."""
        self.asked = "choose_piece()" if view[HAND] == NONE else "place_piece()"
        return super().decide(view)

    def _move(self, answer: Move, view: np.ndarray, moves: list[int]) -> int:
        """Return the move; of one that is not legal the player's author is told in the words of the course."""
        try:
            return super()._move(answer, view, moves)
        except BotFault as fault:
            if fault.kind != ILLEGAL:
                raise
        legal, said = self.game.texts(view, moves), answer.text or ""
        if cell_number(legal[0]) is None:
            given, left = _shown(said, piece_number), sorted(map(piece_number, legal))
            pieces = ", ".join(map(str, left))
            raise BotFault(ILLEGAL, f"choose_piece() returned {given}; the pieces left are {pieces}")
        given, cells = _shown(said, cell_number), ", ".join(str(cell_number(text)) for text in legal)
        raise BotFault(ILLEGAL, f"place_piece() returned {given}; the free cells, as (column, row), are {cells}")


def _shown(said: str, number: Callable[[str], object]) -> str:
    """Return what a player returned as its author knows it."""
    is_name = said in PIECE_NAMES or cell_number(said) is not None
    return str(number(said)) if is_name else said
