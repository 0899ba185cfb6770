"""The status of a worker process, in shared memory that its driver can read even after the worker has died."""

from multiprocessing.context import BaseContext
from time import monotonic_ns
from typing import Any

from kibitz.arena.play.observer import Observer

_NUMBER, _SEAT, _MOVES, _DEADLINE, _WARMING, _HEAD = range(6)
_MOST_MOVES = 1 << 15  # of one game; later ones are not kept here
_LEAST_GRACE, _GRACE = 1.0, 0.2  # seconds, and part of the time allowed, before an agent that is late is stopped
_SECOND = 10**9


class WorkerStatus(Observer):
    """The fixture in play, whose turn it is and until when, and the moves made with their seconds."""

    def __init__(self, context: BaseContext):
        self._cells: Any = context.RawArray("q", _HEAD + _MOST_MOVES)
        self._seconds: Any = context.RawArray("d", _MOST_MOVES)
        self._cells[_SEAT] = -1

    def begin(self, number: int) -> None:
        """Note that a fixture begins."""
        self._cells[_SEAT], self._cells[_MOVES], self._cells[_WARMING], self._cells[_NUMBER] = -1, 0, 0, number

    def warming(self, seat: int, seconds: float | None) -> None:
        """Note that the agent in a seat is warming up, and when it must be stopped."""
        self._cells[_WARMING] = 1
        self.thinking(seat, seconds)

    def warmed(self) -> None:
        """Note that no agent is thinking."""
        self.idle()

    def thinking(self, seat: int, seconds: float | None) -> None:
        """Note that a seat is to move, and when it must be stopped."""
        late = 0
        if seconds is not None:
            late = monotonic_ns() + int((max(0.0, seconds) + max(_LEAST_GRACE, _GRACE * seconds)) * _SECOND)
        self._cells[_DEADLINE], self._cells[_SEAT] = late, seat

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

    @property
    def number(self) -> int:
        """The fixture that was begun last."""
        return self._cells[_NUMBER]

    @property
    def seat(self) -> int:
        """The seat whose agent is thinking, or -1."""
        return self._cells[_SEAT]

    @property
    def warms(self) -> bool:
        """Whether the game has not begun, and the agent is warming up for it."""
        return bool(self._cells[_WARMING])

    @property
    def deadline(self) -> int:
        """When the agent that is thinking must be stopped; 0 if never."""
        return self._cells[_DEADLINE]

    @property
    def late(self) -> bool:
        """Whether the agent that is thinking must be stopped now."""
        deadline = self.deadline
        return 0 < deadline < monotonic_ns()

    @property
    def made(self) -> list[tuple[int, float]]:
        """The moves made after the opening, with their seconds."""
        moves = self._cells[_MOVES]
        return list(zip(self._cells[_HEAD : _HEAD + moves], self._seconds[:moves], strict=True))
