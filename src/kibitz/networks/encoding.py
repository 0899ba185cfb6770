"""Encodings: what a network is shown of a position, from the side of one seat.

A game declares them in features.py. With `most` an encoding lists the numbers of the rows that are on, each once;
without, it writes `length` numbers. A seat's own things come first, then those of the others in turn order. It may use
only what the seat can see: it is the same for a state, for the seat's view of it and for every world guessed from that.

Where a network chooses among moves in other words than the game's own numbers, features.py declares these as actions:
what each unit of its last layer stands for.
"""

from collections.abc import Callable
from typing import Any

from kibitz.core.address import CELLS, INT, NOTHING, NUMBERS, Native, caller
from kibitz.core.contract import check_arguments, where
from kibitz.core.errors import BadGame

ROWS = INT(CELLS, INT, CELLS)  # encode(view, seat, out): list the rows that are on; return how many
DENSE = NOTHING(CELLS, INT, NUMBERS)  # encode(view, seat, out): write all numbers
NAMED = INT(CELLS, INT)  # move_of(view, unit): the legal move that a unit stands for, or NO_MOVE
PART = INT(CELLS)  # part(view): which of several networks is asked, as in the first, second or third action of a turn
TURN = NOTHING(CELLS, CELLS)  # turned(state, out): the same position with every seat in the place of the next
NUMBER_OF = INT(INT, INT)  # numbered(move, seat): the number of a seat's move from its own side

MOST_ROWS = 1 << 24  # of an encoding that lists rows
MOST_ON = 1024  # rows that are on at a time, or numbers of a dense encoding: they lie on the stack

list_rows = caller(ROWS)
write_numbers = caller(DENSE)
name_move = caller(NAMED)
part_of = caller(PART)
turn_seats = caller(TURN)
number_of = caller(NUMBER_OF)

NO_MOVE = -1  # what a unit stands for whose action is not legal


class Encoding(Native):
    """A compiled encoding; `most` is 0 where it is dense."""

    def __init__(self, function: Callable[..., Any], length: int, most: int):
        super().__init__(function, ROWS if most else DENSE)
        self.length, self.most = length, most


class Actions(Native):
    """What the units of a network's last layer stand for, seen from the seat to move."""

    def __init__(self, function: Callable[..., Any], length: int, parts: int, part: Callable[..., Any], codes: Any):
        super().__init__(function, NAMED)
        self.length, self.parts, self.part, self.codes = length, parts, Native(part, PART), codes


class Symmetry(Native):
    """Turns the seats of a game without changing what matters."""


class Numbering(Native):
    """Numbers moves from the side of the seat that makes them."""


def encoding(*, length: int, most: int = 0) -> Callable[[Callable[..., Any]], Encoding]:
    """Make an encoding of `length` rows, at most `most` of them on at a time; without `most`, of `length` numbers."""

    def made(function: Callable[..., Any]) -> Encoding:
        check_arguments(function, len(ROWS.args), "encoding")
        longest, on = (MOST_ROWS, most) if most else (MOST_ON, 1)
        if not 1 <= length <= longest or not 1 <= on <= min(length, MOST_ON):
            raise BadGame(
                f"{where(function)}: the encoding {function.__name__} has length={length} and most={most}; a length is "
                f"from 1 to {longest:,}, and at most {MOST_ON} rows are on"
            )
        return Encoding(function, length, most)

    return made


def actions(
    *, length: int, parts: int, part: Callable[..., Any], codes: Any = None
) -> Callable[[Callable[..., Any]], Actions]:
    """Make out of `function(view, unit)` what says which legal move each of `length` units stands for, or NO_MOVE.

    `part(view)` is a number below `parts`: there is one network for each. `codes` are the actions in fewer numbers.
    """

    def made(function: Callable[..., Any]) -> Actions:
        check_arguments(function, len(NAMED.args), "list of actions")
        check_arguments(part, len(PART.args), "part of a turn")
        return Actions(function, length, parts, part, codes)

    return made


def symmetry(function: Callable[..., Any]) -> Symmetry:
    """Make out of `function(state, out)` what writes a position in which every seat has taken the next seat's place.

    Only what encodings read needs to be turned.
    """
    check_arguments(function, len(TURN.args), "symmetry")
    return Symmetry(function, TURN)


def numbering(function: Callable[..., Any]) -> Numbering:
    """Make out of `function(move, seat)` what numbers a seat's moves from its own side, for networks that know moves.

    The numbers of different moves of a seat differ, and are below MOVES_BELOW as moves are.
    """
    check_arguments(function, len(NUMBER_OF.args), "numbering")
    return Numbering(function, NUMBER_OF)
