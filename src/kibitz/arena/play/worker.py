"""A worker: a process that plays fixtures, and what its driver knows about it."""

import os
import pickle
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from kibitz.agents import runs_apart
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import can_reach_us, effective_agent, is_own
from kibitz.arena.play.batch import Batch, batch_of, unpickled
from kibitz.arena.play.reason import PROCESS_REASONS
from kibitz.arena.play.referee import GameResult, play_fixture
from kibitz.arena.play.warm_up import WarmUp
from kibitz.arena.process.memory_limit import with_memory_limit
from kibitz.arena.process.supervised_process import SupervisedProcess
from kibitz.arena.process.tampering import watch_for_harm
from kibitz.arena.process.worker_status import WorkerStatus
from kibitz.core.code_on_disk import forecast
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.games import find

SEND_EVERY = 0.1  # seconds
SAFE_AHEAD = 32_000  # bytes that fit into the pipe to a worker that is not reading
SURE_LATE = 5.0  # seconds after which an agent is late even if pauses are unknown
SURE_STOPPED = 5.0  # seconds after which we give up on a stopped process


@dataclass(frozen=True)
class Access:
    """Which agents of a plan, by number, run where, and which can reach our processes."""

    apart: frozenset[int]  # in processes of their own
    inside: frozenset[int]  # in our workers, though they are the user's own code
    loose: frozenset[int]  # apart, but no sandbox keeps them from killing our processes

    @classmethod
    def of(cls, game: Game, agents: Sequence[str], limits: Limits) -> "Access":
        """Return what agents can reach under these limits."""
        built = [effective_agent(agent, game, limits) for agent in agents]
        apart = frozenset(at for at, text in enumerate(built) if runs_apart(text, game))
        own = frozenset(at for at, text in enumerate(agents) if is_own(text, game))
        return cls(apart, own - apart, frozenset(at for at in apart if can_reach_us(built[at], game)))

    @property
    def able(self) -> frozenset[int]:
        """The agents that can end or stop a worker."""
        return self.inside | self.loose


class Worker(SupervisedProcess):
    """A worker process, as its driver sees it."""

    def __init__(
        self, game: Game, agents: Sequence[str], limits: Limits, keep_records: bool, unwarmed: frozenset[int],
        access: Access,
    ):  # fmt: skip
        self.given: dict[int, Fixture] = {}  # by number: handed out and not returned
        self.chunks = 0  # handed out and not finished
        self.broken = ""  # the error that ended it outside all agents
        self._late_since: float | None = None
        self._stopped_since: float | None = None
        self._held_up = 0.0  # seconds for which it had compiled when we looked last
        super().__init__(__name__, _work.__name__, str(game), list(agents), limits, keep_records, unwarmed, access)

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
        """Return the next games it has finished and the seconds they took, or None if it is dead.

        Raise an error if it is one that no agent can cause.
        """
        try:
            message = unpickled(self.pipe.recv_bytes())
        except Exception:  # it is dead, or an agent wrote into the pipe
            return None
        if isinstance(message, KibitzError):
            raise message
        if isinstance(message, str):
            self.broken = message
            return None
        if not _is_news(message):
            return None
        batch, seconds, finished = message
        self.chunks -= finished
        return batch, seconds

    def handed_back(self, batch: Batch) -> list[Fixture] | None:
        """Return the fixtures of a batch, which are then done; None if it was not given them."""
        numbers = batch.numbers.tolist() if isinstance(batch.numbers, np.ndarray) else []
        known = all(number in self.given for number in numbers) and len(set(numbers)) == len(numbers) > 0
        return [self.given.pop(number) for number in numbers] if known else None

    def newly_held_up(self) -> float:
        """Return for how many seconds it has compiled since this was asked last."""
        before, self._held_up = self._held_up, self.status.held_up
        return self._held_up - before

    @property
    def late(self) -> bool:
        """Whether the agent that is thinking must be stopped now, with no pause of the process to excuse it."""
        if not self.status.late:
            self._late_since = None
            return False
        now = monotonic()
        if self._late_since is None:
            self._late_since = now
        return self.status.up_to_date or now - self._late_since > SURE_LATE

    @property
    def stopped(self) -> bool:
        """Whether it or its supervisor has been stopped, and not resumed after a while."""
        if not self.status.stopped and (self.status.up_to_date or not _is_stopped(self.process.pid)):
            self._stopped_since = None
            return False
        now = monotonic()
        if self._stopped_since is None:
            self._stopped_since = now
        return now - self._stopped_since > SURE_STOPPED


def _is_news(message: Any) -> bool:
    """Return whether a worker sends what it should: games, seconds, and whether a chunk is finished."""
    return (
        type(message) is tuple
        and [type(part) for part in message] == [Batch, float, bool]
        and 0 <= message[1] < float("inf")
    )


def _is_stopped(pid: int | None) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] in b"Tt"
    except (OSError, IndexError):
        return False


def _work(
    status: WorkerStatus, pipe: Connection, game_text: str, agents: Sequence[str], limits: Limits, keep_records: bool,
    unwarmed: frozenset[int], access: Access,
) -> None:  # fmt: skip
    """Play what comes through the pipe until it closes, or until a game makes this process doubtful."""
    os.environ["KIBITZ_THREADS"] = "1"  # the workers share the cores among themselves
    os.dup2(2, 1)  # what agents print does not belong in the command's output
    signal.signal(signal.SIGTERM, _ignore)
    forecast.watch(status.compiling)
    forecast.foresee(agents)
    try:
        game = find(game_text)
        if access.inside:
            watch_for_harm(pipe.fileno())
        Table(game, 1).moves()  # loads what compiled code needs, before memory is limited
        observer = with_memory_limit(status, limits.memory)
        warm_up = WarmUp(game, agents, limits, observer, never=unwarmed)

        def play(fixture: Fixture) -> GameResult:
            warm_up.before(fixture)
            return play_fixture(game, agents, fixture, limits, observer, able=access.able)

        while _play(pickle.loads(pipe.recv_bytes()), play, keep_records, pipe, access):
            pass
    except EOFError:
        return
    except BaseException as error:
        with suppress(OSError):
            pipe.send(error if isinstance(error, KibitzError) else f"{type(error).__name__}: {error}")


def _play(
    chunk: list[Fixture], play: Callable[[Fixture], GameResult], keep_records: bool, pipe: Connection, access: Access
) -> bool:
    """Play a chunk; return whether this process can be trusted with more."""
    send_every = 0.0 if access.loose else SEND_EVERY  # killing us cannot undo what has been sent
    results: list[GameResult] = []
    begun = perf_counter()
    for left, fixture in zip(range(len(chunk) - 1, -1, -1), chunk, strict=True):
        results.append(play(fixture))
        seconds = perf_counter() - begun
        last = results[-1]
        sound = last.reason not in PROCESS_REASONS or fixture.seating[last.offender] in access.apart
        if left == 0 or seconds > send_every or not sound:
            pipe.send((batch_of(results, keep_records), seconds, left == 0))
            results, begun = [], perf_counter()
        if not sound:
            return False
    return True


def _ignore(number: int, frame: Any) -> None:
    """Leave it to the driver to end us: at shutdown all processes get the signal, and no agent is to blame."""
