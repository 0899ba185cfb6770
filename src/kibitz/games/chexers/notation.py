"""Chexers moves as text: `a7-b6` moves, `a7xc5` jumps, `g1 out` exits, `pass` passes; and as the course's actions.

A hex is its column, a to g for q = -3 to 3, and its row, 1 to 7 for r = -3 to 3: (-3, 3) is a7, (0, 0) is d4, and
(3, -3) is g1. The course writes the same four as `("MOVE", ((-3, 3), (-2, 2)))`, `("JUMP", ((-3, 3), (-1, 1)))`,
`("EXIT", (3, -3))` and `("PASS", None)`.
"""

from ast import literal_eval
from collections.abc import Sequence
from contextlib import suppress
from numbers import Integral
from operator import index
from typing import Any

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.errors import BadMove
from kibitz.core.grids import HEX_STEPS
from kibitz.games.chexers.rules import (
    EXIT,
    EXIT_HEXES,
    HEXAGON,
    MOST_MOVES,
    MOST_TURNS,
    NONE,
    OCCURRENCES,
    PASS,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TO_DRAW,
    Place,
    bit_of,
    moves,
    stepped,
)

Action = tuple[str, Any]

PASSES = (PASS,)
FORMS = "('MOVE', ((q, r), (q, r))), ('JUMP', ((q, r), (q, r))), ('EXIT', (q, r)) or ('PASS', None)"


def hex_name(place: Place) -> str:
    """Return the name of the hex (q, r)."""
    return f"{'abcdefg'[place[0] + 3]}{place[1] + 4}"


def owner(view: np.ndarray, place: Place) -> int:
    """Return the seat whose piece stands on a hex, or NONE."""
    return next((seat for seat in range(3) if int(view[PIECES + seat]) >> bit_of(place) & 1), NONE)


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return texts(view, [move])[0]


def texts(view: np.ndarray, legal: Sequence[int]) -> list[str]:
    """Return the texts of moves."""
    red, green, blue = view[PIECES : PIECES + 3].tolist()
    full, found = red | green | blue, []
    for move in legal:
        near, step, jump = _TEXTS[move]
        found.append(jump if full >> near & 1 else step)
    return found


def drawn_by(view: np.ndarray) -> str:
    """Return why a game was drawn."""
    return "fourfold repetition" if view[OCCURRENCES] >= TO_DRAW else f"the limit of {MOST_TURNS} turns"


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared; a typed action tuple takes the short form."""
    action = _typed(text)
    if action is not None:
        with suppress(BadMove):
            text = _text(_shaped(action))
    return "".join(text.lower().split())


def objection(view: np.ndarray, text: str) -> str:
    """Return why a typed action tuple cannot be played; empty for other texts."""
    action = _typed(text)
    if action is not None:
        try:
            from_action(view, action)
        except BadMove as error:
            return str(error)
    return ""


def to_action(view: np.ndarray, move: int) -> Action:
    """Return a move as the course writes it."""
    if move == PASS:
        return ("PASS", None)
    start = _PLACE_AT[move & 63]
    if move >= EXIT:
        return ("EXIT", start)
    near = stepped(start, move >> 6)
    if owner(view, near) == NONE:
        return ("MOVE", (start, near))
    return ("JUMP", (start, stepped(near, move >> 6)))


def from_action(view: np.ndarray, action: Any) -> int:
    """Return the legal move that an action of the course stands for; raise BadMove if it cannot be played."""
    kind, places = _shaped(action)
    seat = int(view[SEAT])
    if seat == OVER:
        raise BadMove(f"{action!r} comes too late: the game is over")
    if kind == "PASS":
        room = np.zeros(MOST_MOVES, dtype=np.int64)
        moves(view, room)
        if room[0] != PASS:
            raise BadMove(f"{action!r} cannot be: {SEAT_NAMES[seat]} may pass only when nothing else is possible")
        return PASS
    wrong = _what_is_wrong(view, seat, kind, places)
    if wrong:
        raise BadMove(f"{action!r} cannot be: {wrong}")
    if kind == "EXIT":
        return EXIT + bit_of(places)
    return 64 * _direction(*places) + bit_of(places[0])


_PLACE_AT = {bit_of(place): place for place in HEXAGON.places}
_ON_BOARD = frozenset(HEXAGON.places)


def _typed(text: str) -> Any:
    """Return the tuple or list that a text spells, if it is one."""
    if text.strip()[:1] in ("(", "["):
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return literal_eval(text.strip())
    return None


def _text(action: Action) -> str:
    kind, places = action
    if kind == "PASS":
        return "pass"
    if kind == "EXIT":
        return f"{hex_name(places)} out"
    return f"{hex_name(places[0])}{'-' if kind == 'MOVE' else 'x'}{hex_name(places[1])}"


def _shaped(action: Any) -> Action:
    """Return an action as tuples, whatever sequences it came in; raise BadMove if it does not have the right shape."""
    match action:
        case [str(kind), where]:
            match kind.upper(), where:
                case "PASS", None:
                    return ("PASS", None)
                case "EXIT", place:
                    return ("EXIT", _place(action, place))
                case "MOVE" | "JUMP" as known, [start, goal]:
                    return (known, (_place(action, start), _place(action, goal)))
    raise BadMove(f"{action!r} is not an action; an action is {FORMS}")


def _place(action: Any, place: Any) -> Place:
    match place:
        case [q, r] if _is_whole(q) and _is_whole(r):
            at = (index(q), index(r))
            if at in _ON_BOARD:
                return at
            raise BadMove(f"{action!r} names {at}, which is not a hex: q, r and -q-r must be from -3 to 3")
    raise BadMove(f"{action!r} is not an action: {place!r} should be the coordinates (q, r) of a hex")


def _is_whole(number: Any) -> bool:
    """Return whether something is an integer of Python or NumPy, but not a bool."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def _direction(start: Place, goal: Place) -> int:
    """Return the direction in which a hex lies one or two steps away, or -1."""
    return next((d for d in range(6) if goal in (stepped(start, d), stepped(start, d, 2))), -1)


def _what_is_wrong(view: np.ndarray, seat: int, kind: str, places: Any) -> str:
    """Return why an action other than PASS cannot be played; empty if it can."""
    colour = SEAT_NAMES[seat]
    start, goal = (places, None) if kind == "EXIT" else places
    if owner(view, start) != seat:
        return f"{colour} is to move and has no piece on {start}"
    if goal is None:
        return "" if int(EXIT_HEXES[seat]) >> bit_of(start) & 1 else f"{start} is not an exit hex of {colour}"
    direction = _direction(start, goal)
    steps = 1 if kind == "MOVE" else 2
    if direction < 0 or stepped(start, direction, steps) != goal:
        return f"{goal} is not {'next to' if steps == 1 else 'two steps in a straight line from'} {start}"
    if owner(view, goal) != NONE:
        return f"{goal} is not empty"
    between = stepped(start, direction)
    return f"there is no piece to jump over on {between}" if steps == 2 and owner(view, between) == NONE else ""


def _all_texts() -> dict[int, tuple[int, str, str]]:
    """Return for each move the bit that decides between a step and a jump, and the texts of both."""
    found = {PASS: (0, "pass", "pass")}
    for place in HEXAGON.places:
        out = _text(("EXIT", place))
        found[EXIT + bit_of(place)] = (0, out, out)
        for direction in range(len(HEX_STEPS)):
            near, far = stepped(place, direction), stepped(place, direction, 2)
            if near in _ON_BOARD:
                jump = _text(("JUMP", (place, far))) if far in _ON_BOARD else ""
                found[64 * direction + bit_of(place)] = (bit_of(near), _text(("MOVE", (place, near))), jump)
    return found


_TEXTS = _all_texts()
