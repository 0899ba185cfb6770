"""A crew of workers; whatever an agent does to its process, only the game in which it does it is lost."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from multiprocessing import connection

from kibitz.arena.batch import Batch, batch_of
from kibitz.arena.fixture import Fixture
from kibitz.arena.limits import Limits, Reason
from kibitz.arena.pace import Pace
from kibitz.arena.referee import accuse, broken_off
from kibitz.arena.worker import Worker
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game

SECONDS_A_CHUNK, MOST_A_CHUNK = 0.1, 64
CHUNKS_A_WORKER = 2  # one in hand and one to come
LOOK_EVERY = 0.2  # seconds between looks at clocks and for the dead
MISFORTUNES = 3  # deaths in a row that no agent is to blame for; then we give up


def play_apart(
    game: Game, agents: Sequence[str], fixtures: Iterable[Fixture], jobs: int, limits: Limits, keep_records: bool
) -> Generator[Batch, None, None]:
    """Play fixtures with so many worker processes; batches come as they are finished."""
    crew = Crew(game, agents, jobs, limits, keep_records)
    try:
        yield from crew.play(fixtures)
    finally:
        crew.dismiss()


class Crew:
    """Who plays what."""

    def __init__(self, game: Game, agents: Sequence[str], jobs: int, limits: Limits, keep_records: bool):
        self.game, self.agents, self.jobs, self.limits = game, list(agents), jobs, limits
        self.keep_records = keep_records
        self.fixtures: Iterator[Fixture] = iter(())
        self.again: deque[list[Fixture]] = deque()  # chunks to be given out before any other
        self.pace = Pace(SECONDS_A_CHUNK, 1, MOST_A_CHUNK)
        self.workers: list[Worker] = []
        self.cold: set[int] = set()  # agents that have brought a process down: they get no time to warm up any more
        self.misfortunes = 0

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Batch, None, None]:
        """Play fixtures; batches come as they are finished. The workers are kept for more."""
        self.fixtures = iter(fixtures)
        while self._give_out():
            yield from self._collect()

    def _give_out(self) -> bool:
        """Give out chunks to all who have room for one; tell whether anything is being played."""
        while len(self.workers) < self.jobs or any(worker.chunks < CHUNKS_A_WORKER for worker in self.workers):
            chunk = self.again.popleft() if self.again else self.pace.chunk(self.fixtures)
            if not chunk:
                break
            if not self._least_busy().give(chunk):
                self.again.appendleft(chunk)
                break
        return any(worker.given for worker in self.workers)

    def _least_busy(self) -> Worker:
        least = min(self.workers, key=lambda worker: worker.chunks, default=None)
        if least is None or (least.chunks and len(self.workers) < self.jobs):
            least = Worker(self.game, self.agents, self.limits, self.keep_records, frozenset(self.cold))
            self.workers.append(least)
        return least

    def _collect(self) -> Generator[Batch, None, None]:
        """Wait until something happens; hand on what was finished, and see to the dead and the late."""
        heard = connection.wait([worker.pipe for worker in self.workers], LOOK_EVERY)
        for worker in list(self.workers):
            if worker.pipe in heard:
                yield from self._receive(worker)
            elif not worker.alive:
                yield from self._bury(worker, Reason.CRASH)
            elif worker.board.late:
                yield from self._stop(worker)

    def _receive(self, worker: Worker) -> Generator[Batch, None, None]:
        found = worker.receive()
        if found is None:
            yield from self._bury(worker, Reason.CRASH)
            return
        batch, seconds = found
        self.misfortunes = 0
        self.pace.learn(len(batch.numbers), seconds)
        yield batch
        if Reason.MEMORY in batch.reasons:  # who knows what this process still holds
            yield from self._bury(worker, None)

    def _stop(self, worker: Worker) -> Generator[Batch, None, None]:
        """Stop a worker in which a seat is late; if it has just made its move after all, the game is played again."""
        deadline = worker.board.deadline
        worker.end()
        yield from self._bury(worker, Reason.TIME if 0 < deadline == worker.board.deadline else None)

    def _bury(self, worker: Worker, reason: Reason | None) -> Generator[Batch, None, None]:
        """Book the game in which a worker died for a reason against the seat that had the word, if one had."""
        cause = worker.cause_of_death() if reason is Reason.CRASH else ""
        worker.end()
        self.workers.remove(worker)
        while worker.pipe.poll() and (found := worker.receive()):
            yield found[0]
        seat, fixture = worker.board.seat, worker.given.get(worker.board.number)
        if reason is not None and seat >= 0 and fixture is not None and worker.board.warms:
            self.cold.add(fixture.seating[seat])  # what counts is what it does at the table
        elif reason is not None and seat >= 0 and fixture is not None:
            del worker.given[fixture.number]
            yield self._booked(worker, fixture, seat, reason, cause)
        elif reason is not None:
            self.misfortunes += 1
        if worker.given:
            self.again.append(list(worker.given.values()))
        if self.misfortunes >= MISFORTUNES:
            raise KibitzError(
                f"{MISFORTUNES} worker processes in a row ended before they could play, and no agent was on move: "
                f"{cause}; a script that plays must do so under: if __name__ == '__main__'"
            )

    def _booked(self, worker: Worker, fixture: Fixture, seat: int, reason: Reason, cause: str) -> Batch:
        agent, made = fixture.seating[seat], worker.board.made
        self.cold.add(agent)
        ply = len(fixture.opening) + len(made)
        fault = accuse(self.agents[agent], seat, ply, f"game {fixture.number}", reason, cause)
        return batch_of([broken_off(self.game, self.agents, fixture, made, fault)], self.keep_records)

    def dismiss(self) -> None:
        """End all workers at once."""
        for worker in self.workers:
            worker.end()
