"""The board of Focus: 52 fields, where the pieces start, and from where stacks can move how far."""

import numpy as np

from kibitz.core.grids import Square

MOST_SEATS = 4
TALLEST = 5  # pieces in a stack
BOARD = Square(8, 8)
DIRECTIONS = (-8, -1, 1, 8)  # the offsets in bits: down, left, right, up
KINDS = TALLEST * len(DIRECTIONS)
LETTERS = "RGBY"
# As seen with row 8 on top; a letter is a piece, a dash a free field. Three seats have one more piece in reserve each.
STARTS = {
    2: """
        . . - - - - . .
        . R R G G R R .
        - G G R R G G -
        - R R G G R R -
        - G G R R G G -
        - R R G G R R -
        . G G R R G G .
        . . - - - - . .""",
    3: """
        . . - - - - . .
        . R R G G B B .
        - G G B B R R -
        - B B R R G G -
        - R R G G B B -
        - G G B B R R -
        . B B R R G G .
        . . - - - - . .""",
    4: """
        . . R R B G . .
        . G G G B G B .
        R R R R B G B G
        G G G G B G B G
        Y R Y R Y Y Y Y
        Y R Y R B B B B
        . R Y R Y Y Y .
        . . Y R B B . .""",
}


def on_board(column: int, row: int) -> bool:
    """Return whether there is a field in a column and row, both from 0."""
    inside = 0 <= column < 8 and 0 <= row < 8
    return inside and min(column, 7 - column) + min(row, 7 - row) >= 2


def _starts() -> np.ndarray:
    """Return by number of seats the fields of the pieces of each seat at the start."""
    table = np.zeros((MOST_SEATS + 1, MOST_SEATS), dtype=np.int64)
    for seats, drawing in STARTS.items():
        for up, line in enumerate(reversed(drawing.split("\n")[1:])):
            for column, sign in enumerate(line.split()):
                if sign in LETTERS:
                    table[seats, LETTERS.index(sign)] |= 1 << (8 * up + column)
    return table


def _starting_from(pieces: int, direction: int) -> int:
    """Return the fields from which so many pieces stay on the board in a direction."""
    columns, rows = {-8: (0, -1), -1: (-1, 0), 1: (1, 0), 8: (0, 1)}[direction]
    found = [at for at in BOARD.cells if FIELDS >> at & 1]
    return sum(1 << at for at in found if on_board(at % 8 + pieces * columns, at // 8 + pieces * rows))


FIELDS = sum(1 << at for at in BOARD.cells if on_board(at % 8, at // 8))
START = _starts()
# By kind of move: the fields from which it stays on the board, and its offset in bits.
CAN = np.array([_starting_from(k // 4 + 1, DIRECTIONS[k % 4]) for k in range(KINDS)])
OFFSET = np.array([(k // 4 + 1) * DIRECTIONS[k % 4] for k in range(KINDS)])
