"""The result of a tournament, computed from the games of its run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.agent_rows import agent_rows
from kibitz.arena.results.cautions import cautions_of
from kibitz.arena.results.games import Games
from kibitz.arena.results.row import AgentRow, Row
from kibitz.arena.results.run import Run
from kibitz.arena.results.secret_deals import Dealt
from kibitz.arena.results.statistics.evidence import ALPHA
from kibitz.arena.results.statistics.interval import LEVEL, LEVEL_AFTER_STOP, games_to_show
from kibitz.arena.results.statistics.paired import paired_difference
from kibitz.arena.results.statistics.rating import notes, rate

MOST_FAULTS = 5  # in a result; all are in the ledger
AFTER_STOP = (
    "A stop rule chose the last game. Intervals are widened until they cover 95 %, and what is said of differences "
    "between agents is corrected as much; the hero's figures themselves are a little more extreme than its strength."
)
NOBODY_MET = "Agents met only copies of themselves, which shows what seats are worth, but not who is stronger."


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
    dealt: tuple[Dealt, ...] = ()  # the blocks of secret seeds; nothing where the plan names the seed

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
        notes=(*remarks, *cautions_of(plan, run, distinct, len(games.numbers))),
        distinct=distinct,
        reasons={str(reason): count for reason, count in Counter(games.reasons).items()},
        faults=tuple(run.faults()[:MOST_FAULTS]),
        stop=None if run.verdict is None else StopVerdict(**run.verdict),
        seconds=run.seconds,
        digest=run.digest(),
        hooks=hooks,
        dealt=run.dealt(),
    )


def standings(agents: Sequence[str], games: Games, stopped: bool) -> tuple[list[StandingRow], list[str]]:
    """Return a row for every agent, the best first, and what a reader must know beside the numbers.

    After a stop rule intervals are wider, so that they cover as much although the rule chose the last game.
    """
    if not len(games.numbers):
        return [], ["No game has been played yet."]
    level = LEVEL_AFTER_STOP if stopped else LEVEL
    ratings = rate(games.seatings, games.payoffs, games.blocks, len(agents), level=level)
    counted = agent_rows(agents, games, level)
    order = sorted(range(len(agents)), key=lambda agent: -ratings.agents[agent].points)
    rows = [
        StandingRow(**vars(counted[at]), rating=ratings.agents[at].points, interval=ratings.agents[at].interval)
        for at in order
    ]
    if len(set(ratings.groups.met)) == len(agents):
        return rows, [NOBODY_MET]
    remarks = [*notes(ratings, agents), *([AFTER_STOP] if stopped else [])]
    return rows, [*remarks, *_games_to_come(rows[:2], order[:2], games, level)]


def _games_to_come(rows: list[StandingRow], agents: list[int], games: Games, level: float) -> list[str]:
    """Say how many games would show that the first agent earns more than the second, if these do not."""
    one, other = agents
    both = (games.seatings == one).any(axis=1) & (games.seatings == other).any(axis=1)
    found = paired_difference(games.seatings[both], games.payoffs[both], games.blocks[both], one, other, level=level)
    if found.p < ALPHA or not 0 < found.mean < 1 or not found.blocks:
        return []
    more = games_to_show(found.mean, found.mean - found.interval[0], level)
    return [
        f"These games do not show that {rows[0].agent} earns more than {rows[1].agent}; if the difference seen so far "
        f"is real, about {ceil(more * rows[0].games):,} games of each would."
    ]
