"""Hidden files: those that reveal deals, which no program in a sandbox may read.

A command lists the files that it has open: ledgers, the tables of a server, a game that is continued. Its child
processes inherit the list, so that every sandbox knows it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from kibitz.core.errors import BadValue
from kibitz.core.user_files import state_folder

VARIABLE = "KIBITZ_HIDDEN"  # in the environment: a JSON list of paths
BESIDE = ("", "-wal", "-shm", "-journal")  # endings of the files that SQLite keeps beside another

_lock = Lock()


def hide(path: Path | str) -> list[str]:
    """Hide a file or folder, and what SQLite keeps beside it; `unhide` takes what this returns."""
    places = {Path(path).absolute(), Path(path).resolve()}
    named = [f"{place}{end}" for place in sorted(places) for end in BESIDE]
    with _lock:
        _write([*_read(), *named])
    return named


def unhide(named: list[str]) -> None:
    """Undo one call of `hide`."""
    with _lock:
        left = _read()
        for name in named:
            if name in left:
                left.remove(name)
        _write(left)


def inherit(named: Iterable[str]) -> None:
    """Hide exactly what another process hides."""
    with _lock:
        _write(list(named))


@contextmanager
def hidden(path: Path | str) -> Iterator[None]:
    """Hide a file while the block runs."""
    named = hide(path)
    try:
        yield
    finally:
        unhide(named)


def hidden_files() -> tuple[str, ...]:
    """Return all hidden files; this user's unfinished games are always among them."""
    state = state_folder()
    return tuple(sorted({str(state.absolute()), str(state.resolve()), *_read()}))


def _read() -> list[str]:
    given = os.environ.get(VARIABLE, "[]")
    try:
        return [str(name) for name in json.loads(given)]
    except (ValueError, TypeError):
        raise BadValue(f"{VARIABLE} is {given!r:.80}; Kibitz sets it for its own processes, so leave it out") from None


def _write(named: list[str]) -> None:
    os.environ[VARIABLE] = json.dumps(named)
