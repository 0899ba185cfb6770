"""Chinese Checkers moves as text: `c2-d5` goes from field to field by a step or by jumps, `pass` passes."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from kibitz.games.chinese_checkers.rules import (
    BOARD,
    DEPTHS,
    EMPTY,
    PASS,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TURNS_EACH,
    end_of,
    start_of,
)
from kibitz.games.chinese_checkers.star import LATTICES, field_of, star

PASSES = (PASS,)


def _names(depth: int) -> dict[int, str]:
    """Return the name of every field of a star, row by row from the southern tip."""
    found, in_row = {}, [0] * (4 * depth + 1)
    for q, r in star(depth):
        in_row[r + 2 * depth] += 1
        found[field_of((q, r))] = f"{'abcdefghijklmnopq'[r + 2 * depth]}{in_row[r + 2 * depth]}"
    return found


NAMES = [_names(depth) for depth in DEPTHS]  # by board: the fields row by row, with their names
FIELD_NAMED = [{name: field for field, name in names.items()} for names in NAMES]


def has(view: np.ndarray, cell: int, field: int) -> bool:
    """Return whether a field is in the mask that begins with a cell."""
    return bool(int(view[cell + (field >> 6)]) >> (field & 63) & 1)


def owners(view: np.ndarray) -> dict[int, int]:
    """Return the seat of every piece by its field."""
    found = {}
    for seat in range(len(SEAT_NAMES)):
        for lattice, mask in enumerate(view[PIECES + LATTICES * seat : PIECES + LATTICES * (seat + 1)].tolist()):
            while mask:
                found[64 * lattice + (mask & -mask).bit_length() - 1] = seat
                mask &= mask - 1
    return found


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return texts(view, [move])[0]


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    board = int(view[BOARD])
    return [_text(board, int(move)) for move in legal]


@cache
def _text(board: int, move: int) -> str:
    names = NAMES[board]
    return "pass" if move == PASS else f"{names[start_of(move)]}-{names[end_of(move)]}"


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return "".join(text.lower().split())


def objection(view: np.ndarray, text: str) -> str:
    """Return why a text that names two fields is not a move here; empty for other texts."""
    seat, named = int(view[SEAT]), FIELD_NAMED[view[BOARD]]
    parts = fold(text).split("-")
    if seat < 0 or len(parts) != 2:
        return ""
    for name in parts:
        if name not in named:
            return f"there is no field {name!r}; the rows are {_rows(view)}"
    start, end = (named[name] for name in parts)
    if not has(view, PIECES + LATTICES * seat, start):
        return f"{SEAT_NAMES[seat]} is to move and has no piece on {parts[0]}"
    if not has(view, EMPTY, end):
        return f"{parts[1]} is not empty"
    return f"{parts[1]} is neither beside {parts[0]} nor reached from it by jumps over one piece each"


def drawn_by(view: np.ndarray) -> str:
    """Return why nobody won."""
    return f"the limit of {TURNS_EACH} turns a seat"


def _rows(view: np.ndarray) -> str:
    """Return the rows of the board as text, each with its first and last field."""
    ends: dict[str, str] = {}
    for name in NAMES[view[BOARD]].values():
        ends[name[0]] = name
    return " ".join(f"{row}1-{last}" if last != f"{row}1" else last for row, last in ends.items())
