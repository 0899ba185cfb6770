"""Numbers and names as short texts."""

from collections.abc import Sequence
from typing import Any

from kibitz.core.options import as_text


def title_of(game: str, options: dict[str, Any]) -> str:
    """Return a game with its options as text."""
    chosen = ", ".join(f"{name}={as_text(value)}" for name, value in options.items())
    return f"{game} ({chosen})" if chosen else game


def span(interval: Sequence[float]) -> str:
    """Return an interval of rates as text."""
    return f"{interval[0]:.1%} – {interval[1]:.1%}"


def duration(seconds: float) -> str:
    """Return a short time as text."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{number_text(seconds / scale, 3)} {unit}"
    return f"{number_text(seconds / 1e-9, 3)} ns"


def time_text(seconds: float | None) -> str:
    """Return a time that may not be known."""
    return "–" if seconds is None else duration(seconds)


def ordinal(place: int) -> str:
    """Return a place as text."""
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"


def places_text(count: float) -> str:
    """Return how often a place was taken, of which seats that tie have a part."""
    return f"{count:,.1f}".removesuffix(".0")


def number_text(value: float, digits: int = 4) -> str:
    """Return a number with so many digits or all before the point, never as a power of ten."""
    if abs(value) >= 10**digits:
        return f"{value:,.0f}"
    shown = f"{value:.{digits}g}"
    return shown if "e" not in shown else f"{value:.{2 * digits}f}".rstrip("0").rstrip(".")
