"""A part of a declared scene: which cells it shows, where it is drawn, and which moves a click on it may begin."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cached_property, wraps
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar, TypeVar

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.cells import Cells
from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.errors import BadGame, UnknownName
from kibitz.core.scene import Shape

BOARD_WIDTH, SEAT_WIDTH = 400.0, 320.0  # of the board's panel, and of a seat's
SMALL, NORMAL = 13.0, 15.0  # sizes of letters, legible on a phone
LETTER_WIDTH = 0.62  # of a usual font, on average, in font sizes
MOST_BITS = 64  # cells of a board, or cards, that a bit mask holds

Numbers = Callable[[Int64s], Sequence[int]]
Source = (
    str | Numbers
)  # a group of cells or one of them, as in "BOARD" or "SCORE[1]", or what a function finds in a view
Ends = Callable[[Int64s, int], "int | Sequence[int] | None"]  # of a move: where it begins and ends in a part
Moves = tuple[int, ...]
Made = TypeVar("Made", bound="type[ScenePart]")


@dataclass(frozen=True)
class ViewedPosition:
    """One view as parts of a scene are told of it: the cells by name, the seats, and the legal moves on offer."""

    cells: Cells
    seat_names: Sequence[str]
    view: Int64s
    legal: Sequence[int] = ()

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.seat_names)

    @property
    def status(self) -> str:
        """Whose turn it is."""
        seat = int(self.view[self.cells["SEAT"]])
        if 0 <= seat < self.seats:
            return f"{self.seat_names[seat]} to move"
        return "the game is over" if seat == OVER else "chance moves"

    def read(self, source: Source) -> list[int]:
        """Return the numbers that a source names."""
        if callable(source):
            found = source(self.view)
            try:
                return [int(number) for number in found]
            except (TypeError, ValueError):
                wanted = "it must return a list of whole numbers, with UNKNOWN for what is hidden"
                raise BadGame(f"{_name_of(source)} returns {found!r:.60}; {wanted}") from None
        place = place_of(self.cells, source)
        return [int(number) for number in self.view[place.start : place.stop]]


def _name_of(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "a lambda" if name == "<lambda>" else f"the function {name}"


@dataclass(frozen=True)
class Block:
    """The shapes of a part, drawn downwards from a given height, and how much height they take."""

    shapes: Sequence[Shape]
    height: float


class ScenePart:
    """One part of a declared scene; its subclasses are the kits."""

    declared = ""  # the file and line of its declaration
    MOVE_WORDS: ClassVar[tuple[str, ...]] = ()  # what `moves` may be instead of a function

    @cached_property
    def label(self) -> str:
        """What the part is called in keys: the cells that it shows, or else its kind."""
        source = getattr(self, "source", "")
        return source.lower() if isinstance(source, str) and source else type(self).__name__.lower()

    def rename(self, label: str) -> None:
        """Call the part something else in keys, because another has its label."""
        self.__dict__["label"] = label

    def sources(self) -> Iterable[Source]:
        """Yield what the part reads, for the check of its names."""
        source = getattr(self, "source", "")
        return [source] if source else []

    def check(self, cells: Cells) -> None:
        """Refuse names of cells that the game does not have, and words for moves that mean nothing."""
        for source in self.sources():
            if isinstance(source, str):
                place_of(cells, source, f"{type(self).__name__} shows ")
        moves = getattr(self, "moves", None)
        if isinstance(moves, str) and moves not in self.MOVE_WORDS:
            raise UnknownName(f"word for the moves of {type(self).__name__}", moves, self.MOVE_WORDS)

    def board(self, at: ViewedPosition, top: float) -> Block | None:
        """Draw what belongs on the board."""
        return None

    def seat(self, at: ViewedPosition, seat: int, top: float) -> Block | None:
        """Draw what belongs beside a seat."""
        return None

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the part as lines of text."""
        return []

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return in words what has changed."""
        return []

    def ends(self, at: ViewedPosition, count: int, what: str) -> dict[int, Moves]:
        """Return for each legal move that touches this part the places at which it begins and ends."""
        moves = getattr(self, "moves", None)
        if moves is None:
            return {}
        if isinstance(moves, str):
            return {int(move): (int(move),) for move in at.legal if 0 <= move < count}
        found = {}
        for move in at.legal:
            places = moves(at.view, int(move))
            if places is None:
                continue
            listed = (places,) if isinstance(places, int | np.integer) else places
            if UNKNOWN in listed:
                continue
            found[int(move)] = tuple(int(place) for place in listed)
            wrong = next((place for place in found[int(move)] if not 0 <= place < count), None)
            if wrong is not None:
                where = f"{type(self).__name__} {self.label}: move {move} leads to {what} {wrong}"
                raise BadGame(f"{where}; there are 0 to {count - 1}, and None is for a move that touches no {what}")
        return found


def part(made: Made) -> Made:
    """Make a part refuse settings that it does not have, with the list of those that it has, and know its line."""
    plain = made.__init__

    @wraps(plain)
    def checked(self: Any, *args: Any, **settings: Any) -> None:
        declared = sys._getframe(1)
        self.__dict__["declared"] = f"{declared.f_code.co_filename}, line {declared.f_lineno}"
        known = [each.name for each in fields(self) if each.init]
        for name in settings:
            if name not in known:
                raise UnknownName(f"setting of {made.__name__}", name, known)
        if len(args) > len(known):
            raise BadGame(f"{made.__name__} has {len(known)} settings, not {len(args)}: {', '.join(known)}")
        lacking = [name for name in _required(self)[len(args) :] if name not in settings]
        if lacking:
            raise BadGame(f"{made.__name__} lacks {' and '.join(lacking)}; its settings are {', '.join(known)}")
        plain(self, *args, **settings)

    checked.__signature__ = _readable(made, plain)  # type: ignore[attr-defined]
    made.__init__ = checked  # type: ignore[method-assign]
    return made


class _Constant:
    """A default that `help` shows by the name of its constant."""

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return self._name


def _readable(made: type, plain: Callable[..., None]) -> Signature:
    """Return the signature of a part for `help`: without types, and with names in place of long defaults."""
    constants = {id(value): name for name, value in vars(sys.modules[made.__module__]).items() if name.isupper()}
    given = []
    for parameter in signature(plain).parameters.values():
        long = not isinstance(parameter.default, str | int | None) and id(parameter.default) in constants
        default = _Constant(constants[id(parameter.default)]) if long else parameter.default
        given.append(parameter.replace(annotation=Parameter.empty, default=default))
    return Signature(given)


def _required(made: Any) -> list[str]:
    return [each.name for each in fields(made) if each.init and each.default is MISSING]


def place_of(cells: Cells, name: str, where: str = "") -> range:
    """Return the cells that a name stands for: those of a group, or one, as in SCORE[1]."""
    group, bracket, index = name.partition("[")
    if group not in cells.starts:
        raise UnknownName(f"cells: {where.strip()}" if where else "cells", name, cells.starts)
    start, size = cells[group], cells.sizes[group]
    if not bracket:
        return range(start, start + size)
    number = index.removesuffix("]")
    if not number.isdecimal() or int(number) >= size:
        raise BadGame(f"{where}{name}: {group} has the cells {group}[0] to {group}[{size - 1}]")
    return range(start + int(number), start + int(number) + 1)


def from_to(places: int) -> Ends:
    """Return the mapping of moves whose number is from * places + to."""
    return lambda view, move: (move // places, move % places)


def carried(ends: Mapping[int, Moves], place: int) -> Moves:
    """Return the moves that touch a place."""
    return tuple(move for move, places in ends.items() if place in places)


def bits_of(mask: int) -> list[int]:
    """Return the numbers of the bits that are set."""
    return [bit for bit in range(MOST_BITS) if mask >> bit & 1]


def number_words(number: int) -> str:
    """Return a number, or a question mark for one that is hidden."""
    return "?" if number == UNKNOWN else str(number)
