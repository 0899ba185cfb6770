"""A session: plays the games of a plan that are missing, and keeps every result as it comes."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from kibitz.arena.plan.fixture import Fixture
from kibitz.arena.plan.own_agents import around_no_walls
from kibitz.arena.plan.plan import Plan
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.card_games import card_player, check_plan
from kibitz.arena.play.compile_ahead import compile_first
from kibitz.arena.play.local import play_locally
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.ledger_file import check_place
from kibitz.arena.results.run import Run, open_run
from kibitz.arena.results.statistics.outcome import outcomes
from kibitz.arena.results.statistics.stopping import BlockQueue
from kibitz.batches.game_batch import CPU
from kibitz.bots.sandbox.sandbox import without_walls
from kibitz.core.code_on_disk import forecast
from kibitz.core.errors import BadValue
from kibitz.core.record import write_records
from kibitz.core.scoring import Scoring
from kibitz.core.user_files import check_writable

MOST_JOBS = 256
TRUSTED = "{} ran in the process that held the deals, and was trusted not to look at what is hidden."
Play = Callable[..., Generator[Batch, None, None]]
Found = TypeVar("Found")


@dataclass
class Score:
    """The score of one agent so far."""

    agent: str
    games: int = 0  # an agent in two seats of a game counts for two
    wins: int = 0
    payoff: float = 0.0
    seconds: float = 0.0
    moves: int = 0

    @property
    def win_rate(self) -> float:
        """Wins per game."""
        return self.wins / max(1, self.games)

    @property
    def mean_payoff(self) -> float:
        """Payoff per game."""
        return self.payoff / max(1, self.games)

    @property
    def seconds_per_move(self) -> float | None:
        """Thinking time per move; None where it was not measured."""
        return self.seconds / max(1, self.moves) or None


class SessionProgress:
    """How far a session is, and the scores so far; `games` includes those of earlier sessions."""

    def __init__(self, planned: int, agents: Sequence[str], scoring: Scoring):
        self.planned, self.games, self.kept, self.scoring = planned, 0, 0, scoring
        self.scores = [Score(agent) for agent in agents]
        self._begun = forecast.clock()

    @classmethod
    def after(cls, planned: int, kept: GameColumns) -> "SessionProgress":
        """Return how far a session is that begins with games of earlier ones."""
        found = cls(planned, kept.agents, kept.scoring)
        found.add(kept)
        found.kept = found.games
        return found

    @property
    def speed(self) -> float:
        """Games per second in this session."""
        return (self.games - self.kept) / max(1e-9, forecast.clock() - self._begun)

    def add(self, games: Batch | GameColumns) -> None:
        """Count games."""
        if not len(games.numbers):
            return
        won, _ = outcomes(games.payoffs)
        for number, score in enumerate(self.scores):
            mine = games.seatings == number
            score.games += int(mine.sum())
            score.wins += int(won[mine].sum())
            score.payoff += float(games.payoffs[mine].sum())
            score.seconds += float(games.seconds[mine].sum())
            score.moves += int(games.moves[mine].sum())
        self.games += len(games.numbers)

    def add_outcomes(self, payoffs: np.ndarray, counts: np.ndarray) -> None:
        """Count games of one agent in all seats by their outcomes."""
        (score,), games, seats = self.scores, int(counts.sum()), payoffs.shape[1]
        score.games += games * seats
        score.wins += int((counts @ outcomes(payoffs)[0]).sum())
        score.payoff += float((counts @ payoffs).sum())
        self.games += games


OnProgress = Callable[[SessionProgress], None]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C was pressed while games were played; `result` covers the games that were finished."""

    def __init__(self, result: Any):
        super().__init__()
        self.result = result


def preflight(jobs: int, db: Path | str | None = None, save: Path | str | None = None) -> None:
    """Refuse, before anybody's code runs, a bad number of workers, a bad ledger, and a file that cannot be written."""
    if not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise BadValue(f"jobs must be 1 to {MOST_JOBS}, not {jobs}")
    if db is not None:
        check_place(Path(db))
    if save is not None:
        check_writable(Path(save))


def play_plan(
    plan: Plan,
    collect: Callable[[Run], Found],
    db: Path | str | None = None,
    jobs: int = 1,
    progress: OnProgress | None = None,
    save: Path | str | None = None,
    play: Play = play_locally,
    keep_records: bool = True,
    device: str = CPU,
) -> Found:
    """Play the games of a plan that are missing and return what `collect` makes of its run.

    With `db`, results are kept in that ledger, else in memory; with `save`, records are written there at the end.
    `play` plays fixtures, here or elsewhere; on the `device` gpu, a graphics card plays games between policies.
    After Ctrl-C, Interrupted is raised with the result of the games so far.
    """
    preflight(jobs, save=save)
    check_plan(device, plan)
    if device != CPU:
        _refuse_two_places(play)
        play = card_player(plan)
    _refuse_what_needs_a_text(plan, db, play)
    if play is play_locally:
        compile_first(plan.game, plan.agents)
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
            run.reveal()  # nobody is left who could use the seed
        if save is not None:
            write_records(Path(save), run.records())
        result = collect(run)
    if interrupted:
        raise Interrupted(result)
    return result


def _refuse_two_places(play: Play) -> None:
    """Refuse a graphics card of this machine for games that are played elsewhere."""
    if play is not play_locally:
        raise BadValue("device=gpu is the graphics card of this machine, and these games are played elsewhere")


def _refuse_what_needs_a_text(plan: Plan, db: Path | str | None, play: Play) -> None:
    """Refuse agents in memory on other machines, and in a ledger that cannot tell one version from another."""
    for agent in plan.in_memory:
        if play is not play_locally:
            why = "is in the memory of this process, and no other has it"
        elif db is not None and not agent.fingerprint:
            why = "has no source that a ledger could tell it by"
        else:
            continue
        raise BadValue(f"agent {agent.name} {why}; save its class in a file and name that by its path")


def _missing(plan: Plan, run: Run) -> Iterator[Fixture]:
    done, fixtures = run.numbers(), plan.fixtures(run.seed)
    return (fixture for fixture in fixtures if fixture.number not in done) if done else fixtures


def _play(plan: Plan, run: Run, batches: Generator[Batch, None, None], progress: OnProgress | None) -> None:
    """Play until there are no more games, or until the stop rule, if there is one, has decided."""
    kept = run.played()
    state, stop = SessionProgress.after(plan.planned, kept), BlockQueue.of(plan)
    if stop:
        stop.add(kept)
    last, remarks = forecast.clock(), _remarks(plan)
    while not (stop and stop.decided) and (batch := next(batches, None)):
        while remarks:
            run.remark(remarks.pop())
        now = forecast.clock()
        run.add(batch, max(0.0, now - last))
        last = now
        counted = replace(batch, seatings=plan.who.number[batch.seatings])
        if progress is not None:
            state.add(counted)
            progress(state)
        if stop:
            stop.add(counted)
    if stop:
        run.cut(stop.verdict(plan.agents[plan.hero or 0]))


def _remarks(plan: Plan) -> list[str]:
    """Return what a reader must know where agents could find out what is hidden from them."""
    programs = around_no_walls(plan.game, plan.agents, plan.limits)
    trusted = [TRUSTED.format(agent.name) for agent in plan.in_memory if plan.game.secret]
    return [*trusted, *([without_walls(programs)] if programs else [])]
