"""Encodings: the inputs of a network for a position, from the perspective of one seat.

A game declares them in features.py. With `most`, an encoding is sparse: it lists the active rows, each once. Without,
it is dense: it writes `length` numbers. What belongs to the seat comes first, then the others in turn order. It may use
only what the seat sees: it is the same for a state, for the seat's view of it and for every world guessed from that.

A network may choose among other actions than the numbers of moves. Then features.py declares what each unit of its last
layer stands for.
"""

from collections.abc import Callable
from typing import Any

from kibitz.core.address import CELLS, INT, NOTHING, NUMBERS, Native, caller
from kibitz.core.contract import check_arguments, where
from kibitz.core.errors import BadGame

ROWS = INT(CELLS, INT, CELLS)  # encode(view, seat, out): list the active rows; return how many
DENSE = NOTHING(CELLS, INT, NUMBERS)  # encode(view, seat, out): write all numbers
NAMED = INT(CELLS, INT)  # move_of(view, unit): the legal move that a unit stands for, or NO_MOVE
PART = INT(CELLS)  # part(view): which of several networks is asked, such as one for each action of a turn
TURN = NOTHING(CELLS, CELLS)  # turned(state, out): the same position with the seats rotated by one
NUMBER_OF = INT(INT, INT)  # numbered(move, seat): the number of a seat's move from its own perspective

MOST_ROWS = 1 << 24  # of a sparse encoding
MOST_ON = 1024  # active rows of a sparse encoding, or numbers of a dense one; they are on the stack

list_rows = caller(ROWS)
write_numbers = caller(DENSE)
name_move = caller(NAMED)
part_of = caller(PART)
turn_seats = caller(TURN)
number_of = caller(NUMBER_OF)

NO_MOVE = -1  # for a unit whose action is not legal


class Encoding(Native):
    """A compiled encoding; `most` is 0 where it is dense."""

    def __init__(self, function: Callable[..., Any], length: int, most: int):
        super().__init__(function, ROWS if most else DENSE)
        self.length, self.most = length, most


class Actions(Native):
    """What the units of a network's last layer stand for, from the perspective of the seat to move."""

    def __init__(self, function: Callable[..., Any], length: int, parts: int, part: Callable[..., Any], codes: Any):
        super().__init__(function, NAMED)
        self.length, self.parts, self.part, self.codes = length, parts, Native(part, PART), codes


class Symmetry(Native):
    """Rotates the seats of a game in which all seats are alike."""


class Numbering(Native):
    """Numbers moves from the perspective of the seat that makes them."""


def encoding(*, length: int, most: int = 0) -> Callable[[Callable[..., Any]], Encoding]:
    """Declare an encoding of `length` rows, at most `most` of them active; without `most`, of `length` numbers."""

    def made(function: Callable[..., Any]) -> Encoding:
        check_arguments(function, "view, seat, out", "encoding")
        longest, on = (MOST_ROWS, most) if most else (MOST_ON, 1)
        if not 1 <= length <= longest or not 1 <= on <= min(length, MOST_ON):
            raise BadGame(
                f"{where(function)}: the encoding {function.__name__} has length={length} and most={most}; a length is "
                f"from 1 to {longest:,}, and at most {MOST_ON} rows are active"
            )
        return Encoding(function, length, most)

    return made


def actions(
    *, length: int, parts: int, part: Callable[..., Any], codes: Any = None
) -> Callable[[Callable[..., Any]], Actions]:
    """Declare actions: `function(view, unit)` is the legal move that each of `length` units stands for, or NO_MOVE.

    `part(view)` is a number below `parts`, each of which has its own network. `codes` are the actions in fewer numbers.
    """

    def made(function: Callable[..., Any]) -> Actions:
        check_arguments(function, "view, unit", "list of actions")
        check_arguments(part, "view", "part of a turn")
        return Actions(function, length, parts, part, codes)

    return made


def symmetry(function: Callable[..., Any]) -> Symmetry:
    """Declare a symmetry: `function(state, out)` writes the position with every seat in the place of the next.

    Only what encodings read needs to be rotated.
    """
    check_arguments(function, "state, out", "symmetry")
    return Symmetry(function, TURN)


def numbering(function: Callable[..., Any]) -> Numbering:
    """Declare a numbering: `function(move, seat)` numbers a seat's moves from its own perspective, for policy heads.

    Different moves of a seat have different numbers, all below MOVES_BELOW.
    """
    check_arguments(function, "move, seat", "numbering")
    return Numbering(function, NUMBER_OF)
