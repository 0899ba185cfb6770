"""Opening books: moves by position, with counts and average values; one .npz file, read without pickle.

A row is a position (`keys`, ascending), a move (`moves`), how often it was chosen (`counts`) and its average value for
the mover (`worths`). `about` is JSON. A position is what the seat to move sees. If the game's symmetries.py defines
`normal_form`, symmetric positions share their rows.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.calls import key
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.native import from_python
from kibitz.core.user_files import is_network_path
from kibitz.networks.archive import Kind, archive_bytes, read_archive

FORMAT = 1
ARRAYS = {"keys": "<i8", "moves": "<i8", "counts": "<i4", "worths": "<f4"}
_key_of = from_python(key)
_Rename = Callable[[int], int]  # maps a move to its name in the normal form of a position


@dataclass(frozen=True)
class BookAbout:
    """What a book is for, and where it comes from."""

    game: str
    version: int
    options: dict[str, Any]
    seats: int
    made: dict[str, Any] = field(default_factory=dict)  # how


KIND = Kind("book", "is not a book", BookAbout, {"digest": str}, FORMAT)


@dataclass
class Book:
    """Moves by position, each with its count and its average value."""

    about: BookAbout
    rows: dict[int, dict[int, tuple[int, float]]] = field(default_factory=dict)

    def add(self, position: int, move: int, worth: float) -> None:
        """Count a choice."""
        found = self.rows.setdefault(position, {})
        count, average = found.get(move, (0, 0.0))
        found[move] = (count + 1, average + (worth - average) / (count + 1))

    def best(self, game: Game, view: Int64s, legal: list[int]) -> tuple[int, int, float] | None:
        """Return the legal move with the greatest count, then value, with both; None if there is none."""
        position, rename = normal_form(game, view)
        found = self.rows.get(position, {})
        known = [(found[name][0], found[name][1], -move) for move in legal if (name := rename(move)) in found]
        if not known:
            return None
        count, worth, move = max(known)
        return -move, count, worth


def _itself(move: int) -> int:
    return move


def normal_form(game: Game, view: Int64s) -> tuple[int, _Rename]:
    """Return the key of a view, which symmetric views share, and the function that names moves there."""
    own = game.normal_form
    if own is None:
        return int(_key_of(game.rules, view)), _itself
    form, rename = own(view)
    return int.from_bytes(blake2b(form, digest_size=8).digest(), "little", signed=True), rename


def new_book(game: Game, options: dict[str, Any], made: dict[str, Any]) -> Book:
    """Return an empty book for a game."""
    return Book(BookAbout(Path(game.name).name, game.version, options, game.seats, made))


def as_bytes(book: Book) -> bytes:
    """Return a book as the bytes of a file; equal books have equal files."""
    rows = sorted(
        (position, move, count, worth)
        for position, found in book.rows.items()
        for move, (count, worth) in found.items()
    )
    columns = zip(*rows, strict=True) if rows else ((),) * len(ARRAYS)
    arrays = {name: np.array(column, dtype=kind) for (name, kind), column in zip(ARRAYS.items(), columns, strict=True)}
    about = {"format": FORMAT, **asdict(book.about), "digest": _digest(arrays)}
    return archive_bytes(about, arrays)


def _digest(arrays: dict[str, np.ndarray]) -> str:
    found = blake2b(digest_size=8)
    for name in ARRAYS:
        found.update(np.ascontiguousarray(arrays[name]).tobytes())
    return found.hexdigest()


def read_book(path: Path) -> Book:
    """Read a book; a BadValue says what is wrong with a file."""
    about, more, arrays = read_archive(path, KIND)
    kinds = {name: array.dtype.str for name, array in arrays.items()}
    if kinds != ARRAYS or len({array.shape for array in arrays.values()}) != 1 or arrays["keys"].ndim != 1:
        raise BadValue(f"{path} is not a book: it holds the arrays {', '.join(sorted(arrays)) or 'none'}")
    if _digest(arrays) != more["digest"] or not np.isfinite(arrays["worths"]).all():
        raise BadValue(f"{path} is damaged: its rows are not those that were written")
    book = Book(about)
    for position, move, count, worth in zip(*(arrays[name].tolist() for name in ARRAYS), strict=True):
        book.rows.setdefault(position, {})[move] = (count, worth)
    return book


def find_book(game: Game, name: str) -> Book:
    """Read a book that fits a game: one that comes with it, by name, or any by the path of its file."""
    shipped = {path.stem: path for path in sorted((game.folder / "books").glob("*.npz"))}
    if not is_network_path(name) and name not in shipped:
        raise BadValue(
            f"{game.name} has no book {name!r}; those that come with it: {', '.join(shipped) or 'none'}; a file is "
            f"named by its path, as in book=./mine.npz"
        )
    book = read_book(Path(name) if is_network_path(name) else shipped[name])
    about, own = book.about, Path(game.name).name
    if (about.game, about.version, about.seats) != (own, game.version, game.seats):
        raise BadValue(
            f"the book {name} is for {about.game}, version {about.version}, with {about.seats} seats, and this is "
            f"{own}, version {game.version}, with {game.seats}"
        )
    for option, now in game.options.items():
        before = about.options.get(option, game.declared[option].default)
        if before != now:
            raise BadValue(f"the book {name} is for {own} with {option}={before}, and this has {option}={now}")
    return book
