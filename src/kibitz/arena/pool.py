"""The pool plays fixtures on all cores and hands the results back as they are finished.

Agents that are nothing but policies are played by compiled code, a batch at a time, on threads; all others by worker
processes. All lanes give the same games.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from kibitz.agents import build
from kibitz.agents.agent import Agent
from kibitz.agents.flat import available_threads
from kibitz.arena.batch import Batch, batch_of
from kibitz.arena.compiled import CompiledLane
from kibitz.arena.crew import play_apart
from kibitz.arena.fixture import Fixture
from kibitz.arena.limits import NO_LIMITS, Limits
from kibitz.arena.pace import Pace
from kibitz.arena.referee import play_fixture
from kibitz.arena.warmup import WarmUp
from kibitz.core.game import Game
from kibitz.games import find

SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH = 0.05, 64, 2048  # of compiled games
JOBS_A_CORE = 4  # beyond that workers only wait for each other, and each takes its memory
AHEAD = 2  # batches given out beyond one a thread


def play_all(
    game: Game, agents: Sequence[str], fixtures: Iterable[Fixture], jobs: int,
    limits: Limits = NO_LIMITS, keep_records: bool = True, trusting: bool = False,
) -> Generator[Batch, None, None]:  # fmt: skip
    """Play fixtures with so many workers, or as many as are of use here; batches come as finished, in any order.

    Closing it ends the workers at once. One worker plays in this process where no limit forbids it, but agents from
    files of the user's own only if we are `trusting`: they could end the process.
    """
    jobs = min(jobs, JOBS_A_CORE * available_threads())
    minds = [build(agent, game, 0) for agent in agents]
    policies = [mind.policy for mind in minds if mind.policy is not None]
    if len(policies) == len(minds) and not limits.watched:
        yield from _on_threads(CompiledLane(game, agents, policies, limits, keep_records), iter(fixtures), jobs)
    elif jobs > 1 or limits.watched or not (trusting or all(map(_is_ours, minds))):
        yield from play_apart(game, agents, fixtures, jobs, limits, keep_records)
    else:
        warm_up = WarmUp(game, agents)
        for fixture in fixtures:
            warm_up.before(fixture)
            yield batch_of([play_fixture(game, agents, fixture, limits)], keep_records)


def play_chunk(
    game_text: str, agents: Sequence[str], chunk: Sequence[Fixture],
    limits: Limits = NO_LIMITS, keep_records: bool = True,
) -> Batch:  # fmt: skip
    """Play a few fixtures in this process, given nothing but plain data."""
    game = find(game_text)
    policies = [policy for agent in agents if (policy := build(agent, game, 0).policy) is not None]
    if len(policies) == len(agents) and not limits.watched:
        return CompiledLane(game, agents, policies, limits, keep_records).play(chunk)
    return batch_of([play_fixture(game, agents, fixture, limits) for fixture in chunk], keep_records)


def _is_ours(mind: Agent) -> bool:
    return type(mind).__module__.startswith("kibitz.")


def _on_threads(lane: CompiledLane, fixtures: Iterator[Fixture], jobs: int) -> Generator[Batch, None, None]:
    pace = Pace(SECONDS_A_BATCH, FIRST_BATCH, MOST_A_BATCH)
    if jobs == 1:
        while chunk := pace.chunk(fixtures):
            yield lane.play(chunk, pace)
        return
    pool = ThreadPoolExecutor(jobs)
    flying: set[Future[Batch]] = set()
    try:
        while True:
            while len(flying) < jobs + AHEAD and (chunk := pace.chunk(fixtures)):
                flying.add(pool.submit(lane.play, chunk, pace))
            if not flying:
                return
            done, flying = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)
