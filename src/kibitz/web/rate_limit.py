"""A rate limit: how often something may be done at once, and per second after that."""

from time import monotonic


class RateLimit:
    """An allowance that refills over time."""

    def __init__(self, at_once: float, a_second: float):
        self.at_once, self.a_second = at_once, a_second
        self._left, self._counted = at_once, monotonic()

    @property
    def left(self) -> float:
        """How often it may be done now."""
        now = monotonic()
        self._left = min(self.at_once, self._left + self.a_second * (now - self._counted))
        self._counted = now
        return self._left

    def take(self) -> bool:
        """Return whether it may be done once more, and count it."""
        allowed = self.left >= 1
        self._left -= allowed
        return allowed
