"""The games of a run, as columns."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from kibitz.arena.play.reason import Reason
from kibitz.bots.bot_fault import harmless
from kibitz.core.arrays import Floats, Int64s
from kibitz.core.scoring import WINS, Scoring

LONGEST_NAME = 20  # characters of what a bot calls itself
_MOVES = '"seats": '  # is in every annotation that tells of moves

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class GameColumns:
    """The games of a run, one row each, in the order of the plan."""

    agents: tuple[str, ...]  # [agent]: all different; an agent that a plan lists twice is one
    numbers: Int64s  # [game], as are all columns below
    blocks: Int64s
    seatings: Int64s  # [game, seat]: the number of the agent
    payoffs: Floats  # [game, seat]
    plies: Int64s
    reasons: list[Reason]
    offenders: Int64s  # the seat that failed, or -1
    seconds: Floats  # [game, seat]: 0 where they were not measured
    moves: Int64s  # [game, seat]
    drawn_by: list[str]  # the cause of a draw; empty where the game does not tell
    said: list[str]  # what went wrong, or empty
    called: tuple[str, ...]  # [agent]: what a bot calls itself, empty for all others
    scoring: Scoring = WINS  # what counts

    @property
    def shown(self) -> tuple[str, ...]:
        """What stands for each agent in sentences: what it calls itself, or its text."""
        return tuple(name or text for name, text in zip(self.called, self.agents, strict=True))

    @property
    def draws(self) -> dict[str, int]:
        """How many draws had which cause, where games tell; the most frequent first."""
        return dict(Counter(filter(None, self.drawn_by)).most_common())

    @property
    def faults(self) -> list[str]:
        """How agents failed, in one sentence each."""
        return [said for said, seat in zip(self.said, self.offenders.tolist(), strict=True) if said and seat >= 0]

    @property
    def killed(self) -> list[str]:
        """How processes were killed whose games were played again, in one sentence each."""
        rows = zip(self.said, self.offenders.tolist(), self.reasons, strict=True)
        return [said for said, seat, reason in rows if said and seat < 0 and reason != Reason.VOID]

    @property
    def voids(self) -> list[str]:
        """Why games are void, and their blocks with them, in one sentence each."""
        return [said for said, reason in zip(self.said, self.reasons, strict=True) if said and reason == Reason.VOID]

    def counted(self) -> "GameColumns":
        """Return the games that count: those of a block count together or not at all."""
        void = np.array([reason == Reason.VOID for reason in self.reasons], dtype=bool)
        if not void.any():
            return self
        kept = np.flatnonzero(~np.isin(self.blocks, self.blocks[void]))
        return GameColumns(*(_of_games(getattr(self, column.name), kept) for column in fields(GameColumns)))

    def of_counted(self, lines: Iterable[Entry]) -> Iterator[Entry]:
        """Yield, of one entry for each game, those of games that count."""
        counts = set(self.counted().numbers.tolist())
        return (line for number, line in zip(self.numbers.tolist(), lines, strict=True) if number in counts)


def moves_in(line: str) -> dict[str, list[Any]] | None:
    """Return what an annotation tells of the moves of a game, or None.

    An annotation is what is kept of a game beside its result, as a line of JSON or an empty one: `drawn_by`; by seat
    what bots are `called`; and by move `seats`, `seconds`, `values`, `nodes`, `depth` and `cpu` (not in older ledgers).
    """
    return json.loads(line) if _MOVES in line else None


def ended(reason: str, drawn_by: str) -> str:
    """Return why a game ended, with the cause of a draw where it is known."""
    return f"{reason} by {drawn_by}" if drawn_by else reason


def names_of(agents: Sequence[str], games: Iterable[tuple[Sequence[int], Sequence[str]]]) -> tuple[str, ...]:
    """Return what each agent calls itself the first time that it does, given who sat where and was called what.

    A bot may call itself anything, also what another agent is called; so its number goes with the name.
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


def _of_games(column: Any, rows: np.ndarray) -> Any:
    """Return some rows of a column; what is known of agents and of the game stays as it is."""
    if isinstance(column, tuple | Scoring):
        return column
    return [column[at] for at in rows] if isinstance(column, list) else column[rows]
