"""Observations: what a seat sees, as an array of fixed shape and type, made from its view and nothing else."""

from collections.abc import Callable, Sequence

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadValue, UnknownName
from kibitz.core.game import Game
from kibitz.core.table import Table

Features = Callable[[Game, np.ndarray, int], np.ndarray]
Observe = str | Sequence[str] | Features

BITS, VIEW = "bits", "view"
CELL_BITS = 64
WIDEST = 32  # cells; longer groups are logs of the past, and are left out unless asked for


class Observation:
    """How a seat's view becomes an array.

    `observe` is "bits": every cell as a 1 if it is known, and its 64 bits, but without groups of more than WIDEST
    cells; names of groups of cells: the bits of these; "view": the cells as they are, UNKNOWN included; or a function
    of game, view and seat that returns an array, always of the same shape and type.
    """

    def __init__(self, game: Game, observe: Observe = BITS):
        self.game = game
        self.make = _maker(game, observe)
        sample = self.make(game, Table(game, 0).view(0), 0)
        if not isinstance(sample, np.ndarray) or not np.issubdtype(sample.dtype, np.number):
            raise BadValue(f"an observation must be an array of numbers, not {sample!r:.80}")
        self.shape, self.dtype = sample.shape, sample.dtype

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest number that may stand in an observation."""
        if self.make.__class__ is _Bits:
            return 0, 1
        limits = np.iinfo(self.dtype) if np.issubdtype(self.dtype, np.integer) else np.finfo(self.dtype)
        return limits.min, limits.max

    def of(self, view: np.ndarray, seat: int) -> np.ndarray:
        """Return what a seat observes, as a fresh array."""
        made = self.make(self.game, view, seat)
        if made.shape != self.shape or made.dtype != self.dtype:
            raise BadValue(
                f"an observation has the shape {made.shape} and the type {made.dtype}; the first had {self.shape} and "
                f"{self.dtype}, and all must be alike"
            )
        return made


class _Bits:
    """The cells of some groups as bits: for each cell 1 if it is known, then its bits from the lowest."""

    def __init__(self, cells: np.ndarray):
        self.cells = cells

    def __call__(self, game: Game, view: np.ndarray, seat: int) -> np.ndarray:
        chosen = view[self.cells]
        known = chosen != UNKNOWN if game.hidden else np.ones(len(chosen), dtype=bool)
        words = np.where(known, chosen, 0).astype("<i8").view(np.uint8).reshape(len(chosen), 8)
        out = np.empty((len(chosen), 1 + CELL_BITS), dtype=np.int8)
        out[:, 0] = known
        out[:, 1:] = np.unpackbits(words, axis=1, bitorder="little")
        return out.ravel()


def _whole_view(game: Game, view: np.ndarray, seat: int) -> np.ndarray:
    return view.copy()


def _maker(game: Game, observe: Observe) -> Features:
    if callable(observe):
        return observe
    if observe == VIEW:
        return _whole_view
    groups = game.cells.sizes
    if observe == BITS:
        names: Sequence[str] = [name for name, size in groups.items() if size <= WIDEST]
    else:
        names = [observe] if isinstance(observe, str) else list(observe)
    for name in names:
        if name not in groups:
            raise UnknownName(f"observation of {game.name}", name, [BITS, VIEW, *groups])
    if not names:
        raise BadValue("an observation needs at least one group of cells")
    starts = game.cells.starts
    return _Bits(np.concatenate([np.arange(starts[name], starts[name] + groups[name]) for name in names]))
