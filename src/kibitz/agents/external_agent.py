"""Agents in other processes, and what they are told about a game: a method for each message of the bot protocol."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kibitz.agents.agent import Agent
from kibitz.core.game import Game
from kibitz.core.table import Table

ADJOURNED = "adjourned"  # the reason for a game to be continued later, when the agent is told everything again
WON, DRAWN = "won", "drawn"


@dataclass(frozen=True, slots=True)
class Event:
    """A move that was made, as the seat of the bot sees it: null where it cannot tell which it was.

    What chance did is a move of no seat, which everybody sees.
    """

    ply: int
    seat: int | None
    move: int | None
    text: str | None

    @classmethod
    def told(cls, ply: int, seat: int | None, move: int, text: str | None) -> "Event":
        """Return a move for a seat that is told this text; without a text it is not told the move either."""
        return cls(ply, seat, None if text is None else move, text)


class TimeControl(NamedTuple):
    """The clocks that a game is played with, in seconds; None means no limit."""

    move_seconds: float | None = None
    game_seconds: float | None = None
    increment: float = 0.0

    @property
    def clocked(self) -> bool:
        """Whether time is limited at all."""
        return self.move_seconds is not None or self.game_seconds is not None


NO_CLOCKS = TimeControl()


class Ending(NamedTuple):
    """How a game ended."""

    payoff: Sequence[float]
    reason: str
    drawn_by: str = ""  # the cause of a draw, where the game can tell

    @classmethod
    def level(cls, game: Game, reason: str) -> "Ending":
        """Return the end of a game that nobody has won: all get the same."""
        return cls(game.scoring.level(game.seats), reason)

    @classmethod
    def of(cls, table: Table, unfinished: str = ADJOURNED) -> "Ending":
        """Return how the game at a table ended; `unfinished` is the reason if it is not over."""
        if not table.over:
            return cls.level(table.game, unfinished)
        payoff = table.payoff()
        if payoff.count(max(payoff)) == 1:
            return cls(payoff, WON)
        return cls(payoff, DRAWN, table.drawn_by())


class ExternalAgent(Agent):
    """An agent in another process, which is told what happens at its table; code named by a path cannot be one.

    Only SeatedAgent calls the methods on_…. `deal` is a number that games on one deal share, and `place` names a seat
    of a table that lasts: where something is hidden, no process plays two games on one deal, and one that has played in
    a place plays in no other.
    """

    OUTSIDE = True
    deal: int | None = None
    place: tuple[str, int] | None = None

    @property
    def wants_events(self) -> bool:
        """Whether it is told about moves too."""
        return True

    def try_out(self) -> None:
        """Refuse with a BadValue what cannot be built, where that shows only in the other process."""

    def confine(self, memory: int) -> None:
        """Take at most `memory` MB, whatever its own options allow."""

    def on_new(self, seat: int, time_control: TimeControl) -> None:
        """Begin a game in a seat."""

    def on_event(self, event: Event) -> None:
        """Take note of a move."""

    def on_turn(self, seconds: float | None, left: Sequence[float | None], ply: int | None) -> None:
        """Take note of the seconds for the next decision, those left to each seat, and the number of moves made."""

    def on_end(self, ending: Ending) -> None:
        """Take note of how the game ended."""

    def on_quit(self) -> None:
        """End the process, whatever it has seen; a decision starts another."""
