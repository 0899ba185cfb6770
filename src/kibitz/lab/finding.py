"""A finding: a published number or move beside the measured one."""

from dataclasses import dataclass
from math import hypot

from kibitz.arena.results.row import Row
from kibitz.arena.results.statistics.interval import wilson

Interval = tuple[float, float]


@dataclass(frozen=True)
class Finding(Row):
    """A published and a measured number; None where the document gives no number, or nothing can be concluded."""

    what: str
    published: float | str | None
    measured: float | str
    interval: Interval | None = None  # 95 %
    direction: bool | None = None  # whether both point the same way
    compatible: bool | None = None  # whether chance alone may explain the difference
    unit: str = ""
    why: str = ""  # the cause, where they differ
    curves: dict[str, list[float]] | None = None  # of a figure: by name, a number for each turn


def rate(
    what: str, measured: float, interval: Interval, published: float | None, games: float,
    even: tuple[float, float] | None, within: float = 0.0,
) -> Finding:  # fmt: skip
    """Return the finding of a share of games in per cent; `games` is the published number of games, 0 if unknown.

    It points the same way if both shares lie on the same side of an even share: the published one of `even[0]`, the
    measured one of `even[1]`, because draws may differ. `within` is the tolerance of a share without games, relative to
    the share or, if that is less, to what it lacks to 100 %.
    """
    direction = compatible = None
    if published is not None:
        slack = within * min(published, 1 - published)
        compatible = _alike(measured, interval, published, games) if games else _lies_in(interval, published, slack)
        if even is not None and published != even[0]:
            direction = bool((measured > even[1]) == (published > even[0]))
    low, high = interval
    shown = None if published is None else _percent(published)
    return Finding(what, shown, _percent(measured), (_percent(low), _percent(high)), direction, compatible, "%")


def _alike(measured: float, interval: Interval, published: float, games: float) -> bool:
    """Return whether Newcombe's interval (1998, method 10) of the difference of two shares holds 0."""
    low, high = wilson(published * games, games)
    if measured < published:
        return bool(published - measured <= hypot(interval[1] - measured, published - low))
    return bool(measured - published <= hypot(measured - interval[0], high - published))


def _lies_in(interval: Interval, published: float, slack: float) -> bool:
    return bool(interval[0] - slack <= published <= interval[1] + slack)


def amount(
    what: str, measured: float, interval: Interval | None, published: float | None, within: float, unit: str
) -> Finding:
    """Return the finding of a number published without error bars; `within` is its relative tolerance.

    Without an interval nothing can be concluded.
    """
    compatible = None
    if published is not None and interval is not None:
        compatible = _lies_in(interval, published, within * abs(published))
    return Finding(what, published, measured, interval, None, compatible, unit)


def rounded(interval: Interval | None, digits: int, unit: float = 1.0) -> Interval | None:
    """Return an interval in a unit, rounded."""
    return None if interval is None else (round(interval[0] / unit, digits), round(interval[1] / unit, digits))


def _percent(share: float) -> float:
    return round(100 * share, 2)
