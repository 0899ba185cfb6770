"""A pool of worker processes; if an agent breaks its process, only the game in which it does so is lost."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from multiprocessing import connection

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.play.batch import Batch, batch_of
from kibitz.arena.play.chunk_size import ChunkSize
from kibitz.arena.play.reason import Reason
from kibitz.arena.play.referee import accuse, broken_off
from kibitz.arena.play.worker import Worker
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game

SECONDS_A_CHUNK, MOST_A_CHUNK = 0.1, 64
CHUNKS_A_WORKER = 2  # one in hand and one to come
LOOK_EVERY = 0.2  # seconds between checks of clocks and for workers that have died
MOST_FAILURES = 3  # worker processes lost in a row without an agent to blame; then we give up


def play_in_processes(
    game: Game, agents: Sequence[str], fixtures: Iterable[Fixture], jobs: int, limits: Limits, keep_records: bool
) -> Generator[Batch, None, None]:
    """Play fixtures with so many worker processes; batches come as they are finished."""
    pool = ProcessPool(game, agents, jobs, limits, keep_records)
    try:
        yield from pool.play(fixtures)
    finally:
        pool.close()


class ProcessPool:
    """Worker processes, and which fixtures each of them has."""

    def __init__(self, game: Game, agents: Sequence[str], jobs: int, limits: Limits, keep_records: bool):
        self.game, self.agents, self.jobs, self.limits = game, list(agents), jobs, limits
        self.keep_records = keep_records
        self.fixtures: Iterator[Fixture] = iter(())
        self.again: deque[list[Fixture]] = deque()  # chunks to be given out before any other
        self.chunk_size = ChunkSize(SECONDS_A_CHUNK, 1, MOST_A_CHUNK)
        self.workers: list[Worker] = []
        self.unwarmed: set[int] = set()  # agents that have ended a process: they are not warmed up any more
        self.failures = 0

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Batch, None, None]:
        """Play fixtures; batches come as they are finished. The workers are kept for more."""
        self.fixtures = iter(fixtures)
        while self._give_out():
            yield from self._collect()

    def _give_out(self) -> bool:
        """Give out chunks to all workers that have room for one; return whether anything is being played."""
        while len(self.workers) < self.jobs or any(worker.chunks < CHUNKS_A_WORKER for worker in self.workers):
            chunk = self.again.popleft() if self.again else self.chunk_size.take(self.fixtures)
            if not chunk:
                break
            if not self._least_busy().give(chunk):
                self.again.appendleft(chunk)
                break
        return any(worker.given for worker in self.workers)

    def _least_busy(self) -> Worker:
        least = min(self.workers, key=lambda worker: worker.chunks, default=None)
        if least is None or (least.chunks and len(self.workers) < self.jobs):
            least = Worker(self.game, self.agents, self.limits, self.keep_records, frozenset(self.unwarmed))
            self.workers.append(least)
        return least

    def _collect(self) -> Generator[Batch, None, None]:
        """Wait until something happens; pass on what was finished, and remove workers that died or are late."""
        ready = connection.wait([worker.pipe for worker in self.workers], LOOK_EVERY)
        for worker in list(self.workers):
            if worker.pipe in ready:
                yield from self._receive(worker)
            elif not worker.alive:
                yield from self._remove(worker, Reason.CRASH)
            elif worker.status.late:
                yield from self._stop(worker)

    def _receive(self, worker: Worker) -> Generator[Batch, None, None]:
        found = worker.receive()
        if found is None:
            yield from self._remove(worker, Reason.CRASH)
            return
        batch, seconds = found
        self.failures = 0
        self.chunk_size.learn(len(batch.numbers), seconds)
        yield batch
        if Reason.MEMORY in batch.reasons:  # the process may still hold that memory
            yield from self._remove(worker, None)

    def _stop(self, worker: Worker) -> Generator[Batch, None, None]:
        """Stop a worker in which a seat is late; if it has just made its move after all, the game is played again."""
        deadline = worker.status.deadline
        worker.end()
        yield from self._remove(worker, Reason.TIME if 0 < deadline == worker.status.deadline else None)

    def _remove(self, worker: Worker, reason: Reason | None) -> Generator[Batch, None, None]:
        """Remove a worker; if it ended for a reason while an agent was thinking, that agent has lost its game."""
        cause = worker.cause_of_death() if reason is Reason.CRASH else ""
        worker.end()
        self.workers.remove(worker)
        while worker.pipe.poll() and (found := worker.receive()):
            yield found[0]
        seat, fixture = worker.status.seat, worker.given.get(worker.status.number)
        if reason is not None and seat >= 0 and fixture is not None and worker.status.warms:
            self.unwarmed.add(fixture.seating[seat])  # only what it does at the table counts
        elif reason is not None and seat >= 0 and fixture is not None:
            del worker.given[fixture.number]
            yield self._booked(worker, fixture, seat, reason, cause)
        elif reason is not None:
            self.failures += 1
        if worker.given:
            self.again.append(list(worker.given.values()))
        if self.failures >= MOST_FAILURES:
            raise KibitzError(
                f"{MOST_FAILURES} worker processes in a row ended before they could play, and no agent was to move: "
                f"{cause}; a script that plays must do so under: if __name__ == '__main__'"
            )

    def _booked(self, worker: Worker, fixture: Fixture, seat: int, reason: Reason, cause: str) -> Batch:
        agent, made = fixture.seating[seat], worker.status.made
        self.unwarmed.add(agent)
        ply = len(fixture.opening) + len(made)
        fault = accuse(self.agents[agent], seat, ply, f"game {fixture.number}", reason, cause)
        return batch_of([broken_off(self.game, self.agents, fixture, made, fault)], self.keep_records)

    def close(self) -> None:
        """End all workers at once."""
        for worker in self.workers:
            worker.end()
