"""What a game gets that has nothing but rules: a value, a notation and a scene."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.cells import Cells
from kibitz.core.contract import UNKNOWN, rule
from kibitz.core.knowledge import value
from kibitz.core.native import helper
from kibitz.core.scene import Panel, Scene, Shape, listed

LONG_GROUP = 64  # cells
LINE_HEIGHT, LETTER_WIDTH = 20, 8


@value()
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
    """A view as its named cells, and the moves as a row of buttons."""

    def __init__(self, cells: Cells):
        self._cells = cells

    def text(self, view: np.ndarray) -> str:
        """Return the cells of a view by name, a group a line; hidden ones as question marks."""
        lines = []
        for name, start in self._cells.starts.items():
            found = view[start : start + self._cells.sizes[name]].tolist()
            shown = ["?" if cell == UNKNOWN else str(cell) for cell in found]
            if len(shown) > LONG_GROUP:  # which often ends in cells that are not in use
                used = max((at + 1 for at, cell in enumerate(found) if cell != 0), default=1)
                shown = [*shown[:used], f"and {len(found) - used} times 0"]
            lines.append(listed(f"{name}: ", shown, " "))
        return "\n".join(lines)

    def picture(self, view: np.ndarray, legal: Sequence[int]) -> Scene:
        """Return the text as shapes, and a shape for every move."""
        lines = self.text(view).splitlines()
        width = LETTER_WIDTH * max(map(len, lines)) + 2 * LINE_HEIGHT
        shapes = [_line(line, LINE_HEIGHT, (row + 1) * LINE_HEIGHT) for row, line in enumerate(lines)]
        x, y = LINE_HEIGHT, (len(lines) + 2) * LINE_HEIGHT
        for move in legal:
            step = LETTER_WIDTH * (len(str(move)) + 2)
            if x + step > width:
                x, y = LINE_HEIGHT, y + LINE_HEIGHT
            shapes.append(_line(str(move), x, y, (int(move),)))
            x += step
        return Scene("position", [Panel("board", float(width), float(y + LINE_HEIGHT), shapes)])


def _line(words: str, x: float, y: float, moves: tuple[int, ...] = ()) -> Shape:
    at: dict[str, Any] = {"x": x, "y": y, "font-size": 13.0, "font-family": "monospace"}
    return Shape("text", at, words, moves=moves)
