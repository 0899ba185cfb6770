"""Hidden files: those that tell deals, which no program behind walls may read, wherever they lie.

A command names here what it has open: ledgers, the tables of a server, a game that is continued. Processes that it
starts inherit the list, so that all who build walls know it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from kibitz.core.errors import BadValue
from kibitz.core.user_files import state_folder

VARIABLE = "KIBITZ_HIDDEN"  # of the environment: a JSON list of paths
BESIDE = ("", "-wal", "-shm", "-journal")  # what SQLite keeps beside a file

_lock = Lock()


def hide(path: Path | str) -> list[str]:
    """Hide a file or folder from now on, and what SQLite keeps beside it; return what `unhide` takes back."""
    places = {Path(path).absolute(), Path(path).resolve()}
    named = [f"{place}{end}" for place in sorted(places) for end in BESIDE]
    with _lock:
        _write([*_read(), *named])
    return named


def unhide(named: list[str]) -> None:
    """Take back one call of `hide`."""
    with _lock:
        left = _read()
        for name in named:
            if name in left:
                left.remove(name)
        _write(left)


def inherit(named: Iterable[str]) -> None:
    """Hide what another process hides, and nothing else."""
    with _lock:
        _write(list(named))


@contextmanager
def hidden(path: Path | str) -> Iterator[None]:
    """Hide a file as long as it is open."""
    named = hide(path)
    try:
        yield
    finally:
        unhide(named)


def hidden_files() -> tuple[str, ...]:
    """Return all that is to be hidden; what is kept of this user's unfinished games always is."""
    state = state_folder()
    return tuple(sorted({str(state.absolute()), str(state.resolve()), *_read()}))


def _read() -> list[str]:
    given = os.environ.get(VARIABLE, "[]")
    try:
        return [str(name) for name in json.loads(given)]
    except (ValueError, TypeError):
        raise BadValue(
            f"{VARIABLE} is {given!r:.80}; it is set by Kibitz for its own processes, so leave it out"
        ) from None


def _write(named: list[str]) -> None:
    os.environ[VARIABLE] = json.dumps(named)
