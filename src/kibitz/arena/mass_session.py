"""A session of very many games: a policy against itself, of which only sums are kept.

The games are those of the plan, and so are the figures. Where games have to be told one by one (why they were drawn,
how an agent failed), the first of them are played again.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.schedule import ChunkSize
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.compiled import CompiledGames, picks_by_index
from kibitz.arena.play.reason import Reason
from kibitz.arena.results.balance_result import BalanceResult, result_of
from kibitz.arena.results.caveats import repetitions
from kibitz.arena.results.tally import Tally
from kibitz.arena.session import Interrupted, OnProgress, SessionProgress
from kibitz.batches.mass_play import Launch, MassPlay
from kibitz.core.code_on_disk import forecast
from kibitz.core.errors import BadGame
from kibitz.core.native import INTERPRETED

End = tuple[tuple[float, ...], int]  # what seats earned, and the seat that failed, or -1
WORTH_IT = 10_000  # games below which loading another loop costs more than it saves
SECONDS_A_LAUNCH, FIRST_LAUNCH = 0.25, 4096
MOST_TOLD = 10_000  # draws whose cause is looked for, and games lost by failing that are told
ESTIMATED = "The number of different games is an estimate, to about 0.1 %, from a sample of them."
FIRST_DRAWS = f"The causes of draws are those of the first {MOST_TOLD:,} drawn games."
FIRST_FAULTS = f"The games that the agent lost by failing are told up to number {MOST_TOLD:,} of them."


def can_be_massed(plan: Plan) -> bool:
    """Return whether a plan is one of a policy against itself, and only sums of its games are asked for."""
    return not INTERPRETED and len(plan.agents) == 1 and plan.policies[0] is not None and not plan.limits.watched


def play_mass(plan: Plan, device: Any, progress: OnProgress | None) -> BalanceResult:
    """Play all games of a plan on a device; after Ctrl-C, Interrupted is raised with the result of those so far."""
    session = MassSession(plan, device)
    try:
        session.play(progress)
    except KeyboardInterrupt:
        if not session.sums.games:
            raise
        raise Interrupted(session.result()) from None
    return session.result()


class Sums(NamedTuple):
    """The sums of games so far; they are replaced as a whole, so that Ctrl-C never finds half of a launch in them."""

    games: int
    seconds: float
    ends: Counter[End]
    plies: Counter[int]
    drawn: list[int]  # the numbers of the first games that nobody won
    failed: list[int]  # … and in which a seat failed

    def added(self, launch: Launch, ends: Counter[End], games: int, seconds: float) -> "Sums":
        """Return the sums with those of a launch."""
        lengths = Counter(dict(zip(launch.plies.tolist(), launch.games.tolist(), strict=True)))
        return Sums(
            self.games + games, self.seconds + seconds, self.ends + ends, self.plies + lengths,
            self.drawn + launch.drawn, self.failed + launch.failed,
        )  # fmt: skip


class MassSession:
    """Plays the games of a plan and adds them up."""

    def __init__(self, plan: Plan, device: Any):
        (policy,) = plan.policies
        assert policy is not None
        self.plan, self.seed = plan, plan.session_seed()
        by_index = picks_by_index(plan.game, policy)
        self._mass = MassPlay(plan.game, policy, by_index, self.seed, plan.openings, device)
        self._most = device.most_rows
        self._mass.play(0, 1, 0, 0)  # loads the code, off the clock
        self.sums = Sums(0, 0.0, Counter(), Counter(), [], [])

    def play(self, progress: OnProgress | None) -> None:
        """Play the games that are missing, some at a time."""
        state = SessionProgress(self.plan.planned, self.plan.agents, self.plan.game.scoring)
        chunk, begun = ChunkSize(SECONDS_A_LAUNCH, FIRST_LAUNCH, self._most), forecast.clock()
        while self.sums.games < self.plan.planned:
            some = min(chunk.games, self.plan.planned - self.sums.games)
            wanted = (MOST_TOLD - len(told) for told in (self.sums.drawn, self.sums.failed))
            launch = self._mass.play(self.sums.games, some, *wanted)
            if launch.undone is not None:
                self._explain(launch.undone)
            ends, now = self._ends_of(launch), forecast.clock()
            chunk.learn(some, now - begun)
            self.sums = self.sums.added(launch, ends, some, max(0.0, now - begun))
            begun = now
            state.add_outcomes(np.array([payoffs for payoffs, _ in ends]), np.array([*ends.values()]))
            if progress is not None:
                progress(state)

    def _ends_of(self, launch: Launch) -> Counter[End]:
        found: Counter[End] = Counter()
        for end in launch.outcomes:
            found[self._earned(end.payoffs, end.failed), end.failed] += end.games
        return found

    def _earned(self, payoffs: tuple[float, ...], failed: int) -> tuple[float, ...]:
        """Return what seats earned, also where one failed."""
        if failed < 0:
            return payoffs
        return tuple(self.plan.game.scoring.failed(self.plan.agents * self.plan.game.seats, failed))

    def _explain(self, number: int) -> None:
        """Raise the error of a rule that breaks off a game, or of an opening that cannot be made."""
        self._again([number])
        raise BadGame(f"{self.plan.game}: a rule fails in game {number + 1} on a graphics card only")

    def _again(self, numbers: Sequence[int]) -> Batch:
        """Play some games one by one, as any session does."""
        policies = [policy for policy in self.plan.policies if policy is not None]
        compiled = CompiledGames(self.plan.game, self.plan.agents, policies, self.plan.limits, False)
        return compiled.play([self.plan.fixture(number, self.seed) for number in numbers])

    def result(self) -> BalanceResult:
        """Return the result of the games so far."""
        ends, plies = self.sums.ends, self.sums.plies
        lengths = sorted(plies)
        tally = Tally.of_counts(
            np.array([payoffs for payoffs, _ in ends]), np.array([*ends.values()]), np.array(lengths),
            np.array([plies[length] for length in lengths]),
        )  # fmt: skip
        reasons, distinct = self._reasons(), min(int(self._mass.different), self.sums.games)
        faults = self._again(self.sums.failed).faults if self.sums.failed else []
        return result_of(
            self.plan, tally, planned=self.plan.planned, seed=self.seed, distinct=distinct, reasons=reasons,
            drawn_by=self._causes(), faults=tuple(faults), notes=tuple(self._notes(distinct, reasons)),
            seconds=self.sums.seconds,
        )  # fmt: skip

    def _reasons(self) -> dict[str, int]:
        """Return how often games ended for which reason."""
        found: Counter[str] = Counter()
        for (payoffs, failed), games in self.sums.ends.items():
            won = payoffs.count(max(payoffs)) == 1
            found[Reason.ILLEGAL if failed >= 0 else Reason.WON if won else Reason.DRAWN] += games
        return {str(reason): games for reason, games in found.items()}

    def _causes(self) -> dict[str, int]:
        """Return the causes of draws, where the game can tell."""
        if not self.sums.drawn or not self.plan.game.tells_draws:
            return {}
        told = (json.loads(line) for line in self._again(self.sums.drawn).move_stats if line)
        return dict(Counter(about["drawn_by"] for about in told if about["drawn_by"]).most_common())

    def _notes(self, distinct: int, reasons: dict[str, int]) -> list[str]:
        """Return what a reader must know of the figures."""
        drawn, failed = reasons.get(Reason.DRAWN, 0), reasons.get(Reason.ILLEGAL, 0)
        return [
            *repetitions(distinct, self.sums.games),
            *([] if self._mass.different.is_exact else [ESTIMATED]),
            *([FIRST_DRAWS] if drawn > MOST_TOLD and self.plan.game.tells_draws else []),
            *([FIRST_FAULTS] if failed > MOST_TOLD else []),
        ]
