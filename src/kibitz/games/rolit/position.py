"""A Rolit position as text.

    red d5 e5 f5; yellow; green e4; blue d4; yellow to move

First come the discs of every colour, with a seat or neutral. The seat to move follows from the number of discs, and may
be omitted.
"""

import re

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.errors import BadValue
from kibitz.games.rolit.notation import SQUARES, colour_on
from kibitz.games.rolit.rules import BOARD, COLOURS, COUNT, DISCS, SEAT, SEAT_NAMES, START, bit

_TO_MOVE = re.compile(rf"({'|'.join(SEAT_NAMES)}) to move")


def read(text: str, dealt: np.ndarray) -> np.ndarray:
    """Return the state that a text describes, with the seats of a fresh deal."""
    state = dealt.copy()
    state[DISCS : DISCS + COLOURS] = 0
    parts = [" ".join(part.split()) for part in text.strip().rstrip(";").lower().split(";")]
    told = _TO_MOVE.fullmatch(parts[-1])
    named = [_read_colour(state, part) for part in (parts[:-1] if told else parts)]
    if sorted(named) != list(range(COLOURS)):
        raise BadValue(f"a position lists red, yellow, green and blue once each, not {_listed(named)}")
    taken = sum(colour_on(state, square) is not None for square in BOARD.cells)
    for square in START:
        if colour_on(state, square) is None:
            raise BadValue(f"there is no disc on {SQUARES[square]}; d4, d5, e4 and e5 are taken from the start")
    if taken == len(BOARD.cells):
        raise BadValue("the game is over in this position: the board is full")
    state[SEAT] = (taken - COLOURS) % int(state[COUNT])
    if told and told[1] != SEAT_NAMES[state[SEAT]]:
        raise BadValue(f"with {taken} discs on the board it is {SEAT_NAMES[state[SEAT]]} to move, not {told[1]}")
    return state


def write(state: np.ndarray) -> str:
    """Return the text of a position; raise BadValue if the game is over."""
    if state[SEAT] == OVER:
        raise BadValue("the game is over; a position is one with a move to come")
    parts = []
    for colour, name in enumerate(SEAT_NAMES):
        squares = sorted(SQUARES[square] for square in BOARD.cells if colour_on(state, square) == colour)
        parts.append(" ".join([name, *squares]))
    return "; ".join([*parts, f"{SEAT_NAMES[state[SEAT]]} to move"])


def _listed(colours: list[int]) -> str:
    return ", ".join(SEAT_NAMES[colour] for colour in colours) or "nothing"


def _read_colour(state: np.ndarray, part: str) -> int:
    """Place the discs of a colour and return it."""
    name, *squares = part.split() or [""]
    if name not in SEAT_NAMES:
        raise BadValue(f"cannot read {part!r}; the discs of a colour are written as in 'red d5 e5 f5'")
    colour = SEAT_NAMES.index(name)
    for square in squares:
        if square not in SQUARES:
            raise BadValue(f"there is no square {square!r}; the squares are a1 to h8")
        if colour_on(state, SQUARES.index(square)) is not None:
            raise BadValue(f"there are two discs on {square}")
        state[DISCS + colour] |= bit(SQUARES.index(square))
    return colour
