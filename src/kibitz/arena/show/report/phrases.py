"""Numbers and names of a report as text."""

from collections.abc import Sequence
from math import log10
from typing import Any

from kibitz.arena.show.text import ALPHA, duration, p_statement

REASONS = {
    "won": "won", "drawn": "drawn", "cap": "drawn by the limit of moves", "time": "out of time",
    "nodes": "too many nodes", "memory": "out of memory", "illegal": "illegal move", "crash": "crashed",
}  # fmt: skip
_TESTS = {
    "chi-square": "chi-square",
    "simulated": "p simulated, chi-square",
    "clustered": "T² over deals",
    "exchanged": "seats exchanged within deals",
}


def points_text(value: float) -> str:
    """Return a rating as text."""
    return f"{value:+.0f}".replace("+0", "0") if abs(value) < 0.5 else f"{value:+.0f}"


def points_span(ends: Sequence[float]) -> str:
    """Return an interval of ratings as text."""
    return f"{points_text(ends[0])} … {points_text(ends[1])}"


def half_width(ends: Sequence[float]) -> float:
    """Return half the width of an interval."""
    return (ends[1] - ends[0]) / 2


def chance_text(chance: float) -> str:
    """Return how likely something is."""
    if chance > 0.9995:
        return "> 99.9%"
    return "< 0.1%" if chance < 0.0005 else f"{chance:.1%}"


def verdict_text(claim: str, found: dict[str, Any]) -> str:
    """Return what a test found about a claim of equality, as a sentence."""
    if found["method"] == "too few games":
        return f"There are too few games to test whether {claim}."
    answer = "It is unlikely" if found["p"] < ALPHA else "There is no evidence against the claim"
    test = f"{_TESTS[found['method']]} {found['statistic']:.1f}, df = {found['df']}"
    return f"{answer} that {claim} ({p_statement(found['p'])}; {test})."


def bin_text(entry: dict[str, Any]) -> str:
    """Return what a bin holds."""
    return f"{entry['from']}" if entry["from"] == entry["to"] else f"{entry['from']}–{entry['to']}"


def time_text(seconds: float | None) -> str:
    """Return a time that may not be known."""
    return "–" if seconds is None else duration(seconds)


def long_time(seconds: float) -> str:
    """Return a time of any length as text."""
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return duration(seconds)


def speed_text(number: float) -> str:
    """Return how many a second."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.{max(1, 1 - int(log10(number)))}f}"
