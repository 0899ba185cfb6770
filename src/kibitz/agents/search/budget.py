"""A search's time: a clock that tells it to stop."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def clock(seconds: float | None, halt: Callable[[], None]) -> Iterator[None]:
    """Call `halt` once so many seconds have passed, and never after the end of the block; None is for ever."""
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
