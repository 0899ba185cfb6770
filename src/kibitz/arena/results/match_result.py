"""The result of a match."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from kibitz.arena.results.agent_rows import agent_rows, seat_rows
from kibitz.arena.results.caveats import caveats_of
from kibitz.arena.results.partnership import Partnership, TeamRow, partnerships, team_rows
from kibitz.arena.results.row import AgentRow, Row, SeatRow, html_rows, html_table, span
from kibitz.arena.results.run import Run
from kibitz.arena.results.secret_deals import Dealt, only_seed
from kibitz.core.game import option_values
from kibitz.core.scoring import Scoring

MOST_FAULTS = 5  # shown


@dataclass(frozen=True, repr=False)
class MatchResult(Row):
    """The result of a match."""

    game: str
    options: dict[str, Any]
    seat_names: tuple[str, ...]
    planned: int  # games
    games: int  # played
    blocks: int  # of games on the same deal, from which intervals come
    seed: int | None  # None: sessions drew secret ones, which the notes tell
    openings: int  # random plies at the start of each block of games
    scoring: Scoring  # what counts, and the unit of payoffs
    agents: tuple[AgentRow, ...]
    by_seat: tuple[SeatRow, ...]  # all agents together
    without_winner: int
    distinct: int  # games that differ in what was dealt or in a move
    reasons: dict[str, int]  # why games ended
    drawn_by: dict[str, int]  # the causes of draws, where the game can tell
    faults: tuple[str, ...]  # how agents failed, one sentence each; they lost those games
    notes: tuple[str, ...]  # what a reader must know beside the numbers
    plies: int
    seconds: float
    dealt: tuple[Dealt, ...] = ()  # the blocks of secret seeds
    teams: tuple[TeamRow, ...] = ()  # where all seats earn the same: each agent with itself, and with others
    partnerships: tuple[Partnership, ...] = ()  # … and every pair

    def __repr__(self) -> str:
        if self.scoring.by_wins:
            scores = ", ".join(f"{row.agent} {row.wins}/{row.draws}/{row.losses}" for row in self.agents)
            return f"<MatchResult of {self.game}, {self.games} games, won/drawn/lost: {scores}>"
        means = ", ".join(f"{row.agent} {self.scoring.mean_text(row.mean_payoff)}" for row in self.agents)
        return f"<MatchResult of {self.game}, {self.games} games, mean {self.scoring.unit}: {means}>"

    def _repr_html_(self) -> str:
        """Return the agents as a table for a notebook."""
        title = f"{self.game}: {self.games:,} games"
        headings, rows = html_rows(self.agents, self.scoring, (
            ("won / drawn / lost", lambda row: f"{row.wins} / {row.draws} / {row.losses}"),
            ("win rate", lambda row: f"{row.win_rate:.1%}"), ("95 % interval", lambda row: span(row.win_interval)),
        ))  # fmt: skip
        return html_table(title, headings, rows, (*self.faults[:MOST_FAULTS], *self.notes))


def match_result(run: Run) -> MatchResult:
    """Return the result of a match."""
    plan, played, distinct = run.plan, run.played(), run.distinct()
    games = played.counted()
    by_seat, number = seat_rows(games), len(games.numbers)
    return MatchResult(
        game=plan.game.name,
        options=option_values(plan.game),
        seat_names=tuple(plan.game.seat_names),
        planned=run.planned - (len(played.numbers) - number),
        games=number,
        blocks=len(set(games.blocks.tolist())),
        seed=only_seed(run.dealt()) if plan.seed is None else plan.seed,
        openings=plan.openings,
        scoring=games.scoring,
        agents=tuple(agent_rows(games)),
        by_seat=by_seat,
        without_winner=number - sum(seat.wins for seat in by_seat),
        distinct=distinct,
        reasons={str(reason): count for reason, count in Counter(games.reasons).items()},
        drawn_by=games.draws,
        faults=tuple(played.faults),
        notes=tuple(caveats_of(run, played, distinct)),
        plies=int(games.plies.sum()),
        seconds=run.seconds,
        dealt=run.dealt(),
        teams=team_rows(games, range(len(games.agents))),
        partnerships=partnerships(games, range(len(games.agents))),
    )
