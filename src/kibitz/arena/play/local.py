"""Games played on this machine, on all its cores; results are passed on as games finish.

Compiled code plays agents that are nothing but policies, a batch at a time, on threads; worker processes play all
others. Both give the same games.
"""

from collections.abc import Generator, Iterable
from dataclasses import replace

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import Batch, batch_of
from kibitz.arena.play.compiled import CompiledGames, play_on_threads
from kibitz.arena.play.process_pool import play_in_processes
from kibitz.arena.play.reason import Killed
from kibitz.arena.play.referee import PLAYED_AGAIN, VOID, GameResult, play_fixture, voided
from kibitz.arena.play.retry_policy import BY_ITSELF, RetryPolicy, Verdict
from kibitz.arena.play.warm_up import WarmUp
from kibitz.core.threads import available_threads

JOBS_A_CORE = 4  # beyond that, workers only wait for each other, and each takes memory


def play_locally(
    plan: Plan, fixtures: Iterable[Fixture], jobs: int, keep_records: bool = True
) -> Generator[Batch, None, None]:
    """Play fixtures of a plan with up to `jobs` workers; batches come as they are finished, in any order.

    Closing it ends the workers at once. A single worker is this process, unless a limit has to be enforced or an agent
    is the user's own code, which could end the process. Agents that are classes in memory always play in this process.
    """
    jobs = min(jobs, JOBS_A_CORE * available_threads())
    game, agents, limits = plan.game, plan.agents, plan.limits
    policies = [policy for policy in plan.policies if policy is not None]
    if len(policies) == len(agents) and not limits.watched:
        yield from play_on_threads(CompiledGames(game, agents, policies, limits, keep_records), fixtures, jobs)
    elif (jobs > 1 or limits.watched or plan.own_agents) and not plan.in_memory:
        yield from play_in_processes(game, agents, fixtures, jobs, limits, keep_records)
    else:
        yield from _play_here(plan, fixtures, keep_records)


def _play_here(plan: Plan, fixtures: Iterable[Fixture], keep_records: bool) -> Generator[Batch, None, None]:
    """Play fixtures in this process, one by one."""
    in_memory = {agent.name for agent in plan.in_memory}
    never = [at for at, text in enumerate(plan.agents) if text in in_memory]
    warm_up, retries = WarmUp(plan.game, plan.agents, plan.limits, never=never), RetryPolicy(())
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
