"""Threads: how many this process may use, and compiled calls on several of them."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from kibitz.core.native import halted


def available_threads() -> int:
    """Return how many threads this process may use; `KIBITZ_THREADS` limits it, as worker processes do."""
    limit = os.environ.get("KIBITZ_THREADS", "")
    if limit.isascii() and limit.isdecimal():
        return max(1, int(limit))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_threads(threads: int, calls: Iterable[Callable[[], object]]) -> None:
    """Make all calls of compiled code, `threads` at a time; a signal, which the main thread gets, ends them all."""
    with ThreadPoolExecutor(threads) as pool:
        work = [pool.submit(call) for call in calls]
        try:
            for one in work:
                one.result()
        except (KeyboardInterrupt, SystemExit):
            with halted():
                pool.shutdown(cancel_futures=True)
            raise
