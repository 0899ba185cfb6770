"""Numbers and names as short texts."""

from collections.abc import Sequence
from typing import Any

from kibitz.core.options import as_text

ALPHA = 0.05  # a p value below it is called significant


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
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def ordinal(place: int) -> str:
    """Return a place as text."""
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"


def p_value(p: float) -> str:
    """Return a p value as text."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_statement(p: float) -> str:
    """Return a p value as a statement."""
    return f"p {p_value(p)}" if p < 0.001 else f"p = {p_value(p)}"
