"""The status of a worker process, in shared memory that its driver can read even after the worker has died."""

from collections.abc import MutableSequence
from multiprocessing.context import BaseContext
from time import monotonic_ns, sleep
from typing import Any

from kibitz.arena.process.observer import Observer
from kibitz.core.code_on_disk import forecast
from kibitz.core.compile_forecast import CompileProgress

_NUMBER, _GAMES, _SEAT, _LAST, _MOVES, _DEADLINE, _WARMING = range(7)
_TICKED, _PAUSED, _PAUSED_BEFORE, _STOPPED = range(7, 11)
_COMPILED, _TO_COMPILE, _COMPILE_TIME, _WHOLE, _HELD_UP, _HEAD = range(11, 17)
_MOST_MOVES = 1 << 15  # of one game; later ones are not kept here
_LEAST_GRACE, _GRACE = 1.0, 0.2  # seconds, and fraction of the time allowed, after which a late agent is stopped
_SECOND = 10**9

TICK = 20_000_000  # nanoseconds between two checks by the supervisor
_FRESH = 3 * TICK  # the age of a tick after which there may be an unrecorded pause
_NEWS = 0.5  # seconds to wait for a tick


class WorkerStatus(Observer):
    """The fixture in play, whose turn it is and until when, the moves made with their seconds, and pauses."""

    def __init__(self, context: BaseContext):
        self._cells: MutableSequence[int] = context.RawArray("q", _HEAD + _MOST_MOVES)
        self._seconds: Any = context.RawArray("d", _MOST_MOVES)
        self._cells[_NUMBER] = self._cells[_SEAT] = self._cells[_LAST] = -1

    def begin(self, number: int) -> None:
        """Note that a fixture begins."""
        cells = self._cells
        cells[_GAMES] += number != cells[_NUMBER]
        cells[_SEAT], cells[_LAST], cells[_MOVES], cells[_WARMING], cells[_NUMBER] = -1, -1, 0, 0, number

    def warming(self, seat: int, seconds: float | None) -> None:
        """Note that the agent in a seat is warming up, and when it must be stopped."""
        self._cells[_WARMING] = 1
        self.thinking(seat, seconds)

    def warmed(self) -> None:
        """Note that no agent is thinking."""
        self.idle()

    def thinking(self, seat: int, seconds: float | None) -> None:
        """Note that a seat is to move, and when it must be stopped."""
        late, cells = 0, self._cells
        if seconds is not None:
            late = monotonic_ns() + int((max(0.0, seconds) + max(_LEAST_GRACE, _GRACE * seconds)) * _SECOND)
        cells[_PAUSED_BEFORE] = cells[_PAUSED]
        cells[_DEADLINE], cells[_LAST], cells[_SEAT] = late, seat, seat

    def moved(self, move: int, seconds: float) -> None:
        """Note a move."""
        self.idle()
        moves = self._cells[_MOVES]
        if moves < _MOST_MOVES:
            self._cells[_HEAD + moves], self._seconds[moves] = move, seconds
            self._cells[_MOVES] = moves + 1

    def idle(self) -> None:
        """Note that no agent is thinking."""
        self._cells[_DEADLINE], self._cells[_SEAT] = 0, -1

    def compiling(self, progress: CompileProgress | None) -> None:
        """Note how far compiling is, and how long it took so far; None when nothing is being compiled."""
        number, of, left, whole = progress or CompileProgress(0, 0, 0.0)
        self._cells[_HELD_UP] = int(forecast.held_up * _SECOND)
        self._cells[_COMPILED], self._cells[_COMPILE_TIME], self._cells[_WHOLE] = number, int(left * _SECOND), whole
        self._cells[_TO_COMPILE] = of

    @property
    def compile_progress(self) -> CompileProgress | None:
        """How far compiling is; None if nothing is being compiled."""
        number, of, left = self._cells[_COMPILED], self._cells[_TO_COMPILE], self._cells[_COMPILE_TIME] / _SECOND
        return CompileProgress(number, of, left, bool(self._cells[_WHOLE])) if of > 0 else None

    @property
    def held_up(self) -> float:
        """The seconds for which the process has compiled, or waited for others that did."""
        return self._cells[_HELD_UP] / _SECOND

    def tick(self, paused: int, stopped: bool = False) -> None:
        """Note, as the supervisor, for how many nanoseconds the worker was paused, and whether it is stopped now."""
        self._cells[_PAUSED] += paused
        self._cells[_STOPPED] = stopped
        self._cells[_TICKED] = monotonic_ns()

    def paused(self) -> float:
        """Return for how many seconds the process was paused since the agent began to think."""
        patience = monotonic_ns() + int(_NEWS * _SECOND)
        while not self.up_to_date and monotonic_ns() < patience:
            sleep(TICK / _SECOND)
        return self._paused / _SECOND

    @property
    def up_to_date(self) -> bool:
        """Whether all pauses so far are recorded; always true without a supervisor."""
        ticked = self._cells[_TICKED]
        return ticked == 0 or monotonic_ns() - ticked < _FRESH

    @property
    def stopped(self) -> bool:
        """Whether the worker was stopped when its supervisor last looked."""
        return bool(self._cells[_STOPPED])

    @property
    def _paused(self) -> int:
        return self._cells[_PAUSED] - self._cells[_PAUSED_BEFORE]

    @property
    def number(self) -> int:
        """The last fixture that was begun, or -1."""
        return self._cells[_NUMBER]

    @property
    def fresh(self) -> bool:
        """Whether this fixture is the first that the process has begun."""
        return self._cells[_GAMES] <= 1

    @property
    def seat(self) -> int:
        """The seat whose agent is thinking, or -1."""
        return self._cells[_SEAT]

    @property
    def last(self) -> int:
        """The seat whose agent thought last in this fixture, or -1."""
        return self._cells[_LAST]

    @property
    def warms(self) -> bool:
        """Whether the agent is warming up and the game has not begun."""
        return bool(self._cells[_WARMING])

    @property
    def deadline(self) -> int:
        """When the agent that is thinking must be stopped, unless there is a pause; 0 if never."""
        return self._cells[_DEADLINE]

    @property
    def late(self) -> bool:
        """Whether the agent that is thinking must be stopped now."""
        deadline = self.deadline
        return 0 < deadline < monotonic_ns() - self._paused

    @property
    def made(self) -> list[tuple[int, float]]:
        """The moves made after the opening, with their seconds."""
        moves = self._cells[_MOVES]
        return list(zip(self._cells[_HEAD : _HEAD + moves], self._seconds[:moves], strict=True))
