"""A Chinese Checkers position as text.

    red a1 b1 b2 c1 c2 d5; green g3 h1 i1 i2 j1 j2; blue h8 i8 i9 j8 j9 j10; red to move after 12 turns

The seats stand in their order; `after … turns` may be omitted for as few as the seat allows.
"""

import re

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.errors import BadValue
from kibitz.core.native import compiled, pointer
from kibitz.games.chinese_checkers.notation import FIELD_NAMED, NAMES, owners
from kibitz.games.chinese_checkers.rules import (
    BOARD,
    COUNT,
    EMPTY,
    PIECES,
    POINT_WORDS,
    SEAT,
    SEAT_NAMES,
    STARS,
    TURNS,
    TURNS_EACH,
    filled,
)
from kibitz.games.chinese_checkers.star import LATTICES

MOST_DIGITS = 4  # of a number of turns: int() refuses thousands of digits
_TO_MOVE = re.compile(r"(\w+) to move(?: after (\d+) turns?)?")


def read(text: str, dealt: np.ndarray) -> np.ndarray:
    """Return the state that a text describes, with the options of a fresh deal."""
    state = dealt.copy()
    state[PIECES : PIECES + LATTICES * len(SEAT_NAMES)] = 0
    state[EMPTY : EMPTY + LATTICES] = STARS[state[BOARD]]
    colours = SEAT_NAMES[: state[COUNT]]
    *parts, last = [" ".join(part.split()) for part in text.strip().rstrip(";").lower().split(";")]
    _read_turn(state, colours, last)
    if [part.partition(" ")[0] for part in parts] != list(colours):
        raise BadValue(f"a position lists the pieces of {', '.join(colours)} in this order, as in 'red a1 b1 b2'")
    for seat, part in enumerate(parts):
        _read_pieces(state, seat, part.split()[1:])
    for seat, colour in enumerate(colours):
        if _is_filled(state, seat):
            raise BadValue(f"{colour} has filled its goal and won; a position is one with a turn to come")
    return state


def write(state: np.ndarray) -> str:
    """Return the text of a position; raise BadValue if the game is over."""
    if state[SEAT] == OVER:
        raise BadValue(f"the game is over after {state[TURNS]} turns; a position is one with a turn to come")
    owner, names = owners(state), NAMES[state[BOARD]]
    parts = [
        " ".join([SEAT_NAMES[seat], *(name for field, name in names.items() if owner.get(field) == seat)])
        for seat in range(state[COUNT])
    ]
    return "; ".join([*parts, f"{SEAT_NAMES[state[SEAT]]} to move after {state[TURNS]} turns"])


@compiled
def _is_filled(state, seat):
    return filled(pointer(state), seat)


def _read_turn(state: np.ndarray, colours: tuple[str, ...], part: str) -> None:
    match = _TO_MOVE.fullmatch(part)
    if match is None or match[1] not in colours:
        raise BadValue(f"a position ends with whose turn it is, as in 'red to move after 12 turns', not with {part!r}")
    seat, most = colours.index(match[1]), TURNS_EACH * len(colours)
    told = match[2] or str(seat)
    turns = int(told) if len(told) <= MOST_DIGITS else most
    if turns >= most:
        raise BadValue(f"the game is over after {most} turns, so none goes on after {told:.20}")
    if turns % len(colours) != seat:
        raise BadValue(f"after {turns} turns it is {colours[turns % len(colours)]} to move, not {match[1]}")
    state[SEAT], state[TURNS] = seat, turns


def _read_pieces(state: np.ndarray, seat: int, names: list[str]) -> None:
    colour, most = SEAT_NAMES[seat], sum(int(word).bit_count() for word in POINT_WORDS[state[BOARD], 0])
    if not 1 <= len(names) <= most:
        raise BadValue(f"{colour} has {len(names)} pieces; a seat has from 1 to {most} on this board")
    for name in names:
        field = FIELD_NAMED[state[BOARD]].get(name)
        if field is None:
            raise BadValue(f"there is no field {name!r} on this board; fields are named as in c2")
        if not int(state[EMPTY + (field >> 6)]) >> (field & 63) & 1:
            raise BadValue(f"there are two pieces on {name}")
        state[PIECES + LATTICES * seat + (field >> 6)] ^= 1 << (field & 63)
        state[EMPTY + (field >> 6)] ^= 1 << (field & 63)
