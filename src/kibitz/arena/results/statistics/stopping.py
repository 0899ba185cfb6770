"""Stopping: play until it is clear whether the hero is better, and no longer (Wald's sequential test, 1945).

`stop = {better = "+3 %", alpha = 0.05}` asks about the hero, the first agent if none is named. The score of a block is
the mean payoff of the hero's seats less the mean payoff of all seats, in the games that the hero played against others.
H0: the hero is no better, and the mean score is 0; H1: it is better by 3 percentage points, and the mean score is 0.03.
With two seats that is 53 % instead of 50 %, with four seats and one hero 28 % instead of 25 %. `of = "wins"` counts
wins (divided where the best tie) instead of payoffs. Where payoffs count, `better = "+0.5"` is in their unit. Alpha is
the chance of calling a hero better that is not, beta that of calling one "not better" that is better by this much.

Blocks are independent, games of a block are not, so the test counts blocks: the normal likelihood ratio with the
variance of the blocks so far (GSPRT, as fishtest and fastchess do). The variance is that about the mean of the
hypothesis that fits less: about their own mean, the few blocks of a lucky run seem to vary too little.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from math import log

import numpy as np

from kibitz.arena.plan.plan import Plan
from kibitz.arena.plan.stop_rule import StopRule
from kibitz.arena.play.batch import Batch
from kibitz.arena.play.reason import Reason
from kibitz.arena.results.game_columns import GameColumns
from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.outcome import divided_wins
from kibitz.core.scoring import WINS, Scoring

LEAST_BLOCKS = 24  # a variance from fewer says little
UNSEEN = 2 * 0.5**2  # of two blocks never played, one at either end of the scale: the variance is above 0


class Call(StrEnum):
    """What a sequential test says."""

    CONTINUE = "continue"
    BETTER = "better"  # H1 is accepted
    NOT_BETTER = "not better"  # H0 is accepted
    UNDECIDED = "undecided"  # the most games allowed were played


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the log likelihood ratios at which H0 and H1 are accepted."""
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


@dataclass
class BlockTest:
    """The generalised test on scores of blocks: is their mean `null` or `better`?"""

    null: float
    better: float
    alpha: float = 0.05
    beta: float = 0.05
    ratio: float = 0.0
    blocks: int = 0  # until the decision
    call: Call = Call.CONTINUE
    total: float = 0.0
    squares: float = 0.0

    def feed(self, scores: np.ndarray) -> Call:
        """Take blocks into account in the order of the plan; those after the decision change nothing."""
        scores = np.asarray(scores, dtype=float)
        if self.call != Call.CONTINUE or not len(scores):
            return self.call
        counts = self.blocks + np.arange(1, len(scores) + 1)
        totals, squares = self.total + np.cumsum(scores), self.squares + np.cumsum(scores**2)
        spread = np.maximum(*(squares - 2 * mean * totals + counts * mean**2 for mean in (self.null, self.better)))
        variance = (spread + UNSEEN) / counts
        ratios = (self.better - self.null) / variance * (totals - counts * (self.null + self.better) / 2)
        ratios[counts < LEAST_BLOCKS] = 0.0
        self.call, used = _first_call(ratios, bounds(self.alpha, self.beta))
        self.blocks += used
        self.ratio, self.total, self.squares = (float(column[used - 1]) for column in (ratios, totals, squares))
        return self.call


def _first_call(ratios: np.ndarray, limits: tuple[float, float]) -> tuple[Call, int]:
    """Return the first decision and after how many steps it fell; without one, all steps."""
    outside = np.flatnonzero((ratios <= limits[0]) | (ratios >= limits[1]))
    if not len(outside):
        return Call.CONTINUE, len(ratios)
    step = int(outside[0])
    return (Call.BETTER if ratios[step] >= limits[1] else Call.NOT_BETTER), step + 1


@dataclass
class StopCheck:
    """Applies a stop rule to a tournament; it is given games in the order of the plan."""

    rule: StopRule
    hero: int = 0
    scoring: Scoring = WINS
    test: BlockTest = field(init=False)
    games: int = 0  # of whole blocks up to the decision: what a result rests on
    call: Call = Call.CONTINUE

    def __post_init__(self) -> None:
        self.test = BlockTest(0.0, self.rule.better / self._span, self.rule.alpha, self.rule.beta)

    @property
    def _span(self) -> int:
        """How far scores can be apart: a win is 1, a payoff what the game says."""
        return 1 if self.rule.of == "wins" else self.scoring.span

    def finish(self) -> Call:
        """Note that there are no more games."""
        if self.call == Call.CONTINUE:
            self.call = Call.UNDECIDED
        return self.call

    def feed(self, seatings: np.ndarray, payoffs: np.ndarray, blocks: np.ndarray) -> Call:
        """Take games into account: whole blocks, any number of them."""
        if self.call != Call.CONTINUE or not len(blocks):
            return self.call
        ends = self.games + np.append(np.flatnonzero(np.diff(blocks)) + 1, len(blocks))
        most = np.inf if self.rule.games is None else self.rule.games
        allowed = min(len(ends), int(np.searchsorted(ends, most)) + 1)
        scores = block_scores(seatings, payoffs, blocks, self.hero, self.rule.of)[:allowed] / self._span
        scored, before = np.flatnonzero(~np.isnan(scores)), self.test.blocks
        self.call = self.test.feed(scores[scored])
        last = allowed - 1 if self.call == Call.CONTINUE else scored[self.test.blocks - before - 1]
        self.games = int(ends[last])
        if self.call == Call.CONTINUE and self.games >= most:
            self.call = Call.UNDECIDED
        return self.call


@dataclass(frozen=True)
class StopVerdict(Row):
    """What the stop rule said."""

    call: str  # "better", "not better" or "undecided"
    games: int
    ratio: float  # log likelihood ratio
    sentence: str


@dataclass
class BlockQueue:
    """Takes games in any order, and passes whole blocks on to the stop rule in the order of the plan."""

    check: StopCheck
    block: int  # games in a block
    passed: int = 0  # games passed on
    waiting: dict[int, tuple[np.ndarray, np.ndarray, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan) -> "BlockQueue | None":
        """Return the queue of a plan that has a stop rule."""
        if plan.stop is None:
            return None
        hero = int(plan.who.number[plan.hero or 0])
        scoring = plan.game.scoring
        return cls(StopCheck(StopRule.read(plan.stop, scoring), hero, scoring), len(plan.seatings))

    def add(self, games: Batch | GameColumns) -> None:
        """Count games; in a void block all seats earned the same."""
        void = [reason == Reason.VOID for reason in games.reasons]
        self.waiting |= zip(games.numbers.tolist(), zip(games.seatings, games.payoffs, void, strict=True), strict=True)
        ready: list[tuple[np.ndarray, np.ndarray]] = []
        while all(self.passed + len(ready) + k in self.waiting for k in range(self.block)):
            block = [self.waiting.pop(self.passed + len(ready) + k) for k in range(self.block)]
            even = any(void for _, _, void in block)
            level = np.array(self.check.scoring.level(len(block[0][0])))
            ready += [(seated, level if even else payoff) for seated, payoff, _ in block]
        if ready:
            numbers = np.arange(self.passed, self.passed + len(ready))
            seatings, payoffs = (np.array(part) for part in zip(*ready, strict=True))
            self.check.feed(seatings, payoffs, numbers // self.block)
            self.passed += len(ready)

    @property
    def decided(self) -> bool:
        """Whether no more games are needed."""
        return self.check.call != Call.CONTINUE

    def verdict(self, hero: str) -> StopVerdict:
        """Return what the rule says of the hero, now that there are no more games."""
        check, rule = self.check, self.check.rule
        do, does = ("win", "wins") if rule.of == "wins" else ("earn", "earns")
        units = rule.of != "wins" and not check.scoring.by_wins
        gain = check.scoring.amount_text(rule.better) if units else f"{rule.better:.1%}"
        call = check.finish()
        sentence = {
            Call.BETTER: f"{hero} {does} more than an average seat",
            Call.NOT_BETTER: f"{hero} does not {do} {gain} more than an average seat",
        }.get(call, f"it is still open whether {hero} {does} {gain} more than an average seat")
        ratio = check.test.ratio
        sentence = f"After {check.games:,} games {sentence} (log likelihood ratio {ratio:+.2f})."
        return StopVerdict(str(call), check.games, ratio, sentence)


def block_scores(seatings: np.ndarray, payoffs: np.ndarray, blocks: np.ndarray, hero: int, of: str) -> np.ndarray:
    """Return by block, in ascending order, what the hero's seats earned above the mean; NaN where it met nobody."""
    scores = payoffs if of == "payoff" else divided_wins(payoffs)
    mine = seatings == hero
    mixed = mine.any(axis=1) & ~mine.all(axis=1)
    above = ((scores - scores.mean(axis=1, keepdims=True)) * mine).sum(axis=1) * mixed
    _, number = np.unique(blocks, return_inverse=True)
    earned = np.bincount(number, weights=above)
    held = np.bincount(number, weights=mine.sum(axis=1) * mixed)
    return np.divide(earned, held, out=np.full(len(held), np.nan), where=held > 0)
