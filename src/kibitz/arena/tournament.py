"""A tournament: a plan played out, with every result in the ledger, and what came of it as plain data."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from kibitz import __version__
from kibitz.arena.hooks import Hooks
from kibitz.arena.ledger import Ledger, open_ledger
from kibitz.arena.plan import Plan
from kibitz.arena.pool import Batch, play_all
from kibitz.arena.standings import summary
from kibitz.arena.tally import Scores

PlayAll = Callable[..., Iterator[Batch]]


@dataclass
class Progress:
    """How far a tournament is, for those who watch it."""

    plan: Plan
    scores: Scores
    kept: int  # games found in the ledger
    begun: float

    @property
    def speed(self) -> float:
        """Games a second, of those played in this session."""
        return (self.scores.games - self.kept) / max(1e-9, monotonic() - self.begun)


def play_tournament(
    plan: Plan,
    path: Path,
    jobs: int,
    watch: Callable[[Progress], None] = lambda progress: None,
    play: PlayAll = play_all,
) -> dict[str, Any]:
    """Play what is missing of a plan and return the result; `play` plays fixtures and may do so anywhere."""
    hooks = Hooks(plan)
    with open_ledger(path, write=True) as ledger:
        run = ledger.enter(plan.run, plan.data(), plan.planned, len(plan.seatings), __version__)
        _play_missing(plan, ledger, run, jobs, watch, play)
        hooks.after(ledger, run)
        return {**summary(ledger, plan.run), "hooks": hooks.summary()}


def _play_missing(
    plan: Plan, ledger: Ledger, run: int, jobs: int, watch: Callable[[Progress], None], play: PlayAll
) -> None:
    done = ledger.numbers(run)
    games = ledger.games(run)
    progress = Progress(plan, Scores.start(plan.agents, plan.game.seats), len(games.numbers), monotonic())
    if len(games.numbers):
        progress.scores.add(games)
    verdict = Verdicts(plan, games)
    missing = (fixture for fixture in plan.fixtures() if fixture.number not in done)
    batches = play(plan.game, plan.agents, missing, jobs, plan.limits)
    try:
        for batch in batches if verdict.open else ():
            ledger.add(run, batch)
            progress.scores.add(batch)
            watch(progress)
            verdict.add(batch)
            if not verdict.open:
                break
    finally:
        batches.close()
    if not verdict.open:
        ledger.cut(run, verdict.games)
