"""The thinking pool: processes in which agents think for the tables of a server, and the queue of what they are asked.

A question is plain data that needs nothing asked before, so any worker can answer it. Programs and code named by a
path run in child processes of a worker, which keeps them for the seat that they play in; so a question goes to the
worker that has answered for its seat, if that one is free. A worker that dies or does not answer in time is replaced;
only the question that it was asked fails.
"""

import asyncio
import logging
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from kibitz.arena.process.supervised_process import SupervisedProcess
from kibitz.core.errors import KibitzError
from kibitz.web import thinking_worker
from kibitz.web.thinking_questions import DecideMove, PrepareGame, ThinkingQuestion

# How urgent a question is. Checking the text of an agent takes no time; a move that nobody waits for comes last.
CHECK, MOVE, SOON, ANALYSIS, PREPARE, UNWATCHED = range(6)
MOST_WAITING, MOST_WAITING_OF_ONE = 2000, 500
MOST_COUNTED = 10_000  # addresses whose last question is remembered
LONGEST_ANSWER = 30.0  # seconds; most agents that browsers name stop after 10 by themselves
_LOG = logging.getLogger(__name__)
Tell = Callable[[str, dict[str, float]], None]
Found = TypeVar("Found")


class NoAnswer(KibitzError):
    """There is no answer; the message says why, as far as visitors may know."""


def no_answer(question: ThinkingQuestion[object], shown: str, whole: str) -> NoAnswer:
    """Return the error that visitors are shown; the whole sentence goes to the log of the server."""
    if shown != whole:
        _LOG.warning("%s: %s", question.agent or question.game, whole)
    return NoAnswer(shown)


@dataclass(eq=False)
class _Question:
    urgency: int
    number: int
    data: ThinkingQuestion[object]
    answer: "asyncio.Future[Any]"  # of the type that the question says
    tell: Tell | None
    limit: float
    whose: str

    @property
    def place(self) -> tuple[str, int] | None:
        """The table and seat for which an agent is to move; None for other questions."""
        return (self.data.table, self.data.seat) if isinstance(self.data, DecideMove) else None

    @property
    def holds_somebody_up(self) -> bool:
        """Whether somebody waits until a game is prepared."""
        return isinstance(self.data, PrepareGame) and self.urgency < PREPARE


class ThinkingPool:
    """The worker processes, and the questions that wait for them."""

    def __init__(self, processes: int | None = None):
        self.size = max(2, os.cpu_count() or 1) if processes is None else processes
        self._numbers = count()
        self._waiting: list[_Question] = []
        self._served: dict[str, int] = {}  # by address: the number of its last question
        self._all: list[_WorkerProcess] = []
        self._closed = False

    def start(self) -> None:
        """Start the processes; the event loop must be running."""
        self._all = [_WorkerProcess(self) for _ in range(self.size)]

    @property
    def idle(self) -> int:
        """How many workers do nothing that somebody waits for."""
        return sum(worker.question is None or worker.gives_way for worker in self._all)

    async def close(self) -> None:
        """End the processes; what was asked fails."""
        self._closed = True
        for question in self._waiting:
            question.answer.cancel()
        self._waiting.clear()
        await asyncio.gather(*(asyncio.to_thread(worker.end) for worker in self._all))
        self._all = []

    async def ask(
        self, question: ThinkingQuestion[Found], urgency: int = MOVE, tell: Tell | None = None,
        limit: float = LONGEST_ANSWER, whose: str = "",
    ) -> Found:  # fmt: skip
        """Return the answer; `tell` is called when compilation begins, when the search begins, and with its progress.

        A caller that is cancelled stops the search. `whose` is the address that asks: of questions that are equally
        urgent, one is taken from each address in turn.
        """
        of_one = sum(waiting.whose == whose for waiting in self._waiting)
        if self._closed or len(self._waiting) >= MOST_WAITING or of_one >= MOST_WAITING_OF_ONE:
            raise NoAnswer("the computer has too much to think about; try again later")
        answer: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        asked = _Question(urgency, next(self._numbers), question, answer, tell, limit, whose)
        self.let_wait(asked)
        self._make_way(asked)
        try:
            return await answer
        finally:
            self._forget(asked)

    def _forget(self, asked: _Question) -> None:
        for worker in self._all:
            if worker.question is asked:
                worker.break_off()
        if asked in self._waiting:
            self._waiting.remove(asked)

    def let_wait(self, asked: _Question) -> None:
        """Let a question wait for a worker."""
        self._waiting.append(asked)
        self.give_out()

    def _make_way(self, asked: _Question) -> None:
        """Put off what nobody waits for, and a question of an address with several workers for a move of one with none.

        What compiles in the background would keep others waiting for what it is compiling, at the pace of background.
        """
        if asked.holds_somebody_up:
            for worker in [worker for worker in self._all if worker.gives_way]:
                worker.start_over()
        if asked.urgency > MOVE or asked not in self._waiting:
            return
        busy = self._busy()
        crowded = [
            worker for worker in self._all
            if worker.question is not None and busy[worker.question.whose] > 1 and not worker.puts_off
        ]  # fmt: skip
        if crowded and not busy[asked.whose]:
            crowded[-1].put_off()

    def _busy(self) -> Counter[str]:
        return Counter(question.whose for question in self._answered())

    def _answered(self) -> list[_Question]:
        return [worker.question for worker in self._all if worker.question is not None]

    def dismiss(self, table: str) -> None:
        """End the processes that workers keep for the seats of a table."""
        for worker in self._all:
            if any(place[0] == table for place in worker.places):
                worker.dismiss(table)

    def set_urgency(self, question: ThinkingQuestion[object] | None, urgency: int) -> None:
        """Let a question come earlier or later; one that is answered in the background may be asked anew."""
        for asked in self._waiting:
            if asked.data is question:
                asked.urgency = urgency
        for worker in list(self._all):
            if worker.question is not None and worker.question.data is question and urgency < PREPARE:
                gave_way, worker.question.urgency = worker.gives_way, urgency
                if gave_way:
                    worker.start_over()
        self.give_out()

    def give_out(self) -> None:
        """Give questions to idle workers; one is always left for moves, and all for a game that somebody waits for."""
        while self._waiting:
            free = [worker for worker in self._all if worker.question is None]
            if not free:
                return
            first = self._first()
            if first.urgency > MOVE and len(free) == 1 < self.size:
                return
            if first.urgency == PREPARE and any(each.holds_somebody_up for each in self._answered()):
                return
            self._waiting.remove(first)
            if len(self._served) >= MOST_COUNTED:
                self._served.clear()
            self._served[first.whose] = next(self._numbers)
            next((worker for worker in free if first.place in worker.places), free[0]).take(first)

    def _first(self) -> _Question:
        """Return the most urgent question, of the address that has the fewest workers and was served longest ago."""
        busy = self._busy()
        return min(
            self._waiting,
            key=lambda asked: (asked.urgency, busy[asked.whose], self._served.get(asked.whose, -1), asked.number),
        )

    def replace(self, worker: "_WorkerProcess", asked: _Question | None = None) -> None:
        """Put a new process in the place of one that has ended; what that was asked may wait again."""
        if self._closed:
            return
        self._waiting += [asked] if asked else []
        self._all[self._all.index(worker)] = _WorkerProcess(self)
        self.give_out()


class _WorkerProcess:
    """A worker process, as the server sees it."""

    def __init__(self, pool: ThinkingPool):
        self.pool = pool
        self.process = SupervisedProcess(thinking_worker.__name__, thinking_worker.think.__name__)
        self.question: _Question | None = None
        self.puts_off = False  # whether its question is to be asked again later
        self.places: set[tuple[str, int]] = set()  # tables and seats for which it has answered
        self.loop = asyncio.get_running_loop()
        self.clock: asyncio.TimerHandle | None = None
        self.loop.add_reader(self.process.pipe.fileno(), self._hear)

    def take(self, question: _Question) -> None:
        """Ask the process."""
        self.question = question
        if question.place is not None:
            self.places.add(question.place)
        self._send(question.number, question.data, question.urgency >= PREPARE)  # it knows how long it may compile

    def break_off(self) -> None:
        """Stop the search for an answer that nobody waits for; the process answers nevertheless, and is idle then."""
        assert self.question is not None
        self._send(self.question.number, None)

    def dismiss(self, table: str) -> None:
        """Let it end the processes that it keeps for the seats of a table."""
        self.places = {place for place in self.places if place[0] != table}
        self._send(thinking_worker.DISMISS, table)

    @property
    def gives_way(self) -> bool:
        """Whether it prepares what nobody waits for, and keeps no processes for seats."""
        return self.question is not None and self.question.urgency == PREPARE and not self.places

    def start_over(self) -> None:
        """End the process at once and let its question wait again: compiling cannot be stopped otherwise."""
        self.pool.replace(self, self._given_up())

    def put_off(self) -> None:
        """Stop its search and let the question wait again; a search that cannot be stopped is answered."""
        self.puts_off = True
        self.break_off()

    def end(self) -> None:
        """End the process at once."""
        self._silence()
        self._end_process()

    def _send(self, number: int, what: ThinkingQuestion[object] | str | None, background: bool = False) -> None:
        try:
            self.process.pipe.send((number, what, background))
        except OSError:
            self._lost("its process died")

    def _allow(self, seconds: float) -> None:
        if self.clock is not None:
            self.clock.cancel()
        self.clock = self.loop.call_later(seconds, self._lost, f"it did not decide within {seconds:g} s")

    def _hear(self) -> None:
        try:
            while self.process.pipe.poll():
                self._take_in(*self.process.pipe.recv())
        except Exception:  # it is dead, or an agent wrote into the pipe
            self._lost("its process died")

    def _take_in(self, number: int, what: str, found: Any) -> None:
        question = self.question
        if question is None or question.number != number:
            return
        if what in (thinking_worker.COMPILING, thinking_worker.BEGUN, thinking_worker.PROGRESS):
            if what == thinking_worker.BEGUN:
                self._allow(question.limit)
            if question.tell is not None and not question.answer.done():
                question.tell(what, found or {})
            return
        self.question, put_off, self.puts_off = None, self.puts_off, False
        if self.clock is not None:
            self.clock.cancel()
        if not question.answer.done():
            if put_off and what == thinking_worker.FAILED and found[0] == thinking_worker.BROKEN_OFF:
                self.pool.let_wait(question)
            elif what == thinking_worker.ANSWER:
                question.answer.set_result(found)
            else:
                question.answer.set_exception(no_answer(question.data, *found))
        self.pool.give_out()

    def _silence(self) -> None:
        if self.clock is not None:
            self.clock.cancel()
        if not self.loop.is_closed():
            self.loop.remove_reader(self.process.pipe.fileno())

    def _lost(self, why: str) -> None:
        """Give up the process; what it was asked fails."""
        question = self._given_up()
        if question is not None and not question.answer.done():
            question.answer.set_exception(NoAnswer(why))
        self.pool.replace(self)

    def _given_up(self) -> _Question | None:
        """Give up the process; return what it was asked."""
        question, self.question = self.question, None
        self._silence()
        self.loop.run_in_executor(None, self._end_process)
        return question

    def _end_process(self) -> None:
        self.process.end()
        self.process.pipe.close()
