"""The result of a gamemaster: who won against whom, counted from the games of a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.row import Row
from kibitz.arena.results.run import Run
from kibitz.arena.results.tournament_result import MOST_FAULTS


@dataclass(frozen=True)
class Against(Row):
    """How a program did against another."""

    opponent: str
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True)
class ProgramRow(Row):
    """How a program did in all, and against each opponent."""

    program: str
    wins: int
    losses: int
    ties: int
    against: tuple[Against, ...]


@dataclass(frozen=True)
class GamemasterResult(Row):
    """The results of the games of several programs."""

    run: str
    plan: dict[str, Any]
    planned: int
    played: int
    programs: tuple[ProgramRow, ...]  # the one with most wins first
    distinct: int  # games that differ in a move
    reasons: dict[str, int]  # why games ended
    drawn_by: dict[str, int]  # the causes of draws, where the game can tell
    faults: tuple[str, ...]  # how programs failed, the first few
    seconds: float


def gamemaster_result(plan: Plan, programs: Sequence[str], run: Run) -> GamemasterResult:
    """Return the results of a run of programs, which are the agents of the plan in their order."""
    games = run.games()
    rows = [_row(games, programs, number) for number in range(len(programs))]
    names, counts = np.unique([str(reason) for reason in games.reasons], return_counts=True)
    return GamemasterResult(
        run=run.name, plan=plan.data(), planned=run.planned, played=len(games.numbers),
        programs=tuple(sorted(rows, key=lambda row: -row.wins)), distinct=run.distinct(),
        reasons=dict(zip(names.tolist(), counts.tolist(), strict=True)), drawn_by=games.draws,
        faults=tuple(run.played().faults[:MOST_FAULTS]), seconds=run.seconds,
    )  # fmt: skip


def _row(games: GameColumns, programs: Sequence[str], one: int) -> ProgramRow:
    met = [_against(games, programs, one, other) for other in range(len(programs)) if other != one]
    wins, losses, ties = (sum(getattr(row, name) for row in met) for name in ("wins", "losses", "ties"))
    return ProgramRow(programs[one], wins, losses, ties, tuple(met))


def _against(games: GameColumns, programs: Sequence[str], one: int, other: int) -> Against:
    mine, theirs = games.seatings == one, games.seatings == other
    both = mine.any(axis=1) & theirs.any(axis=1)
    gap = games.payoffs[both][mine[both]] - games.payoffs[both][theirs[both]]
    return Against(programs[other], int((gap > 0).sum()), int((gap < 0).sum()), int((gap == 0).sum()))
