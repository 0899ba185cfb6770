"""The cells of a state, declared by name: where each group starts, its size, and the size of the state.

>>> CELLS = cells(SEAT=1, HANDS=4, DECK=52)
>>> SEAT, HANDS, DECK = CELLS
>>> SEAT, HANDS, DECK, CELLS.size
(0, 1, 5, 57)
>>> CELLS.name_of(3), CELLS.name_of(0)
('HANDS[2]', 'SEAT')
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType

from kibitz.core.errors import BadGame


@dataclass(frozen=True, repr=False)
class Cells:
    """Groups of cells in the order of their places in a state; iterating yields where each starts."""

    sizes: dict[str, int]
    starts: dict[str, int] = field(init=False)
    size: int = field(init=False)

    def __post_init__(self) -> None:
        starts, at = {}, 0
        for name, size in self.sizes.items():
            if not isinstance(size, int) or isinstance(size, bool) or size < 1:
                raise BadGame(f"{name} has {size!r} cells; it must be a whole number, at least 1")
            starts[name] = at
            at += size
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "size", at)

    def __iter__(self) -> Iterator[int]:
        return iter(self.starts.values())

    def __repr__(self) -> str:
        return f"cells({', '.join(f'{name}={size}' for name, size in self.sizes.items())})"

    def __getitem__(self, name: str) -> int:
        return self.starts[name]

    def name_of(self, cell: int) -> str:
        """Return the name of a cell, with its index in a group of several; describe a cell outside the state."""
        for name, start in self.starts.items():
            if start <= cell < start + self.sizes[name]:
                return name if self.sizes[name] == 1 else f"{name}[{cell - start}]"
        last, start = list(self.starts.items())[-1]
        named = f"{last}[{cell - start}]" if cell > 0 else f"cell {cell}"
        return f"{named}, which is outside the state (it has cells 0 to {self.size - 1})"

    def check_names(self, module: ModuleType) -> None:
        """Refuse a module that uses the name of a group for another cell."""
        for name, start in self.starts.items():
            given = getattr(module, name, start)
            if given != start:
                listed = ", ".join(self.starts)
                raise BadGame(
                    f"{module.__file__}: {name} is {given}, but the cells are declared so that it is {start}; take the "
                    f"names in the order declared: {listed} = CELLS"
                )


def cells(**sizes: int) -> Cells:
    """Declare groups of cells, each with its size, in the order of their places in a state."""
    return Cells(sizes)
