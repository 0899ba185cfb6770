"""A Quarto position as text.

    a1 BTRS b2 WSQH; WTRH in hand; seat 1 to move

First come the pieces on the board, or `empty`, then the piece in hand, if there is one. The seat to move follows from
the number of pieces, and may be omitted.
"""

import re

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.errors import BadValue
from kibitz.games.quarto.notation import piece_name, piece_on
from kibitz.games.quarto.rules import BOARD, CLEAR, FREE, FULL, HAND, NONE, POOL, SEAT, SET, SPREAD
from kibitz.games.quarto.scene import winning_line

_CELLS = {BOARD.name(cell).lower(): cell for cell in range(16)}
_PIECES = {piece_name(piece): piece for piece in range(16)}
_IN_HAND = re.compile(r"(\w+) in hand", re.IGNORECASE)
_TO_MOVE = re.compile(r"seat ([12]) to move", re.IGNORECASE)
EMPTY = "empty"


def read(text: str, dealt: np.ndarray) -> np.ndarray:
    """Return the state that a text describes, with the options of a fresh deal."""
    state = dealt.copy()
    board, *rest = [part.strip() for part in text.strip().rstrip(";").split(";")]
    placed = _read_board(state, board)
    told = None
    for part in rest:
        if match := _IN_HAND.fullmatch(part):
            state[HAND] = _taken(state, match[1])
        elif match := _TO_MOVE.fullmatch(part):
            told = int(match[1])
        else:
            raise BadValue(f"cannot read {part!r}; after the board come 'BTRS in hand' and 'seat 1 to move'")
    state[SEAT] = (placed + (state[HAND] != NONE)) % 2
    if told not in (None, state[SEAT] + 1):
        raise BadValue(f"with {placed} pieces on the board it is seat {state[SEAT] + 1} to move, not seat {told}")
    if winning_line(state) or state[FREE] == 0:
        raise BadValue("the game is over in this position: a line is complete or the board is full")
    return state


def write(state: np.ndarray) -> str:
    """Return the text of a position; raise BadValue if the game is over."""
    if state[SEAT] == OVER:
        raise BadValue("the game is over; a position is one with a move to come")
    cells = [cell for cell in range(16) if piece_on(state, cell) != NONE]
    board = " ".join(f"{BOARD.name(cell).lower()} {piece_name(piece_on(state, cell))}" for cell in cells) or EMPTY
    hand = [f"{piece_name(int(state[HAND]))} in hand"] if state[HAND] != NONE else []
    return "; ".join([board, *hand, f"seat {state[SEAT] + 1} to move"])


def _read_board(state: np.ndarray, board: str) -> int:
    """Place the pieces that a text names and return how many."""
    words = [] if board.lower() == EMPTY else board.split()
    if len(words) % 2:
        raise BadValue(f"cannot read the board {board!r}; it is cells and pieces in turn, as in 'a1 BTRS b2 WSQH'")
    lanes = {SET: 0, CLEAR: 0}
    for name, piece_text in zip(words[::2], words[1::2], strict=True):
        cell = _CELLS.get(name.lower())
        if cell is None:
            raise BadValue(f"there is no cell {name!r}; the cells are a1 to d4")
        if not state[FREE] >> cell & 1:
            raise BadValue(f"there are two pieces on {name}")
        piece = _taken(state, piece_text)
        state[FREE] ^= 1 << cell
        lanes[SET] |= int(SPREAD[piece]) << cell
        lanes[CLEAR] |= int(SPREAD[15 ^ piece]) << cell
    for cell, lane in lanes.items():
        state[cell] = np.uint64(lane).astype(np.int64)
    return 16 - int(state[FREE] & FULL).bit_count()


def _taken(state: np.ndarray, name: str) -> int:
    """Take a piece from the pool and return it."""
    piece = _PIECES.get(name.upper())
    if piece is None:
        raise BadValue(f"there is no piece {name!r}; a piece is four letters, from WSQH to BTRS")
    if not state[POOL] >> piece & 1:
        raise BadValue(f"the piece {name.upper()} appears twice")
    state[POOL] ^= 1 << piece
    return piece
