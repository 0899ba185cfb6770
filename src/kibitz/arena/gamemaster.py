"""The gamemaster: programs of plain lines meet in pairs, and it is counted who won against whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.results.games import Games
from kibitz.arena.results.row import Row
from kibitz.arena.results.run import Run
from kibitz.arena.results.tournament_result import MOST_FAULTS
from kibitz.arena.session import OnProgress, play_plan
from kibitz.core.errors import BadValue
from kibitz.core.spec import Spec

USUAL_GAMES = 100


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
    """What came of the games of several programs."""

    run: str
    plan: dict[str, Any]
    planned: int
    played: int
    programs: tuple[ProgramRow, ...]  # the one with most wins first
    distinct: int  # games that differ in a move
    reasons: dict[str, int]  # why games ended
    faults: tuple[str, ...]  # how programs failed, the first few
    seconds: float


def play_gamemaster(
    game: str,
    programs: Sequence[str],
    games: int = USUAL_GAMES,
    seed: int = 1,
    jobs: int = 1,
    limits: Mapping[str, Any] | None = None,
    db: Path | str | None = None,
    progress: OnProgress | None = None,
) -> GamemasterResult:
    """Let every program play so many games against every other, taking turns to begin, and count.

    Programs are commands. `games` is rounded up to an even number, so that each begins equally often. A program that
    fails loses its game.
    """
    if len(programs) < 2:
        raise BadValue(f"a gamemaster needs at least 2 programs, not {len(programs)}")
    for command in programs:
        if programs.count(command) > 1:
            raise BadValue(f"the program {command!r} is named twice; each meets all others, never itself")
    agents = [str(Spec("lines", {"cmd": Spec(command)})) for command in programs]
    pairs = len(programs) * (len(programs) - 1) // 2
    plan = Plan.make(game, agents, games=games * pairs, seed=seed, openings=0, limits=limits)
    return play_plan(plan, partial(_result, plan, programs), None if db is None else Path(db), jobs, progress)


def _result(plan: Plan, programs: Sequence[str], run: Run) -> GamemasterResult:
    games = run.games()
    rows = [_row(games, programs, number) for number in range(len(programs))]
    names, counts = np.unique([str(reason) for reason in games.reasons], return_counts=True)
    return GamemasterResult(
        run=run.name, plan=plan.data(), planned=run.planned, played=len(games.numbers),
        programs=tuple(sorted(rows, key=lambda row: -row.wins)), distinct=run.distinct(),
        reasons=dict(zip(names.tolist(), counts.tolist(), strict=True)), faults=tuple(run.faults()[:MOST_FAULTS]),
        seconds=run.seconds,
    )  # fmt: skip


def _row(games: Games, programs: Sequence[str], one: int) -> ProgramRow:
    met = [_against(games, programs, one, other) for other in range(len(programs)) if other != one]
    wins, losses, ties = (sum(getattr(row, name) for row in met) for name in ("wins", "losses", "ties"))
    return ProgramRow(programs[one], wins, losses, ties, tuple(met))


def _against(games: Games, programs: Sequence[str], one: int, other: int) -> Against:
    mine, theirs = games.seatings == one, games.seatings == other
    both = mine.any(axis=1) & theirs.any(axis=1)
    gap = games.payoffs[both][mine[both]] - games.payoffs[both][theirs[both]]
    return Against(programs[other], int((gap > 0).sum()), int((gap < 0).sum()), int((gap == 0).sum()))
