"""Stopping: play until it is clear whether the first agent is better, and no longer (Wald's sequential test, 1945).

`stop = {better = "+3 %", alpha = 0.05}` asks about the hero, the first agent of the tournament. The score of a block is
the mean payoff of the hero's seats less the mean payoff of all seats, in the games that the hero played against
others: 0 for one who earns a fair share. H0: the hero is no better (0); H1: it is better by 3 points of 100 (0.03). At
a table of two that is 53 % instead of 50 %, at a table of four with one hero 28 % instead of 25 %. `of = "wins"` counts
wins (shared where the best tie) instead of payoffs. Alpha is the chance of saying "better" of an agent that is not,
beta that of saying "not better" of one that is by so much.

Blocks are independent, games of a block are not, so the test counts blocks: the normal likelihood ratio with the
variance of the blocks so far (GSPRT, as fishtest and fastchess do).
"""

from dataclasses import dataclass
from enum import StrEnum
from math import log
from numbers import Real
from typing import Any

import numpy as np

from kibitz.arena.statistics.outcome import best_shares
from kibitz.core.errors import BadValue, UnknownName

LEAST_BLOCKS = 16  # a variance from fewer is worth nothing
MEASURES = ("payoff", "wins")


class Call(StrEnum):
    """What a sequential test says."""

    GO_ON = "go on"
    BETTER = "better"  # H1 is accepted
    NOT_BETTER = "not better"  # H0 is accepted
    UNDECIDED = "undecided"  # the most games allowed were played


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the log likelihood ratios at which H0 and H1 are accepted."""
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def expected_games(null: float, better: float, alpha: float, beta: float, rate: float) -> float:
    """Return how many games Wald's test of two rates takes on average if the rate is one of these two."""
    low, high = bounds(alpha, beta)
    gain = rate * log(better / null) + (1 - rate) * log((1 - better) / (1 - null))
    accepted = 1 - beta if rate == better else alpha
    return (accepted * high + (1 - accepted) * low) / gain


@dataclass
class RateTest:
    """Wald's test of one rate against another, for games that are won or not and independent."""

    null: float
    better: float
    alpha: float = 0.05
    beta: float = 0.05
    ratio: float = 0.0  # log likelihood ratio so far
    games: int = 0  # until the decision
    call: Call = Call.GO_ON

    def feed(self, won: np.ndarray) -> Call:
        """Hear of games in the order of the plan; those after the decision change nothing."""
        if self.call != Call.GO_ON:
            return self.call
        gain, loss = log(self.better / self.null), log((1 - self.better) / (1 - self.null))
        ratios = self.ratio + np.cumsum(np.where(np.asarray(won, dtype=bool), gain, loss))
        self.call, used = _first_call(ratios, bounds(self.alpha, self.beta))
        self.games += used
        self.ratio = float(ratios[used - 1]) if used else self.ratio
        return self.call


@dataclass
class BlockTest:
    """The generalised test on scores of blocks: is their mean `null` or `better`?"""

    null: float
    better: float
    alpha: float = 0.05
    beta: float = 0.05
    ratio: float = 0.0
    blocks: int = 0  # until the decision
    call: Call = Call.GO_ON
    total: float = 0.0
    squares: float = 0.0

    def feed(self, scores: np.ndarray) -> Call:
        """Hear of blocks in the order of the plan; those after the decision change nothing."""
        scores = np.asarray(scores, dtype=float)
        if self.call != Call.GO_ON or not len(scores):
            return self.call
        counts = self.blocks + np.arange(1, len(scores) + 1)
        totals, squares = self.total + np.cumsum(scores), self.squares + np.cumsum(scores**2)
        # two blocks never played, one at either end of the scale, keep the variance above 0
        variance = (squares - totals**2 / counts + 2 * 0.5**2) / (counts + 2)
        ratios = (self.better - self.null) / variance * (totals - counts * (self.null + self.better) / 2)
        ratios[counts < LEAST_BLOCKS] = 0.0
        self.call, used = _first_call(ratios, bounds(self.alpha, self.beta))
        self.blocks += used
        self.ratio, self.total, self.squares = (
            float(ratios[used - 1]),
            float(totals[used - 1]),
            float(squares[used - 1]),
        )
        return self.call


def _first_call(ratios: np.ndarray, limits: tuple[float, float]) -> tuple[Call, int]:
    """Return the first decision and after how many steps it fell; without one, all steps."""
    outside = np.flatnonzero((ratios <= limits[0]) | (ratios >= limits[1]))
    if not len(outside):
        return Call.GO_ON, len(ratios)
    step = int(outside[0])
    return (Call.BETTER if ratios[step] >= limits[1] else Call.NOT_BETTER), step + 1


@dataclass(frozen=True)
class StopRule:
    """When to stop a tournament, as its file says."""

    better: float  # points of 1 by which the hero must be better, 0.03 for "+3 %"
    alpha: float = 0.05
    beta: float = 0.05
    games: int | None = None  # the most games; then it stays undecided
    of: str = "payoff"  # or "wins"

    @classmethod
    def read(cls, given: Any) -> "StopRule":
        """Read `stop = {better = "+3 %", alpha = 0.05, beta = 0.05, games = 20000, of = "payoff"}`."""
        if not isinstance(given, dict):
            raise BadValue(f'stop must look like {{better = "+3 %", alpha = 0.05}}, not {given!r}')
        known = ("better", "alpha", "beta", "games", "of")
        for key in given:
            if key not in known:
                raise UnknownName("key of stop", str(key), known)
        if "better" not in given:
            raise BadValue('stop lacks better, the difference to look for, for example better = "+3 %"')
        games, of = given.get("games"), given.get("of", "payoff")
        if games is not None and (not isinstance(games, int) or isinstance(games, bool) or games < 1):
            raise BadValue(f"games of stop must be a whole number of at least 1, not {games!r}")
        if of not in MEASURES:
            raise BadValue(f'of in stop must be "payoff" or "wins", not {of!r}')
        alpha, beta = _chance("alpha", given.get("alpha", 0.05)), _chance("beta", given.get("beta", 0.05))
        return cls(_points(given["better"]), alpha, beta, games, of)

    def start(self) -> "Watch":
        """Begin to watch a tournament."""
        return Watch(self, BlockTest(0.0, self.better, self.alpha, self.beta))


@dataclass
class Watch:
    """A tournament watched under a stop rule; it is told of games in the order of the plan."""

    rule: StopRule
    test: BlockTest
    hero: int = 0
    games: int = 0  # of whole blocks up to the decision: what a result rests on
    call: Call = Call.GO_ON

    def finish(self) -> Call:
        """Hear that there are no more games."""
        if self.call == Call.GO_ON:
            self.call = Call.UNDECIDED
        return self.call

    def feed(self, seatings: np.ndarray, payoffs: np.ndarray, blocks: np.ndarray) -> Call:
        """Hear of games: whole blocks, any number of them."""
        if self.call != Call.GO_ON or not len(blocks):
            return self.call
        ends = self.games + np.append(np.flatnonzero(np.diff(blocks)) + 1, len(blocks))
        most = np.inf if self.rule.games is None else self.rule.games
        allowed = min(len(ends), int(np.searchsorted(ends, most)) + 1)
        scores = block_scores(seatings, payoffs, blocks, self.hero, self.rule.of)[:allowed]
        told, before = np.flatnonzero(~np.isnan(scores)), self.test.blocks
        self.call = self.test.feed(scores[told])
        last = allowed - 1 if self.call == Call.GO_ON else told[self.test.blocks - before - 1]
        self.games = int(ends[last])
        if self.call == Call.GO_ON and self.games >= most:
            self.call = Call.UNDECIDED
        return self.call


def block_scores(seatings: np.ndarray, payoffs: np.ndarray, blocks: np.ndarray, hero: int, of: str) -> np.ndarray:
    """Return by block, in ascending order, what the hero's seats earned above the mean; NaN where it met nobody."""
    scores = payoffs if of == "payoff" else best_shares(payoffs)
    mine = seatings == hero
    mixed = mine.any(axis=1) & ~mine.all(axis=1)
    above = ((scores - scores.mean(axis=1, keepdims=True)) * mine).sum(axis=1) * mixed
    _, number = np.unique(blocks, return_inverse=True)
    earned = np.bincount(number, weights=above)
    held = np.bincount(number, weights=mine.sum(axis=1) * mixed)
    return np.divide(earned, held, out=np.full(len(held), np.nan), where=held > 0)


def _points(text: Any) -> float:
    """Read "+3 %" or 0.03."""
    number: Any = text
    if isinstance(text, str):
        try:
            number = float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
        except ValueError:
            number = None
    if not isinstance(number, Real) or isinstance(number, bool) or not 0 < float(number) < 1:
        raise BadValue(f'better must be a difference above 0 and below 100 %, for example "+3 %", not {text!r}')
    return float(number)


def _chance(name: str, given: Any) -> float:
    if not isinstance(given, Real) or isinstance(given, bool) or not 0 < float(given) < 0.5:
        raise BadValue(f"{name} must be a number above 0 and below 0.5, for example 0.05, not {given!r}")
    return float(given)
