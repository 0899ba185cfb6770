"""Focus moves as text: `c3-c5` moves two pieces, `*c5` places one from the reserve, `pass` passes."""

import re

import numpy as np

from kibitz.games.focus.board import BOARD, CAN, FIELDS, KINDS, LETTERS, OFFSET
from kibitz.games.focus.rules import MOST_TURNS, PASS, PLACE, RESERVE, SEAT, SEAT_NAMES, STACKS, WAITING

PASSES = (PASS,)
NAMES = {at: BOARD.name(at) for at in BOARD.cells if FIELDS >> at & 1}
PLACES = {name: at for at, name in NAMES.items()}
_GOES = re.compile(r"(\w+)-(\w+)")
_PLACED = re.compile(r"\*(\w+)")


def pieces_on(view: np.ndarray, at: int) -> list[int]:
    """Return the seats that own the pieces on a field, from the bottom up."""
    stack = int(view[STACKS + (at >> 2)]) >> 16 * (at & 3) & 0xFFFF
    return [stack >> 3 + 2 * piece & 3 for piece in reversed(range(stack & 7))]


def letters_on(view: np.ndarray, at: int) -> str:
    """Return the letters of the pieces on a field, from the bottom up."""
    return "".join(LETTERS[owner] for owner in pieces_on(view, at))


def ends_of(move: int) -> tuple[int, ...]:
    """Return the fields of a move: where it begins and ends, or where a piece is placed; none for a pass."""
    if move >= PLACE:
        return (move - PLACE,) if move < PASS else ()
    return move & 63, (move & 63) + int(OFFSET[move >> 6])


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return _TEXTS[move]


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return "".join(text.lower().split())


def drawn_by(view: np.ndarray) -> str:
    """Return why a game was drawn."""
    return f"the limit of {MOST_TURNS} turns"


def objection(view: np.ndarray, text: str) -> str:
    """Return why a text is not a move here; empty if it is not the text of a move at all."""
    seat, folded = int(view[SEAT]), fold(text)
    went, put = _GOES.fullmatch(folded), _PLACED.fullmatch(folded)
    named = [*went.groups()] if went else [put[1]] if put else []
    for name in named:
        if name not in PLACES:
            return f"there is no field {name}; the corners are cut off: rows 1 and 8 are c to f, rows 2 and 7 b to g"
    if went:
        return _why_not_go(view, seat, *(PLACES[name] for name in named))
    return _why_not_place(view, seat, PLACES[named[0]]) if put else ""


def _why_not_go(view: np.ndarray, seat: int, start: int, end: int) -> str:
    colour, pieces = SEAT_NAMES[seat], pieces_on(view, start)
    across, up = abs(start % 8 - end % 8), abs(start // 8 - end // 8)
    if view[WAITING] >> seat & 1:
        return f"{colour} must first place its reserve piece on a free field"
    if pieces[-1:] != [seat]:
        return f"{colour} does not control a stack on {NAMES[start]}"
    if (across == 0) == (up == 0):
        return f"pieces move along a row or a column, not from {NAMES[start]} to {NAMES[end]}"
    if across + up > len(pieces):
        return f"{NAMES[end]} is {across + up} fields away, and on {NAMES[start]} {_pieces(len(pieces))}"
    return ""


def _why_not_place(view: np.ndarray, seat: int, at: int) -> str:
    if not view[RESERVE + seat]:
        return f"{SEAT_NAMES[seat]} has no piece in reserve"
    if view[WAITING] >> seat & 1 and pieces_on(view, at):
        return f"the first piece must go on a free field, and {NAMES[at]} is taken"
    return ""


def _pieces(count: int) -> str:
    return "is 1 piece" if count == 1 else f"are {count} pieces"


def _all_texts() -> dict[int, str]:
    """Return the text of every move."""
    found = {PASS: "pass", **{PLACE + at: f"*{name}" for at, name in NAMES.items()}}
    for kind in range(KINDS):
        for at, name in NAMES.items():
            if int(CAN[kind]) >> at & 1:
                found[64 * kind + at] = f"{name}-{NAMES[at + int(OFFSET[kind])]}"
    return found


_TEXTS = _all_texts()
