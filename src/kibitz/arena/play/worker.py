"""A worker: a process that plays fixtures, and what its driver knows of it."""

import os
import pickle
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from threading import Thread
from time import perf_counter
from typing import Any

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play.batch import Batch, batch_of
from kibitz.arena.play.memory_limit import with_memory_limit
from kibitz.arena.play.observer import Observer
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import Result, play_fixture
from kibitz.arena.play.warm_up import WarmUp
from kibitz.arena.play.worker_status import WorkerStatus
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.games import find

SEND_EVERY = 0.1  # seconds
SAFE_AHEAD = 32_000  # bytes that fit into the pipe to a worker that does not read it now
_DYING = 1.0  # seconds that a process may take to end after its pipe has closed


class Worker:
    """A worker process, as its driver sees it."""

    def __init__(self, game: Game, agents: Sequence[str], limits: Limits, keep_records: bool, unwarmed: frozenset[int]):
        context = get_context("spawn")
        self.status = WorkerStatus(context)
        self.given: dict[int, Fixture] = {}  # by number: given out and not come back
        self.chunks = 0  # given out and not finished
        self.pipe, there = context.Pipe()
        args = (there, self.status, str(game), agents, limits, keep_records, unwarmed)
        self.process = context.Process(target=_work, args=args, daemon=True)
        with _interrupts_held():
            self.process.start()
        there.close()

    def give(self, chunk: list[Fixture]) -> bool:
        """Give it fixtures to play; return whether that was possible without waiting."""
        message = pickle.dumps(chunk)
        if self.chunks and len(message) > SAFE_AHEAD:
            return False
        self.given |= {fixture.number: fixture for fixture in chunk}
        self.chunks += 1
        with suppress(OSError):  # it is dead, which will be noticed soon
            self.pipe.send_bytes(message)
        return True

    def receive(self) -> tuple[Batch, float] | None:
        """Return the next games it has finished and the seconds they took, None if it is dead; its error is raised."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            return None
        if isinstance(message, Exception):
            raise message
        batch, seconds, finished = message
        self.chunks -= finished
        for number in batch.numbers.tolist():
            del self.given[number]
        return batch, seconds

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self.process.is_alive()

    def end(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join()

    def cause_of_death(self) -> str:
        """Wait a moment for the process to end and return how it ended, in words."""
        self.process.join(_DYING)
        code = self.process.exitcode
        if code is None:
            return "its process hung up"
        return f"its process died ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})"


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start a process that Ctrl-C does not reach; its driver will end it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or starting it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(
    pipe: Connection, status: WorkerStatus, game_text: str, agents: Sequence[str], limits: Limits, keep_records: bool,
    unwarmed: frozenset[int],
) -> None:  # fmt: skip
    """Play what comes through the pipe until it closes."""
    os.environ["KIBITZ_THREADS"] = "1"  # the workers share the cores among themselves
    os.dup2(2, 1)  # what agents print is no part of the output of the command
    Thread(target=_die_with_the_driver, daemon=True).start()
    signal.signal(signal.SIGTERM, _ignore)
    try:
        game = find(game_text)
        Table(game, 1).moves()  # loads what compiled code needs, before memory is limited
        observer = with_memory_limit(status, limits.memory)
        warm_up = WarmUp(game, agents, limits, observer, never=unwarmed)
        while True:
            _play(game, agents, pickle.loads(pipe.recv_bytes()), limits, keep_records, observer, warm_up, pipe)
    except EOFError:
        return
    except Exception as error:
        with suppress(OSError):
            pipe.send(error if isinstance(error, KibitzError) else KibitzError(f"{type(error).__name__}: {error}"))


def _play(
    game: Game, agents: Sequence[str], chunk: list[Fixture], limits: Limits, keep_records: bool,
    observer: Observer, warm_up: WarmUp, pipe: Connection,
) -> None:  # fmt: skip
    results: list[Result] = []
    begun = perf_counter()
    for left, fixture in zip(range(len(chunk) - 1, -1, -1), chunk, strict=True):
        warm_up.before(fixture)
        results.append(play_fixture(game, agents, fixture, limits, observer))
        seconds = perf_counter() - begun
        if left == 0 or seconds > SEND_EVERY or results[-1].reason is Reason.MEMORY:
            pipe.send((batch_of(results, keep_records), seconds, left == 0))
            results, begun = [], perf_counter()


def _ignore(number: int, frame: Any) -> None:
    """Leave it to the driver to end us: at a shutdown all processes get the signal, and no agent is to blame."""


def _die_with_the_driver() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
