"""Piles: things that are counted, side by side, of which a move takes some or all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadGame
from kibitz.core.kit.pieces import Piece, drawn_stack
from kibitz.core.kit.scene_part import (
    BOARD_WIDTH,
    SMALL,
    Block,
    Ends,
    Moves,
    ScenePart,
    Source,
    ViewedPosition,
    carried,
    number_words,
    part,
)
from kibitz.core.kit.tiled_boards import MOST_NEWS
from kibitz.core.scene import Paint, Shape, label

GAP, PAD, FOOT = 8.0, 8.0, 24.0
LEAST_LINES = 2
LARGEST_ITEM = 34.0
SINGLE = 12  # things in a line of the only pile
MOST_DRAWN = 60  # things of a pile; more are told by their number
STONE = Piece("stone")
Takes = Callable[..., "tuple[int, int] | None"]


@part
@dataclass(frozen=True)
class Piles(ScenePart):
    """Piles of things, a cell for the number in each.

    `piece` is what they hold, or a function that returns the pieces of a pile for the value of its cell, bottom first.
    `takes` maps a move to a pile and how many it takes: a click on a thing takes it and all after it. `moves` maps a
    move to a pile, or to those where it begins and ends; "pile" says that its number is one.
    """

    source: Source
    piece: Piece | Callable[[int], Sequence[Piece]] = STONE
    takes: Takes | None = None
    moves: Ends | str | None = None
    names: Callable[[int], str] | None = None

    MOVE_WORDS = ("pile",)

    def place_name(self, pile: int, count: int) -> str:
        """Return what a pile is called."""
        return self.names(pile) if self.names else (self.label if count == 1 else f"pile {pile + 1}")

    def _held(self, value: int) -> Sequence[Piece]:
        if value == UNKNOWN:
            return ()
        return [self.piece] * max(value, 0) if isinstance(self.piece, Piece) else self.piece(value)

    def board(self, at: ViewedPosition, top: float) -> Block:
        """Draw the piles side by side, each in a box with its number."""
        values = at.read(self.source)
        wide = (BOARD_WIDTH - GAP) / len(values) - GAP
        across = self._across(wide, len(values))
        item = min(LARGEST_ITEM, (wide - 2 * PAD) / across)
        held = [self._held(value)[-MOST_DRAWN:] for value in values]
        lines = max(LEAST_LINES, *(-(-len(pile) // across) for pile in held))
        tall = 2 * item if isinstance(self.piece, Piece) and self.piece.form == "bar" else item
        height = lines * (tall + 4) + 2 * PAD
        ends, takes = self.ends(at, len(values), "pile"), self._takings(at, values)
        shapes: list[Shape] = []
        for pile, (value, things) in enumerate(zip(values, held, strict=True)):
            left = GAP + pile * (wide + GAP)
            name = self.place_name(pile, len(values))
            box: Paint = {"x": left, "y": top + 2.0, "width": wide, "height": height, "rx": 8.0, "fill": "var(--card)"}
            title = f"{name}: {number_words(value)}"
            shapes.append(
                Shape("rect", {**box, "stroke": "var(--faint)"}, "", title, carried(ends, pile), f"{self.label} {pile}")
            )
            for k, thing in enumerate(things):
                line, column = divmod(k, across)
                x = left + PAD + (wide - 2 * PAD - across * item) / 2 + (column + 0.5) * item
                y = top + 2.0 + height - PAD - (line + 0.5) * (tall + 4)
                taken = len(things) - k
                words = f"take {taken} of {name}" if (pile, taken) in takes else thing.called(at.seat_names)
                key, moves = f"{self.label} {pile} thing {k}", takes.get((pile, taken), ())
                shapes.append(drawn_stack((thing,), x, y, 0.46 * tall, at.seat_names, words, moves, key))
            words = f"{name}: {number_words(value) if isinstance(self.piece, Piece) else len(things)}"
            shapes.append(label(words, left + wide / 2, top + height + FOOT / 2 + 4, SMALL + 2))
        return Block(shapes, height + FOOT + 4)

    def _across(self, wide: float, piles: int) -> int:
        if not isinstance(self.piece, Piece):
            return 1
        return SINGLE if piles == 1 else max(1, min(4, int((wide - 2 * PAD) / 20)))

    def _takings(self, at: ViewedPosition, values: Sequence[int]) -> dict[tuple[int, int], Moves]:
        """Return the moves by pile and number taken."""
        found: dict[tuple[int, int], Moves] = {}
        for move in at.legal if self.takes else ():
            assert self.takes is not None
            taken = self.takes(at.view, int(move))
            if taken is None:
                continue
            pile, number = map(int, taken)
            if not 0 <= pile < len(values) or not 1 <= number <= max(values[pile], 0):
                what = f"move {move} takes {number} of pile {pile}"
                raise BadGame(f"Piles {self.label}: {what}; the piles from 0 hold {', '.join(map(str, values))}")
            found[pile, number] = (*found.get((pile, number), ()), int(move))
        return found

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the number in each pile."""
        values = at.read(self.source)
        name = partial(self.place_name, count=len(values))
        return [", ".join(f"{name(pile)}: {number_words(value)}" for pile, value in enumerate(values))]

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return which piles have changed, and by how much."""
        then, now = before.read(self.source), after.read(self.source)
        found = [
            f"{self.place_name(pile, len(now))}: {new} ({new - old:+})"
            for pile, (old, new) in enumerate(zip(then, now, strict=True))
            if new != old and UNKNOWN not in (old, new)
        ]
        return found[:MOST_NEWS]
