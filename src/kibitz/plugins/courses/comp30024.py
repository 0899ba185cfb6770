"""The agent for Chexers players of the University of Melbourne's course COMP30024."""

from ast import literal_eval
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np

from kibitz.agents.agent import Decision
from kibitz.agents.external_agent import Ending, Event
from kibitz.bots.agents.bot import start_options
from kibitz.bots.bot_fault import ILLEGAL, PROTOCOL, BotFault, harmless
from kibitz.bots.protocol import Move, NumberedMessage, shown
from kibitz.bots.protocol_driver import THANKS, BotChannel, ProtocolDriver
from kibitz.bots.sandbox.sandbox import Sandbox
from kibitz.core.errors import BadMove, BadValue
from kibitz.core.options import Option
from kibitz.games.chexers.notation import FORMS, from_action, to_action
from kibitz.games.chexers.rules import TURNS
from kibitz.plugins.courses.student import Student, where_options

COURSE, NO_LIMITS = "course", "none"
COURSE_SECONDS, COURSE_MEMORY = 60, 100  # of the processor a game; MB
MOST_MEMORY = 1_000_000  # MB, where there is no limit


class CourseEvents(NumberedMessage, tag_field="type", tag="events"):
    """What has happened since the last message, for the adapter alone."""

    events: list[Event]


class ResourcesUsed(msgspec.Struct):
    """The resources that a player used in its last call, as its process reports them."""

    seconds: float  # of the processor
    game_seconds: float
    memory: float  # MB
    most_memory: float


class ResourceAccount(msgspec.Struct):
    """What an answer of the adapter has in addition to the protocol's fields."""

    used: ResourcesUsed | None = None


_decode = msgspec.json.Decoder(ResourceAccount).decode


class Comp30024(Student):
    """A class Player of COMP30024 (action, update): comp30024(./team), or comp30024(path=./players, module=team)."""

    convention = "comp30024"
    asked = "action()"
    GAMES = ("chexers",)
    OPTIONS = {
        **where_options("Player"),
        "limits": Option(COURSE, "course: 60 s of the processor and 100 MB a game", choices=(COURSE, NO_LIMITS)),
        **start_options(memory=COURSE_MEMORY, start=60.0),
        "memory": Option(None, "MB that it may take, in place of the course's", 16, MOST_MEMORY, kind="int"),
        "cpu": Option(None, "processor seconds a game, in place of the course's", 1, 1_000_000, kind="int"),
        "seconds": Option(600.0, "for a move in a game without a clock", least=0.01, most=1_000_000),
        "fresh": Option(True, "a new process for every game, as in the course"),
    }

    def prepare(  # type: ignore[override]
        self, path: str, module: str, cls: str, limits: str, walls: str, memory: int | None, cpu: int | None,
        seconds: float, start: float, fresh: bool,
    ) -> None:  # fmt: skip
        """Find the class."""
        if self.game.name != "chexers" or self.game.position:
            raise BadValue(f"comp30024: its players play chexers from the start, not {self.game}")
        if limits == COURSE:
            memory, cpu = memory or COURSE_MEMORY, cpu or COURSE_SECONDS
        self._followed = 0
        self.used: ResourcesUsed | None = None
        self._process: BotChannel | None = None
        self.host(path, module, cls, Sandbox(walls, memory or MOST_MEMORY, cpu), seconds, start, fresh)

    def on_event(self, event: Event) -> None:
        """Note a turn, of which the player is told before its next one."""
        super().on_event(event)
        self._followed += 1

    def decide(self, view: np.ndarray) -> Decision:
        """Ask the player, which must have followed the game from the start."""
        if int(view[TURNS]) != self._followed:
            raise BadValue(
                f"comp30024: {int(view[TURNS])} turns were made, and the player was told of {self._followed}; it can "
                "play only in games that it follows from the start, as those of matches and tournaments"
            )
        return super().decide(view)

    def update(self, seconds: float) -> None:
        """Tell the player at once what it has not been told yet."""
        driver, events = self._driver, self._events
        if driver is None or not events:
            return
        self._events = []
        try:
            driver.tell(CourseEvents(id=0, events=events), seconds)
        except BotFault as fault:
            raise self._failed(fault) from None

    def printed(self) -> str:
        """Return what the player printed since this was last asked."""
        return "" if self._process is None else harmless(self._process.news())

    def start(self) -> ProtocolDriver:
        """Return the player's process, and read the resources it reports in its answers."""
        driver = super().start()
        driver.note, self._process = self._note, driver.process
        return driver

    def _note(self, who: str, line: bytes) -> None:
        if who == "bot" and line[:1] == b"{" and b'"used"' in line:
            try:
                self.used = _decode(line).used
            except msgspec.ValidationError as error:
                raise BotFault(PROTOCOL, f"it says wrongly what it used: {error}") from None
            except msgspec.MsgspecError:  # not a message either
                return

    def on_end(self, ending: Ending) -> None:
        """Tell the player of the last turns too."""
        with suppress(BotFault):
            self.update(THANKS)
        super().on_end(ending)

    def _begin(self, seat: int) -> ProtocolDriver:
        self._followed = 0
        return super()._begin(seat)

    def _decision(self, answer: Move, view: np.ndarray, moves: list[int]) -> Decision:
        """Return an action of the course as a decision; as there, it must be equal to one that is possible."""
        if answer.text is None:
            raise BotFault(PROTOCOL, "its answer has no action")
        action = _literal(answer.text)
        try:
            move = from_action(view, action)
        except BadMove as error:
            raise BotFault(ILLEGAL, str(error)) from None
        if action != to_action(view, move):
            raise BotFault(ILLEGAL, f"{action!r} is not an action, but {to_action(view, move)!r} is: {FORMS}")
        return Decision(move)


class _Shown(str):
    """A text that is shown as it is."""

    def __repr__(self) -> str:
        return str(self)


def _literal(text: str) -> Any:
    """Return the value that a text writes, or an object that shows the text."""
    with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return literal_eval(text)
    return _Shown(shown(text).strip("'\""))
