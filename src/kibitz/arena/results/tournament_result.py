"""The result of a tournament, computed from the games of its run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.agent_rows import agent_rows
from kibitz.arena.results.cautions import AGAIN, cautions, unsound_games
from kibitz.arena.results.games import Games
from kibitz.arena.results.row import AgentRow, Row
from kibitz.arena.results.run import Run
from kibitz.arena.results.statistics.interval import LEVEL, LEVEL_AFTER_STOP, games_needed
from kibitz.arena.results.statistics.rating import notes, rate

MOST_FAULTS = 5  # in a result; all are in the ledger
AFTER_STOP = (
    "A stop rule chose the last game, so intervals are widened until they cover 95 %; p values and probabilities are "
    "not corrected for it, and the hero's figures are a little more extreme than its true strength."
)


@dataclass(frozen=True)
class StandingRow(AgentRow):
    """An agent in the standings."""

    rating: float  # points on the scale of Elo; the mean of all agents is 0
    interval: tuple[float, float]  # of the rating, 95 %


@dataclass(frozen=True)
class StopVerdict(Row):
    """What the stop rule said."""

    call: str  # "better", "not better" or "undecided"
    games: int
    ratio: float  # log likelihood ratio
    sentence: str


@dataclass(frozen=True, repr=False)
class TournamentResult(Row):
    """What came of a tournament."""

    run: str
    plan: dict[str, Any]
    planned: int
    played: int
    standings: tuple[StandingRow, ...]  # the best first
    notes: tuple[str, ...]  # what a reader must know beside the numbers
    distinct: int  # games that differ in what was dealt or in a move
    reasons: dict[str, int]  # why games ended
    faults: tuple[str, ...]  # how agents failed, the first few
    stop: StopVerdict | None
    seconds: float
    digest: str  # equal for equal results
    hooks: dict[str, Any]  # what the user's own statistics found, by file

    def __repr__(self) -> str:
        ranked = ", ".join(f"{row.agent} {row.rating:+.0f}" for row in self.standings)
        return f"<TournamentResult of {self.plan['game']}, {self.played} of {self.planned} games: {ranked}>"


def tournament_result(plan: Plan, run: Run, hooks: dict[str, Any]) -> TournamentResult:
    """Return what came of a run; `hooks` is what the user's own statistics found."""
    games, distinct = run.games(), run.distinct()
    ranked, remarks = standings(plan.agents, games, run.verdict is not None)
    return TournamentResult(
        run=run.name,
        plan=plan.data(),
        planned=run.planned,
        played=len(games.numbers),
        standings=tuple(ranked),
        notes=(
            *remarks,
            *cautions(distinct, len(games.numbers), run.programs()),
            *unsound_games(run.unsound(), AGAIN),
        ),
        distinct=distinct,
        reasons={str(reason): count for reason, count in Counter(games.reasons).items()},
        faults=tuple(run.faults()[:MOST_FAULTS]),
        stop=None if run.verdict is None else StopVerdict(**run.verdict),
        seconds=run.seconds,
        digest=run.digest(),
        hooks=hooks,
    )


def standings(agents: Sequence[str], games: Games, stopped: bool) -> tuple[list[StandingRow], list[str]]:
    """Return a row for every agent, the best first, and what a reader must know beside the numbers.

    After a stop rule intervals are wider, so that they cover as much although the rule chose the last game.
    """
    if not len(games.numbers):
        return [], ["No game has been played yet."]
    level = LEVEL_AFTER_STOP if stopped else LEVEL
    ratings = rate(games.seatings, games.payoffs, games.blocks, len(agents), level=level)
    rows = [
        StandingRow(**vars(row), rating=rated.points, interval=rated.interval)
        for row, rated in zip(agent_rows(agents, games, level), ratings.agents, strict=True)
    ]
    rows.sort(key=lambda row: -row.rating)
    remarks = [*notes(ratings, agents), *([AFTER_STOP] if stopped else [])]
    return rows, [*remarks, *_games_to_come(rows, games.seatings.shape[1])]


def _games_to_come(rows: list[StandingRow], seats: int) -> list[str]:
    """Say how many games would separate the first two agents, if these did not."""
    if len(rows) < 2 or rows[0].interval[0] > rows[1].interval[1]:
        return []
    first, second = rows[:2]
    ahead = (first.mean_payoff - second.mean_payoff) / 2
    if not 0 < ahead < 1 - 1 / seats:
        return []
    needed = games_needed(1 / seats, ahead)
    return [
        f"The ratings of {first.agent} and {second.agent} cannot be separated yet; if the difference seen so far is "
        f"real, about {needed:,} games of each would be enough."
    ]
