"""A pool of worker processes; an agent that breaks its process loses the game in which it does so, and nothing else.

A game that ended in a failure is played again, alone in a new worker, if anything but the agent may have caused it: an
earlier game of the worker, or somebody outside who ended the process.
"""

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from multiprocessing import connection

from kibitz.agents import runs_apart
from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.own_agents import can_reach_us, in_force, is_own
from kibitz.arena.play.batch import Batch, batch_of
from kibitz.arena.play.chunk_size import ChunkSize
from kibitz.arena.play.reason import PROCESS_REASONS, Reason
from kibitz.arena.play.referee import PLAYED_AGAIN, AgentFault, accuse, broken_off
from kibitz.arena.play.worker import Worker
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game

SECONDS_A_CHUNK, MOST_A_CHUNK = 0.1, 64
CHUNKS_A_WORKER = 2  # one in hand and one to come
LOOK_EVERY = 0.2  # seconds between checks of clocks and for workers that have died
MOST_FAILURES = 3  # worker processes that ended in a row without an agent to blame; then we give up
MOST_KILLS = 20  # from outside, in one seat of a game, where no agent can have done it, or before any game at all
IN_REACH = "as no walls stand around it that would hinder it, it may have done that itself"
DEATHS = 2  # of workers in the same seat of a game, or in the warm-up of an agent, after which it is the agent's doing


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
        self.apart = {at for at, agent in enumerate(agents) if runs_apart(in_force(agent, game, limits), game)}
        self.inside = {at for at, agent in enumerate(agents) if is_own(agent, game)} - self.apart
        self.loose = {at for at in self.apart if can_reach_us(in_force(agents[at], game, limits), game)}
        self.excused: set[int] = set()  # loose agents for which a game was played again; a second one is a loss
        self.notes: dict[int, str] = {}  # by number: why a game was played again
        self.fixtures: Iterator[Fixture] = iter(())
        self.again: deque[list[Fixture]] = deque()  # chunks to be given out before any other
        self.alone: deque[Fixture] = deque()  # games in doubt: each is played as the first one of a new worker
        self.chunk_size = ChunkSize(SECONDS_A_CHUNK, 1, MOST_A_CHUNK)
        self.workers: list[Worker] = []
        self.deaths: Counter[tuple[int, int]] = Counter()  # of workers, by game and seat
        self.warm_up_deaths: Counter[int] = Counter()  # of workers, by agent; in the end it is not warmed up any more
        self.failures = self.kills = 0  # of workers in a row without an agent to blame: by themselves, and from outside
        self.played = False

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Batch, None, None]:
        """Play fixtures; batches come as they are finished. The workers are kept for more."""
        self.fixtures = iter(fixtures)
        while self._give_out():
            yield from self._collect()

    def _give_out(self) -> bool:
        """Give out chunks to all workers that have room for one; return whether anything is being played."""
        while self.alone and len(self.workers) < self.jobs:
            self._new_worker().give([self.alone.popleft()])
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
            return self._new_worker()
        return least

    def _new_worker(self) -> Worker:
        unwarmed = frozenset(agent for agent, deaths in self.warm_up_deaths.items() if deaths >= DEATHS)
        self.workers.append(Worker(self.game, self.agents, self.limits, self.keep_records, unwarmed))
        return self.workers[-1]

    def _collect(self) -> Generator[Batch, None, None]:
        """Wait until something happens; pass on what was finished, and remove workers that died or are late."""
        ready = connection.wait([worker.pipe for worker in self.workers], LOOK_EVERY)
        for worker in list(self.workers):
            if worker.pipe in ready:
                yield from self._receive(worker)
            elif not worker.alive:
                yield from self._remove(worker, Reason.CRASH)
            elif worker.late:
                yield from self._stop(worker)

    def _receive(self, worker: Worker) -> Generator[Batch, None, None]:
        found = worker.receive()
        if found is None:
            yield from self._remove(worker, Reason.CRASH)
            return
        batch, seconds = found
        self.failures, self.played = 0, True
        self.chunk_size.learn(len(batch.numbers), seconds)
        yield from self._kept(worker, batch)
        if self._in_doubt(batch):  # nothing that an agent has left there can reach another game
            yield from self._remove(worker, None)

    def _kept(self, worker: Worker, batch: Batch) -> Generator[Batch, None, None]:
        """Pass on games of a worker, but the last one not if it failed and was not the worker's first."""
        fixtures = [worker.given.pop(number) for number in batch.numbers.tolist()]
        if self._in_doubt(batch) and not worker.status.fresh:
            self.alone.append(fixtures[-1])
            batch = batch.first(len(fixtures) - 1)
        for at, number in enumerate(batch.numbers.tolist()):
            batch.faults[at] = batch.faults[at] or self.notes.get(number, "")
        if len(batch.numbers):
            yield batch

    def _in_doubt(self, batch: Batch) -> bool:
        """Return whether the last game failed in a way that the process it was played in may have caused."""
        failed = batch.reasons[-1] in PROCESS_REASONS
        return failed and int(batch.seatings[-1, batch.offenders[-1]]) not in self.apart

    def _stop(self, worker: Worker) -> Generator[Batch, None, None]:
        """Stop a worker in which a seat is late; if it has just made its move after all, the game is played again."""
        deadline = worker.status.deadline
        worker.end()
        yield from self._remove(worker, Reason.TIME if 0 < deadline == worker.status.deadline else None)

    def _remove(self, worker: Worker, reason: Reason | None) -> Generator[Batch, None, None]:
        """Remove a worker; if it ended for a reason, find out whose doing that was."""
        cause = (worker.broken or worker.cause_of_death()) if reason is Reason.CRASH else ""
        killed, signalled = worker.killed, worker.signalled
        worker.end()
        self.workers.remove(worker)
        while worker.pipe.poll() and (found := worker.receive()):
            yield from self._kept(worker, found[0])
        status, fixture = worker.status, worker.given.get(worker.status.number)
        reached = reason is Reason.CRASH and signalled and bool(self.loose.intersection(_seated(fixture)))
        seat = -1 if fixture is None else self._suspect(worker, fixture, reached)
        if reason is None:
            pass
        elif fixture is None or seat < 0:
            self.failures += not killed
            self.kills += killed
            if worker.broken and status.fresh:
                raise KibitzError(worker.broken)
        elif status.warms:
            self.warm_up_deaths[fixture.seating[seat]] += 1  # only what it does at the table counts
        else:
            del worker.given[fixture.number]
            if reached and fixture.seating[seat] in self.loose:
                yield from self._judged_once(worker, fixture, seat, f"{cause}; {IN_REACH}")
            else:
                most = MOST_KILLS if killed and not self.inside else DEATHS
                yield from self._judged(worker, fixture, seat, reason, cause, most)
        if worker.given:
            self.again.append(list(worker.given.values()))
        self._give_up(cause)

    def _give_up(self, cause: str) -> None:
        """Raise an error if workers cannot live here; those killed while games are played are replaced for ever."""
        if self.failures >= MOST_FAILURES:
            raise KibitzError(
                f"{MOST_FAILURES} worker processes in a row ended before they could play, and no agent was to move: "
                f"{cause}; a script that plays must do so under: if __name__ == '__main__'"
            )
        if self.kills >= MOST_KILLS and not self.played:
            raise KibitzError(
                f"{MOST_KILLS} worker processes were killed before any of them could play a game: {cause}; there may "
                "be too little memory"
            )

    def _suspect(self, worker: Worker, fixture: Fixture, reached: bool) -> int:
        """Return the seat that was thinking, else the last before it with code that is not ours, or -1.

        Where a loose agent may have ended the worker, an agent that cannot have done so is not the one.
        """
        able = self.inside | self.loose if reached else self.inside
        thinking = worker.status.seat
        if thinking >= 0 and (not reached or fixture.seating[thinking] in able):
            return thinking
        last = thinking if thinking >= 0 else worker.status.last
        for back in range(len(fixture.seating) if last >= 0 else 0):
            seat = (last - back) % len(fixture.seating)
            if fixture.seating[seat] in able:
                return seat
        return -1

    def _judged_once(self, worker: Worker, fixture: Fixture, seat: int, cause: str) -> Generator[Batch, None, None]:
        """Play a game again for a loose agent that may have ended the worker; book it if that was done before."""
        agent = fixture.seating[seat]
        if agent in self.excused:
            yield self._booked(worker, fixture, seat, Reason.CRASH, cause)
            return
        self.excused.add(agent)
        self.notes[fixture.number] = f"{self._fault(worker, fixture, seat, Reason.CRASH, cause)}; {PLAYED_AGAIN}"
        self.alone.append(fixture)

    def _judged(
        self, worker: Worker, fixture: Fixture, seat: int, reason: Reason, cause: str, most: int
    ) -> Generator[Batch, None, None]:
        """Book a game on a seat if it is certain that the agent there has failed; else play it again."""
        self.deaths[fixture.number, seat] += reason is Reason.CRASH
        if self.deaths[fixture.number, seat] >= most or (reason is Reason.TIME and worker.status.fresh):
            yield self._booked(worker, fixture, seat, reason, cause)
        else:
            self.alone.append(fixture)

    def _booked(self, worker: Worker, fixture: Fixture, seat: int, reason: Reason, cause: str) -> Batch:
        fault = self._fault(worker, fixture, seat, reason, cause)
        return batch_of([broken_off(self.game, self.agents, fixture, worker.status.made, fault)], self.keep_records)

    def _fault(self, worker: Worker, fixture: Fixture, seat: int, reason: Reason, cause: str) -> AgentFault:
        ply = len(fixture.opening) + len(worker.status.made)
        return accuse(self.agents[fixture.seating[seat]], seat, ply, f"game {fixture.number + 1}", reason, cause)

    def close(self) -> None:
        """End all workers at once."""
        for worker in self.workers:
            worker.end()


def _seated(fixture: Fixture | None) -> tuple[int, ...]:
    return () if fixture is None else fixture.seating
