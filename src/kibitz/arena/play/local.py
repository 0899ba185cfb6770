"""Games played on this machine, on all its cores; results are passed on as games are finished.

Agents that are nothing but policies are played by compiled code, a batch at a time, on threads; all others by worker
processes. All ways give the same games.
"""

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schedule import ChunkSize
from kibitz.arena.play.batch import Batch, batch_of
from kibitz.arena.play.compiled import CompiledGames
from kibitz.arena.play.process_pool import play_in_processes
from kibitz.arena.play.reason import Killed
from kibitz.arena.play.referee import PLAYED_AGAIN, VOID, GameResult, play_fixture, voided
from kibitz.arena.play.retry_policy import BY_ITSELF, RetryPolicy, Verdict
from kibitz.arena.play.warm_up import WarmUp
from kibitz.core.native import halted
from kibitz.core.threads import available_threads

SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH = 0.05, 64, 2048  # of compiled games
JOBS_A_CORE = 4  # beyond that workers only wait for each other, and each takes its memory
AHEAD = 2  # batches given out beyond one a thread


def play_locally(
    plan: Plan, fixtures: Iterable[Fixture], jobs: int, keep_records: bool = True
) -> Generator[Batch, None, None]:
    """Play fixtures of a plan with so many workers at most; batches come as they are finished, in any order.

    Closing it ends the workers at once. One worker plays in this process where no limit forbids it and no agent is code
    of the user's own, which could end the process; where an agent is a class in memory, whatever there is.
    """
    jobs = min(jobs, JOBS_A_CORE * available_threads())
    game, agents, limits = plan.game, plan.agents, plan.limits
    policies = [policy for policy in plan.policies if policy is not None]
    if len(policies) == len(agents) and not limits.watched:
        yield from _on_threads(CompiledGames(game, agents, policies, limits, keep_records), iter(fixtures), jobs)
    elif (jobs > 1 or limits.watched or plan.own_agents) and not plan.in_memory:
        yield from play_in_processes(game, agents, fixtures, jobs, limits, keep_records)
    else:
        in_memory = {agent.name for agent in plan.in_memory}
        warm_up = WarmUp(game, agents, limits, never=[at for at, text in enumerate(agents) if text in in_memory])
        retries = RetryPolicy(())
        for fixture in fixtures:
            warm_up.before(fixture)
            yield batch_of([_played(plan, fixture, retries)], keep_records)


def _played(plan: Plan, fixture: Fixture, retries: RetryPolicy) -> GameResult:
    """Play a game in this process, once more if a process of an agent was killed in it."""
    said = ""
    while True:
        result = play_fixture(plan.game, plan.agents, fixture, plan.limits, make=plan.build)
        if result.killed == Killed.NO:
            return replace(result, fault=result.fault or said)
        verdict = retries.judge(fixture, result.offender, result.killed == Killed.SURELY)
        if verdict is Verdict.LOST:
            return replace(result, fault=f"{result.fault}; {BY_ITSELF}")
        if verdict is Verdict.VOID:
            return voided(plan.game, plan.agents, fixture, f"{result.fault}; {VOID}")
        said = f"{result.fault}; {PLAYED_AGAIN}"


def _on_threads(compiled: CompiledGames, fixtures: Iterator[Fixture], jobs: int) -> Generator[Batch, None, None]:
    chunk_size = ChunkSize(SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH)
    if jobs == 1:
        while chunk := chunk_size.take(fixtures):
            yield compiled.play(chunk, chunk_size)
        return
    threads = ThreadPoolExecutor(jobs)
    playing: set[Future[Batch]] = set()
    try:
        while True:
            while len(playing) < jobs + AHEAD and (chunk := chunk_size.take(fixtures)):
                playing.add(threads.submit(compiled.play, chunk, chunk_size))
            if not playing:
                return
            done, playing = wait(playing, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        with halted():
            threads.shutdown(cancel_futures=True)
