"""A fact: a published number, or a claim without one, beside what was measured, before it is judged.

Facts of one table are judged together (`kibitz.lab.judging`), so a trial only says what it found. `share`, `mean`,
`ratio`, `order` and `bound` take sums by block of games; `exact` is for what has no chance in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, inf, log, sqrt
from typing import Literal

import numpy as np

from kibitz.arena.results.statistics.interval import LEVEL
from kibitz.arena.results.statistics.paired import paired_difference
from kibitz.arena.results.statistics.verdict import (
    Gap,
    half_unit,
    mean_difference,
    narrower,
    ratio_difference,
    share_difference,
)
from kibitz.lab.validation import SIGNS

Interval = tuple[float, float]
Claim = Literal["=", "<", ">"]  # what is said of the measured number, compared with the other one
OfGames = Callable[[float], tuple[Gap, float]]  # a gap and its margin by the number of published games
DIGITS = 4


@dataclass(frozen=True)
class Scale:
    """How a difference is shown: as it is, in points of per cent, or as a factor, of which the gap is the logarithm."""

    name: Literal["plain", "points", "factor"]

    def shown(self, difference: float) -> float:
        """Return a difference as it is shown."""
        if self.name == "factor":
            return round(exp(min(difference, 700.0)), DIGITS)
        return round(100 * difference, 2) if self.name == "points" else round(difference, DIGITS)

    def margin(self, margin: float) -> str:
        """Return a margin as a text; it is empty if there is none."""
        if not margin:
            return ""
        if self.name == "factor":
            return f"{100 * (exp(margin) - 1):.3g} %"
        return f"{100 * margin:.3g} points" if self.name == "points" else f"{margin:.3g}"


PLAIN, POINTS, FACTOR = Scale("plain"), Scale("points"), Scale("factor")


@dataclass(frozen=True)
class Fact:
    """What a document says, and what was measured; without a gap and an answer it is only shown."""

    what: str
    measured: float | str
    published: float | str | None = None
    interval: Interval | None = None  # of the measured number, 95 %
    published_interval: Interval | None = None  # of the published number, if its number of games is known
    unit: str = ""
    gap: Gap | None = None  # of the measured and the published number, or of the two that a claim compares
    claim: Claim = "="
    margin: float = 0.0  # on the scale of the gap; 0 if any difference counts
    scale: Scale = PLAIN
    agrees: bool | None = None  # the answer where there is no chance
    curves: Mapping[str, list[float]] | None = None  # of a figure: by name, a number for each turn
    assumed_games: int = 0  # of the published number, where the document does not say how many there were
    of_games: "OfGames | None" = field(default=None, repr=False, compare=False)  # gap and margin, if assumed otherwise
    without_verdict: str = ""  # why this fact cannot be judged; empty if it can
    blocks: tuple[np.ndarray, np.ndarray] | None = field(default=None, repr=False, compare=False)  # sums and counts

    def mirrors(self, other: "Fact") -> bool:
        """Return whether two numbers are one fact: in every block, and as published, they have the same sum."""
        pair = self._blocks_beside(other)
        if pair is None:
            return False
        mine, theirs, of = pair
        whole = float((mine + theirs).sum() / of.sum())
        return bool(
            whole > 0  # two things that never happened are two facts
            and np.allclose(mine + theirs, whole * of)
            and abs(self._published + other._published - whole) <= self._near(other)
        )

    def repeats(self, other: "Fact") -> bool:
        """Return whether two numbers are one fact: they are equal in every block, and as published."""
        pair = self._blocks_beside(other)
        if pair is None:
            return False
        mine, theirs, _ = pair
        return bool(mine.any() and np.allclose(mine, theirs) and self._published == other._published)

    def _blocks_beside(self, other: "Fact") -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return the sums of both by block, and their common counts; None if they have none."""
        if self.blocks is None or other.blocks is None or self.gap is None or other.gap is None:
            return None
        (mine, of), (theirs, of_theirs) = self.blocks, other.blocks
        alike = self.unit == other.unit and len(of) == len(of_theirs) and np.allclose(of, of_theirs)
        return (mine, theirs, of) if alike else None

    @property
    def _published(self) -> float:
        return 0.0 if self.gap is None else self.gap.published

    def _near(self, other: "Fact") -> float:
        return sum(fact.gap.rounding for fact in (self, other) if fact.gap is not None) + 1e-9


def exact(what: str, published: float | str, measured: float | str, agrees: bool) -> Fact:
    """Return a fact without chance: it agrees, or it does not."""
    return Fact(what, measured, published, agrees=agrees)


def share(
    what: str, hits: np.ndarray, of: np.ndarray, published: float | None = None, games: float = 0, margin: float = 0.0,
    rounding: float = 0.0, assumed_games: int = 0,
) -> Fact:  # fmt: skip
    """Return a share, from counts by block; `games` is the published number of games, 0 if it is not known."""
    hits, of = hits[of > 0], of[of > 0]
    compared = 0.0 if published is None else published

    def of_games(number: float) -> tuple[Gap, float]:
        found = share_difference(hits, of, compared, number or None, rounding)
        return found, margin * narrower(found)

    gap, margin_here = of_games(games)
    measured, interval = _percent(gap.measured), _percents(gap.own(LEVEL))
    if published is None:
        return Fact(what, measured, None, interval, unit="%")
    theirs = _percents(gap.theirs(LEVEL)) if games else None
    told = what, measured, _percent(published), interval, theirs, "%"
    return Fact(*told, gap, "=", margin_here, POINTS, assumed_games=assumed_games, of_games=of_games, blocks=(hits, of))


def mean(
    what: str, sums: np.ndarray, counts: np.ndarray, published: float | None = None, error: float = 0.0,
    margin: float = 0.0, rounding: float = 0.0, digits: int = 3, least: float = -inf, most: float = inf,
    declared: bool = False, assumed_games: int = 0,
) -> Fact:  # fmt: skip
    """Return a mean, from sums and counts by block, of numbers between `least` and `most`.

    `error` is the standard error of the published one; `declared` says that the bounds are only those of a game.
    """
    sums, counts = sums[counts > 0], counts[counts > 0]
    compared = 0.0 if published is None else published

    def of_games(number: float) -> tuple[Gap, float]:
        known = error * sqrt(assumed_games / number) if assumed_games else error
        return mean_difference(sums, counts, compared, known, rounding, least, most, declared), margin

    gap, _ = of_games(assumed_games)
    measured, interval = round(gap.measured, digits), finite(gap.own(LEVEL), digits)
    if published is None:
        return Fact(what, measured, None, interval)
    theirs = finite(gap.theirs(LEVEL), digits) if error else None
    told = what, measured, published, interval, theirs, ""
    return Fact(*told, gap, "=", margin, PLAIN, assumed_games=assumed_games, of_games=of_games, blocks=(sums, counts))


def ratio(
    what: str, sums: np.ndarray, bases: np.ndarray, published: float | None = None, margin: float = 0.0,
    rounding: float = 0.0, unit: str = "", digits: int = 1, claim: Claim = "=", said: str = "", times: float = 0.0,
    assumed_games: int = 0,
) -> Fact:  # fmt: skip
    """Return one amount for another, such as nodes a turn, from sums by block; `margin` is a part of the published one.

    With a claim, it is compared with 1, and `said` tells what the document says. The published number varies as the
    measured one does, which has so many `times` its games; 0 if it is exact.
    """
    sums, bases = sums[bases > 0], bases[bases > 0]
    compared = 1.0 if said or published is None else published
    gap = ratio_difference(sums, bases, compared, rounding)
    measured, interval = round(exp(gap.measured), digits), _powers(gap.own(LEVEL), digits)
    if published is None and not said:
        return Fact(what, measured, None, interval, unit=unit)
    theirs, error = None, gap.errors[0] * sqrt(times)
    margin, assumed = log(1 + margin) if claim == "=" else 0.0, 0 if said else assumed_games

    def of_games(number: float) -> tuple[Gap, float]:
        known = error * sqrt(assumed / number) if assumed else error
        return ratio_difference(sums, bases, compared, rounding, published_error=known), margin

    if 0 < error < inf and not said:
        gap, _ = of_games(assumed)
        theirs = _powers(gap.theirs(LEVEL), digits)
    told = what, measured, said or published, interval, theirs, unit
    return Fact(*told, gap, claim, margin, FACTOR, assumed_games=assumed, of_games=of_games)


def linear(ratio: float, influence: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sums and bases by block whose ratio and its error are those of a ratio with this influence of each block.

    The influence of a block is what it adds to the logarithm of the ratio, to the first order; all add up to 0. A
    ratio of two means depends on four sums of each block, and this makes two of them.
    """
    return ratio * (1 + len(influence) * influence), np.ones(len(influence))


def difference(what: str, values: np.ndarray, claim: Claim = "=", said: str = "") -> Fact:
    """Return a difference, from one independent value a block, that is said to be below or above 0, or only shown."""
    gap = mean_difference(values, np.ones(len(values)), 0.0)
    return _claimed(what, gap, claim, said) if said else Fact(what, *_shown(gap))


def paired(
    what: str, seatings: np.ndarray, scores: np.ndarray, blocks: np.ndarray, pair: tuple[int, int], claim: Claim,
    margin: float = 0.0, span: float = 1.0, scale: Scale = PLAIN, said: str = "",
) -> Fact:  # fmt: skip
    """Return how much more one agent, or seat, scores a game than another, over common deals.

    `span` is how far the greatest score is from the least. In points, nothing is published unless it is `said`.
    """

    def interval(level: float) -> Interval:
        return paired_difference(seatings, scores, blocks, *pair, level=level, span=span).interval

    found = paired_difference(seatings, scores, blocks, *pair, span=span)
    gap = _PairedGap(found.mean, 0.0, interval, lambda level: (0.0, 0.0), blocks=found.blocks, chance=found.p)
    if scale is not POINTS:
        return _claimed(what, gap, claim, said or SIGNS[claim], margin)
    told = what, scale.shown(found.mean), said or None, _percents(gap.own(LEVEL)), None, "points"
    return Fact(*told, gap, claim, margin, scale)


def bound(what: str, hits: np.ndarray, of: np.ndarray, sign: str, limit: float, said: str) -> Fact:
    """Return a share that a document only says to be less or more than a limit."""
    hits, of = hits[of > 0], of[of > 0]
    gap = share_difference(hits, of, limit)
    return Fact(
        what, _percent(gap.measured), said, _percents(gap.own(LEVEL)), None, "%", gap, "<" if sign == "<" else ">", 0.0,
        POINTS,
    )  # fmt: skip


def mean_bound(
    what: str, sums: np.ndarray, counts: np.ndarray, sign: str, limit: float, said: str, digits: int = 3
) -> Fact:  # fmt: skip
    """Return a mean of amounts that a document only says to be less or more than a limit."""
    sums, counts = sums[counts > 0], counts[counts > 0]
    gap = ratio_difference(sums, counts, limit)
    measured, interval = round(exp(gap.measured), digits), _powers(gap.own(LEVEL), digits)
    return Fact(what, measured, said, interval, None, "", gap, "<" if sign == "<" else ">", 0.0, FACTOR)


@dataclass(frozen=True)
class _PairedGap(Gap):
    """A gap whose p value comes from resampled blocks."""

    chance: float = 1.0

    @property
    def p(self) -> float:
        return self.chance


def _claimed(what: str, gap: Gap, claim: Claim, said: str, margin: float = 0.0) -> Fact:
    measured, _, interval = _shown(gap)
    return Fact(what, measured, said, interval, gap=gap, claim=claim, margin=margin if claim == "=" else 0.0)


def _shown(gap: Gap) -> tuple[float, None, Interval | None]:
    """Return a difference as it is shown, with nothing published beside it."""
    return round(gap.value, DIGITS), None, finite(gap.own(LEVEL), DIGITS)


def error_of_mean(values: np.ndarray, games: float) -> float:
    """Return the standard error that a mean of so many games has, if they vary as these values do; 0 without games."""
    return float(np.std(values, ddof=1)) / sqrt(games) if games and len(values) > 1 else 0.0


def rounding_of(numbers: float | Sequence[float] | Mapping[str, float]) -> float:
    """Return half a unit of the last digit of numbers that a document gives with equally many digits."""
    if isinstance(numbers, Mapping):
        numbers = list(numbers.values())
    return min(map(half_unit, numbers)) if isinstance(numbers, Sequence) else half_unit(numbers)


def finite(interval: Interval, digits: int) -> Interval | None:
    """Return an interval, rounded; None if it says nothing."""
    return None if -inf in interval or inf in interval else (round(interval[0], digits), round(interval[1], digits))


def _powers(interval: Interval, digits: int) -> Interval | None:
    return None if inf in interval else (round(exp(interval[0]), digits), round(exp(interval[1]), digits))


def _percent(part: float) -> float:
    return round(100 * part, 2)


def _percents(interval: Interval) -> Interval:
    return _percent(interval[0]), _percent(interval[1])
