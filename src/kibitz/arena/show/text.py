"""Numbers and names as short texts."""

from collections.abc import Sequence
from typing import Any

from kibitz.core.options import as_text

ALPHA, STRONG = 0.05, 0.01  # p values below them are called some and strong evidence


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


def ordinal(place: int) -> str:
    """Return a place as text."""
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"


def p_value(p: float) -> str:
    """Return a p value as text."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_statement(p: float) -> str:
    """Return a p value as a statement."""
    return f"p {p_value(p)}" if p < 0.001 else f"p = {p_value(p)}"


def number_text(value: float, digits: int = 4) -> str:
    """Return a number with so many digits or all before the point, never as a power of ten."""
    if abs(value) >= 10**digits:
        return f"{value:,.0f}"
    shown = f"{value:.{digits}g}"
    return shown if "e" not in shown else f"{value:.{2 * digits}f}".rstrip("0").rstrip(".")


def evidence(claim: str, p: float) -> str:
    """Return what a p value says about a claim that things differ, and what the value means."""
    strength = "strong" if p < STRONG else "some" if p < ALPHA else "no"
    often = "fewer than 1 in 1,000" if p < 0.001 else f"{p:.1%}" if p < 0.1 else f"{p:.0%}"
    return (
        f"There is {strength} evidence that {claim} ({p_statement(p)}: by chance alone, {often} of such runs would "
        "differ at least as much)."
    )
