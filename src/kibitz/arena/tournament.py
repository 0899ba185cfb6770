"""A tournament: a plan played out, with ratings and a digest of all results."""

from pathlib import Path

from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.local import play_locally
from kibitz.arena.results.hooks import Hooks
from kibitz.arena.results.run import Run
from kibitz.arena.results.tournament_result import TournamentResult, tournament_result
from kibitz.arena.session import OnProgress, Play, play_plan


def play_tournament(
    plan: Plan,
    db: Path | str | None = None,
    jobs: int = 1,
    progress: OnProgress | None = None,
    play: Play = play_locally,
) -> TournamentResult:
    """Play what is missing of a plan and return the result.

    Results are kept in the ledger `db`, if there is one, and what is in it already is not played again. `play` plays
    fixtures, and may do so anywhere.
    """
    hooks = Hooks(plan)

    def collect(run: Run) -> TournamentResult:
        hooks.after(run)
        return tournament_result(plan, run, hooks.summary())

    return play_plan(plan, collect, None if db is None else Path(db), jobs, progress, play=play)
