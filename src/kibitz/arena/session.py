"""A session: what is missing of a plan is played, and every result is kept as it comes."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import numpy as np

from kibitz.arena.plan.own_agents import around_no_walls
from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.stop_rule import StopRule
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.jobs import check_jobs
from kibitz.arena.play.local import play_locally
from kibitz.arena.play.reason import Reason
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.run import Run, open_run
from kibitz.arena.results.scores import Scores
from kibitz.arena.results.statistics.stopping import Call, StopCheck
from kibitz.bots.sandbox.sandbox import without_walls
from kibitz.core.errors import BadValue
from kibitz.core.record import write_records
from kibitz.core.user_files import check_writable

TRUSTED = "{} ran in the process that held the deals, and was trusted not to look at what is hidden."
Play = Callable[..., Generator[Batch, None, None]]
Found = TypeVar("Found")


@dataclass
class SessionProgress:
    """How far a session is."""

    planned: int
    scores: Scores
    kept: int  # games found in the ledger
    begun: float

    @property
    def games(self) -> int:
        """How many games have been played, those of earlier sessions included."""
        return self.scores.games

    @property
    def speed(self) -> float:
        """Games a second, of those played in this session."""
        return (self.scores.games - self.kept) / max(1e-9, monotonic() - self.begun)


OnProgress = Callable[[SessionProgress], None]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C was pressed while games were played; `result` is what came of those that were finished."""

    def __init__(self, result: Any):
        super().__init__()
        self.result = result


def play_plan(
    plan: Plan,
    collect: Callable[[Run], Found],
    db: Path | None = None,
    jobs: int = 1,
    progress: OnProgress | None = None,
    save: Path | None = None,
    play: Play = play_locally,
    keep_records: bool = True,
) -> Found:
    """Play what is missing of a plan and return what `collect` makes of its run.

    With `db`, results are kept in that ledger, else in memory; with `save`, records are written there at the end.
    `play` plays fixtures, and may do so anywhere. After Ctrl-C the same is done with the games played until then, and
    Interrupted is raised with the result.
    """
    check_jobs(jobs)
    _refuse_what_needs_a_text(plan, db, play)
    if save is not None:
        check_writable(save)
    with open_run(plan, db) as run:
        batches = play(plan, _missing(plan, run), jobs, keep_records)
        interrupted = False
        try:
            _play(plan, run, batches, progress)
        except KeyboardInterrupt:
            if not len(run.played().numbers):
                raise
            interrupted = True
        finally:
            batches.close()
            run.reveal()  # nobody is left who could use it
        if save is not None:
            write_records(save, run.records())
        result = collect(run)
    if interrupted:
        raise Interrupted(result)
    return result


def _refuse_what_needs_a_text(plan: Plan, db: Path | None, play: Play) -> None:
    """Refuse agents in memory elsewhere than here, and in a ledger that could not tell one version from another."""
    for agent in plan.in_memory:
        if play is not play_locally:
            why = "is in the memory of this process, and no other has it"
        elif db is not None and not agent.fingerprint:
            why = "has no source that a ledger could tell it by"
        else:
            continue
        raise BadValue(f"agent {agent.name} {why}; save its class in a file and name that by its path")


def _missing(plan: Plan, run: Run) -> Any:
    done, fixtures = run.numbers(), plan.fixtures(run.seed)
    return (fixture for fixture in fixtures if fixture.number not in done) if done else fixtures


def _play(plan: Plan, run: Run, batches: Generator[Batch, None, None], progress: OnProgress | None) -> None:
    """Play until there are no more games, or until the stop rule, if there is one, has decided."""
    games = run.played()
    scores = Scores.of(games)
    state = SessionProgress(plan.planned, scores, len(games.numbers), monotonic())
    stop = BlockQueue.of(plan)
    if stop:
        stop.add(games)
    last, remarks = monotonic(), _remarks(plan)
    while not (stop and stop.decided) and (batch := next(batches, None)):
        while remarks:
            run.remark(remarks.pop())
        now = monotonic()
        run.add(batch, now - last)
        last = now
        counted = replace(batch, seatings=plan.who.number[batch.seatings])
        if progress is not None:
            scores.add(counted)
            progress(state)
        if stop:
            stop.add(counted)
    if stop:
        stop.check.finish()
        run.cut(stop.check.games, _verdict(stop.check, plan.agents[plan.hero or 0]))


def _remarks(plan: Plan) -> list[str]:
    """Return what everybody must know where agents could find out what is hidden from them."""
    programs = around_no_walls(plan.game, plan.agents, plan.limits)
    trusted = [TRUSTED.format(agent.name) for agent in plan.in_memory if plan.game.hidden]
    return [*trusted, *([without_walls(programs)] if programs else [])]


@dataclass
class BlockQueue:
    """Takes games in any order, and passes whole blocks on to the stop rule in the order of the plan."""

    check: StopCheck
    block: int  # games in one
    passed: int = 0  # games passed on
    waiting: dict[int, tuple[np.ndarray, np.ndarray, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan) -> "BlockQueue | None":
        """Return the queue of a plan that has a stop rule."""
        if plan.stop is None:
            return None
        hero = int(plan.who.number[plan.hero or 0])
        return cls(StopCheck(StopRule.read(plan.stop), hero), len(plan.seatings))

    def add(self, games: Batch | GameColumns) -> None:
        """Take games into account; a void block is an even one."""
        void = [reason == Reason.VOID for reason in games.reasons]
        self.waiting |= zip(games.numbers.tolist(), zip(games.seatings, games.payoffs, void, strict=True), strict=True)
        ready: list[tuple[np.ndarray, np.ndarray]] = []
        while all(self.passed + len(ready) + k in self.waiting for k in range(self.block)):
            block = [self.waiting.pop(self.passed + len(ready) + k) for k in range(self.block)]
            even = any(void for _, _, void in block)
            ready += [(seated, payoff * 0 + 1 / len(payoff) if even else payoff) for seated, payoff, _ in block]
        if ready:
            numbers = np.arange(self.passed, self.passed + len(ready))
            seatings, payoffs = (np.array(part) for part in zip(*ready, strict=True))
            self.check.feed(seatings, payoffs, numbers // self.block)
            self.passed += len(ready)

    @property
    def decided(self) -> bool:
        """Whether no more games are needed."""
        return self.check.call != Call.CONTINUE


def _verdict(check: StopCheck, hero: str) -> dict[str, Any]:
    do, does = ("win", "wins") if check.rule.of == "wins" else ("earn", "earns")
    sentence = {
        Call.BETTER: f"{hero} {does} more than an average seat",
        Call.NOT_BETTER: f"{hero} does not {do} {check.rule.better:.1%} more than an average seat",
    }.get(check.call, f"it is still open whether {hero} {does} {check.rule.better:.1%} more than an average seat")
    return {
        "call": str(check.call),
        "games": check.games,
        "ratio": check.test.ratio,
        "sentence": f"After {check.games:,} games {sentence} (log likelihood ratio {check.test.ratio:+.2f}).",
    }
