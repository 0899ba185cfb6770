"""Thinkers: processes in which agents think for the tables of a server, and the queue of what they are asked.

A question is plain data and needs nothing that was asked before, so any thinker can answer it. A thinker that dies or
does not answer in time is replaced; what it was asked fails with a sentence, and nothing else does.
"""

import asyncio
import heapq
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from kibitz.arena.process.kept_process import KeptProcess
from kibitz.core.errors import KibitzError
from kibitz.web import thought

MOVE, PREPARE, ANALYSIS = 0, 1, 2  # how urgent a question is
MOST_WAITING = 2000
LONGEST_THOUGHT = 30.0  # seconds; agents that browsers name stop after 10 by themselves, if they can
LONGEST_PREPARATION = 900.0  # seconds: all machine code of a game and its agents, on a slow computer
Tell = Callable[[str], None]


class Thoughtless(KibitzError):
    """No answer came; the message says why."""


@dataclass(order=True)
class _Question:
    urgency: int
    number: int
    data: dict[str, Any] = field(compare=False)
    answer: "asyncio.Future[dict[str, Any]]" = field(compare=False)
    tell: Tell | None = field(compare=False, default=None)
    limit: float = field(compare=False, default=LONGEST_THOUGHT)


class Thinkers:
    """So many processes, and what waits for them."""

    def __init__(self, processes: int | None = None):
        self.size = max(2, os.cpu_count() or 1) if processes is None else processes
        self._numbers = count()
        self._waiting: list[_Question] = []
        self._all: list[_Thinker] = []
        self._closed = False

    def start(self) -> None:
        """Start the processes; the event loop must be running."""
        self._all = [_Thinker(self) for _ in range(self.size)]

    async def close(self) -> None:
        """End the processes; what was asked fails."""
        self._closed = True
        for question in self._waiting:
            question.answer.cancel()
        self._waiting.clear()
        await asyncio.gather(*(asyncio.to_thread(thinker.end) for thinker in self._all))
        self._all = []

    @property
    def waiting(self) -> int:
        """How many questions no thinker has taken yet."""
        return len(self._waiting)

    async def ask(
        self, question: dict[str, Any], urgency: int = MOVE, tell: Tell | None = None, limit: float = LONGEST_THOUGHT
    ) -> dict[str, Any]:
        """Return the answer; `tell` hears when machine code is being made, and when the thinking begins.

        Whoever is cancelled while waiting stops the thinking.
        """
        if self._closed or len(self._waiting) >= MOST_WAITING:
            raise Thoughtless("the computer has too much to think about; try again later")
        asked = _Question(
            urgency, next(self._numbers), question, asyncio.get_running_loop().create_future(), tell, limit
        )
        heapq.heappush(self._waiting, asked)
        self.give_out()
        try:
            return await asked.answer
        finally:
            self._forget(asked)

    def _forget(self, asked: _Question) -> None:
        for thinker in self._all:
            if thinker.question is asked:
                thinker.break_off()
        if asked in self._waiting:
            self._waiting.remove(asked)
            heapq.heapify(self._waiting)

    def give_out(self) -> None:
        """Give questions to thinkers that have none; one is always left for moves."""
        while self._waiting:
            free = [thinker for thinker in self._all if thinker.question is None]
            first = self._waiting[0]
            if not free or (first.urgency != MOVE and len(free) == 1 < self.size):
                return
            free[0].take(heapq.heappop(self._waiting))

    def replace(self, thinker: "_Thinker") -> None:
        """Put a new process in the place of one that is no good any more."""
        if self._closed:
            return
        self._all[self._all.index(thinker)] = _Thinker(self)
        self.give_out()


class _Thinker:
    """One process, as the server sees it."""

    def __init__(self, pool: Thinkers):
        self.pool = pool
        self.process = KeptProcess(thought.__name__, thought.think.__name__)
        self.question: _Question | None = None
        self.loop = asyncio.get_running_loop()
        self.clock: asyncio.TimerHandle | None = None
        self.loop.add_reader(self.process.pipe.fileno(), self._hear)

    def take(self, question: _Question) -> None:
        """Ask the process."""
        self.question = question
        self._allow(LONGEST_PREPARATION)
        try:
            self.process.pipe.send((question.number, question.data))
        except OSError:
            self._lost("its process died")

    def break_off(self) -> None:
        """Let it stop thinking about what nobody waits for; it answers nevertheless, and is free then."""
        assert self.question is not None
        try:
            self.process.pipe.send((self.question.number, None))
        except OSError:
            self._lost("its process died")

    def end(self) -> None:
        """End the process at once."""
        self._silence()
        self.process.end()
        self.process.pipe.close()

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
        if what in (thought.COMPILING, thought.BEGUN):
            if what == thought.BEGUN:
                self._allow(question.limit)
            if question.tell is not None and not question.answer.done():
                question.tell(what)
            return
        self.question = None
        if self.clock is not None:
            self.clock.cancel()
        if not question.answer.done():
            if what == thought.ANSWER:
                question.answer.set_result(found)
            else:
                question.answer.set_exception(Thoughtless(found))
        self.pool.give_out()

    def _silence(self) -> None:
        if self.clock is not None:
            self.clock.cancel()
        if not self.loop.is_closed():
            self.loop.remove_reader(self.process.pipe.fileno())

    def _lost(self, why: str) -> None:
        """Give up the process."""
        question, self.question = self.question, None
        self._silence()
        self.loop.run_in_executor(None, self._end_process)
        if question is not None and not question.answer.done():
            question.answer.set_exception(Thoughtless(why))
        self.pool.replace(self)

    def _end_process(self) -> None:
        self.process.end()
        self.process.pipe.close()
