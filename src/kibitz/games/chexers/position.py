"""A Chexers position as text.

    red a4 a5 a6 a7; green+1 d1 e1 f1; blue d7 e6 f5 g4; green to move after 31 turns

`+1` is the number of pieces brought out, omitted if 0; `after … turns` may be omitted for as few as the seat allows.
"""

import re

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.errors import BadValue
from kibitz.core.native import compiled, pointer
from kibitz.games.chexers.notation import hex_name
from kibitz.games.chexers.rules import (
    ALL_PIECES,
    CELLS,
    EXITS,
    HEXAGON,
    MOST_TURNS,
    NONE,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TO_WIN,
    TURNS,
    WINNER,
    bit_of,
    remember,
)

MOST_DIGITS = 4  # of a number of turns: int() refuses thousands of digits
_BITS = {hex_name(place): bit_of(place) for place in HEXAGON.places}
_COLOUR = re.compile(r"(red|green|blue)(?:\s*\+\s*(\d+))?((?:\s+[a-z]\d)*)")
_TO_MOVE = re.compile(r"(red|green|blue) to move(?: after (\d+) turns?)?")


def read(text: str, dealt: np.ndarray | None = None) -> np.ndarray:
    """Return the state that a text describes, without a past; it may have fewer than 12 pieces."""
    state = np.zeros(CELLS.size, dtype=np.int64)
    state[WINNER] = NONE
    *colours, last = [" ".join(part.split()) for part in text.strip().rstrip(";").lower().split(";")]
    _read_turn(state, last)
    told = [_read_colour(state, part) for part in colours]
    if sorted(told) != [0, 1, 2]:
        raise BadValue(f"a position lists red, green and blue once each, not {_listed(told)}")
    pieces = sum(int(state[PIECES + seat]).bit_count() + int(state[EXITS + seat]) for seat in range(3))
    if pieces > ALL_PIECES:
        raise BadValue(f"there are {pieces} pieces, those brought out included; a game has {ALL_PIECES}")
    if not state[PIECES : PIECES + 3].any():
        raise BadValue("there is no piece on the board; a position has at least one")
    _begin(state)
    return state


def write(state: np.ndarray) -> str:
    """Return the text of a position; raise BadValue if the game is over."""
    if state[SEAT] == OVER:
        raise BadValue(f"the game is over after {state[TURNS]} turns; a position is one with a turn to come")
    parts = []
    for seat, colour in enumerate(SEAT_NAMES):
        out = f"+{state[EXITS + seat]}" if state[EXITS + seat] else ""
        hexes = sorted(name for name, bit in _BITS.items() if int(state[PIECES + seat]) >> bit & 1)
        parts.append(" ".join([colour + out, *hexes]))
    return "; ".join([*parts, f"{SEAT_NAMES[state[SEAT]]} to move after {state[TURNS]} turns"])


@compiled
def _begin(state):
    remember(pointer(state))


def _listed(seats: list[int]) -> str:
    return ", ".join(SEAT_NAMES[seat] for seat in seats) or "nobody"


def _read_turn(state: np.ndarray, part: str) -> None:
    match = _TO_MOVE.fullmatch(part)
    if match is None:
        raise BadValue(f"a position ends with whose turn it is, as in 'red to move after 30 turns', not with {part!r}")
    seat = SEAT_NAMES.index(match[1])
    told = match[2] or str(seat)
    turns = int(told) if len(told) <= MOST_DIGITS else MOST_TURNS
    if turns >= MOST_TURNS:
        raise BadValue(f"the game is over after {MOST_TURNS} turns, so none goes on after {told:.20}")
    if turns % 3 != seat:
        raise BadValue(f"after {turns} turns it is {SEAT_NAMES[turns % 3]} to move, not {match[1]}")
    state[SEAT], state[TURNS] = seat, turns


def _read_colour(state: np.ndarray, part: str) -> int:
    match = _COLOUR.fullmatch(part)
    if match is None:
        raise BadValue(f"cannot read {part!r}; a colour's pieces are written as in 'red+1 a4 a5 a6'")
    seat = SEAT_NAMES.index(match[1])
    state[EXITS + seat] = int(match[2] or 0) if len(match[2] or "") < 3 else ALL_PIECES
    if state[EXITS + seat] >= TO_WIN:
        raise BadValue(f"{match[1]} cannot have brought out {match[2]}: the game is over with {TO_WIN}")
    for name in match[3].split():
        if name not in _BITS:
            raise BadValue(f"there is no hex {name!r}; the columns are a4-a7 b3-b7 c2-c7 d1-d7 e1-e6 f1-f5 g1-g4")
        if any(int(state[PIECES + other]) >> _BITS[name] & 1 for other in range(3)):
            raise BadValue(f"there are two pieces on {name}")
        state[PIECES + seat] |= 1 << _BITS[name]
    return seat
