"""Defaults for a game that has only rules: a value, a notation, a scene and fields."""

from collections.abc import Sequence
from textwrap import wrap

from kibitz.core.arrays import Int64s
from kibitz.core.cells import Cells
from kibitz.core.contract import OVER, UNKNOWN, rule
from kibitz.core.heuristics import value
from kibitz.core.native import helper
from kibitz.core.scene import Paint, Panel, Scene, Shape, listed

LONG_GROUP = 64  # cells
COLUMNS = 40  # of the text in a picture, narrow enough for a phone
FONT_SIZE, LINE_HEIGHT, LETTER_WIDTH, MARGIN = 13.0, 20.0, 8.0, 12.0


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


class NamedCells:
    """A view drawn as text: its cells by name."""

    def __init__(self, cells: Cells):
        self._cells = cells

    def text(self, view: Int64s) -> str:
        """Return whose turn it is and the cells of a view by name, a line a group; hidden cells are question marks."""
        to_move = int(view[self._cells["SEAT"]])
        lines = ["the game is over" if to_move == OVER else f"seat {to_move + 1} to move"]
        for name, start in self._cells.starts.items():
            if name == "SEAT":
                continue
            found = view[start : start + self._cells.sizes[name]].tolist()
            shown = ["?" if cell == UNKNOWN else str(cell) for cell in found]
            if len(shown) > LONG_GROUP:  # a long group often ends in unused cells
                used = max((at + 1 for at, cell in enumerate(found) if cell != 0), default=1)
                shown = [*shown[:used], f"and {len(found) - used} times 0"]
            lines.append(listed(f"{name}: ", shown, " "))
        return "\n".join(lines)

    def picture(self, view: Int64s, legal: Sequence[int]) -> Scene:
        """Return the text as a panel; no shape carries moves, which are offered as texts."""
        lines = [part for line in self.text(view).splitlines() for part in wrap(line, COLUMNS, subsequent_indent="  ")]
        width, height = COLUMNS * LETTER_WIDTH + 2 * MARGIN, len(lines) * LINE_HEIGHT + 2 * MARGIN
        shapes = [_line(line, MARGIN + (row + 0.5) * LINE_HEIGHT) for row, line in enumerate(lines)]
        return Scene("The cells of the position", [Panel("board", width, height, shapes)])


class NamedFields:
    """A view as plain data: its cells by name."""

    def __init__(self, cells: Cells):
        self._groups = [(name.lower(), start, cells.sizes[name]) for name, start in cells.starts.items()]

    def fields(self, view: Int64s, seat: int) -> dict[str, int | list[int | None] | None]:
        """Return the cells, each group under its name; hidden cells are None."""
        cells = [None if cell == UNKNOWN else cell for cell in view.tolist()]
        return {name: cells[start] if size == 1 else cells[start : start + size] for name, start, size in self._groups}


def _line(words: str, y: float) -> Shape:
    at: Paint = {"x": MARGIN, "y": y, "dominant-baseline": "central", "fill": "var(--ink)"}
    return Shape("text", {**at, "font-size": FONT_SIZE, "font-family": "monospace"}, words)
