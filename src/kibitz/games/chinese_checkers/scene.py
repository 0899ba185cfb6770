"""Chinese Checkers in words and pictures: the star, its pieces, and how far each seat has come."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.scene import Panel, Scene
from kibitz.games.chinese_checkers.drawing import LETTERS, STYLES, board, race
from kibitz.games.chinese_checkers.notation import NAMES, owners
from kibitz.games.chinese_checkers.rules import (
    AIMING,
    BOARD,
    COUNT,
    NONE,
    PASS,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TURNS,
    TURNS_EACH,
    WINNER,
)
from kibitz.games.chinese_checkers.star import LATTICES

# In text: pieces are capitals, and small letters mark the empty fields of a seat's goal.
PAINT = {
    pattern: style
    for letter, name, style in zip(LETTERS, SEAT_NAMES, STYLES, strict=True)
    for pattern, style in (
        (rf"(?<= ){letter}(?= |$)|\b{name}\b", f"bold {style}"),
        (rf"(?<=   ){letter.lower()}(?= |$)", style),
    )
}


def status(view: np.ndarray) -> str:
    """Return in words whose turn it is, or how the game ended."""
    if view[SEAT] != OVER:
        return f"{SEAT_NAMES[view[SEAT]]} to move"
    if view[WINNER] != NONE:
        return f"{SEAT_NAMES[view[WINNER]]} has won"
    return f"a draw: {TURNS_EACH} turns a seat"


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    owner, rows = owners(view), _rows(view)
    widest = max(map(len, rows.values()))
    lines = []
    for row, row_fields in reversed(rows.items()):
        signs = "   ".join(_sign(view, owner, field) for field in row_fields)
        lines.append(f"  {row}   {'  ' * (widest - len(row_fields))}{signs}")
    lines.append("  capitals: pieces; small letters: goals; fields are counted from the left")
    for seat in range(view[COUNT]):
        here = f"{arrived(view, seat)} of {_pieces(view, seat)} in goal"
        lines.append(f"  {'>' if view[SEAT] == seat else ' '} {SEAT_NAMES[seat]:<7} {here}")
    lines.append(f"  turn {min(view[TURNS] + 1, _most_turns(view))} of {_most_turns(view)}; {status(view)}")
    return "\n".join(lines)


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return in words what a move changed besides the place of its piece."""
    found = []
    for seat in range(after[COUNT]):
        if arrived(after, seat) != arrived(before, seat):
            found.append(f"{SEAT_NAMES[seat]} has {arrived(after, seat)} of {_pieces(after, seat)} pieces in its goal")
    if after[WINNER] != NONE and before[WINNER] == NONE:
        found.append(f"the goal of {SEAT_NAMES[after[WINNER]]} is full")
    return found


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes: a piece offers its moves, a field those that lead to it."""
    turns = f"turn {min(view[TURNS] + 1, _most_turns(view))} of {_most_turns(view)}"
    panels = [board(view, legal, turns), *(_account(view, seat) for seat in range(view[COUNT]))]
    return Scene(f"Chinese Checkers: {status(view)}", panels, _prompt(view, legal))


def arrived(view: np.ndarray, seat: int) -> int:
    """Return how many pieces of a seat are in its goal."""
    aiming = AIMING[view[BOARD], view[COUNT]]
    return sum(owner == seat and aiming[field] == seat for field, owner in owners(view).items())


def _account(view: np.ndarray, seat: int) -> Panel:
    return race(view, seat, arrived(view, seat), _pieces(view, seat))


def _pieces(view: np.ndarray, seat: int) -> int:
    return sum(int(mask).bit_count() for mask in view[PIECES + LATTICES * seat : PIECES + LATTICES * (seat + 1)])


def _most_turns(view: np.ndarray) -> int:
    return TURNS_EACH * int(view[COUNT])


def _rows(view: np.ndarray) -> dict[str, list[int]]:
    """Return the fields of every row from the west, by the letter of the row."""
    rows: dict[str, list[int]] = {}
    for field, name in NAMES[view[BOARD]].items():
        rows.setdefault(name[0], []).append(field)
    return rows


def _sign(view: np.ndarray, owner: dict[int, int], field: int) -> str:
    """Return the sign of a field: its piece, the seat whose goal it is, or a dot."""
    if field in owner:
        return LETTERS[owner[field]]
    aiming = AIMING[view[BOARD], view[COUNT], field]
    return "." if aiming == NONE else LETTERS[aiming].lower()


def _prompt(view: np.ndarray, legal: Sequence[int]) -> str:
    if view[SEAT] == OVER:
        return ""
    colour = str(SEAT_NAMES[view[SEAT]]).capitalize()
    if not len(legal):
        return f"{colour} is to move"
    return f"{colour}: {'pass, as no piece can move' if PASS in legal else 'step or jump with a piece'}"
