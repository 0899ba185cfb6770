"""Boards of squares and of hexagons, and tracks: places with what stands on them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadGame
from kibitz.core.grids import Hexagon, Square
from kibitz.core.kit.pieces import Piece, Standing, as_stack, drawn_stack, polygon, stack_of
from kibitz.core.kit.scene_part import (
    BOARD_WIDTH,
    LETTER_WIDTH,
    MOST_BITS,
    SMALL,
    Block,
    Ends,
    Moves,
    ScenePart,
    Source,
    ViewedPosition,
    bits_of,
    carried,
    part,
)
from kibitz.core.scene import Paint, Shape, label

MARGIN = 22.0  # around a board, with room for the names of rows and columns
LARGEST = 84.0  # a square, however few there are
LEAST_NAMED = 16.0  # the smallest square whose row is named
MOST_NEWS = 6  # places of one move that are told one by one
Stack = tuple[Piece, ...]


class TiledBoard(ScenePart):
    """A board of places, each with a stack on it, often of one piece."""

    moves: Ends | str | None
    tells: bool

    EMPTY = "empty"  # in text, where nothing stands on any place

    @property
    def count(self) -> int:
        """How many places there are."""
        raise NotImplementedError

    def place_name(self, place: int) -> str:
        """Return what a place is called."""
        raise NotImplementedError

    def middle(self, place: int) -> tuple[float, float]:
        """Return the centre of a place, from the top left of the board."""
        raise NotImplementedError

    @property
    def reach(self) -> float:
        """How far a place reaches from its centre."""
        raise NotImplementedError

    @property
    def height(self) -> float:
        """How high the board is."""
        raise NotImplementedError

    def tile(self, place: int, x: float, y: float) -> Shape:
        """Return the outline of a place around a point."""
        raise NotImplementedError

    def stacks(self, at: ViewedPosition) -> list[Stack]:
        """Return what stands on each place."""
        raise NotImplementedError

    def ornaments(self, top: float, stacks: Sequence[Stack]) -> Iterable[Shape]:
        """Yield what else is drawn below the pieces, such as the names of rows."""
        return ()

    def lanes(self, at: ViewedPosition, top: float) -> Iterable[Shape]:
        """Yield targets that span several places."""
        return ()

    def board(self, at: ViewedPosition, top: float) -> Block:
        """Draw the places, and the pieces above them."""
        ends = {} if self.moves in ("column", "row") else self.ends(at, self.count, "place")
        begins: dict[int, list[int]] = {}
        stacks = self.stacks(at)
        for move, places in ends.items():
            if len(places) > 1 and stacks[places[0]]:
                begins.setdefault(places[0], []).append(move)
        tiles = [self._tile(at, place, top, stacks, ends, begins) for place in range(self.count)]
        pieces = []
        for place, stack in enumerate(stacks):
            if stack:
                x, y = self.middle(place)
                names = self.together(stack, at.seat_names)
                title, key = f"{names} on {self.place_name(place)}", f"{self.label}: {names}"
                moves = tuple(begins.get(place, ()))
                pieces.append(drawn_stack(stack, x, top + y, 0.78 * self.reach, at.seat_names, title, moves, key))
        return Block([*tiles, *self.ornaments(top, stacks), *self.lanes(at, top), *pieces], self.height)

    def _tile(
        self, at: ViewedPosition, place: int, top: float, stacks: Sequence[Stack], ends: Mapping[int, Moves],
        begins: Mapping[int, Sequence[int]],
    ) -> Shape:  # fmt: skip
        x, y = self.middle(place)
        shape = self.tile(place, x, top + y)
        name, stack = self.place_name(place), stacks[place]
        title = f"{name}: {self.together(stack, at.seat_names)}" if stack else name
        moves = tuple(move for move in carried(ends, place) if move not in begins.get(place, ()))
        return Shape(shape.tag, shape.at, title=title, moves=moves, key=f"{self.label} {name}")

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the pieces by place."""
        held = [
            f"{self.place_name(place)} {self.together(stack, at.seat_names)}"
            for place, stack in enumerate(self.stacks(at))
            if stack
        ]
        return [f"{self.label}: {', '.join(held) or self.EMPTY}"]

    def together(self, stack: Stack, seat_names: Sequence[str]) -> str:
        """Return what stands on a place, the topmost first."""
        return " on ".join(piece.called(seat_names) for piece in reversed(stack))

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return what went from where to where, what is new, and what is gone."""
        if not self.tells:
            return []
        old, new = self.stacks(before), self.stacks(after)
        gone: list[tuple[str, int]] = []
        come: list[tuple[str, int]] = []
        for place, (then, now) in enumerate(zip(old, new, strict=True)):
            if then != now:
                shared = next((k for k, pair in enumerate(zip(then, now, strict=False)) if pair[0] != pair[1]), None)
                shared = min(len(then), len(now)) if shared is None else shared
                gone += [(piece.called(after.seat_names), place) for piece in then[shared:]]
                come += [(piece.called(after.seat_names), place) for piece in now[shared:]]
        return self._told(gone, come)

    def _told(self, gone: list[tuple[str, int]], come: list[tuple[str, int]]) -> list[str]:
        found = []
        for name, place in list(come):
            origin = next((other for other in gone if other[0] == name), None)
            if origin:
                gone.remove(origin)
                come.remove((name, place))
                found.append(f"{name} goes from {self.place_name(origin[1])} to {self.place_name(place)}")
        found += [f"{name} comes to {self.place_name(place)}" for name, place in come]
        found += [f"{name} leaves {self.place_name(place)}" for name, place in gone]
        return (
            found
            if len(found) <= MOST_NEWS
            else [*found[: MOST_NEWS - 1], f"{len(found) - MOST_NEWS + 1} more changes"]
        )


class PlacedPieces(TiledBoard):
    """A board whose cells say what stands on each place, or that has a bit mask of places for each kind of piece."""

    source: Source
    pieces: Mapping[int | str, Standing] | Callable[[int], Standing] | None
    names: Callable[[int], str] | None

    @property
    def _of_masks(self) -> bool:
        return not self.source

    def sources(self) -> Iterable[Source]:
        """Yield the group of cells, or the cells of the masks."""
        if not self._of_masks:
            return [self.source]
        if not isinstance(self.pieces, Mapping) or not self.pieces:
            kind = type(self).__name__
            raise BadGame(
                f'{kind} shows no cells; write {kind}("BOARD", …), or pieces={{"MASK": Piece(…)}} for bit masks'
            )
        return [str(name) for name in self.pieces]

    def check(self, cells: object) -> None:
        """Refuse cells that do not fit the board, and pieces that are not declared by value."""
        super().check(cells)  # type: ignore[arg-type]
        kind = f"{type(self).__name__} {self.label}"
        if not (self.pieces is None or callable(self.pieces) or isinstance(self.pieces, Mapping)):
            raise BadGame(
                f"the pieces of {kind} are {self.pieces!r:.60}; write what each value is, as in {{1: Piece()}}"
            )
        named = [name for name in self.pieces if isinstance(name, str)] if isinstance(self.pieces, Mapping) else []
        if named and self.source:
            raise BadGame(f"the pieces of {kind} name {named[0]!r}; bit masks need a board without {self.source!r}")
        if self._of_masks and self.count > MOST_BITS:
            raise BadGame(f"{type(self).__name__} has {self.count} places; a bit mask holds {MOST_BITS}")

    def stacks(self, at: ViewedPosition) -> list[Stack]:
        """Return what stands on each place."""
        if self._of_masks:
            return self._masked(at)
        values = at.read(self.source)
        if len(values) != self.count:
            kind = type(self).__name__
            raise BadGame(f"{kind} {self.label} has {self.count} places, but {len(values)} cells; they must be equal")
        return [stack_of(value, self.pieces) for value in values]

    def _masked(self, at: ViewedPosition) -> list[Stack]:
        assert isinstance(self.pieces, Mapping)
        found: list[Stack] = [()] * self.count
        for name, piece in self.pieces.items():
            mask = at.read(str(name))[0]
            hidden = mask == UNKNOWN and self.count < MOST_BITS  # with 64 places that number is a mask like any other
            for place in () if hidden else bits_of(mask):
                if place < self.count:
                    found[place] += as_stack(piece)
        return found


@part
@dataclass(frozen=True)
class Grid(PlacedPieces):
    """A board of squares; cell = row * columns + column, row 1 at the bottom unless `top_first`.

    `pieces` says what each value of a cell stands for; with `source` empty it says so for each bit mask. `moves` maps a
    move to the square where it ends, or to those where it begins and ends; "cell", "column" and "row" say that the
    number of a move is one. With `tells` the changes of the board are told in words.
    """

    source: Source = ""
    columns: int = 0
    rows: int = 0
    pieces: Mapping[int | str, Standing] | Callable[[int], Standing] | None = None
    moves: Ends | str | None = None
    top_first: bool = False
    chequered: bool = False
    names: Callable[[int], str] | None = None
    tells: bool = True

    MOVE_WORDS = ("cell", "column", "row")

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise BadGame(f"a Grid has columns={self.columns} and rows={self.rows}; both must be at least 1")

    @property
    def count(self) -> int:
        """How many squares there are."""
        return self.columns * self.rows

    @property
    def _side(self) -> float:
        return min(LARGEST, (BOARD_WIDTH - 2 * MARGIN) / self.columns, 0.9 * BOARD_WIDTH / min(self.rows, 10))

    @property
    def _left(self) -> float:
        return (BOARD_WIDTH - self.columns * self._side) / 2

    @property
    def reach(self) -> float:
        """Half the side of a square."""
        return self._side / 2

    @property
    def height(self) -> float:
        """How high the board is."""
        return self.rows * self._side + 2 * MARGIN

    def place_name(self, place: int) -> str:
        """Return the name of a square: its column as a letter and its row as a number."""
        return self.names(place) if self.names else Square(self.columns, self.rows).name(place)

    def middle(self, place: int) -> tuple[float, float]:
        """Return the centre of a square."""
        row, column = divmod(place, self.columns)
        down = row if self.top_first else self.rows - 1 - row
        return self._left + (column + 0.5) * self._side, MARGIN + (down + 0.5) * self._side

    def tile(self, place: int, x: float, y: float) -> Shape:
        """Return a square."""
        side, dark = self._side, self.chequered and (place // self.columns + place % self.columns) % 2 == 0
        fill = "var(--line)" if dark else "var(--card)"
        at: Paint = {"x": x - side / 2, "y": y - side / 2, "width": side, "height": side, "fill": fill}
        return Shape("rect", {**at, "stroke": "var(--faint)", "stroke-width": 1.0})

    def ornaments(self, top: float, stacks: Sequence[Stack]) -> Iterable[Shape]:
        """Yield the letters of columns and the numbers of rows; or the names of squares that the game names."""
        if self.names:
            for place in range(self.count):
                words = self.names(place)
                if not stacks[place] and len(words) * SMALL * LETTER_WIDTH <= self._side:
                    yield label(words, *_below(self.middle(place), top), SMALL, fill="var(--faint)")
            return
        if self._side < LEAST_NAMED:
            return
        for row in range(self.rows):
            _, y = self.middle(row * self.columns)
            yield label(str(row + 1), self._left - MARGIN / 2, top + y, SMALL, fill="var(--faint)")
        for column in range(self.columns):
            x, _ = self.middle(column)
            yield label(
                Square(self.columns, 1).name(column)[:1], x, top + self.height - MARGIN / 2, SMALL, fill="var(--faint)"
            )

    def lanes(self, at: ViewedPosition, top: float) -> Iterable[Shape]:
        """Yield the columns, or the rows, as targets."""
        if self.moves not in ("column", "row"):
            return
        across = self.moves == "column"
        ends = self.ends(at, self.columns if across else self.rows, str(self.moves))
        for lane in range(self.columns if across else self.rows):
            x, y = self.middle(lane if across else lane * self.columns)
            name = f"column {Square(self.columns, 1).name(lane)[:1]}" if across else f"row {lane + 1}"
            left, head = (x - self._side / 2, MARGIN) if across else (self._left, y - self._side / 2)
            wide, high = (1, self.rows) if across else (self.columns, 1)
            place: Paint = {"x": left + 1, "y": top + head + 1, "rx": 4.0, "fill": "transparent"}
            size: Paint = {"width": wide * self._side - 2, "height": high * self._side - 2}
            yield Shape("rect", {**place, **size}, title=name, moves=carried(ends, lane), key=f"{self.label} {name}")

    def lines(self, at: ViewedPosition) -> list[str]:
        """Return the board row by row."""
        stacks = self.stacks(at)
        signs = ["".join(piece.sign(at.seat_names) for piece in stack[-1:]) or "." for stack in stacks]
        wide = max(map(len, signs))
        if self.names or (wide + 1) * self.columns > 72:
            return super().lines(at)
        rows = range(self.rows) if self.top_first else range(self.rows - 1, -1, -1)
        drawn = [
            f"{row + 1:>3}  " + " ".join(f"{sign:<{wide}}" for sign in signs[row * self.columns :][: self.columns])
            for row in rows
        ]
        letters = [Square(self.columns, 1).name(column)[:1] for column in range(self.columns)]
        return [*(line.rstrip() for line in drawn), f"     {' '.join(f'{each:<{wide}}' for each in letters)}".rstrip()]


@part
@dataclass(frozen=True)
class HexGrid(PlacedPieces):
    """A board of hexagons: a hexagon of a radius, its cells numbered as in `Hexagon`, or a rhombus of columns and rows.

    The other settings are those of a `Grid`.
    """

    source: Source = ""
    radius: int = 0
    columns: int = 0
    rows: int = 0
    pieces: Mapping[int | str, Standing] | Callable[[int], Standing] | None = None
    moves: Ends | str | None = None
    names: Callable[[int], str] | None = None
    tells: bool = True

    MOVE_WORDS = ("cell",)

    def __post_init__(self) -> None:
        if (self.radius < 1) == (self.columns < 1 or self.rows < 1):
            given = f"radius={self.radius}, columns={self.columns} and rows={self.rows}"
            raise BadGame(f"a HexGrid has {given}; it needs a radius, or columns and rows")

    @property
    def _places(self) -> Sequence[tuple[int, int]]:
        if self.radius:
            return Hexagon(self.radius).places
        return [(column, row) for row in range(self.rows) for column in range(self.columns)]

    @property
    def count(self) -> int:
        """How many hexagons there are."""
        return 3 * self.radius * (self.radius + 1) + 1 if self.radius else self.columns * self.rows

    @property
    def _span(self) -> tuple[float, int]:
        """How many hexagons the board is wide and high."""
        if self.radius:
            return 2 * self.radius + 1, 2 * self.radius + 1
        return self.columns + (self.rows - 1) / 2, self.rows

    @property
    def _side(self) -> float:
        wide, high = self._span
        return min(LARGEST / 2, (BOARD_WIDTH - MARGIN) / (wide * sqrt(3)), BOARD_WIDTH / (1.5 * high + 0.5))

    @property
    def reach(self) -> float:
        """Half the width of a hexagon."""
        return self._side * sqrt(3) / 2

    @property
    def height(self) -> float:
        """How high the board is."""
        return (1.5 * self._span[1] + 0.5) * self._side + MARGIN

    def place_name(self, place: int) -> str:
        """Return the name of a hexagon: its row as a letter and its place in the row as a number."""
        if self.names:
            return self.names(place)
        column, row = self._places[place]
        if not self.radius:
            return Square(self.columns, self.rows).name(place)
        first = max(-self.radius, -self.radius - row)
        return f"{chr(ord('a') + row + self.radius)}{column - first + 1}"

    def middle(self, place: int) -> tuple[float, float]:
        """Return the centre of a hexagon."""
        column, row = self._places[place]
        wide, high = self._span
        across = column + row / 2 if self.radius else column + row / 2 - (wide - 1) / 2
        down = row if self.radius else row - (high - 1) / 2
        return BOARD_WIDTH / 2 + sqrt(3) * self._side * across, self.height / 2 + 1.5 * self._side * down

    def tile(self, place: int, x: float, y: float) -> Shape:
        """Return a hexagon."""
        paint: Paint = {"fill": "var(--card)", "stroke": "var(--faint)", "stroke-width": 1.0}
        return Shape("polygon", {"points": polygon(x, y, self._side, 6), **paint})


@part
@dataclass(frozen=True)
class Track(TiledBoard):
    """A row of spaces that turns back at the end of each line; each cell of `source` is where a token stands.

    `each` tokens belong to a seat. The first space has the number `first`; a token elsewhere is off the track. `moves`
    maps a move to a space, counted from 0, or to those where it begins and ends; "space" says that its number is one.
    """

    source: Source
    spaces: int
    each: int = 1
    first: int = 0
    columns: int = 0
    names: Callable[[int], str] | None = None
    moves: Ends | str | None = None
    tells: bool = True

    MOVE_WORDS = ("space",)
    EMPTY = "all off the track"

    def __post_init__(self) -> None:
        if self.spaces < 1 or self.each < 1:
            raise BadGame(f"a Track has spaces={self.spaces} and each={self.each}; both must be at least 1")

    @property
    def count(self) -> int:
        """How many spaces there are."""
        return self.spaces

    @property
    def _columns(self) -> int:
        if self.columns:
            return self.columns
        lines = -(-self.spaces // 10)
        return -(-self.spaces // lines)

    @property
    def _side(self) -> float:
        return min(LARGEST * 0.8, (BOARD_WIDTH - MARGIN) / self._columns)

    @property
    def reach(self) -> float:
        """Half the side of a space."""
        return self._side / 2

    @property
    def height(self) -> float:
        """How high the track is."""
        return -(-self.spaces // self._columns) * (self._side + 6) + MARGIN

    def place_name(self, place: int) -> str:
        """Return what a space is called."""
        return self.names(place) if self.names else f"space {place + self.first}"

    def middle(self, place: int) -> tuple[float, float]:
        """Return the centre of a space."""
        row, column = divmod(place, self._columns)
        column = column if row % 2 == 0 else self._columns - 1 - column
        left = (BOARD_WIDTH - self._columns * self._side) / 2
        return left + (column + 0.5) * self._side, MARGIN / 2 + row * (self._side + 6) + self._side / 2

    def tile(self, place: int, x: float, y: float) -> Shape:
        """Return a space."""
        side = self._side - 4
        at: Paint = {"x": x - side / 2, "y": y - side / 2, "width": side, "height": side, "rx": 6.0}
        return Shape("rect", {**at, "fill": "var(--card)", "stroke": "var(--faint)", "stroke-width": 1.0})

    def ornaments(self, top: float, stacks: Sequence[Stack]) -> Iterable[Shape]:
        """Yield the numbers of the spaces, and where a line goes on in the next."""
        for place in range(self.spaces):
            x, y = self.middle(place)
            words = self.names(place) if self.names else str(place + self.first)
            if not stacks[place] and len(words) * SMALL * LETTER_WIDTH <= self._side:
                yield label(words, x, top + y, SMALL, fill="var(--faint)")
            if place % self._columns == self._columns - 1 and place + 1 < self.spaces:
                line: Paint = {"x1": x, "x2": x, "y1": top + y + self._side / 2 - 2, "stroke": "var(--faint)"}
                yield Shape("line", {**line, "y2": top + y + self._side / 2 + 8, "stroke-width": 4.0})

    def stacks(self, at: ViewedPosition) -> list[Stack]:
        """Return the tokens on each space."""
        found: list[Stack] = [()] * self.spaces
        for token, value in enumerate(at.read(self.source)):
            place, seat = value - self.first, token // self.each
            if value != UNKNOWN and 0 <= place < self.spaces and seat < at.seats:
                found[place] += (Piece(seat=seat),)
        return found

    def together(self, stack: Stack, seat_names: Sequence[str]) -> str:
        """Return whose tokens share a space, and how many of each: they stand side by side."""
        names = Counter(piece.called(seat_names) for piece in stack)
        return " and ".join(f"{count} × {name}" if count > 1 else name for name, count in names.items())

    def changes(self, before: ViewedPosition, after: ViewedPosition) -> list[str]:
        """Return which tokens went from where to where."""
        pairs = zip(before.read(self.source), after.read(self.source), strict=True) if self.tells else ()
        found = []
        for token, (old, new) in enumerate(pairs):
            if old != new and UNKNOWN not in (old, new) and token // self.each < after.seats:
                name = Piece(seat=token // self.each).called(after.seat_names)
                found.append(f"{name} goes from {self._where(old)} to {self._where(new)}")
        return found

    def _where(self, value: int) -> str:
        place = value - self.first
        return self.place_name(place) if 0 <= place < self.spaces else "off the track"


def _below(point: tuple[float, float], top: float) -> tuple[float, float]:
    return point[0], top + point[1]
