"""The budget of a search in time and positions: a clock that stops it, and the fraction used."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from kibitz.agents.search.control import Control


@contextmanager
def clock(seconds: float | None, halt: Callable[[], None]) -> Iterator[None]:
    """Call `halt` after `seconds` seconds, but never after the end of the block; None means no limit."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, halt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


class SearchBudget:
    """What the search of a world may use from now on: seconds, None for no limit, and the positions allowed."""

    def __init__(self, control: Control, seconds: float | None):
        self.control, self.seconds = control, seconds
        self._nodes, self._begun = control.nodes_left, perf_counter()

    @property
    def used(self) -> float:
        """The fraction used, of seconds or positions, whichever is greater."""
        time = 0.0 if self.seconds is None else (perf_counter() - self._begun) / self.seconds
        return max(time, 1.0 - self.control.nodes_left / max(self._nodes, 1))

    @contextmanager
    def part(self, share: float) -> Iterator[None]:
        """Interrupt the search within the block once this share of what is left is used."""
        control = self.control
        seconds = None if self.seconds is None else max(self.seconds - (perf_counter() - self._begun), 0.0) * share
        kept = int(control.nodes_left * (1 - share))
        control.nodes_left -= kept
        with clock(seconds, control.interrupt):
            yield
        control.nodes_left += kept
