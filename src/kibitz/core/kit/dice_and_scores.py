"""What else lies on a table: dice, scores, lines of text, and what the seat to move is asked."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from string import Formatter
from textwrap import wrap

from kibitz.core.arrays import Int64s
from kibitz.core.cells import Cells
from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadGame
from kibitz.core.kit.pieces import Piece, drawn_stack
from kibitz.core.kit.scene_part import (
    LETTER_WIDTH,
    NORMAL,
    SMALL,
    Block,
    Ends,
    ScenePart,
    Source,
    ViewedPosition,
    carried,
    number_words,
    part,
    place_of,
)
from kibitz.core.scene import Shape, box, caption, group, label

DIE, DIE_GAP, PAD = 46.0, 10.0, 8.0
PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}  # of nine places
FACE, INK, EDGE = "#fffdf7", "#22222a", "#6b6152"
COLUMNS = 44  # letters in a line of text
LINE = 20.0
NOTHING_YET = "–"
_PLURAL = re.compile(r"(?<=[^su])s\b")  # the end of the first word in the plural, as in "tricks bid"
Words = str | Callable[[Int64s], str]  # a text with cells in braces, as in "{STICKS} left", or a function of the view


@part
@dataclass(frozen=True)
class Dice(ScenePart):
    """Dice, a cell for the number on each; where it holds 0 there is no die. Six-sided ones have pips, others a number.

    `moves` maps a move to a die, counted from 0; "die" says that its number is one.
    """

    source: Source
    faces: int = 6
    title: str = ""
    moves: Ends | str | None = None

    MOVE_WORDS = ("die",)

    def board(self, at: ViewedPosition, top: float) -> Block | None:
        """Draw the dice in a row."""
        values = at.read(self.source)
        ends = self.ends(at, len(values), "die")
        words = self.title or self.label
        shapes: list[Shape] = [caption(words, PAD, top + DIE / 2 + 4, SMALL, "var(--faint)")]
        left = PAD + len(words) * SMALL * LETTER_WIDTH + 12
        shown = [(k, value) for k, value in enumerate(values) if value != 0]
        for place, (k, value) in enumerate(shown):
            title = f"die {k + 1}: {number_words(value)}"
            face = [box(0.0, 0.0, DIE, DIE, FACE, rx=9.0, stroke=EDGE), *self._marks(value)]
            x = left + place * (DIE + DIE_GAP)
            shapes.append(group(x, top + 4, face, title, carried(ends, k), f"{self.label} {k}"))
        return Block(shapes, DIE + 12) if shown else None

    def _marks(self, value: int) -> list[Shape]:
        if self.faces != 6 or value not in PIPS:
            return [label(number_words(value), DIE / 2, DIE / 2 + 1, 21.0, fill=INK, **{"font-weight": "bold"})]
        spots = [(DIE * (0.25 + 0.25 * (k % 3)), DIE * (0.25 + 0.25 * (k // 3))) for k in PIPS[value]]
        return [Shape("circle", {"cx": x, "cy": y, "r": 4.4, "fill": INK}) for x, y in spots]

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the numbers on the dice."""
        words = [number_words(value) for value in at.read(self.source) if value != 0]
        return [f"{self.title or self.label}: {' '.join(words)}"] if words else []

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return what the dice show, if that has changed."""
        return self.lines(after) if before.read(self.source) != after.read(self.source) else []


@part
@dataclass(frozen=True)
class Scores(ScenePart):
    """What each seat has of something, such as points: a cell for each seat; `none` is a value for nothing yet.

    `tells=False` keeps scores from saying what changed.
    """

    source: Source
    unit: str = "points"
    none: int | None = None
    tells: bool = True

    def words(self, at: ViewedPosition, seat: int) -> str:
        """Return what a seat has."""
        values = at.read(self.source)
        if len(values) < at.seats:
            raise BadGame(f"Scores {self.label} has fewer cells ({len(values)}) than there are seats ({at.seats})")
        return self._counted(values[seat])

    def _counted(self, number: int) -> str:
        if number == self.none:
            return f"{NOTHING_YET} {self.unit}"
        return f"{number_words(number)} {_PLURAL.sub('', self.unit, count=1) if number == 1 else self.unit}"

    def seat(self, at: ViewedPosition, seat: int, top: float) -> Block:
        """Draw the number beside a token of the seat."""
        token = drawn_stack((Piece(seat=seat),), PAD + 10, top + 15, 9.0, at.seat_names)
        return Block([token, caption(self.words(at, seat), PAD + 28, top + 15, NORMAL + 2)], 30.0)

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return what each seat has."""
        return [", ".join(f"{name}: {self.words(at, seat)}" for seat, name in enumerate(at.seat_names))]

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return who has more or less."""
        pairs = zip(after.seat_names, before.read(self.source), after.read(self.source), strict=False)
        return [
            f"{name}: {self._counted(new)}{'' if old == self.none else f' ({new - old:+})'}"
            for name, old, new in pairs
            if self.tells and old != new and UNKNOWN not in (old, new) and new != self.none
        ]


@part
@dataclass(frozen=True)
class Text(ScenePart):
    """A line of text with cells in braces, as in "{STICKS} sticks left", or what a function of the view returns."""

    words: Words

    def check(self, cells: Cells) -> None:
        """Refuse a name in braces that is no cell."""
        for name in _names_in(self.words):
            place_of(cells, name, f"{type(self).__name__} shows ")

    def said(self, at: ViewedPosition) -> str:
        """Return the text for a position."""
        return _filled(self.words, at)

    def board(self, at: ViewedPosition, top: float) -> Block | None:
        """Draw the text, in as many lines as it needs."""
        lines = [part for line in self.said(at).splitlines() for part in wrap(line, COLUMNS)]
        shapes = [caption(line, PAD, top + (k + 0.5) * LINE, NORMAL) for k, line in enumerate(lines)]
        return Block(shapes, len(lines) * LINE + 4) if lines else None

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the text."""
        return self.said(at).splitlines()

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return the text, if it has changed."""
        return self.lines(after) if self.said(before) != self.said(after) else []


@part
@dataclass(frozen=True)
class Prompt(ScenePart):
    """What the seat to move is asked: words with cells in braces, or what a function of the view returns."""

    words: Words

    check = Text.check

    def said(self, at: ViewedPosition) -> str:
        """Return the question for a position."""
        return _filled(self.words, at)


def _names_in(words: Words) -> Iterable[str]:
    return [] if callable(words) else [name for _, name, _, _ in Formatter().parse(words) if name is not None]


def _filled(words: Words, at: ViewedPosition) -> str:
    if callable(words):
        return str(words(at.view))
    found = ""
    for before, name, _, _ in Formatter().parse(words):
        found += before
        if name is not None:
            found += " ".join(map(number_words, at.read(name)))
    return found
