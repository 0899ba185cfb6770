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
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
