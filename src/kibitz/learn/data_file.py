"""Data: positions of games with the policy and the values of a search and the result of the game, in one .npz.

Reading runs no code and needs only NumPy. `about` is JSON: the game, the encoding, who searched, and how.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue
from kibitz.core.user_files import is_path
from kibitz.learn.samples import NONE, Samples, stacked
from kibitz.networks.archive import Kind, archive_bytes, read_archive

FORMAT = 1
ARRAYS = ("inputs", "values", "results", "moves", "shares", "games")
MOST_BYTES = 4 << 30  # unpacked: of large games, some hundred thousand positions with all their legal moves
_ROUND = 1e-2  # the tolerance of a sum of 1
_SHORT = np.iinfo(np.int16).max


@dataclass(frozen=True)
class DataAbout:
    """What the data describes, and how it was made."""

    game: str
    version: int
    options: dict[str, Any]
    seats: int
    encoding: str
    length: int  # of the encoding
    listed: bool  # whether the encoding lists rows
    sides: str  # as in a network: positions are kept for the seat to move, or for each seat
    moves: int  # all moves are numbers below this; 0 where the game does not say so
    agent: str  # who searched; empty: the moves that were made are the targets
    made: dict[str, Any] = field(default_factory=dict)  # how
    numbering: str = ""  # the numbering of moves; empty: the game's own

    def differs(self, other: "DataAbout") -> str:
        """Return the first field that keeps other data from being used together with this; empty if there is none."""
        names = ("game", "version", "seats", "encoding", "length", "listed", "sides", "moves", "numbering")
        return next((name for name in names if getattr(self, name) != getattr(other, name)), "")


KIND = Kind("data", "holds no data", DataAbout, {"done": int}, FORMAT, MOST_BYTES)


@dataclass(frozen=True)
class Data:
    """Positions, each from the side of one seat; the first axis of every array is the position.

    Unknown targets are all 0: the policy of a seat that is not to move, values on another scale, unfinished games.
    """

    about: DataAbout
    inputs: np.ndarray  # [position, row]: the rows that are on, padded with NONE, or dense inputs
    values: np.ndarray  # [position, seat]: win probabilities by the search, the seat whose side it is first
    results: np.ndarray  # [position, seat]: shares of the payoff, in the same order
    moves: np.ndarray  # [position, move]: the legal moves, padded with NONE
    shares: np.ndarray  # [position, move]: the policy of the search
    games: np.ndarray  # [position]: the number of the game
    done: int  # complete games

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def unjudged(self) -> int:
        """How many positions have no values by the search."""
        return len(self) - int(self.values.any(axis=1).sum())

    def samples(self, result: float = 0.5) -> Samples:
        """Return samples whose target values mix the result, with the given share, and the values of the search."""
        if not 0 <= result <= 1:
            raise BadValue(f"the part of the result is {result}; it must be from 0 to 1")
        known, ended = self.values.any(axis=1, keepdims=True), self.results.any(axis=1, keepdims=True)
        part = np.where(known & ended, np.float32(result), ended.astype(np.float32))
        values = (1 - part) * self.values + part * self.results
        return Samples(self.inputs, self.about.length, values, self.shares, self.moves, self.games)

    def repeats(self, other: "Data") -> bool:
        """Return whether both begin with the same games, as a file and its copy do."""
        first = min(len(self), len(other))
        names = ("values", "results", "games")
        same = (np.array_equal(getattr(self, name)[:first], getattr(other, name)[:first]) for name in names)
        return first > 0 and self.about == other.about and all(same)

    def as_bytes(self) -> bytes:
        """Return the contents of the file."""
        about = {"format": FORMAT, **asdict(self.about), "done": self.done}
        arrays = {name: _narrow(getattr(self, name)) for name in ARRAYS}
        if sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
            raise BadValue(
                f"{len(self):,} positions are more than the {MOST_BYTES >> 20:,} MB of one file; several files of "
                f"different seeds can be used together"
            )
        return archive_bytes(about, arrays)


def _narrow(array: np.ndarray) -> np.ndarray:
    """Return integers as int16 where they fit, else as int32."""
    fits = array.dtype.kind == "i" and abs(array).max(initial=0) <= _SHORT
    return array.astype(np.int16 if fits else np.int32) if array.dtype.kind == "i" else array.astype(np.float32)


def read_data(path: Path) -> Data:
    """Read data; raise BadValue for a file that holds none or is damaged."""
    about, more, arrays = read_archive(path, KIND)
    if {*arrays} != {*ARRAYS}:
        raise BadValue(f"{path} holds no data: its arrays are {', '.join(sorted(arrays)) or 'none'}")
    return _checked(Data(about, **{name: _wide(array) for name, array in arrays.items()}, done=more["done"]), path)


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.int32 if array.dtype.kind in "iu" else np.float32)


def _checked(data: Data, path: Path) -> Data:
    """Return data whose arrays are consistent; refuse others."""
    about, wrong = data.about, _misfit(data)
    if is_path(about.game):
        wrong = f"its game is {about.game!r}, which is not a name"
    if not wrong:
        try:
            data.samples()
        except BadValue as error:
            wrong = str(error)
    if wrong:
        raise BadValue(f"{path} is damaged: {wrong}")
    return data


def _misfit(data: Data) -> str:
    """Return what is wrong with the arrays of data; empty if nothing is."""
    about, count = data.about, data.inputs.shape[:1]
    wide = {"values": (about.seats,), "results": (about.seats,), "shares": data.moves.shape[1:], "games": ()}
    for name in ARRAYS:
        array = getattr(data, name)
        if array.shape[:1] != count or array.shape[1:] != wide.get(name, array.shape[1:2]) or not array.shape:
            return f"{name} has the shape {array.shape}"
    if about.listed != (data.inputs.dtype.kind == "i") or {data.moves.dtype.kind, data.games.dtype.kind} != {"i"}:
        return "its inputs, moves or games are of another kind than it says"
    if data.moves.min(initial=NONE) < NONE or data.moves.max(initial=NONE) >= about.moves:
        return f"its moves are not those of {about.game}"
    if data.games.min(initial=0) < 0 or data.games.max(initial=NONE) >= data.done:
        return f"its positions are of other games than the {data.done} that it says"
    for name in ("values", "results", "shares"):
        if not _are_distributions(getattr(data, name)):
            return f"{name} are not parts that sum up to 1"
    if data.shares[data.moves == NONE].any():
        return "shares are given to no move"
    return ""


def _are_distributions(array: np.ndarray) -> bool:
    """Return whether each row is a probability distribution or all 0."""
    sums = array.sum(axis=1, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return bool(((array >= 0).all(axis=1) & ((np.abs(sums - 1) < _ROUND) | (sums == 0))).all())


def concatenated_data(parts: list[Data], about: DataAbout, done: int) -> Data:
    """Return the positions of several data of the same kind, whose games have different numbers."""
    fillers = {"inputs": NONE, "moves": NONE, "shares": 0}
    pieces = {name: [getattr(part, name) for part in parts] for name in ARRAYS}
    joined = {name: stacked(found, fillers[name]) if name in fillers else np.concatenate(found)
              for name, found in pieces.items()}  # fmt: skip
    return Data(about, **joined, done=done)
