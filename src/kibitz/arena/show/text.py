"""Numbers and names as short texts."""

from collections.abc import Sequence
from math import log10
from typing import Any

from kibitz.core.options import as_text

REASONS = {
    "won": "won", "drawn": "drawn", "cap": "drawn by the limit of moves", "time": "out of time",
    "nodes": "too many nodes", "memory": "out of memory", "illegal": "illegal move", "crash": "crashed",
    "start": "not started", "protocol": "broke the protocol", "flood": "wrote or ran too much",
    "void": "void",
}  # fmt: skip
STYLES = ("s1", "s2", "s3", "s4", "s5", "s6")
COLOURS = ("red", "green", "blue", "yellow", "brown", "purple", "orange", "black", "white")


def title_of(game: str, options: dict[str, Any]) -> str:
    """Return a game with its options as text."""
    chosen = ", ".join(f"{name}={as_text(value)}" for name, value in options.items())
    return f"{game} ({chosen})" if chosen else game


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
    """Return how often a place was taken; seats that tie share it."""
    return f"{count:,.1f}".removesuffix(".0")


def number_text(value: float, digits: int = 4) -> str:
    """Return a number with this many digits, or with all before the point, never as a power of ten."""
    if abs(value) >= 10**digits:
        return f"{value:,.0f}"
    shown = f"{value:.{digits}g}"
    return shown if "e" not in shown else f"{value:.{2 * digits}f}".rstrip("0").rstrip(".")


def points_text(value: float) -> str:
    """Return a rating as text."""
    return f"{value:+.0f}".replace("+0", "0") if abs(value) < 0.5 else f"{value:+.0f}"


def points_span(ends: Sequence[float]) -> str:
    """Return an interval of ratings as text."""
    return f"{points_text(ends[0])} … {points_text(ends[1])}"


def seat_style(name: str, seat: int) -> str:
    """Return the style in which a seat is drawn: its own colour where that is its name."""
    return name if name in COLOURS else STYLES[seat % len(STYLES)]


def bin_text(entry: dict[str, Any]) -> str:
    """Return what a bin holds."""
    return f"{entry['from']}" if entry["from"] == entry["to"] else f"{entry['from']}–{entry['to']}"


def long_time(seconds: float) -> str:
    """Return a time of any length as text."""
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return duration(seconds)


def speed_text(number: float) -> str:
    """Return how many a second."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.{max(1, 1 - int(log10(number)))}f}"
