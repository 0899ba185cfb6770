"""Incidents: how agents failed, why games were played again, and why they are void."""

from collections.abc import Iterable

from kibitz.arena.play.reason import Reason

Said = tuple[str, int, str]  # why the game ended, the seat that failed or -1, and the sentence


def faults(said: Iterable[Said]) -> list[str]:
    """Return how agents failed."""
    return [fault for _, offender, fault in said if offender >= 0]


def killed(said: Iterable[Said]) -> list[str]:
    """Return why games were played again."""
    return [fault for reason, offender, fault in said if offender < 0 and reason != Reason.VOID]


def voids(said: Iterable[Said]) -> list[str]:
    """Return why games are void."""
    return [fault for reason, _, fault in said if reason == Reason.VOID]
