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
from threading import Lock, Thread, get_native_id
from time import monotonic, perf_counter, process_time, sleep

import numpy as np

from kibitz import agents
from kibitz.agents import build
from kibitz.agents.agent import Decision
from kibitz.agents.external_agent import ADJOURNED, Ending, TimeControl
from kibitz.agents.levels import opponent
from kibitz.agents.seated_agents import SeatedAgent
from kibitz.arena.analysis import in_units, scale_of
from kibitz.arena.play.warm_up import warm_up_agents
from kibitz.arena.process.worker_status import WorkerStatus
from kibitz.bots import bot_pool
from kibitz.bots.bot_fault import CRASH, FLOOD, ILLEGAL, MEMORY, PROTOCOL, START, TIME, BotFault
from kibitz.bots.progress_report import reported
from kibitz.core.code_on_disk import forecast
from kibitz.core.compile_forecast import CompileProgress
from kibitz.core.errors import Halted, KibitzError
from kibitz.core.game import Game
from kibitz.core.level import LEVELS
from kibitz.core.native import HALT
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

NICE = 10  # of what nobody waits for
AUTOGROUP = Path("/proc/self/autogroup")
PATIENCE = 10.0  # seconds that a program has for a move
OWN_PATIENCE = 25.0  # seconds that code named by a path has for it
COMPILING, BEGUN, PROGRESS, ANSWER, FAILED = "compiling", "begun", "progress", "answer", "failed"
BROKEN_OFF = "broken off"
DISMISS = -1  # in place of a question's number: end the processes of a table
LOOK_AT_WORK = 5.0  # seconds between two looks at how far a preparation is
MOST_WORK = 600.0  # seconds of processor time for a function, after which compiling is given up
LEAST_WORK, MOST_IDLE = 0.01, 600.0  # seconds of processor time in that many by the clock; less is none
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
    signal.signal(signal.SIGTERM, _ignore)
    worker = _Worker(pipe)
    forecast.watch(worker.compiles)
    Thread(target=worker.listen, daemon=True).start()
    Thread(target=worker.watch_preparation, daemon=True).start()
    while True:
        worker.answer()


def _in_background(work: Callable[[], None]) -> None:
    """Do something that nobody waits for in a thread that lets everything else go first.

    A process cannot take back that it gives way, but the thread ends. Where Linux shares the processor among sessions,
    ours gives way too; that can be taken back.
    """

    def give_way() -> None:
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), NICE)
        work()

    thread = Thread(target=give_way)
    _set_share(NICE)
    thread.start()
    thread.join()
    _set_share(0)


def _set_share(nice: int) -> None:
    with suppress(OSError):
        AUTOGROUP.write_text(str(nice))


class _Worker:
    """What is asked, and what is being answered."""

    def __init__(self, pipe: Connection):
        self.pipe, self.lock, self.sending = pipe, Lock(), Lock()
        self.asked: SimpleQueue[tuple[int, ThinkingQuestion[object], bool]] = SimpleQueue()
        self.number = -1  # of the question that is being answered
        self.begun = False  # whether an agent has begun to decide
        self.functions = 0  # compiled so far

    def listen(self) -> None:
        try:
            while True:
                number, question, background = self.pipe.recv()
                if number == DISMISS:
                    bot_pool.end_table(question)
                    continue
                if question is not None:
                    self.asked.put((number, question, background))
                    continue
                with self.lock:
                    if number == self.number:
                        HALT[0] = 1
        except (EOFError, OSError):
            os._exit(0)

    def compiles(self, progress: CompileProgress | None) -> None:
        self.functions += progress is not None
        if self.number >= 0 and progress is not None:
            self._send(self.number, COMPILING, progress._asdict())

    def watch_preparation(self) -> None:
        """End this process if it gets nowhere: by the work that it has done, as a busy machine may take its time."""
        step, worked, clock = (0, 0), 0.0, 0.0
        while True:
            now, spent = (self.number, self.functions), process_time()
            if now != step or self.number < 0 or self.begun:
                step, worked, clock = now, spent, monotonic()
            stuck = spent - worked > MOST_WORK or (spent - worked < LEAST_WORK and monotonic() - clock > MOST_IDLE)
            if stuck:
                os._exit(1)
            sleep(LOOK_AT_WORK)

    def answer(self) -> None:
        try:
            number, question, background = self.asked.get(timeout=LOOK_EVERY)
        except Empty:
            bot_pool.end_forgotten()
            return
        with self.lock:
            self.number, self.begun = number, False
        if background:
            _in_background(partial(self._answer, number, question))
        else:
            self._answer(number, question)

    def _begin(self, number: int) -> None:
        self.begun = True
        self._send(number, BEGUN)

    def _answer(self, number: int, question: ThinkingQuestion[object]) -> None:
        reply: tuple[str, Answered | tuple[str, str]]
        try:
            begin, report = partial(self._begin, number), partial(self._send, number, PROGRESS)
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
        if not question.agents:
            warm_up_table(game)
        for agent in question.agents:
            _get_ready(game, agent)
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
    seated.end(Ending.level(game, ADJOURNED))
    found = in_units(mind, found)
    return int(found.move), MoveNote(
        seconds=round(perf_counter() - begun, 4), nodes=found.nodes, visits=found.visits, depth=found.depth,
        values=_numbers(found.values), why=str(found.why), scale=str(scale_of(mind, found)["scale"]),
    )  # fmt: skip


def _consideration(game: Game, view: np.ndarray, question: ConsiderPosition) -> Consideration:
    mind = build(question.agent, game, question.seed)
    begun = perf_counter()
    seat = int(view[game.cells["SEAT"]])
    found = [in_units(mind, each) for each in SeatedAgent(mind, seat).consider(view, question.top, OWN_PATIENCE)]
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
        texts.append(ShownMove(move, world.write(move)))
        world.play(move)
    return texts


def _refuses(game: Game) -> dict[str, str]:
    """Return which agents refuse a game, and why."""
    found = {name: agents.refusal(name, game) for name in agents.names() if not agents.is_foreign(name)}
    return {name: why for name, why in found.items() if why}


def _number(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _numbers(values: Iterable[float] | None) -> list[float] | None:
    return None if values is None else [round(float(value), 6) for value in values]


def _ignore(number: int, frame: object) -> None:
    """Leave it to the server to end this process."""
