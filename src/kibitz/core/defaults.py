"""What a game gets that has nothing but rules: a value, a notation, a scene and fields."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from kibitz.core.cells import Cells
from kibitz.core.contract import OVER, UNKNOWN, rule
from kibitz.core.heuristics import value
from kibitz.core.native import helper
from kibitz.core.scene import Panel, Scene, Shape, listed

LONG_GROUP = 64  # cells
COLUMNS = 40  # of the text in a picture, which is to be read on a phone too
FONT_SIZE, LINE_HEIGHT, LETTER_WIDTH, MARGIN = 13.0, 20.0, 8.0, 12.0


@value
def zero(state, weights, seat):
    """Nothing: every unfinished position is worth the same, so only the payoff counts."""
    return 0.0


@helper
def set_up(state, options):
    """Write into a state the cells of a position, as they arrive in place of options: how many, then each."""
    for i in range(options[0]):
        state[i] = options[i + 1]


@rule
def deal(state, options, rng):
    set_up(state, options)


class Numbers:
    """Moves as plain numbers."""

    @staticmethod
    def write(view: np.ndarray, move: int) -> str:
        """Return the text of a move."""
        return str(move)

    @staticmethod
    def fold(text: str) -> str:
        """Return a text without what does not matter."""
        return text.strip()


class NamedCells:
    """A view as its named cells."""

    def __init__(self, cells: Cells):
        self._cells = cells

    def text(self, view: np.ndarray) -> str:
        """Return whose turn it is, and the cells of a view by name, a group a line; hidden ones as question marks."""
        to_move = int(view[self._cells["SEAT"]])
        lines = ["the game is over" if to_move == OVER else f"seat {to_move + 1} to move"]
        for name, start in self._cells.starts.items():
            if name == "SEAT":
                continue
            found = view[start : start + self._cells.sizes[name]].tolist()
            shown = ["?" if cell == UNKNOWN else str(cell) for cell in found]
            if len(shown) > LONG_GROUP:  # which often ends in cells that are not in use
                used = max((at + 1 for at, cell in enumerate(found) if cell != 0), default=1)
                shown = [*shown[:used], f"and {len(found) - used} times 0"]
            lines.append(listed(f"{name}: ", shown, " "))
        return "\n".join(lines)

    def picture(self, view: np.ndarray, legal: Sequence[int]) -> Scene:
        """Return the text as a panel; moves have no shapes here, they are offered by their texts."""
        lines = [part for line in self.text(view).splitlines() for part in wrap(line, COLUMNS, subsequent_indent="  ")]
        width, height = COLUMNS * LETTER_WIDTH + 2 * MARGIN, len(lines) * LINE_HEIGHT + 2 * MARGIN
        shapes = [_line(line, MARGIN + (row + 0.5) * LINE_HEIGHT) for row, line in enumerate(lines)]
        return Scene("The cells of the position", [Panel("board", width, height, shapes)])


class NamedFields:
    """A view as its cells by name."""

    def __init__(self, cells: Cells):
        self._groups = [(name.lower(), start, cells.sizes[name]) for name, start in cells.starts.items()]

    def fields(self, view: np.ndarray, seat: int) -> dict[str, Any]:
        """Return the cells, a group under its name; hidden ones are None."""
        cells = [None if cell == UNKNOWN else cell for cell in view.tolist()]
        return {name: cells[start] if size == 1 else cells[start : start + size] for name, start, size in self._groups}


def _line(words: str, y: float) -> Shape:
    at: dict[str, float | str] = {"x": MARGIN, "y": y, "dominant-baseline": "central", "fill": "var(--ink)"}
    return Shape("text", {**at, "font-size": FONT_SIZE, "font-family": "monospace"}, words)
