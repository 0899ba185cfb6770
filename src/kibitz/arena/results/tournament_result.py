"""The result of a tournament: standings, ratings and pairs, from the games of its run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from kibitz.arena.results.agent_rows import agent_rows
from kibitz.arena.results.caveats import caveats_of
from kibitz.arena.results.encounters import Encounter, encounters
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.partnership import Partnership, TeamRow, partnerships, team_rows
from kibitz.arena.results.row import AgentRow, Row, html_rows, html_table
from kibitz.arena.results.run import Run
from kibitz.arena.results.secret_deals import Dealt
from kibitz.arena.results.statistics.evidence import ALPHA
from kibitz.arena.results.statistics.interval import LEVEL, LEVEL_AFTER_STOP, games_to_show, normal_point
from kibitz.arena.results.statistics.rating import Ratings, notes, rate
from kibitz.arena.results.statistics.stopping import StopVerdict
from kibitz.core.scoring import Scoring

MOST_FAULTS = 5  # in a result; all are in the ledger
AFTER_STOP = (
    "A stop rule chose the last game. Intervals are widened until they cover 95 %, and what is said of differences "
    "between agents is corrected as much; the hero's figures themselves are a little more extreme than its strength."
)
ALL_EARN_THE_SAME = (
    "All seats of a game earn the same, so there are no wins and no ratings: what counts is how much agents score with "
    "copies of themselves and with each other."
)
NOBODY_MET = "Agents met only copies of themselves, which shows what seats are worth, but not who is stronger."


@dataclass(frozen=True)
class StandingRow(AgentRow):
    """An agent in the standings."""

    rating: float | None  # points on the scale of Elo; the mean of all agents is 0; None where all earn the same
    interval: tuple[float, float] | None  # of the rating, 95 %


@dataclass(frozen=True, repr=False)
class TournamentResult(Row):
    """The result of a tournament."""

    run: str
    plan: dict[str, Any]
    planned: int
    played: int
    scoring: Scoring  # what counts, and the unit of payoffs
    standings: tuple[StandingRow, ...]  # the best first: by rating, mean payoff, or score in self-play
    encounters: tuple[Encounter, ...]  # every pair of agents that met
    teams: tuple[TeamRow, ...]  # where all seats earn the same: each agent with itself, and with others
    partnerships: tuple[Partnership, ...]  # … and every pair
    notes: tuple[str, ...]  # what a reader must know beside the numbers
    distinct: int  # games that differ in what was dealt or in a move
    reasons: dict[str, int]  # why games ended
    drawn_by: dict[str, int]  # the causes of draws, where the game can tell
    faults: tuple[str, ...]  # how agents failed, the first few
    stop: StopVerdict | None
    seconds: float
    digest: str  # equal for equal results
    hooks: dict[str, Any]  # what the user's own statistics found, by file
    dealt: tuple[Dealt, ...] = ()  # the blocks of secret seeds; nothing where the plan names the seed

    def __repr__(self) -> str:
        ranked = ", ".join(
            f"{row.agent} {row.rating:+.0f}" if self.scoring.by_wins and row.rating is not None
            else f"{row.agent} {self.scoring.mean_text(row.mean_payoff)}"
            for row in self.standings
        )  # fmt: skip
        return f"<TournamentResult of {self.plan['game']}, {self.played} of {self.planned} games: {ranked}>"

    def _repr_html_(self) -> str:
        """Return the standings as a table for a notebook."""
        headings, rows = html_rows(self.standings, self.scoring, (
            ("rating", lambda row: "" if row.rating is None else f"{row.rating:+.0f}"),
            ("95 % interval", lambda row: "" if row.interval is None else _points_span(row.interval)),
            ("won / drawn / lost", lambda row: f"{row.wins} / {row.draws} / {row.losses}"),
        ))  # fmt: skip
        title = f"{self.plan['game']}, {self.plan['scheme']}: {self.played:,} of {self.planned:,} games"
        return html_table(title, headings, rows, (*self.faults, *self.notes))


@dataclass(frozen=True)
class Standings:
    """The standings of a run, and what goes with them."""

    rows: tuple[StandingRow, ...]  # the best first
    encounters: tuple[Encounter, ...]
    notes: tuple[str, ...]  # what a reader must know beside the numbers
    order: tuple[int, ...]  # the numbers of the agents in the rows
    ratings: Ratings | None  # None where no game has been played, or all seats earn the same
    teams: tuple[TeamRow, ...] = ()
    partnerships: tuple[Partnership, ...] = ()


def tournament_result(run: Run, hooks: dict[str, Any]) -> TournamentResult:
    """Return the result of a run; `hooks` is what the user's own statistics found."""
    played, distinct = run.played(), run.distinct()
    games = played.counted()
    found = standings(games, run.verdict is not None)
    return TournamentResult(
        run=run.name,
        plan=run.plan.data(),
        planned=run.planned - (len(played.numbers) - len(games.numbers)),
        played=len(games.numbers),
        scoring=games.scoring,
        standings=found.rows,
        encounters=found.encounters,
        teams=found.teams,
        partnerships=found.partnerships,
        notes=(*found.notes, *caveats_of(run, played, distinct)),
        distinct=distinct,
        reasons={str(reason): count for reason, count in Counter(games.reasons).items()},
        drawn_by=games.draws,
        faults=tuple(played.faults[:MOST_FAULTS]),
        stop=run.verdict,
        seconds=run.seconds,
        digest=run.digest(),
        hooks=hooks,
        dealt=run.dealt(),
    )


def standings(games: GameColumns, stopped: bool) -> Standings:
    """Return a row for every agent, the best first, with the pairs that met.

    After a stop rule, intervals are wider, to cover as much although the rule chose the last game.
    """
    if not len(games.numbers):
        return Standings((), (), ("No game has been played yet.",), (), None)
    level = LEVEL_AFTER_STOP if stopped else LEVEL
    counted = agent_rows(games, level)
    if games.scoring.shared:
        return _of_teams(games, counted, level, stopped)
    ratings = rate(games.seatings, games.payoffs, games.blocks, len(games.agents), level=level)
    points = [rated.points for rated in ratings.agents]
    best = points if games.scoring.by_wins else [row.mean_payoff for row in counted]
    order = sorted(range(len(games.agents)), key=lambda agent: -best[agent])
    rows = tuple(
        StandingRow(**vars(counted[at]), rating=ratings.agents[at].points, interval=ratings.agents[at].interval)
        for at in order
    )
    pairs = tuple(encounters(games, order, level))
    if not pairs:
        return Standings(rows, (), (NOBODY_MET,), tuple(order), ratings)
    remarks = [
        *notes(ratings, games.shown),
        *([AFTER_STOP] if stopped else []),
        *_games_to_come(rows, pairs[0], len(pairs), level, games.scoring.span),
    ]
    return Standings(rows, pairs, tuple(remarks), tuple(order), ratings)


def _of_teams(games: GameColumns, counted: Sequence[AgentRow], level: float, stopped: bool) -> Standings:
    """Return the standings of a game in which all seats earn the same, with no ratings."""
    listed = team_rows(games, range(len(counted)), level)
    order = sorted(range(len(counted)), key=lambda agent: _by_score(listed[agent]))
    rows = tuple(StandingRow(**vars(counted[at]), rating=None, interval=None) for at in order)
    remarks = (ALL_EARN_THE_SAME, *([AFTER_STOP] if stopped else []))
    return Standings(
        rows, (), remarks, tuple(order), None, team_rows(games, order, level), partnerships(games, order, level)
    )


def _by_score(team: TeamRow) -> tuple[float, ...]:
    """Return a key that sorts by what agents score with copies of themselves, and then with others."""
    return tuple(-part.mean_payoff if part else 0.0 for part in (team.self_play, team.cross_play))


def _games_to_come(
    rows: Sequence[StandingRow], found: Encounter, pairs: int, level: float, span: float
) -> list[str]:  # fmt: skip
    """Say how many games would show that the first agent earns more than the second, if these do not.

    The test is corrected for all pairs, as in the table.
    """
    if found.other_rank != 2 or found.p_holm < ALPHA or not 0 < found.difference < span:
        return []
    corrected = 1 - (1 - level) / pairs
    reach = (found.difference - found.interval[0]) * normal_point((1 + corrected) / 2) / normal_point((1 + level) / 2)
    more = games_to_show(found.difference, reach, corrected)
    first, second = (row.name or row.agent for row in rows[:2])
    return [
        f"These games do not show that {first} earns more than {second}; if the difference seen so far is real, about "
        f"{ceil(more * rows[0].games):,} games of each would."
    ]


def _points_span(interval: tuple[float, float]) -> str:
    return f"{interval[0]:+.0f} … {interval[1]:+.0f}"
