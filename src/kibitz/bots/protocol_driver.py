"""The protocol driver: the conversation with one bot, game by game."""

from codecs import BOM_UTF8
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Protocol, TypeVar

from msgspec import UNSET

from kibitz import __version__
from kibitz.agents.external_agent import Ending
from kibitz.bots.bot_fault import PROTOCOL, START, TIME, BotFault
from kibitz.bots.bot_process import CAME, NO_LINE
from kibitz.bots.host_messages import FromHost, ThinkingProgress
from kibitz.bots.protocol import (
    PROTOCOL_NUMBER,
    USUAL_WANTS,
    WANTS,
    Clock,
    Decide,
    End,
    Error,
    Guess,
    Hello,
    LineBuffer,
    Message,
    Move,
    New,
    NumberedMessage,
    Ok,
    Paid,
    Playout,
    Quit,
    Ready,
    Simulate,
    line_of,
    read_bot,
    shown,
)
from kibitz.core.game import Game, option_values
from kibitz.core.seeds import seed_for_program

MARGIN = 0.1  # seconds that we wait longer than the clock allows; the referee judges what comes in them
THANKS = 1.0  # seconds for an answer to `end`
CHATTER_KEPT = 20  # lines
ANSWERS = {"hello": "ready", "new": "ok", "decide": "move"}
Answer = TypeVar("Answer", bound=NumberedMessage)
Answers = Callable[[Guess | Simulate | Playout, float], Message]  # to a request of the bot, until a time
Note = Callable[[str, bytes], None]  # is given every line, with who wrote it


class BotChannel(Protocol):
    """A channel for lines to a bot and back: the pipes of a process, or a connection."""

    lines: LineBuffer
    chatter: list[bytes]  # the last lines that were no messages

    @property
    def killed(self) -> bool:
        """Whether the bot was certainly ended from outside."""
        return False

    @property
    def perhaps_killed(self) -> bool:
        """Whether somebody else may have ended it, or it may have done so itself."""
        return False

    def begin_game(self) -> None:
        """Begin a new count of what the bot uses."""

    def send(self, line: bytes, until: float) -> None:
        """Write a line; a bot that does not read in time has failed."""

    def receive(self, until: float) -> bytes:
        """Return the next line; a bot from which none comes in time has failed."""

    def news(self) -> str:
        """Return what the bot said beside its messages since this was last asked."""

    def tail(self) -> str:
        """Return the end of what the bot said beside its messages, as the end of a sentence."""

    def end(self, politely: bool = True) -> None:
        """End the bot, or the connection to it."""


class ProtocolDriver:
    """A running bot, and what it has said about itself."""

    def __init__(self, process: BotChannel, note: Note | None = None):
        self.process = process
        self.note = note
        self.read: Callable[[bytes], FromHost | None] = read_bot  # a bot has fewer messages than a host
        self.name = ""
        self.wants: frozenset[str] = frozenset(USUAL_WANTS)
        self.games: list[str] | None = None
        self.may_chatter = True  # whether lines that are not messages are let through
        self.deals: set[int] = set()  # on which it has played where something is hidden
        self.place: tuple[str, int] | None = None  # in which it has played where something is hidden
        self.knows = False  # whether it has been shown something in this game that others may not see
        self.progress: dict[str, int] = {}  # what it has counted so far, as a host tells it
        self.warmed_up = False  # whether it has decided before, so that its code is loaded
        self._id = 0
        self._early = 0  # lines that were there before the last message was sent and are still to be read
        self._dropped = ""  # what was wrong with the last line since the last message that answers nothing

    def hello(self, game: str, seconds: float) -> None:
        """Greet the bot; one that does not get ready has failed to start."""
        until = monotonic() + seconds
        try:
            self._send(Hello(id=self._next(), protocol=PROTOCOL_NUMBER, referee=f"kibitz {__version__}", games=[game]),
                       until)  # fmt: skip
            ready = self._answer(Ready, until, "hello")
        except BotFault as fault:
            raise BotFault(START, self._after(fault, seconds, "hello")) from None
        if ready.protocol != PROTOCOL_NUMBER:
            raise BotFault(START, f"it speaks protocol {ready.protocol}; here it is {PROTOCOL_NUMBER}")
        for want in ready.wants or ():
            if want not in WANTS:
                raise BotFault(START, f"it wants {want!r:.80}; a bot may want {', '.join(WANTS)}")
        self.name, self.games = ready.name, ready.games
        if ready.wants is not None:
            self.wants = frozenset(ready.wants)

    def plays(self, game: str) -> None:
        """Refuse a game that the bot says it does not play."""
        if self.games is not None and game not in self.games:
            raise BotFault(
                START, f"it does not play {game}; it says that it plays {', '.join(self.games) or 'nothing'}"
            )

    def new(self, game: Game, seat: int, clock: Clock, seed: int, seconds: float) -> None:
        """Begin a game; `seed` itself stays here, and nothing can be computed from the seed that the bot is told."""
        self.plays(game.name)
        self.process.begin_game()
        until = monotonic() + seconds
        try:
            scoring = game.scoring
            paid = Paid(unit=scoring.unit, least=scoring.least, most=scoring.most, shared=scoring.shared)
            message = New(
                id=self._next(), game=game.name, version=game.version, options=option_values(game), seats=game.seats,
                seat=seat, seat_names=list(game.seat_names), paid=UNSET if scoring.by_wins else paid,
                clock=clock, seed=seed_for_program(seed),
            )  # fmt: skip
            self._send(message, until)
            self._answer(Ok, until, "new")
        except BotFault as fault:
            raise BotFault(fault.kind, self._after(fault, seconds, "new")) from None

    def tell(self, message: NumberedMessage, seconds: float) -> None:
        """Send a message that only adapters know, and wait for the `ok`."""
        until = monotonic() + seconds
        message.id = self._next()
        self._send(message, until)
        self._answer(Ok, until, "events")

    def ask(self, message: NumberedMessage, kind: type[Answer], seconds: float) -> Answer:
        """Return the answer to a message that only hosts know."""
        self.process.lines.new_move()
        self.progress = {}
        until = monotonic() + seconds + MARGIN
        message.id = self._next()
        try:
            self._send(message, until)
            return self._answer(kind, until, "decide")
        except BotFault as fault:
            raise BotFault(fault.kind, self._after(fault, seconds, "decide")) from None

    def decide(self, message: Decide, seconds: float, answers: Answers) -> Move:
        """Let the bot decide within `seconds`, answering its requests."""
        process = self.process
        process.lines.new_move()
        until = monotonic() + seconds + MARGIN
        message.id = self._next()
        try:
            self._send(message, until)
            while True:
                said = self._receive(until)
                if type(said) is Move:
                    if said.id == self._id:
                        return said
                    self._not_from_the_future(said.id)
                elif isinstance(said, Guess | Simulate | Playout):
                    self._send(answers(said, until), until)
                elif not isinstance(said, Ok | Ready) or said.id >= self._id:
                    raise BotFault(PROTOCOL, f"it answered `decide` with `{type(said).__name__.lower()}`, not `move`")
        except BotFault as fault:
            raise BotFault(fault.kind, self._after(fault, seconds, "decide")) from None

    def end_game(self, seat: int, ending: Ending) -> None:
        """Tell the bot how the game ended; it need not answer."""
        self.process.lines.new_move()
        until = monotonic() + THANKS
        payoff, reason, drawn_by = ending
        self._send(End(id=self._next(), seat=seat, payoff=list(payoff), reason=reason, drawn_by=drawn_by), until)
        try:
            self._answer(Ok, until, "end")
        except BotFault as fault:
            if fault.kind != TIME:
                raise

    def refuse(self, sentence: str) -> None:
        """Tell the bot what was wrong, if it still reads."""
        with suppress(BotFault):
            self._send(Error(about=self._id, sentence=sentence), monotonic())

    def close(self, politely: bool = True) -> None:
        """End the bot."""
        if politely and self.note is not None:
            self.note("referee", line_of(Quit()))
        self.process.end(politely)

    def _next(self) -> int:
        self._dropped = ""
        self._early = len(self.process.lines.waiting)
        self._id += 1
        return self._id

    def _send(self, message: Message, until: float) -> None:
        line = line_of(message)
        if self.note is not None:
            self.note("referee", line)
        self.process.send(line, until)

    def _receive(self, until: float) -> FromHost:
        """Return the next message, skipping chatter."""
        while True:
            line = self.process.receive(until)
            if self.note is not None:
                self.note("bot", line)
            message = self.read(line)
            if isinstance(message, ThinkingProgress):
                self.progress = message.counts
                continue
            if self._early:
                self._early -= 1
                if getattr(message, "id", None) == self._id:
                    raise BotFault(PROTOCOL, f"its answer to message {self._id} came before that message was sent")
            if message is not None:
                return message
            if line and not self.may_chatter:
                raise BotFault(PROTOCOL, f"it wrote {shown(line)} where its host speaks")
            if line:
                self.process.chatter = [*self.process.chatter[1 - CHATTER_KEPT :], line]
                mark = "a mark of byte order stands before it" if line[:3] == BOM_UTF8 else "a message begins with {"
                self._dropped = f"it wrote {shown(line)}, which is not a message: {mark}"

    def _answer(self, kind: type[Answer], until: float, to: str) -> Answer:
        """Return the answer to the last message; drop answers to earlier ones."""
        while True:
            said = self._receive(until)
            number = getattr(said, "id", None)
            if number is None:
                name = type(said).__name__.lower()
                raise BotFault(
                    PROTOCOL, f"it asked for `{name}`, which it may do only after `decide`, not after `{to}`"
                )
            if number == self._id:
                if not isinstance(said, kind):
                    raise BotFault(
                        PROTOCOL,
                        f"it answered `{to}` with `{type(said).__name__.lower()}`, not `{kind.__name__.lower()}`",
                    )
                return said
            self._not_from_the_future(number)

    def _not_from_the_future(self, number: int) -> None:
        if number > self._id:
            raise BotFault(PROTOCOL, f"it answered message {number}, which has not been sent; the last was {self._id}")
        self._dropped = f"it answered message {number}, and the `id` to be answered was {self._id}"

    def _after(self, fault: BotFault, seconds: float, to: str) -> str:
        """Return the sentence of a fault; where no line came, say which answer was missing, and for how long."""
        sentence = str(fault)
        if fault.kind != TIME or CAME not in sentence:
            return sentence
        if self._dropped and NO_LINE in sentence:
            sentence = f"no answer {CAME}, but another line: {self._dropped}"
        waited = f"{CAME} in the {seconds:g} s after `{to}`, which is answered with `{ANSWERS[to]}`"
        return sentence.replace(CAME, waited, 1)
