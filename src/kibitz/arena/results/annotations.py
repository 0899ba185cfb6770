"""Annotations: what is kept of a game beside its result, as a line of JSON; empty where there is nothing.

`drawn_by` is how a draw came about, `called` by seat what bots call themselves; `seats`, `seconds`, `values`, `nodes`
and `depth` have an entry for each move, where moves are known.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from kibitz.bots.bot_fault import harmless

LONGEST_NAME = 20  # characters of what a bot calls itself
_MOVES = '"seats": '  # is in every line that knows of moves


def moves_in(line: str) -> dict[str, list[Any]] | None:
    """Return what is known of the moves of a game; None where nothing is."""
    return json.loads(line) if _MOVES in line else None


def ended(reason: str, drawn_by: str) -> str:
    """Return why a game ended, with how a draw came about where that is known."""
    return f"{reason} by {drawn_by}" if drawn_by else reason


def names_of(agents: Sequence[str], games: Iterable[tuple[Sequence[int], Sequence[str]]]) -> tuple[str, ...]:
    """Return what each agent calls itself, the first time that it says so, from who sat where and was called what.

    Anybody may call a bot what he likes, also as another agent is called; so its number goes with the name.
    """
    found = [""] * len(agents)
    for seating, called in games:
        for agent, name in zip(seating, called, strict=False):
            if not found[agent] and (plain := _plain(str(name))):
                found[agent] = f"{plain} (bot {agent + 1})"
    return tuple(found)


def _plain(name: str) -> str:
    """Return a name as a short text on one line that steers no terminal."""
    plain = " ".join(harmless(name).split())
    return plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"
