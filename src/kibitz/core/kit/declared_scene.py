"""A scene made of declared parts: the board with what lies on the table, a panel for each seat, text and changes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from kibitz.core.arrays import Int64s
from kibitz.core.cells import Cells
from kibitz.core.errors import BadGame
from kibitz.core.kit.cards_in_hand import Cards, Hands
from kibitz.core.kit.dice_and_scores import Dice, Prompt, Scores, Text
from kibitz.core.kit.piles import Piles
from kibitz.core.kit.scene_part import BOARD_WIDTH, NORMAL, SEAT_WIDTH, Block, ScenePart, ViewedPosition
from kibitz.core.kit.tiled_boards import Grid, HexGrid, Track
from kibitz.core.scene import Panel, Scene, Shape, box, caption, listed
from kibitz.core.user_files import explained

KINDS = (Cards, Dice, Grid, Hands, HexGrid, Piles, Prompt, Scores, Text, Track)
OWN_GROUND = (Grid, HexGrid, Piles, Track)  # parts that need no table below them
LINE = 24.0
WIDEST = 70  # letters of a line of text that is not broken


class DeclaredScene:
    """What a game declares as SCENE, drawn from a view alone."""

    def __init__(self, parts: Sequence[ScenePart], cells: Cells, seat_names: Sequence[str]):
        if isinstance(parts, ScenePart):
            parts = [parts]
        odd = [each for each in parts if not isinstance(each, ScenePart)]
        if odd:
            kinds = ", ".join(sorted(kind.__name__ for kind in KINDS))
            raise BadGame(f"SCENE holds {odd[0]!r:.60}, which is no part of a scene; the parts are {kinds}")
        taken: set[str] = set()
        for number, each in enumerate(parts, 1):
            with _told_of(each):
                each.check(cells)
            if each.label in taken:
                each.rename(f"{each.label} {number}")
            taken.add(each.label)
        self._parts = parts
        self._cells, self._names = cells, seat_names

    def _at(self, view: Int64s, legal: Sequence[int] = ()) -> ViewedPosition:
        return ViewedPosition(self._cells, self._names, view, [int(move) for move in legal])

    def text(self, view: Int64s) -> str:
        """Return whose turn it is and the parts as lines of text."""
        at = self._at(view)
        lines = [at.status]
        for each in self._parts:
            with _told_of(each):
                lines += each.lines(at)
        return "\n".join(listed("", line.split(", "), hang=2) if len(line) > WIDEST else line for line in lines)

    def changes(self, before: Int64s, after: Int64s) -> list[str]:
        """Return what a move changed, in words."""
        old, new = self._at(before), self._at(after)
        lines: list[str] = []
        for each in self._parts:
            with _told_of(each):
                lines += each.changes(old, new)
        return lines

    def picture(self, view: Int64s, legal: Sequence[int]) -> Scene:
        """Return the board, with all that lies on the table, and a panel for each seat that holds something."""
        at = self._at(view, legal)
        bare = not any(isinstance(each, OWN_GROUND) for each in self._parts)
        shapes, height = _stacked([(each, partial(each.board, at)) for each in self._parts], LINE / 3 if bare else 0.0)
        if not shapes:
            shapes, height = [caption(at.status, 8.0, 0.8 * LINE, NORMAL)], 1.3 * LINE
        if bare:
            table = box(1.0, 1.0, BOARD_WIDTH - 2, height + LINE / 3, "var(--card)", rx=12.0, stroke="var(--line)")
            shapes, height = [table, *shapes], height + LINE / 3 + 2
        panels = [
            Panel("board", BOARD_WIDTH, height, shapes),
            *filter(None, (self._seat(at, seat) for seat in range(at.seats))),
        ]
        return Scene(at.status, panels, self.asked(view) if legal else "")

    def asked(self, view: Int64s) -> str:
        """Return what the seat to move is asked."""
        at, asked = self._at(view), []
        for each in self._parts:
            if isinstance(each, Prompt):
                with _told_of(each):
                    asked.append(each.said(at))
        return " ".join(asked)

    def _seat(self, at: ViewedPosition, seat: int) -> Panel | None:
        shapes, height = _stacked([(each, partial(each.seat, at, seat)) for each in self._parts])
        return Panel(f"seat {seat + 1}", SEAT_WIDTH, height, shapes, at.seat_names[seat], seat) if shapes else None


Drawing = tuple[ScenePart, Callable[[float], Block | None]]


def _stacked(drawings: Sequence[Drawing], height: float = 0.0) -> tuple[list[Shape], float]:
    """Draw blocks one below the other from a height on; return their shapes and where the last one ends."""
    shapes = list[Shape]()
    for each, draw in drawings:
        with _told_of(each):
            block = draw(height)
            if block:
                shapes += block.shapes
                height += block.height
    return shapes, height


@contextmanager
def _told_of(each: ScenePart) -> Iterator[None]:
    """Make an error a sentence that names the part and the line on which it is declared."""
    try:
        yield
    except Exception as error:
        what, kind = explained(error), type(each).__name__
        named = "" if kind in what else f"{kind} {each.label}: " if each.label != kind.lower() else f"{kind}: "
        where = "" if each.declared in what else f"{each.declared}: "
        raise BadGame(f"{where}{named}{what}") from error
