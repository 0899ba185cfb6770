"""A limit on memory while agents think, on systems that can enforce one."""

from pathlib import Path

from kibitz.arena.process.observer import Observer

try:
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

_LOADING = 1000  # extra MB for an agent that warms up, for the code it loads
_MEGABYTE = 1 << 20
_SIZES = Path("/proc/self/statm")  # of this process, in pages


class MemoryLimit(Observer):
    """Limits the memory of this process while an agent thinks, and informs another observer."""

    def __init__(self, observer: Observer, megabytes: int):
        self.observer, self.megabytes = observer, megabytes
        self._base = _taken()  # bytes that this process needs besides what agents use

    def begin(self, number: int) -> None:
        """Pass it on."""
        self.observer.begin(number)

    def warming(self, seat: int, seconds: float | None) -> None:
        """Limit memory, generously."""
        self.observer.warming(seat, seconds)
        _limit(_taken() + (self.megabytes + _LOADING) * _MEGABYTE)

    def warmed(self) -> None:
        """Lift the limit, and do not count what was loaded."""
        _limit(None)
        self._base = _taken()
        self.observer.warmed()

    def thinking(self, seat: int, seconds: float | None) -> None:
        """Limit memory."""
        self.observer.thinking(seat, seconds)
        _limit(self._base + self.megabytes * _MEGABYTE)

    def moved(self, move: int, seconds: float) -> None:
        """Lift the limit."""
        _limit(None)
        self.observer.moved(move, seconds)

    def idle(self) -> None:
        """Lift the limit."""
        _limit(None)
        self.observer.idle()

    def paused(self) -> float:
        """Return the other observer's answer."""
        return self.observer.paused()


def with_memory_limit(observer: Observer, megabytes: int | None) -> Observer:
    """Return an observer that allows this many megabytes beyond what the process uses now, where that is possible."""
    if megabytes is None or resource is None or not _SIZES.exists():
        return observer
    return MemoryLimit(observer, megabytes)


def _taken() -> int:
    return int(_SIZES.read_text().split()[5]) * resource.getpagesize()


def _limit(most: int | None) -> None:
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = hard if most is None or (hard != resource.RLIM_INFINITY and most > hard) else most
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
