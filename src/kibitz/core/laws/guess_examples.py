"""One position in which the truth differs from a guess, in words: the cells that a comparison is about."""

import re

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.contract import UNKNOWN
from kibitz.core.game import Game
from kibitz.core.laws.guess_samples import GuessedPositions

MOST_CELLS = 4  # that are shown
WORD_BITS = 63
_CELL = re.compile(r"[A-Z][A-Z0-9_]*(?:\[\d+\])?")


def example_in_words(
    game: Game, secrets: Int64s, positions: GuessedPositions, at: int, world: int, compared: str
) -> str:
    """Return the cells that a comparison names, or those hidden, in the truth and in one world of a position."""
    truth, guess = positions.views[at].copy(), positions.views[at].copy()
    truth[secrets], guess[secrets] = positions.now[at, 0], positions.now[at, world]
    hidden = positions.views[at] == UNKNOWN
    named = [cell for name in dict.fromkeys(_CELL.findall(compared)) for cell in _cells(game, name)]
    differing: list[int] = np.flatnonzero(hidden & (truth != guess)).tolist()
    told = [cell for cell in named if cell in differing or not hidden[cell]][:MOST_CELLS]
    if not set(told) & set(differing):
        told = [*told, *differing][:MOST_CELLS]
    words = []
    for cell in told:
        name, sets = game.cells.name_of(cell), _is_set(game, cell, compared, max(int(truth[cell]), int(guess[cell])))
        values = [_shown(int(each[cell]), sets) for each in (truth, guess)]
        words.append(f"{name} is {values[0]}" + (f" in truth, {values[1]} in a guess" if hidden[cell] else ""))
    return f"There {'; '.join(words)}" if words else ""


def _cells(game: Game, name: str) -> list[int]:
    """Return the cells that a name stands for, none if it is not one."""
    group, _, index = name.partition("[")
    if group not in game.cells.starts:
        return []
    start, size = game.cells[group], game.cells.sizes[group]
    return [start + int(index.removesuffix("]"))] if index else list(range(start, start + size))


def _is_set(game: Game, cell: int, compared: str, value: int) -> bool:
    """Return whether a cell is shown as the set of its bits: it is compared as one, or too great for a number."""
    group, _, _ = game.cells.name_of(cell).partition("[")
    return value >= WORD_BITS or re.search(rf"(?<!the number )\bin (?:all of )?{group}\b", compared) is not None


def _shown(value: int, as_set: bool) -> str:
    """Return a number, or the bits of a mask with runs of three or more cut short."""
    if not as_set or value < 0:
        return str(value)
    bits = [bit for bit in range(WORD_BITS) if value >> bit & 1]
    runs: list[list[int]] = []
    for bit in bits:
        if runs and runs[-1][-1] == bit - 1:
            runs[-1].append(bit)
        else:
            runs.append([bit])
    words = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"{{{', '.join(words)}}}"
