"""Quarto moves as text: a cell (a1 … d4) to place on, or a piece to hand over.

A piece is four letters: Black or White, Tall or Short, Round or sQuare, Solid or Hollow; `WSQH` is piece 0, `BTRS` is
piece 15.
"""

import numpy as np

from kibitz.games.quarto.rules import ATTRIBUTES, BOARD, FREE, HAND, NONE, SET

LETTERS = ("WB", "ST", "QR", "HS")  # for each attribute, without and with it
WORDS = (("white", "black"), ("short", "tall"), ("square", "round"), ("hollow", "solid"))


def piece_name(piece: int) -> str:
    """Return the four letters of a piece."""
    return "".join(pair[piece >> k & 1] for k, pair in enumerate(LETTERS))


def piece_words(piece: int) -> str:
    """Return a piece in words."""
    return " ".join(pair[piece >> k & 1] for k, pair in enumerate(WORDS))


def piece_on(view: np.ndarray, cell: int) -> int:
    """Return the piece on a cell, or NONE."""
    if view[FREE] >> cell & 1:
        return NONE
    return sum(int(view[SET] >> (16 * k + cell) & 1) << k for k in range(ATTRIBUTES))


def write(view: np.ndarray, move: int) -> str:
    """Return the text of a move."""
    return piece_name(move) if view[HAND] == NONE else BOARD.name(move)


def drawn_by(view: np.ndarray) -> str:
    """Return why a game was drawn."""
    return "a full board"


def fold(text: str) -> str:
    """Return a text in the form in which moves are compared."""
    return text.strip().upper()
