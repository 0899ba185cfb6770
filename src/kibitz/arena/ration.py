"""A ration of memory: what agents may take while they have the word, where the system can see to that."""

from pathlib import Path

from kibitz.arena.referee import Watch

try:
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

_LOADING = 1000  # MB more for an agent that warms up: the code that it loads is not counted
_MEGABYTE = 1 << 20
_SIZES = Path("/proc/self/statm")  # of this process, in pages


class Ration(Watch):
    """Hands on what it hears, and limits memory as long as an agent has the word: what others do needs room too."""

    def __init__(self, watch: Watch, megabytes: int):
        self.watch, self.megabytes = watch, megabytes
        self._without = _taken()  # the bytes that this process needs without what agents take for a game

    def begin(self, number: int) -> None:
        """Hand it on."""
        self.watch.begin(number)

    def warming(self, seat: int, seconds: float | None) -> None:
        """Limit memory, generously."""
        self.watch.warming(seat, seconds)
        _limit(_taken() + (self.megabytes + _LOADING) * _MEGABYTE)

    def warmed(self) -> None:
        """Lift the limit, and count nothing of what was loaded."""
        _limit(None)
        self._without = _taken()
        self.watch.warmed()

    def thinking(self, seat: int, seconds: float | None) -> None:
        """Limit memory."""
        self.watch.thinking(seat, seconds)
        _limit(self._without + self.megabytes * _MEGABYTE)

    def moved(self, move: int, seconds: float) -> None:
        """Lift the limit."""
        _limit(None)
        self.watch.moved(move, seconds)

    def idle(self) -> None:
        """Lift the limit."""
        _limit(None)
        self.watch.idle()


def _taken() -> int:
    return int(_SIZES.read_text().split()[5]) * resource.getpagesize()


def _limit(most: int | None) -> None:
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = hard if most is None or (hard != resource.RLIM_INFINITY and most > hard) else most
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def rationed(watch: Watch, megabytes: int | None) -> Watch:
    """Return a watch that limits memory to so many megabytes beyond what the process has now, if it can be limited."""
    if megabytes is None or resource is None or not _SIZES.exists():
        return watch
    return Ration(watch, megabytes)
