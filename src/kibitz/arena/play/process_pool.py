"""A pool of worker processes; an agent that breaks its process loses that game and nothing else.

A game that ended in a failure is played again, alone in a new worker, if something other than the agent may have caused
it: an earlier game of the worker, or somebody outside who killed the process. Games of a worker that other people's
code can reach are replayed here before they count.
"""

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing import connection

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.limits import Limits
from kibitz.arena.plan.schedule import ChunkSize
from kibitz.arena.play.audit import NO_BATCH, Audit
from kibitz.arena.play.batch import Batch, batch_of
from kibitz.arena.play.reason import PROCESS_REASONS, Killed, Reason
from kibitz.arena.play.referee import PLAYED_AGAIN, VOID, AgentFault, GameResult, accuse, broken_off, voided
from kibitz.arena.play.retry_policy import BY_ITSELF, RetryPolicy, Verdict
from kibitz.arena.play.worker import Access, Worker
from kibitz.core.code_on_disk import forecast, notice
from kibitz.core.errors import BadMove, KibitzError
from kibitz.core.game import Game

SECONDS_A_CHUNK, MOST_A_CHUNK = 0.1, 64
CHUNKS_A_WORKER = 2  # one in play and one queued
LOOK_EVERY = 0.2  # seconds between checks of clocks and for workers that have died
MOST_FAILURES = 3  # worker processes that ended in a row without an agent to blame; then we give up
MOST_KILLS = 20  # from outside, in one seat of a game, where no agent can have done it, or before any game at all
FORGED = "its process handed back a game that cannot be replayed: {}"
STOPPED = "its process was stopped, and nobody let it go on"
DEATHS = 2  # of workers in the same seat of a game, or in the warm-up of an agent, after which it is the agent's doing


def play_in_processes(
    game: Game, agents: Sequence[str], fixtures: Iterable[Fixture], jobs: int, limits: Limits, keep_records: bool
) -> Generator[Batch, None, None]:
    """Play fixtures with `jobs` worker processes; batches come as they are finished."""
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
        self.access = Access.of(game, agents, limits)
        self.audit = Audit(game, agents, limits) if self.access.able else None
        self.retries = RetryPolicy(self.access.able)
        self.forged: set[int] = set()  # numbers of games whose results cannot be genuine
        self.notes: dict[int, str] = {}  # by number: why a game was played again
        self.fixtures: Iterator[Fixture] = iter(())
        self.again: deque[list[Fixture]] = deque()  # chunks to be given out before any other
        self.alone: deque[Fixture] = deque()  # doubtful games: each is the first one of a new worker
        self.chunk_size = ChunkSize(SECONDS_A_CHUNK, 1, MOST_A_CHUNK)
        self.workers: list[Worker] = []
        self.deaths: Counter[tuple[int, int]] = Counter()  # of workers, by game and seat
        self.warm_up_deaths: Counter[int] = Counter()  # of workers, by agent; after too many it is no longer warmed up
        self.failures = self.kills = 0  # of workers in a row without an agent to blame: by themselves, and from outside
        self.played = False
        self.told = False  # whether it shows that a worker compiles

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Batch, None, None]:
        """Play fixtures; batches come as they are finished. The workers are kept for later calls."""
        self.fixtures = iter(fixtures)
        while self._give_out():
            yield from self._collect()

    def _give_out(self) -> bool:
        """Hand out chunks to all workers that have room for one; return whether anything is being played."""
        while self.alone and (len(self.workers) < self.jobs or self._retire_idle()):
            self._new_worker().give([self.alone.popleft()])
        while len(self.workers) < self.jobs or any(worker.chunks < CHUNKS_A_WORKER for worker in self.workers):
            chunk = self.again.popleft() if self.again else self.chunk_size.take(self.fixtures)
            if not chunk:
                break
            if not self._least_busy().give(chunk):
                self.again.appendleft(chunk)
                break
        return any(worker.given for worker in self.workers)

    def _retire_idle(self) -> bool:
        """End an idle worker to make room for a new one; return whether there was one."""
        idle = next((worker for worker in self.workers if not worker.given), None)
        if idle is not None:
            idle.end()
            self.workers.remove(idle)
        return idle is not None

    def _least_busy(self) -> Worker:
        least = min(self.workers, key=lambda worker: worker.chunks, default=None)
        if least is None or (least.chunks and len(self.workers) < self.jobs):
            return self._new_worker()
        return least

    def _new_worker(self) -> Worker:
        unwarmed = frozenset(agent for agent, deaths in self.warm_up_deaths.items() if deaths >= DEATHS)
        keep = self.keep_records or self.audit is not None
        self.workers.append(Worker(self.game, self.agents, self.limits, keep, unwarmed, self.access))
        return self.workers[-1]

    def _collect(self) -> Generator[Batch, None, None]:
        """Wait until something happens; pass on finished games, and remove workers that died or are late."""
        ready = connection.wait([worker.pipe for worker in self.workers], LOOK_EVERY)
        self._tell_of_compiling()
        for worker in list(self.workers):
            if worker.pipe in ready:
                yield from self._receive(worker)
            elif not worker.alive:
                yield from self._remove(worker, Reason.CRASH)
            elif worker.stopped:
                yield from self._remove(worker, Reason.CRASH, STOPPED)
            elif worker.late:
                yield from self._stop(worker)

    def _tell_of_compiling(self) -> None:
        """Show how far the worker is that compiles the longest; no speed counts the time that it takes."""
        for worker in self.workers:
            forecast.note_waited(worker.newly_held_up() / len(self.workers))
        compiling = [progress for worker in self.workers if (progress := worker.status.compile_progress)]
        if compiling or self.told:
            self.told = bool(compiling)
            notice.tell_of_worker(max(compiling, key=lambda progress: progress.seconds_left, default=None))

    def _receive(self, worker: Worker) -> Generator[Batch, None, None]:
        found = worker.receive()
        if found is None:
            yield from self._remove(worker, Reason.CRASH)
            return
        batch, seconds = found
        self.failures, self.played = 0, True
        self.chunk_size.learn(len(batch.numbers), seconds)
        yield from self._kept(worker, batch)

    def _kept(self, worker: Worker, batch: Batch) -> Generator[Batch, None, None]:
        """Pass on the sound games of a worker; a worker with an unsound one plays no more."""
        fixtures = worker.handed_back(batch)
        if fixtures is None:
            if worker in self.workers:
                yield from self._remove(worker, Reason.CRASH, FORGED.format(NO_BATCH))
            return
        wrong = self.audit.look(batch, fixtures) if self.audit else [""] * len(fixtures)
        doubt = not wrong[-1] and self._in_doubt(batch)
        sound = [row for row, complaint in enumerate(wrong) if not complaint]
        if doubt and not worker.status.fresh:
            self.alone.append(fixtures[sound.pop()])
        yield from self._settled(batch.taken(sound), [fixtures[row] for row in sound])
        for fixture, complaint in zip(fixtures, wrong, strict=True):
            if complaint:
                yield from self._distrusted(fixture, complaint)
        if (doubt or any(wrong)) and worker in self.workers:
            yield from self._remove(worker, None)  # nothing that an agent left there can affect another game

    def _settled(self, batch: Batch, fixtures: Sequence[Fixture]) -> Generator[Batch, None, None]:
        """Pass on games; judge first those in which a process of an agent was killed."""
        sound = []
        for row, fixture in enumerate(fixtures):
            batch.faults[row] = batch.faults[row] or self.notes.get(fixture.number, "")
            if batch.killed[row] == Killed.NO:
                sound.append(row)
                continue
            seat, surely = int(batch.offenders[row]), batch.killed[row] == Killed.SURELY
            verdict = self._judge_ended(fixture, seat, surely, batch.faults[row])
            if verdict is Verdict.LOST:
                batch.faults[row] += f"; {BY_ITSELF}"
                sound.append(row)
            elif verdict is Verdict.VOID:
                yield self._void(fixture, batch.faults[row])
        if sound:
            kept = batch.taken(sound)
            yield kept if self.keep_records else replace(kept, records=[])

    def _judge_ended(self, fixture: Fixture, seat: int, surely: bool, fault: str) -> Verdict:
        """Judge a game in which a process was killed, and have it played again if that is the verdict."""
        verdict = self.retries.judge(fixture, seat, surely)
        if verdict is Verdict.AGAIN:
            self.notes[fixture.number] = f"{fault}; {PLAYED_AGAIN}"
            self.alone.append(fixture)
        return verdict

    def _distrusted(self, fixture: Fixture, complaint: str) -> Generator[Batch, None, None]:
        """Play a game again whose result cannot be genuine; the second time, a sole suspect loses it."""
        suspects = self.retries.suspects(fixture)
        seat = fixture.seating.index(suspects[0]) if suspects else 0
        fault = self._fault(fixture, len(fixture.opening), seat, Reason.CRASH, FORGED.format(complaint))
        if fixture.number not in self.forged:
            self.forged.add(fixture.number)
            self.notes[fixture.number] = f"{fault}; {PLAYED_AGAIN}"
            self.alone.append(fixture)
        elif len(suspects) == 1:
            yield self._batch(broken_off(self.game, self.agents, fixture, (), fault))
        else:
            yield self._void(fixture, f"game {fixture.number + 1}: {FORGED.format(complaint)}")

    def _void(self, fixture: Fixture, why: str) -> Batch:
        return self._batch(voided(self.game, self.agents, fixture, f"{why}; {VOID}"))

    def _batch(self, result: GameResult) -> Batch:
        return batch_of([result], self.keep_records)

    def _in_doubt(self, batch: Batch) -> bool:
        """Return whether the last game failed in a way that its process may have caused."""
        failed = batch.reasons[-1] in PROCESS_REASONS
        return failed and int(batch.seatings[-1, batch.offenders[-1]]) not in self.access.apart

    def _stop(self, worker: Worker) -> Generator[Batch, None, None]:
        """Stop a worker in which a seat is late; if it has just made its move after all, the game is played again."""
        deadline = worker.status.deadline
        worker.end()
        yield from self._remove(worker, Reason.TIME if 0 < deadline == worker.status.deadline else None)

    def _remove(self, worker: Worker, reason: Reason | None, cause: str = "") -> Generator[Batch, None, None]:
        """Remove a worker; if it ended for a reason, find out who caused it."""
        if reason is Reason.CRASH:
            cause = cause or worker.broken or worker.cause_of_death()
        killed, signalled = worker.killed or cause == STOPPED, worker.signalled or cause == STOPPED
        worker.end()
        self.workers.remove(worker)
        while worker.pipe.poll() and (found := worker.receive()):
            yield from self._kept(worker, found[0])
        status, fixture = worker.status, worker.given.get(worker.status.number)
        reached = (
            reason is Reason.CRASH
            and signalled
            and fixture is not None
            and not self.access.loose.isdisjoint(fixture.seating)
        )
        seat = -1 if fixture is None else self._suspect(worker, fixture, reached)
        if reason is None:
            pass
        elif fixture is None or seat < 0:
            self.failures += not killed
            self.kills += killed
            if worker.broken and status.fresh:
                raise KibitzError(worker.broken)
        elif status.warms:
            self.warm_up_deaths[fixture.seating[seat]] += 1  # only failures during games count
        else:
            del worker.given[fixture.number]
            if reason is Reason.CRASH and (killed or reached):
                yield from self._ended(worker, fixture, seat, cause)
            else:
                yield from self._judged(worker, fixture, seat, reason, cause)
        if worker.given:
            self.again.append(list(worker.given.values()))
        self._give_up(cause)

    def _ended(self, worker: Worker, fixture: Fixture, seat: int, cause: str) -> Generator[Batch, None, None]:
        """Judge a game whose worker was killed by a signal; if no agent can reach it, play it again each time."""
        self.deaths[fixture.number, seat] += 1
        suspects = self.retries.suspects(fixture)
        if len(suspects) == 1:
            seat = fixture.seating.index(suspects[0])
        fault = self._fault(fixture, self._ply(worker, fixture), seat, Reason.CRASH, cause)
        if suspects:
            verdict = self._judge_ended(fixture, seat, False, str(fault))
        elif self.deaths[fixture.number, seat] < MOST_KILLS:
            self.alone.append(fixture)
            return
        else:
            verdict = Verdict.VOID
        if verdict is Verdict.LOST:
            yield self._booked(worker, fixture, seat, Reason.CRASH, f"{cause}; {BY_ITSELF}")
        elif verdict is Verdict.VOID:
            yield self._void(fixture, str(fault))

    def _give_up(self, cause: str) -> None:
        """Raise an error if workers cannot run here; those killed while games are played are always replaced."""
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

        Where a loose agent may have killed the worker, an agent that cannot have done so is not a suspect.
        """
        able = self.access.able if reached else self.access.inside
        thinking = min(worker.status.seat, len(fixture.seating) - 1)  # an agent may have written nonsense there
        if thinking >= 0 and (not reached or fixture.seating[thinking] in able):
            return thinking
        last = thinking if thinking >= 0 else min(worker.status.last, len(fixture.seating) - 1)
        for back in range(len(fixture.seating) if last >= 0 else 0):
            seat = (last - back) % len(fixture.seating)
            if fixture.seating[seat] in able:
                return seat
        return -1

    def _judged(
        self, worker: Worker, fixture: Fixture, seat: int, reason: Reason, cause: str
    ) -> Generator[Batch, None, None]:
        """Count a game as lost by a seat if it is certain that the agent there has failed; else play it again."""
        self.deaths[fixture.number, seat] += reason is Reason.CRASH
        if self.deaths[fixture.number, seat] >= DEATHS or (reason is Reason.TIME and worker.status.fresh):
            yield self._booked(worker, fixture, seat, reason, cause)
        else:
            self.alone.append(fixture)

    def _booked(self, worker: Worker, fixture: Fixture, seat: int, reason: Reason, cause: str) -> Batch:
        fault = self._fault(fixture, self._ply(worker, fixture), seat, reason, cause)
        try:
            return self._batch(broken_off(self.game, self.agents, fixture, worker.status.made, fault))
        except BadMove:  # the worker was made to write nonsense
            return self._batch(broken_off(self.game, self.agents, fixture, (), fault))

    def _fault(self, fixture: Fixture, ply: int, seat: int, reason: Reason, cause: str) -> AgentFault:
        return accuse(self.agents[fixture.seating[seat]], seat, ply, f"game {fixture.number + 1}", reason, cause)

    def _ply(self, worker: Worker, fixture: Fixture) -> int:
        return len(fixture.opening) + len(worker.status.made)

    def close(self) -> None:
        """End all workers at once."""
        notice.tell_of_worker(None)
        for worker in self.workers:
            worker.end()
