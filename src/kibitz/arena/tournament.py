"""A tournament: a plan played out, with every result in the ledger, and what came of it as plain data."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.arena.batch import Batch
from kibitz.arena.errand import code_here
from kibitz.arena.hooks import Hooks
from kibitz.arena.ledger import Games, Ledger, open_ledger
from kibitz.arena.match import check_jobs
from kibitz.arena.plan import Plan
from kibitz.arena.pool import play_all
from kibitz.arena.standings import summary
from kibitz.arena.statistics.stopping import Call, StopRule, Watch
from kibitz.arena.tally import Scores

PlayAll = Callable[..., Generator[Batch, None, None]]


@dataclass
class Progress:
    """How far a tournament is, for those who watch it."""

    scores: Scores
    kept: int  # games found in the ledger
    begun: float

    @property
    def speed(self) -> float:
        """Games a second, of those played in this session."""
        return (self.scores.games - self.kept) / max(1e-9, monotonic() - self.begun)


@dataclass
class Umpire:
    """Decides when a tournament stops: it hears of games in any order and judges them in the order of the plan."""

    watch: Watch
    block: int  # games in one
    heard: int = 0  # games passed on
    waiting: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def hear(self, games: Batch | Games) -> None:
        """Take games into account."""
        self.waiting |= zip(games.numbers.tolist(), zip(games.seatings, games.payoffs, strict=True), strict=True)
        ready: list[tuple[np.ndarray, np.ndarray]] = []
        while all(self.heard + len(ready) + k in self.waiting for k in range(self.block)):
            ready += [self.waiting.pop(self.heard + len(ready) + k) for k in range(self.block)]
        if ready:
            numbers = np.arange(self.heard, self.heard + len(ready))
            seatings, payoffs = (np.array(part) for part in zip(*ready, strict=True))
            self.watch.feed(seatings, payoffs, numbers // self.block)
            self.heard += len(ready)

    @property
    def decided(self) -> bool:
        """Tell whether no more games are needed."""
        return self.watch.call != Call.GO_ON


def play_tournament(
    plan: Plan,
    path: Path,
    jobs: int,
    watch: Callable[[Progress], None] = lambda progress: None,
    play: PlayAll = play_all,
) -> dict[str, Any]:
    """Play what is missing of a plan and return the result; `play` plays fixtures and may do so anywhere."""
    check_jobs(jobs)
    hooks = Hooks(plan)
    with open_ledger(path, write=True) as ledger:
        run = ledger.enter(plan.run, plan.data(), plan.planned, len(plan.seatings), __version__)
        _play_missing(plan, ledger, run, jobs, watch, play)
        hooks.after(ledger, run)
        return {**summary(ledger, plan.run), "hooks": hooks.summary()}


def _play_missing(
    plan: Plan, ledger: Ledger, run: int, jobs: int, watch: Callable[[Progress], None], play: PlayAll
) -> None:
    """Play the games of a plan that are not in the ledger, until the stop rule, if there is one, has heard enough."""
    games = ledger.games(run)
    progress = Progress(Scores.start(plan.agents, plan.game.seats), len(games.numbers), monotonic())
    umpire = _umpire(plan)
    for hearer in (progress.scores.add, umpire and umpire.hear):
        if hearer and len(games.numbers):
            hearer(games)
    done = ledger.numbers(run)
    missing = (fixture for fixture in plan.fixtures() if fixture.number not in done)
    code, last = code_here(), monotonic()
    batches = play(plan.game, plan.agents, missing, jobs, plan.limits)
    try:
        while not (umpire and umpire.decided) and (batch := next(batches, None)):
            now = monotonic()
            ledger.add(run, batch, plan.deals(batch.numbers), code, now - last)
            last = now
            progress.scores.add(batch)
            watch(progress)
            if umpire:
                umpire.hear(batch)
    finally:
        batches.close()
    if umpire:
        umpire.watch.finish()
        ledger.cut(run, umpire.watch.games, _verdict(umpire.watch, plan.agents[plan.hero or 0]))


def _umpire(plan: Plan) -> Umpire | None:
    if plan.stop is None:
        return None
    watch = StopRule.read(plan.stop).start()
    watch.hero = plan.hero or 0
    return Umpire(watch, len(plan.seatings))


def _verdict(watch: Watch, hero: str) -> dict[str, Any]:
    sentence = {
        Call.BETTER: f"{hero} is better than its opponents",
        Call.NOT_BETTER: f"{hero} is not better than its opponents by {watch.rule.better:.1%}",
    }.get(watch.call, f"it is still open whether {hero} is better by {watch.rule.better:.1%}")
    return {
        "call": str(watch.call),
        "games": watch.games,
        "ratio": watch.test.ratio,
        "sentence": f"After {watch.games:,} games {sentence} (log likelihood ratio {watch.test.ratio:+.2f}).",
    }
