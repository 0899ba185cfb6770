"""What can be wrong with what a person, a file or an agent hands in; each says which thing, and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches

SERVER_FAILED = "the server has failed; it is logged"  # all that a client is told of what nobody foresaw


class KibitzError(Exception):
    """Something handed in is wrong; the message is one sentence fit for a user."""


class UnknownName(KibitzError):
    """A name that nothing here bears."""

    def __init__(self, what: str, name: str, known: Iterable[str]):
        choices = sorted(known)
        near = get_close_matches(name, choices, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(choices) if choices else "none"
        super().__init__(f"unknown {what} {name!r}; known: {listed}.{hint}")
        self._given = (what, name, choices)

    def __reduce__(self) -> tuple[type, tuple[str, str, list[str]]]:
        return type(self), self._given


class BadValue(KibitzError):
    """A value that does not fit where it was put."""


class BadMove(KibitzError):
    """A move that cannot be played here."""


class BadGame(KibitzError):
    """Rules that break the contract of a game."""


class Halted(Exception):
    """A compiled loop was told to end from another thread."""


class BadRecord(KibitzError):
    """A record that cannot be read or replayed."""


class Untrusted(BadRecord):
    """A record that names code in files, read as one that is not trusted."""
