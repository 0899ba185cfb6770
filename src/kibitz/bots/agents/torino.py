"""The agent that is a Quarto player of the Politecnico di Torino's course."""

from kibitz.bots.agents.bot import start_options
from kibitz.bots.student import Student, where_options
from kibitz.bots.walls import Walls
from kibitz.core.errors import BadValue


class Torino(Student):
    """A class with choose_piece() and place_piece(), as the Torino course has it: torino(./players, main, MyPlayer)."""

    convention = "torino"
    OPTIONS = {**where_options("Player"), **start_options(memory=2048, start=60.0)}

    def prepare(  # type: ignore[override]
        self, path: str, module: str, cls: str, walls: str, memory: int, cpu: int | None, seconds: float, start: float,
        fresh: bool,
    ) -> None:  # fmt: skip
        """Look where the class is."""
        if self.game.name != "quarto" or self.game.options["squares"]:
            raise BadValue(f"torino: its players play quarto without squares, not {self.game}")
        self.host(path, module, cls, Walls(walls, memory, cpu), seconds, start, fresh)
