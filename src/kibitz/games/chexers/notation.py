"""Chexers moves as text: `a7-b6` moves, `a7xc5` jumps, `g1 out` exits, `pass` passes; and as the course's actions.

A hex is its column, a to g for q = -3 to 3, and its row, 1 to 7 for r = -3 to 3: (-3, 3) is a7, (0, 0) is d4, and
(3, -3) is g1. The course writes the same four as `("MOVE", ((-3, 3), (-2, 2)))`, `("JUMP", ((-3, 3), (-1, 1)))`,
`("EXIT", (3, -3))` and `("PASS", None)`.
"""

from ast import literal_eval
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
    MOST_TURNS,
    OCCURRENCES,
    PASS,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TO_DRAW,
    bit_of,
)

Place = tuple[int, int]
Action = tuple[str, Any]

PASSES = (PASS,)
FORMS = "('MOVE', ((q, r), (q, r))), ('JUMP', ((q, r), (q, r))), ('EXIT', (q, r)) or ('PASS', None)"


def hex_name(place: Place) -> str:
    """Return the name of the hex (q, r)."""
    return f"{'abcdefg'[place[0] + 3]}{place[1] + 4}"


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return _text(to_action(view, move))


def drawn_by(view: np.ndarray) -> str:
    """Say how a drawn game came to its end."""
    return "fourfold repetition" if view[OCCURRENCES] >= TO_DRAW else f"the limit of {MOST_TURNS} turns"


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared; an action tuple typed out becomes the short form."""
    action = _typed(text)
    if action is not None:
        with suppress(BadMove):
            text = _text(_shaped(action))
    return "".join(text.lower().split())


def objection(view: np.ndarray, text: str) -> str:
    """Say why an action tuple typed out cannot be played; nothing about other texts."""
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
    near = _step(start, move >> 6)
    if _owner(view, near) is None:
        return ("MOVE", (start, near))
    return ("JUMP", (start, _step(near, move >> 6)))


def from_action(view: np.ndarray, action: Any) -> int:
    """Return the legal move that an action of the course means; a BadMove says why it cannot be played."""
    kind, places = _shaped(action)
    seat = int(view[SEAT])
    if seat == OVER:
        raise BadMove(f"{action!r} comes too late: the game is over")
    if kind == "PASS":
        if any(_owner(view, start) == seat and _can_act(view, seat, start) for start in HEXAGON.places):
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
    """Return the tuple or list that a text is, if it is one."""
    if text.strip()[:1] in ("(", "["):
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return literal_eval(text.strip())
    return None


def _step(place: Place, direction: int, steps: int = 1) -> Place:
    return (place[0] + steps * HEX_STEPS[direction][0], place[1] + steps * HEX_STEPS[direction][1])


def _text(action: Action) -> str:
    kind, places = action
    if kind == "PASS":
        return "pass"
    if kind == "EXIT":
        return f"{hex_name(places)} out"
    return f"{hex_name(places[0])}{'-' if kind == 'MOVE' else 'x'}{hex_name(places[1])}"


def _shaped(action: Any) -> Action:
    """Return an action in tuples whatever sequences it came in; a BadMove if it has not the shape of one."""
    match action:
        case [str(kind), where]:
            match kind.upper(), where:
                case "PASS", None:
                    return ("PASS", None)
                case "EXIT", place:
                    return ("EXIT", _place(action, place))
                case "MOVE" | "JUMP" as known, [start, goal]:
                    return (known, (_place(action, start), _place(action, goal)))
    raise BadMove(f"{action!r} is no action; an action is {FORMS}")


def _place(action: Any, place: Any) -> Place:
    match place:
        case [q, r] if _is_whole(q) and _is_whole(r):
            at = (index(q), index(r))
            if at in _ON_BOARD:
                return at
            raise BadMove(f"{action!r} names {at}, which is no hex: q, r and -q-r must be from -3 to 3")
    raise BadMove(f"{action!r} is no action: {place!r} should be the coordinates (q, r) of a hex")


def _is_whole(number: Any) -> bool:
    """Return whether something is a whole number, of Python or NumPy; a truth value counts as none."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def _owner(view: np.ndarray, place: Place) -> int | None:
    return next((seat for seat in range(3) if int(view[PIECES + seat]) >> bit_of(place) & 1), None)


def _direction(start: Place, goal: Place) -> int:
    """Return the direction in which a hex lies one or two steps away, or -1."""
    return next((d for d in range(6) if goal in (_step(start, d), _step(start, d, 2))), -1)


def _can_act(view: np.ndarray, seat: int, start: Place) -> bool:
    if int(EXIT_HEXES[seat]) >> bit_of(start) & 1:
        return True
    for direction in range(6):
        near, far = _step(start, direction), _step(start, direction, 2)
        goal = near if near in _ON_BOARD and _owner(view, near) is None else far
        if near in _ON_BOARD and goal in _ON_BOARD and _owner(view, goal) is None:
            return True
    return False


def _what_is_wrong(view: np.ndarray, seat: int, kind: str, places: Any) -> str:
    """Say what stands against an action other than PASS; nothing if it can be played."""
    colour = SEAT_NAMES[seat]
    start, goal = (places, None) if kind == "EXIT" else places
    if _owner(view, start) != seat:
        return f"{colour} is to move and has no piece on {start}"
    if goal is None:
        return "" if int(EXIT_HEXES[seat]) >> bit_of(start) & 1 else f"{start} is no exit hex of {colour}"
    direction = _direction(start, goal)
    steps = 1 if kind == "MOVE" else 2
    if direction < 0 or _step(start, direction, steps) != goal:
        return f"{goal} is not {'next to' if steps == 1 else 'two steps in a straight line from'} {start}"
    if _owner(view, goal) is not None:
        return f"{goal} is not empty"
    between = _step(start, direction)
    return f"there is no piece to jump over on {between}" if steps == 2 and _owner(view, between) is None else ""
