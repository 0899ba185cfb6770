"""Grids: the names, neighbours and lines of cells, from which a game computes its tables once."""

from dataclasses import dataclass
from functools import cached_property

from kibitz.core.errors import BadValue


@dataclass(frozen=True)
class Square:
    """A grid of squares; cell = row * width + column, named a1, b1, … with a1 as cell 0."""

    width: int
    height: int

    @property
    def cells(self) -> range:
        """All cells."""
        return range(self.width * self.height)

    def name(self, cell: int) -> str:
        """Return the name of a cell."""
        return f"{chr(ord('a') + cell % self.width)}{cell // self.width + 1}"

    def cell(self, name: str) -> int:
        """Return the cell with a name."""
        for cell in self.cells:
            if self.name(cell) == name:
                return cell
        raise BadValue(f"there is no cell {name!r} on a board of {self.width} by {self.height}")

    def straight_lines(self, length: int) -> list[int]:
        """Return every line of `length` cells along rows, columns and diagonals, as bit masks."""
        lines = []
        for column_step, row_step in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            for row in range(self.height):
                for column in range(self.width):
                    last_column = column + column_step * (length - 1)
                    last_row = row + row_step * (length - 1)
                    if 0 <= last_column < self.width and last_row < self.height:
                        steps = range(length)
                        cells = [(row + k * row_step) * self.width + column + k * column_step for k in steps]
                        lines.append(sum(1 << cell for cell in cells))
        return lines

    def blocks(self, side: int) -> list[int]:
        """Return every square block of `side` times `side` cells, as bit masks."""
        return [
            sum(1 << ((row + i) * self.width + column + j) for i in range(side) for j in range(side))
            for row in range(self.height - side + 1)
            for column in range(self.width - side + 1)
        ]


HEX_STEPS = ((-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1))


@dataclass(frozen=True)
class Hexagon:
    """A hexagonal board of hexagons in axial coordinates (q, r), with q, r and -q-r all in -radius..radius."""

    radius: int

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The coordinates of every cell, in the order of the cells."""
        span = range(-self.radius, self.radius + 1)
        return tuple((q, r) for r in span for q in span if abs(q + r) <= self.radius)

    @cached_property
    def cell_at(self) -> dict[tuple[int, int], int]:
        """The cell at each pair of coordinates."""
        return {place: cell for cell, place in enumerate(self.places)}

    def step(self, cell: int, direction: int, steps: int = 1) -> int:
        """Return the cell `steps` steps away in one of the six directions, or -1 off the board."""
        q, r = self.places[cell]
        dq, dr = HEX_STEPS[direction]
        return self.cell_at.get((q + steps * dq, r + steps * dr), -1)
