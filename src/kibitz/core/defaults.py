"""Defaults for a game that has only rules: a value, a notation and fields."""

from kibitz.core.arrays import Int64s
from kibitz.core.cells import Cells
from kibitz.core.contract import UNKNOWN, rule
from kibitz.core.heuristics import value
from kibitz.core.native import helper


@value
def zero(state, weights, seat):
    """Zero for every unfinished position, so that only payoffs count."""
    return 0.0


@helper
def set_up(state, options):
    """Copy a position into a state; it comes in place of the options: the number of cells, then the cells."""
    for i in range(options[0]):
        state[i] = options[i + 1]


@rule
def deal(state, options, rng):
    set_up(state, options)


class Numbers:
    """Moves as plain numbers."""

    @staticmethod
    def write(view: Int64s, move: int) -> str:
        """Return the text of a move."""
        return str(move)

    @staticmethod
    def fold(text: str) -> str:
        """Return a text without spaces around it."""
        return text.strip()


class NamedFields:
    """A view as plain data: its cells by name."""

    def __init__(self, cells: Cells):
        self._groups = [(name.lower(), start, cells.sizes[name]) for name, start in cells.starts.items()]

    def fields(self, view: Int64s, seat: int) -> dict[str, int | list[int | None] | None]:
        """Return the cells, each group under its name; hidden cells are None."""
        cells = [None if cell == UNKNOWN else cell for cell in view.tolist()]
        return {name: cells[start] if size == 1 else cells[start : start + size] for name, start, size in self._groups}
