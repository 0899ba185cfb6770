"""Errors in what a person, a file or an agent hands in; each message says what is wrong and what would be right."""

from collections.abc import Iterable
from difflib import get_close_matches

SERVER_FAILED = "the server has failed; it is logged"  # all that a client learns of an unexpected error


class KibitzError(Exception):
    """Some input is wrong; the message is one sentence for a user."""


class UnknownName(KibitzError):
    """A name that is not known."""

    def __init__(self, what: str, name: str, known: Iterable[str]):
        choices = sorted(set(known))
        near = get_close_matches(name, choices, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(choices) if choices else "none"
        super().__init__(f"unknown {what} {name!r}; known: {listed}.{hint}")
        self._given = (what, name, choices)

    def __reduce__(self) -> tuple[type, tuple[str, str, list[str]]]:
        return type(self), self._given


class BadValue(KibitzError):
    """A value that is not allowed."""


class BadMove(KibitzError):
    """A move that cannot be played here."""


class BadGame(KibitzError):
    """Rules that break the contract of a game."""


class Halted(Exception):
    """Another thread ended a compiled loop."""


class BadRecord(KibitzError):
    """A record that cannot be read or replayed."""


class Untrusted(BadRecord):
    """A record that names code in files but is not trusted."""
