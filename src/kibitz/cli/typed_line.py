"""A typed line: the move or command it begins with, which may be shortened."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from kibitz.core.errors import BadMove, KibitzError
from kibitz.core.table import Table

COMMANDS = ("help", "rules", "moves", "hint", "undo", "quit")
OTHER_WORDS = {"exit": "quit", "?": "help"}
LETTERS = {"q": "quit", "h": "help", "m": "moves", "u": "undo"}  # where no move is meant


class Typed(NamedTuple):
    """What a line begins with, a move or a command, and what is left of the line."""

    move: int | None
    command: str
    rest: str


def read_line(table: Table, line: str) -> Typed:
    """Return the first move or command of a line; a line that cannot be read is a BadMove that quotes all of it.

    The longest text that is a move comes first, then a command, then a short form of either if only one fits:
    `m` is short for moves, but where miner is a move, the user must type more.
    """
    line = line.strip()
    ends = [word.end() for word in re.finditer(r"\S+", line)]
    for end in reversed(ends):
        move = _move(table, line[:end])
        if move is not None:
            return Typed(move, "", line[end:].strip())
    first = line[: ends[0]].lower() if ends else ""
    if first in COMMANDS or first in OTHER_WORDS:
        return Typed(None, OTHER_WORDS.get(first, first), line[ends[0] :].strip())
    for end in reversed(ends):
        found = _meant(table, line[:end], whole=end == len(line))
        if len(found) == 1:
            return found[0]._replace(rest=line[end:].strip())
        if len(found) > 1 and end == len(line):
            named = ", ".join(_name(table, each) for each in found)
            raise BadMove(f"{line!r} may be {named}; type more of it")
    table.read(line)
    raise AssertionError("a text that is a move was found above")


def _move(table: Table, text: str) -> int | None:
    try:
        return table.read(text)
    except KibitzError:
        return None


def _meant(table: Table, text: str, whole: bool) -> list[Typed]:
    """Return the moves and commands that a text may be short for; a whole line may leave out words too."""
    words = _words(text)
    if not words or re.search(r"[^\w\s-]|(^|\s)-", text):  # -1 does not abbreviate 1
        return []
    moves = [Typed(move, "", "") for move in table.moves() if _is_short_for(words, _words(table.write(move)), whole)]
    named = [LETTERS[text.lower()]] if text.lower() in LETTERS else [*COMMANDS]
    commands = [Typed(None, name, "") for name in named if _is_short_for(words, [name], whole)]
    return commands + moves


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _is_short_for(short: Sequence[str], full: Sequence[str], leaving_out: bool) -> bool:
    """Return whether each word begins the word in its place; with `leaving_out`, a later word."""
    if not leaving_out:
        return len(short) == len(full) and all(map(str.startswith, full, short))
    rest = iter(full)
    return all(any(word.startswith(part) for word in rest) for part in short)


def _name(table: Table, typed: Typed) -> str:
    return typed.command if typed.move is None else table.write(typed.move)
