"""The agent that is a program: it is asked over its standard input and output, in the protocol of docs/bots.md."""

import weakref
from collections.abc import Sequence
from math import isfinite

import numpy as np

from kibitz.agents.agent import Decision, refuse_view_of_another
from kibitz.agents.external_agent import Ending, Event, ExternalAgent, TimeControl
from kibitz.bots import bot_pool
from kibitz.bots.bot_fault import CRASH, ILLEGAL, PROTOCOL, TIME, BotFault
from kibitz.bots.bot_worlds import BotWorlds
from kibitz.bots.protocol import (
    CELLS,
    EVENTS,
    MOVES,
    TEXT,
    TEXTS,
    VIEW,
    WANTS,
    Clock,
    Decide,
    Guess,
    Message,
    Move,
    Playout,
    Simulate,
)
from kibitz.bots.protocol_driver import Answers, ProtocolDriver
from kibitz.bots.sandbox.sandbox import AUTO, LADDER, Sandbox, words_of
from kibitz.core.contract import UNKNOWN
from kibitz.core.dice import dice
from kibitz.core.errors import BadMove, BadValue
from kibitz.core.options import Option
from kibitz.core.table import written
from kibitz.core.user_files import COMMAND

NEW_SECONDS = 10.0  # for an answer to `new`


def start_options(memory: int, start: float) -> dict[str, Option]:
    """Return the options of every agent that runs in its own process."""
    return {
        "walls": Option(AUTO, "what keeps it in; kibitz bot walls tells what each does here", choices=LADDER),
        "memory": Option(memory, "MB that it may take", least=16, most=1_000_000),
        "cpu": Option(None, "processor seconds that it may use in one game, if limited", 1, 1_000_000, kind="int"),
        "seconds": Option(60.0, "for a move in a game without a clock", least=0.01, most=1_000_000),
        "start": Option(start, "seconds to get ready", least=0.01, most=1_000_000),
        "fresh": Option(False, "a new process for every game"),
    }


class Bot(ExternalAgent):
    """A program in any language, which plays through lines of JSON (docs/bots.md): bot(cmd='python3 mybot.py')."""

    OPTIONS = {COMMAND: Option("", "the command that runs it", by_name=True), **start_options(memory=512, start=20.0)}
    new_seconds = NEW_SECONDS
    host_memory = 0  # MB that its process needs beside what the bot takes

    def prepare(
        self, cmd: str, walls: str, memory: int, cpu: int | None, seconds: float, start: float, fresh: bool
    ) -> None:
        """Check that there is such a program."""
        if not cmd.strip():
            raise BadValue("bot: a command is missing, as in bot(cmd='python3 mybot.py')")
        self.set_up(words_of(cmd), Sandbox(walls, memory, cpu), seconds, start, fresh)

    def set_up(self, program: Sequence[str], sandbox: Sandbox, seconds: float, start: float, fresh: bool) -> None:
        """Note what to run and how; it starts when it is first needed."""
        sandbox.check()
        self.program, self.sandbox = list(program), sandbox
        self.patience, self.start_seconds, self.fresh = seconds, start, fresh
        self._driver: ProtocolDriver | None = None
        self._release: weakref.finalize[..., Bot] | None = None  # closes the driver when this agent is gone
        self._seat: int | None = None
        # By seat: processes of other seats that this agent plays.
        self._elsewhere: dict[int, tuple[ProtocolDriver, weakref.finalize[..., Bot]]] = {}
        self._clock = Clock(move_ms=None, game_ms=None, increment_ms=0)
        self._events: list[Event] = []
        self._ply: int | None = None
        self._allowed: float | None = None
        self._left: list[int | None] = []
        self._opened = self.game.opened()

    @property
    def wants_events(self) -> bool:
        """Whether the bot wants to know what happens between its moves."""
        return self._driver is None or EVENTS in self._driver.wants

    def confine(self, memory: int) -> None:
        """Lower the limit of memory, if it is higher."""
        self.sandbox = self.sandbox.confined(memory + self.host_memory)

    def on_new(self, seat: int, time_control: TimeControl) -> None:
        """Start the bot and tell it that a game begins."""
        self._seat, self._events, self._ply = seat, [], 0
        self._clock = Clock(
            move_ms=_milliseconds(time_control.move_seconds if time_control.clocked else self.patience),
            game_ms=_milliseconds(time_control.game_seconds),
            increment_ms=_milliseconds(time_control.increment) or 0,
        )
        self._begin(seat)

    def on_event(self, event: Event) -> None:
        """Note a move for the bot's next decision."""
        self._ply = event.ply + 1
        self._events.append(event)

    def on_turn(self, seconds: float | None, left: Sequence[float | None], ply: int | None) -> None:
        """Note the clocks and the ply for the bot's next decision."""
        self._allowed = seconds
        self._ply = self._ply if ply is None else ply
        self._left = [_milliseconds(time) for time in left] if any(time is not None for time in left) else []

    def decide(self, view: np.ndarray) -> Decision:
        """Ask the bot."""
        refuse_view_of_another(self.game, view)
        seat = int(view[self.game.cells["SEAT"]])
        driver = self._in_seat(seat)
        moves = self.legal(view)
        seconds = self.patience if self._allowed is None else self._allowed
        try:
            answer = driver.decide(self._message(view, seat, moves, driver.wants), seconds, self._worlds(view, seat))
            decision = self._decision(answer, view, moves)
        except BotFault as fault:
            raise self._failed(fault) from None
        self._events = []
        return decision

    def _in_seat(self, seat: int) -> ProtocolDriver:
        """Return the process that decides for a seat; in games with secrets, each seat has its own."""
        if self._driver is not None and seat != self._seat and self.game.secret:
            assert self._seat is not None
            assert self._release is not None
            self._elsewhere[self._seat] = self._driver, self._release
            self._driver, self._release = self._elsewhere.pop(seat, (None, None))
            self._seat = seat
        driver = self._driver or self._begin(seat)
        driver.knows = self.game.secret
        return driver

    def _worlds(self, view: np.ndarray, seat: int) -> Answers:
        """Return what answers requests; worlds are made when the first one comes."""
        made: list[BotWorlds] = []

        def answer(request: Guess | Simulate | Playout, until: float) -> Message:
            if not made:
                made.append(BotWorlds(self.game, self._opened, view, seat, self.rng))
            return made[0].answer(request, until)

        return answer

    def _message(self, view: np.ndarray, seat: int, moves: list[int], wants: frozenset[str]) -> Decide:
        message = Decide(id=0, ply=self._ply, seat=seat, left_ms=self._left)
        if VIEW in wants:
            message.view = self.game.fields(view, seat)
        if MOVES in wants:
            message.moves = moves
        if TEXTS in wants:
            message.texts = self.game.texts(view, moves)
        if EVENTS in wants:
            message.events = self._events
        if TEXT in wants:
            message.text = self.game.text(view)
        if CELLS in wants:
            message.cells = cells_of(view)
        return message

    def _decision(self, answer: Move, view: np.ndarray, moves: list[int]) -> Decision:
        """Return the answer as a decision; a move that is not legal is a fault."""
        move = self._move(answer, view, moves)
        values = answer.values
        if values is not None and (len(values) != self.game.seats or not all(map(isfinite, values))):
            raise BotFault(PROTOCOL, f"its `values` are {values!r:.80}; they must be {self.game.seats} numbers")
        return Decision(
            move, values, line=answer.line or [], nodes=answer.nodes, depth=answer.depth, why=answer.note,
        )  # fmt: skip

    def _move(self, answer: Move, view: np.ndarray, moves: list[int]) -> int:
        """Return the move that an answer names, as a number or in notation; if it has both, they must agree."""
        found = answer.move
        if found is not None and found not in moves:
            texts = zip(moves, self.game.texts(view, moves), strict=True)
            named = ", ".join(f"{legal} ({text})" for legal, text in texts)
            raise BotFault(ILLEGAL, f"move {written(found)} is not legal; the moves are {named}")
        if answer.text is None:
            if found is None:
                raise BotFault(PROTOCOL, "its answer to `decide` has neither `move` nor `text`")
            return found
        try:
            read = self.game.read(view, moves, answer.text)
        except BadMove as error:
            raise BotFault(ILLEGAL, str(error)) from None
        if found is not None and found != read:
            (text,) = self.game.texts(view, [found])
            raise BotFault(
                PROTOCOL,
                f"its answer has the move {found}, which is {text}, and the text {answer.text!r:.80}; send one",
            )
        return read

    def warm_up(self, view: np.ndarray) -> None:
        """Run the referee's code for a bot once, so that it is not loaded on the bot's clock; ask it nothing."""
        seat = int(view[self.game.cells["SEAT"]])
        self._message(view, seat, self.legal(view), frozenset(WANTS))
        BotWorlds(self.game, self._opened, view, seat, dice(self.seed)).warm_up()

    def on_end(self, ending: Ending) -> None:
        """Tell the bot how the game ended, and let it wait for the next."""
        for seat in [None, *self._elsewhere]:
            if seat is not None:
                self._seat, (self._driver, self._release) = seat, self._elsewhere[seat]
            if self._driver is not None and self.game.secret and self.deal is not None:
                self._driver.deals.add(self.deal)
            self._part(ending)
        self._elsewhere.clear()

    def _part(self, ending: Ending) -> None:
        """Tell the process of one seat, and let it wait for its next game if it may play another."""
        driver = self._driver
        if driver is None:
            return
        try:
            driver.end_game(self._seat or 0, ending)
        except BotFault:  # the game is over, and so is this process
            self._drop(politely=False)
            return
        self._detach()
        placed = not driver.knows or self.place is not None or self.deal is not None
        if self.fresh or not placed:  # there is no telling whom else it may play for
            driver.close()
            return
        driver.place = self.place if self.game.secret else None
        driver.knows = False
        bot_pool.give_back(driver, self.program, self.sandbox, self.game.name)

    def on_quit(self) -> None:
        """End its processes."""
        for driver, release in self._elsewhere.values():
            release.detach()
            driver.close()
        self._elsewhere.clear()
        self._drop(politely=True)

    def start(self) -> ProtocolDriver:
        """Return a bot that is ready to play."""
        return self._taken(self.start_seconds)

    def _taken(self, seconds: float) -> ProtocolDriver:
        whole = self.game.secret and self.deal is None and self.place is None
        return bot_pool.take(self.program, self.sandbox, self.game.name, seconds, self.deal, self.place, whole)

    def _begin(self, seat: int) -> ProtocolDriver:
        """Start the bot, if none waits, and begin a game."""
        driver = self.start()
        self._driver, self._seat = driver, seat
        if type(self) is Bot:  # what hosts and adapters say is not the program's own word
            self.called = driver.name
        self._release = weakref.finalize(self, driver.close)
        try:
            driver.new(self.game, seat, self._clock, self.seed, self.new_seconds)
        except BotFault as fault:
            raise self._failed(fault) from None
        return driver

    def _failed(self, fault: BotFault) -> BotFault:
        """End the bot and return its fault with the end of what it wrote to standard error."""
        assert self._driver is not None
        driver = self._driver
        if fault.kind not in (CRASH, TIME):
            driver.refuse(str(fault))
        self._drop(politely=False)
        process = driver.process
        return BotFault(fault.kind, f"{fault}{process.tail()}", process.killed, process.perhaps_killed)

    def _drop(self, politely: bool) -> None:
        driver = self._driver
        self._detach()
        if driver is not None:
            driver.close(politely)

    def _detach(self) -> None:
        if self._release is not None:
            self._release.detach()
        self._driver = self._release = None


def cells_of(view: np.ndarray) -> list[int | None]:
    """Return a view as it is sent."""
    cells: list[int | None] = view.tolist()
    for at in np.flatnonzero(view == UNKNOWN):
        cells[at] = None
    return cells


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else max(0, round(1000 * seconds))
