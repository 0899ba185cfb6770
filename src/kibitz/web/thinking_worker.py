"""A thinking worker: a process that is asked one thing at a time, by a view and texts, and answers plain data.

A second thread listens, so that a search that nobody waits for any more can be stopped.
"""

import os
import re
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import perf_counter

import numpy as np

from kibitz import agents
from kibitz.agents import build
from kibitz.agents.agent import Decision
from kibitz.agents.external_agent import ADJOURNED, Ending, TimeControl
from kibitz.agents.levels import opponent
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.analysis import scale_of
from kibitz.arena.play.warm_up import warm_up_agents
from kibitz.arena.process.worker_status import WorkerStatus
from kibitz.bots import bot_pool
from kibitz.bots.bot_fault import CRASH, FLOOD, ILLEGAL, MEMORY, PROTOCOL, START, TIME, BotFault
from kibitz.bots.progress_report import reported
from kibitz.core.errors import BadValue, Halted, KibitzError
from kibitz.core.game import Game
from kibitz.core.level import LEVELS
from kibitz.core.native import HALT, watch_compilation
from kibitz.core.spec import parse
from kibitz.core.world import World
from kibitz.games import find
from kibitz.web.example_position import example
from kibitz.web.precompile_table import warm_up_table
from kibitz.web.scene_messages import ShownMove
from kibitz.web.server_messages import AnalysisLine, PositionAnalysis
from kibitz.web.table_data import MoveNote, NotedMove
from kibitz.web.thinking_questions import (
    CheckAgent,
    Consideration,
    ConsiderPosition,
    DecideMove,
    DescribeGame,
    GameDescription,
    PrepareGame,
    ThinkingQuestion,
)

NICE = 10  # the server itself goes first
AUTOGROUP = Path("/proc/self/autogroup")
PATIENCE = 10.0  # seconds that a program has for a move
OWN_PATIENCE = 25.0  # seconds that code named by a path has for it
COMPILING, BEGUN, PROGRESS, ANSWER, FAILED = "compiling", "begun", "progress", "answer", "failed"
BROKEN_OFF = "broken off"
DISMISS = -1  # in place of a question's number: end the processes of a table
LOOK_EVERY = 60.0  # seconds between two looks for processes that nobody needs any more
NO_MEMORY = "the memory of this machine is not enough for it"
FAULTS = {
    START: "it did not start", TIME: "it did not answer in time", CRASH: "it crashed",
    PROTOCOL: "it did not keep to the protocol", FLOOD: "it wrote too much", MEMORY: "it ran out of memory",
    ILLEGAL: "its move is not legal",
}  # fmt: skip
Report = Callable[[dict[str, int]], None]
Answered = NotedMove | Consideration | GameDescription | None


def think(status: WorkerStatus, pipe: Connection) -> None:
    """Answer the questions that come through the pipe until it closes."""
    os.environ["KIBITZ_THREADS"] = "1"  # workers share the cores among themselves
    os.dup2(2, 1)
    _give_way()
    signal.signal(signal.SIGTERM, _ignore)
    worker = _Worker(pipe)
    watch_compilation(worker.compiles)
    Thread(target=worker.listen, daemon=True).start()
    while True:
        worker.answer()


def _give_way() -> None:
    """Let the server go first; where Linux shares the processor among sessions, ours gives way too."""
    with suppress(OSError):
        os.nice(NICE)
    with suppress(OSError):
        AUTOGROUP.write_text(str(NICE))


class _Worker:
    """What is asked, and what is being answered."""

    def __init__(self, pipe: Connection):
        self.pipe, self.lock, self.sending = pipe, Lock(), Lock()
        self.asked: SimpleQueue[tuple[int, ThinkingQuestion[object]]] = SimpleQueue()
        self.number = -1  # of the question that is being answered
        self.said = False  # that machine code is being made

    def listen(self) -> None:
        try:
            while True:
                number, question = self.pipe.recv()
                if number == DISMISS:
                    bot_pool.end_table(question)
                    continue
                if question is not None:
                    self.asked.put((number, question))
                    continue
                with self.lock:
                    if number == self.number:
                        HALT[0] = 1
        except (EOFError, OSError):
            os._exit(0)

    def compiles(self, name: str) -> None:
        if self.number >= 0 and not self.said:
            self.said = True
            self._send(self.number, COMPILING)

    def answer(self) -> None:
        try:
            number, question = self.asked.get(timeout=LOOK_EVERY)
        except Empty:
            bot_pool.end_forgotten()
            return
        with self.lock:
            self.number, self.said = number, False
        reply: tuple[str, Answered | tuple[str, str]]
        try:
            begin, report = partial(self._send, number, BEGUN), partial(self._send, number, PROGRESS)
            reply = ANSWER, _answer(question, begin, report)
        except Halted:
            reply = FAILED, (BROKEN_OFF, BROKEN_OFF)
        except Exception as error:
            reply = FAILED, failure(question, error)
        with self.lock:
            self.number = -1
            HALT[0] = 0
        self._send(number, *reply)

    def _send(self, number: int, what: str, found: object = None) -> None:
        with self.sending:
            self.pipe.send((number, what, found))


def failure(question: ThinkingQuestion[object], error: Exception) -> tuple[str, str]:
    """Return in words why there is no answer: for visitors, without the files of this machine, and also in full."""
    if isinstance(error, BotFault):
        return FAULTS[error.kind], str(error)
    if isinstance(error, MemoryError):
        return (NO_MEMORY, NO_MEMORY)
    if not isinstance(error, KibitzError):
        return f"it failed with {type(error).__name__}", f"{type(error).__name__}: {error}"
    own = bool(question.agent and _is_program(question.agent)) or "/" in f"{question.agent}{question.game}"  # a path
    return ("it failed" if own else str(error)), str(error)


def _is_program(agent: str) -> bool:
    return parse(agent).name in agents.outside_names()


def _answer(question: ThinkingQuestion[object], begin: Callable[[], None], report: Report) -> Answered:
    game = find(question.game)
    if isinstance(question, PrepareGame):
        for level in LEVELS[: question.levels]:
            _get_ready(game, opponent(game, level))
        warm_up_table(game)
        return None
    if isinstance(question, DescribeGame):
        levels = {level: opponent(game, level) for level in LEVELS}
        return GameDescription(example(game), _refuses(game), levels)
    if isinstance(question, CheckAgent):
        build(question.agent, game)
        return None
    assert isinstance(question, DecideMove | ConsiderPosition)
    _get_ready(game, question.agent)
    begin()
    view = np.frombuffer(question.view, dtype=np.int64).copy()
    if isinstance(question, DecideMove):
        return _decision(game, view, question, report)
    return _consideration(game, view, question)


_ready: set[tuple[str, str]] = set()


def _get_ready(game: Game, agent: str) -> None:
    """Load or compile what an agent needs, off the clock; agents that differ in numbers need the same."""
    key = str(game), re.sub(r"[\d.]+", "#", agent)
    if key not in _ready:
        warm_up_agents(game, [agent])
        _ready.add(key)


def _decision(game: Game, view: np.ndarray, question: DecideMove, report: Report) -> NotedMove:
    mind = build(question.agent, game, question.seed)
    seated = SeatedAgent(mind, question.seat, place=(question.table, question.seat))
    seconds = PATIENCE if _is_program(question.agent) else OWN_PATIENCE
    seated.new(TimeControl(seconds), question.events)
    begun = perf_counter()
    with reported(mind, report):
        found = seated.decide(view, seconds, ply=len(question.events))
    seated.end(Ending.shared(game.seats, ADJOURNED))
    return int(found.move), MoveNote(
        seconds=round(perf_counter() - begun, 4), nodes=found.nodes, visits=found.visits, depth=found.depth,
        values=_numbers(found.values), why=str(found.why), scale=str(scale_of(mind, found)["scale"]),
    )  # fmt: skip


def _consideration(game: Game, view: np.ndarray, question: ConsiderPosition) -> Consideration:
    mind = build(question.agent, game, question.seed)
    begun = perf_counter()
    found = SeatedAgent(mind, int(view[game.cells["SEAT"]])).consider(view, question.top, OWN_PATIENCE)
    seconds = perf_counter() - begun
    first = found[0]
    visits = sum(first.tries.values()) or 1
    analysis = PositionAnalysis(
        seconds=round(seconds, 3), why=str(first.why), seat_values=_numbers(first.values), exact=bool(first.exact),
        ended=first.ended, nodes=first.nodes, visits=first.visits, **scale_of(mind, first),
        lines=[_line(game, view, each, visits) for each in found],
    )  # fmt: skip
    return Consideration(
        analysis=analysis,
        considered={int(move): float(worth) for move, worth in first.considered.items()},
        tries={int(move): int(tries) for move, tries in first.tries.items()},
    )  # fmt: skip


def _line(game: Game, view: np.ndarray, found: Decision, visits: int) -> AnalysisLine:
    tries = found.tries.get(found.move)
    return AnalysisLine(
        move=int(found.move), text=game.write(view, found.move), worth=_number(found.considered.get(found.move)),
        values=_numbers(found.values), line=_written(game, view, found), visits=tries,
        share=None if tries is None else round(tries / visits, 4), depth=found.depth, exact=bool(found.exact),
    )  # fmt: skip


def _written(game: Game, view: np.ndarray, found: Decision) -> list[ShownMove]:
    """Return the play expected with its texts; in a hidden game as far as it can be played in one guess."""
    line = [int(move) for move in found.line or [found.move]]
    world, texts = World.guess(game, view), []
    for move in line:
        if world.over or move not in world.moves():
            break
        texts.append(ShownMove(move, game.write(world.view(world.turn), move)))
        world.play(move)
    return texts


def _refuses(game: Game) -> dict[str, str]:
    """Return which agents refuse a game, and why."""
    found = {}
    for name in agents.names():
        try:
            build(name, game, 0)
        except BadValue as error:
            found[name] = str(error)
    return found


def _number(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _numbers(values: Iterable[float] | None) -> list[float] | None:
    return None if values is None else [round(float(value), 6) for value in values]


def _ignore(number: int, frame: object) -> None:
    """Leave it to the server to end this process."""
