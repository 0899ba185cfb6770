"""Samples: positions as a network is shown them, with the targets of its heads. Plain arrays; knows no game."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from kibitz.core.errors import BadValue

NONE = -1  # pads lists of rows and of moves


@dataclass(frozen=True)
class Samples:
    """Positions and targets; the first axis of every array is the position.

    An unknown target is all 0, and then nothing is learnt from it.
    """

    inputs: np.ndarray  # [position, row]: integers, the rows that are on, padded with NONE; or floats, dense inputs
    length: int  # of the encoding: rows, or numbers
    values: np.ndarray  # [position, seat]: win probabilities, the seat that is asked first; no seats: no value head
    shares: np.ndarray  # [position, move]: the target policy over `moves`; no columns: no policy head
    moves: np.ndarray | None = None  # [position, move]: legal moves, padded with NONE; None: `shares` is over all moves
    games: np.ndarray | None = None  # [position]: the game of each position; None: every position is its own game

    def __post_init__(self) -> None:
        for name, array in self.arrays().items():
            if array.shape[:1] != (len(self),) or array.ndim != (1 if name == "games" else 2):
                raise BadValue(f"samples: {name} has the shape {array.shape}, and there are {len(self)} positions")
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise BadValue(f"samples: {name} holds numbers that are not finite")
        if self.moves is not None and self.moves.shape != self.shares.shape:
            raise BadValue(f"samples: {self.moves.shape} moves have {self.shares.shape} shares; they must be as many")
        low, high = (int(self.inputs.min()), int(self.inputs.max())) if self.listed and self.inputs.size else (0, 0)
        if low < NONE or high >= self.length or not (self.listed or self.inputs.shape[1] == self.length):
            raise BadValue(f"samples: the inputs do not fit an encoding of {self.length}")

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def listed(self) -> bool:
        """Whether the inputs are lists of rows."""
        return self.inputs.dtype.kind in "iu"

    @property
    def seats(self) -> int:
        """The logits of the value head."""
        return int(self.values.shape[1])

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all arrays that are not None, by name."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: array for name, array in found.items() if isinstance(array, np.ndarray)}

    def select(self, index: np.ndarray) -> "Samples":
        """Return the positions of an index."""
        return replace(self, **{name: array[index] for name, array in self.arrays().items()})

    def without_policy(self) -> "Samples":
        """Return the samples without the targets of a policy head."""
        moves = None if self.moves is None else self.moves[:, :0]
        return replace(self, moves=moves, shares=self.shares[:, :0])

    def split(self, held: float, seed: int) -> tuple["Samples", "Samples"]:
        """Return training and held-out samples; all positions of a game are on the same side."""
        games = np.arange(len(self)) if self.games is None else self.games
        every = np.unique(games)
        out = np.random.Generator(np.random.PCG64(seed)).permutation(every)[: round(held * len(every))]
        is_held = np.isin(games, out)
        return self.select(np.flatnonzero(~is_held)), self.select(np.flatnonzero(is_held))


def concatenated(parts: Sequence[Samples]) -> Samples:
    """Return the positions of several samples of one encoding; games of different samples are different games."""
    first, games, after = parts[0], list[np.ndarray](), 0
    for part in parts:
        same = (part.length, part.seats, part.listed) == (first.length, first.seats, first.listed)
        if not same or (part.moves is None) != (first.moves is None):
            raise BadValue("samples of different encodings, seats or targets cannot be used together")
        own = np.arange(len(part)) if part.games is None else part.games
        games.append(own + after)
        after += int(own.max(initial=NONE)) + 1
    return replace(
        first,
        inputs=stacked([part.inputs for part in parts], NONE),
        values=np.concatenate([part.values for part in parts]),
        shares=stacked([part.shares for part in parts], 0),
        moves=None if first.moves is None else stacked([part.moves for part in parts if part.moves is not None], NONE),
        games=np.concatenate(games),
    )


def stacked(arrays: Sequence[np.ndarray], filler: int) -> np.ndarray:
    """Return arrays one above the other, the narrower ones padded."""
    wide = max(array.shape[1] for array in arrays)
    return np.concatenate(
        [np.pad(array, ((0, 0), (0, wide - array.shape[1])), constant_values=filler) for array in arrays]
    )
