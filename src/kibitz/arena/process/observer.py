"""An observer of a game: it is notified of events while the game is played."""


class Observer:
    """Is notified of events at a table as they happen; this one ignores them."""

    def begin(self, number: int) -> None:
        """A fixture begins."""

    def warming(self, seat: int, seconds: float | None) -> None:
        """The agent in a seat is warming up, for this many seconds at most."""

    def warmed(self) -> None:
        """All agents of the game are warm."""

    def thinking(self, seat: int, seconds: float | None) -> None:
        """A seat is to move, within this many seconds."""

    def moved(self, move: int, seconds: float) -> None:
        """A move was made after this many seconds."""

    def idle(self) -> None:
        """No agent is thinking."""

    def paused(self) -> float:
        """Return for how many seconds the process is known to have been paused since the agent began to think."""
        return 0.0


UNOBSERVED = Observer()
