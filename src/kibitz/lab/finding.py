"""A finding: one number or move of a document beside what comes out here."""

from dataclasses import dataclass
from math import sqrt

from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.interval import LEVEL, normal_point

Interval = tuple[float, float]
Z = normal_point((1 + LEVEL) / 2)


@dataclass(frozen=True)
class Finding(Row):
    """What was published and what was measured; None where a document gives no number, or nothing can be said."""

    what: str
    published: float | str | None
    measured: float | str
    interval: Interval | None = None  # 95 %
    direction: bool | None = None  # whether it points the same way
    compatible: bool | None = None  # whether chance alone may be the difference
    unit: str = ""
    why: str = ""  # the cause, where they differ
    curves: dict[str, list[float]] | None = None  # of a figure, by name: a number for each turn


def rate(
    what: str, measured: float, interval: Interval, published: float | None, games: int,
    even: tuple[float, float] | None,
) -> Finding:  # fmt: skip
    """Return the finding of a share of games in per cent; `games` is how many were published, 0 if that is not said.

    It points the same way if both shares lie on the same side of an even share: the published one of the first in
    `even`, the measured one of the second, because draws may differ.
    """
    direction = compatible = None
    if published is not None:
        theirs = sqrt(max(published * (1 - published), 0.25 / games) / games) if games else 0.0
        ours = (interval[1] - interval[0]) / 2 / Z
        compatible = abs(measured - published) <= Z * sqrt(theirs**2 + ours**2)
        if even is not None and published != even[0]:
            direction = (measured > even[1]) == (published > even[0])
    low, high = interval
    shown = None if published is None else _percent(published)
    return Finding(what, shown, _percent(measured), (_percent(low), _percent(high)), direction, compatible, "%")


def amount(
    what: str, measured: float, interval: Interval | None, published: float | None, within: float, unit: str
) -> Finding:
    """Return the finding of a number published without error bars; `within` is the part by which it may be off.

    Without an interval nothing can be said of it.
    """
    compatible = None
    if published is not None and interval is not None:
        low, high = interval
        slack = within * abs(published)
        compatible = low - slack <= published <= high + slack
    return Finding(what, published, measured, interval, None, compatible, unit)


def _percent(share: float) -> float:
    return round(100 * share, 2)
