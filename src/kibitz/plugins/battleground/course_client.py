"""A Chexers player of the course COMP30024 at the other end of a connection, in the messages of its battleground."""

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec
import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.external_agent import Ending, Event, ExternalAgent, TimeControl
from kibitz.bots.bot_fault import ILLEGAL, PROTOCOL, BotFault
from kibitz.bots.protocol import shown
from kibitz.bots.protocol_driver import MARGIN, THANKS, BotChannel
from kibitz.core.errors import BadMove, BadValue
from kibitz.core.game import Game
from kibitz.games.chexers.notation import from_action
from kibitz.games.chexers.rules import SEAT_NAMES
from kibitz.plugins.battleground.course_messages import (
    CourseColour,
    CourseError,
    CourseOver,
    CoursePlayers,
    CourseTurn,
    CourseUpdate,
    course_line,
)
from kibitz.plugins.courses.adapters.comp30024_adapter import action_of

OKAY, ACTN = "OKAY", "ACTN"  # what a player says
STARTING = 60.0  # seconds to get ready
PATIENCE = 60.0  # seconds for a move in a game without a clock
_BY_THE_RULES = ("won", "drawn", "cap")


class CourseMessage(msgspec.Struct):
    """A message of the player."""

    mtype: str
    action: Any = None  # anything; the rules check it


_decode = msgspec.json.Decoder(CourseMessage).decode


class CourseClient(ExternalAgent):
    """A player that is told every turn, its own included, and confirms each; it plays one game."""

    def __init__(self, name: str, game: Game, seed: int, wire: BotChannel, players: Sequence[str]):
        self.wire, self.players = wire, players
        self._owed = 0  # confirmations that have not come yet
        self._allowed: float | None = None
        self._fault: BotFault | None = None
        self._ending: Ending | None = None
        super().__init__(name, game, seed, {})

    def on_new(self, seat: int, time_control: TimeControl) -> None:
        """Tell the player who plays and which colour it has."""
        self.wire.begin_game()
        until = monotonic() + STARTING
        try:
            self.wire.send(course_line(CoursePlayers(*self.players)), until)
            self.wire.send(course_line(CourseColour(SEAT_NAMES[seat])), until)
            self._receive(OKAY, until)
        except BotFault as fault:
            raise self._failed(fault) from None

    def on_event(self, event: Event) -> None:
        """Tell the player of a turn; it confirms before its next one."""
        if event.seat is None:
            raise BadValue("the protocol of the course has no moves of chance")
        try:
            self.wire.send(course_line(CourseUpdate(SEAT_NAMES[event.seat], action_of(event.text or ""))), monotonic())
            self._owed += 1
        except BotFault as fault:  # which is not the fault of the seat that has moved
            self._fault = self._fault or fault

    def on_turn(self, seconds: float | None, left: Sequence[float | None], ply: int | None) -> None:
        """Note the clock."""
        self._allowed = seconds

    def decide(self, view: np.ndarray) -> Decision:
        """Ask the player for its action."""
        until = monotonic() + (PATIENCE if self._allowed is None else self._allowed) + MARGIN
        try:
            if self._fault is not None:
                raise self._fault
            self.wire.lines.new_move()
            self.wire.send(course_line(CourseTurn()), until)
            action = self._receive(ACTN, until).action
            try:
                return Decision(from_action(view, action))
            except BadMove as error:
                raise BotFault(ILLEGAL, str(error)) from None
        except BotFault as fault:
            raise self._failed(fault) from None

    def on_end(self, ending: Ending) -> None:
        """Note how the game ended; the player is told once the result is kept."""
        self._ending = ending

    def part(self) -> None:
        """Tell the player how the game ended, and disconnect it."""
        if self._ending is None:
            return
        payoff, reason, _ = self._ending
        best = max(payoff)
        if reason not in _BY_THE_RULES:
            line = course_line(CourseError(f"the game was broken off: a player failed ({reason})"))
        elif payoff.count(best) == 1:
            line = course_line(CourseOver(f"winner: {SEAT_NAMES[payoff.index(best)].title()}"))
        else:
            line = course_line(CourseOver("draw detected"))
        with suppress(BotFault):
            self.wire.send(line, monotonic() + THANKS)
        self.wire.end(politely=False)

    def _receive(self, wanted: str, until: float) -> CourseMessage:
        """Return the expected message, after the confirmations that are still due."""
        while True:
            line = self.wire.receive(until)
            try:
                said = _decode(line)
            except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
                raise BotFault(PROTOCOL, f"it wrote {shown(line)}, which is not a message: {error}") from None
            if said.mtype == OKAY and self._owed:
                self._owed -= 1
            elif said.mtype == wanted:
                return said
            else:
                raise BotFault(PROTOCOL, f"it sent {said.mtype[:80]!r}, not {wanted!r}")

    def _failed(self, fault: BotFault) -> BotFault:
        with suppress(BotFault):
            self.wire.send(course_line(CourseError(str(fault))), monotonic())
        self.wire.end(politely=False)
        return fault
