"""Conditions on what a seat sees and was told, by which positions are sorted: a cell has a value, or a bit is set."""

from dataclasses import dataclass

import numpy as np

from kibitz.core.arrays import Float32s, Int64s
from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.laws.guess_samples import GuessedPositions

MOST_VALUES = 8  # of a cell that is compared with each of its values; of others, with its bits
MOST_CONDITIONS = 600
BITS = 63


@dataclass(frozen=True)
class _Condition:
    cell: int  # of a row of cells, then what was told, then the seat
    mask: int
    value: int
    words: str


class ViewConditions:
    """Conditions that divide some positions, those nearest to even first; the first of all is always true."""

    def __init__(self, game: Game, positions: GuessedPositions, least: int):
        names = [game.cells.name_of(cell) for cell in range(game.size)]
        names += [f"the moves made by seat {seat + 1}" for seat in range(game.seats)]
        names += [f"the latest move of seat {seat + 1}, plus 1," for seat in range(game.seats)]
        rows = _rows(positions)
        found: dict[bytes, tuple[bool, int, _Condition]] = {}
        for cell, name in enumerate([*names, "the seat that guesses"]):
            for condition in _of_cell(cell, name, rows[:, cell]):
                holds = (rows[:, cell] & condition.mask) == condition.value
                uneven = abs(2 * int(holds.sum()) - len(rows))
                if uneven <= len(rows) - 2 * least:
                    found.setdefault(holds.tobytes(), (condition.mask != -1, uneven, condition))
        chosen = sorted(found.values(), key=lambda each: each[:2])[:MOST_CONDITIONS]
        self._conditions = [condition for _, _, condition in chosen]
        self.words = ["", *(f", where {condition.words}," for condition in self._conditions)]

    def of(self, positions: GuessedPositions) -> Float32s:
        """Return 1 where a condition holds: [position, condition]."""
        rows = _rows(positions)
        cells = np.array([each.cell for each in self._conditions], dtype=np.int64)
        masks = np.array([each.mask for each in self._conditions], dtype=np.int64)
        values = np.array([each.value for each in self._conditions], dtype=np.int64)
        holds = np.ones((len(rows), 1 + len(cells)), dtype=np.float32)
        holds[:, 1:] = (rows[:, cells] & masks) == values
        return holds


def _rows(positions: GuessedPositions) -> Int64s:
    return np.concatenate([positions.views, positions.told, positions.seats[:, None]], axis=1)


def _of_cell(cell: int, name: str, column: Int64s) -> list[_Condition]:
    values = np.unique(column)
    if len(values) <= 1:
        return []
    if len(values) <= MOST_VALUES:
        shown = {value: "hidden" if value == UNKNOWN else str(value) for value in values.tolist()}
        return [_Condition(cell, -1, value, f"{name} is {words}") for value, words in shown.items()]
    used = int(np.bitwise_or.reduce(column[column > 0])) if (column > 0).any() else 0
    bits = [bit for bit in range(BITS) if used >> bit & 1]
    known = [_Condition(cell, -1, UNKNOWN, f"{name} is hidden")] if (column == UNKNOWN).any() else []
    return known + [_Condition(cell, 1 << bit, 1 << bit, f"{name} has bit {bit}") for bit in bits]
