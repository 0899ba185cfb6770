"""Data: positions of games with what a search found there and what came of the game, in one .npz.

Reading runs no code, and needs nothing but NumPy. `about` is JSON: the game, the encoding, who searched, and how.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.archive import archive_bytes, read_arrays
from kibitz.core.errors import BadValue
from kibitz.learn.samples import NONE, Samples

FORMAT = 1
ARRAYS = ("inputs", "values", "results", "moves", "shares", "games")
_SHORT = np.iinfo(np.int16).max


@dataclass(frozen=True)
class DataAbout:
    """What data is of, and how it was made."""

    game: str
    version: int
    options: dict[str, Any]
    seats: int
    encoding: str
    length: int  # of the encoding
    listed: bool  # whether the encoding lists rows
    sides: str  # as in a network: positions are kept for the seat to move, or for each seat
    moves: int  # all moves are numbers below this; 0 where the game does not say so
    agent: str  # who searched; empty where the moves that were made are all that is known
    made: dict[str, Any] = field(default_factory=dict)  # how
    numbering: str = ""  # which of the game's numberings moves follow; none: moves are numbered as the game does

    def differs(self, other: "DataAbout") -> str:
        """Return the first thing in which other data cannot be used together with this; empty if there is none."""
        names = ("game", "version", "seats", "encoding", "length", "listed", "sides", "moves", "numbering")
        return next((name for name in names if getattr(self, name) != getattr(other, name)), "")


@dataclass(frozen=True)
class Data:
    """Positions, each from the side of one seat; the first axis of every array is the position.

    What is not known is all 0: choices of a seat that is not to move, values on another scale, results of no end.
    """

    about: DataAbout
    inputs: np.ndarray  # rows that are on, filled up with NONE, or the numbers of a dense encoding
    values: np.ndarray  # the chances of each seat, as the search saw them, the seat whose side it is first
    results: np.ndarray  # what came of the game, as shares, in the same order
    moves: np.ndarray  # the legal moves, filled up with NONE
    shares: np.ndarray  # the search's distribution over them
    games: np.ndarray  # the number of the game
    done: int  # games that are in it as a whole

    def __len__(self) -> int:
        return len(self.inputs)

    def samples(self, result: float = 0.5) -> Samples:
        """Return samples whose values are mixed: so much of what came of the game, the rest of what the search saw."""
        if not 0 <= result <= 1:
            raise BadValue(f"the part of the result is {result}; it must be from 0 to 1")
        known, ended = self.values.any(axis=1, keepdims=True), self.results.any(axis=1, keepdims=True)
        part = np.where(known & ended, np.float32(result), ended.astype(np.float32))
        values = (1 - part) * self.values + part * self.results
        return Samples(self.inputs, self.about.length, values, self.shares, self.moves, self.games)

    def as_bytes(self) -> bytes:
        """Return the contents of the file."""
        about = {"format": FORMAT, **asdict(self.about), "done": self.done}
        return archive_bytes(about, {name: _narrow(getattr(self, name)) for name in ARRAYS})


def _narrow(array: np.ndarray) -> np.ndarray:
    """Return whole numbers in as few bytes as they need."""
    fits = array.dtype.kind == "i" and abs(array).max(initial=0) <= _SHORT
    return array.astype(np.int16 if fits else np.int32) if array.dtype.kind == "i" else array.astype(np.float32)


def read_data(path: Path) -> Data:
    """Read data; a file that is none, or is damaged, is a BadValue that says why."""
    arrays = read_arrays(path, "data", "holds no data")
    try:
        told = json.loads(arrays.pop("about").tobytes())
        if told.pop("format") != FORMAT:
            raise BadValue(f"{path} is data of another format; this program reads format {FORMAT}")
        done, about = told.pop("done"), DataAbout(**told)
        data = Data(about, **{name: _wide(array) for name, array in arrays.items()}, done=done)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadValue(f"{path} holds no data that kibitz learn data has written") from None
    return _checked(data, path)


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.int32 if array.dtype.kind in "iu" else np.float32)


def _checked(data: Data, path: Path) -> Data:
    try:
        data.samples()  # the shapes and numbers of all arrays but the results
    except (BadValue, ValueError) as error:
        raise BadValue(f"{path} is damaged: {error}") from None
    about = data.about
    columns = data.values.shape[1], data.results.shape[1]
    if columns != (about.seats, about.seats) or data.moves.max(initial=NONE) >= max(about.moves, 0):
        raise BadValue(f"{path} is damaged: its seats or moves are not those of {about.game}")
    if about.listed != (data.inputs.dtype.kind == "i"):
        raise BadValue(f"{path} is damaged: its inputs are of another kind than it says")
    return data


def joined_data(parts: list[Data], about: DataAbout, done: int) -> Data:
    """Return one piece of data out of several of the same kind, whose games have different numbers."""
    widest = {name: max(getattr(part, name).shape[1] for part in parts) for name in ("inputs", "moves", "shares")}
    arrays = {}
    for name in ARRAYS:
        filler = NONE if name in ("inputs", "moves") else 0
        pieces = [getattr(part, name) for part in parts]
        if name in widest:
            pieces = [np.pad(piece, ((0, 0), (0, widest[name] - piece.shape[1])), constant_values=filler)
                      for piece in pieces]  # fmt: skip
        arrays[name] = np.concatenate(pieces)
    return Data(about, **arrays, done=done)
