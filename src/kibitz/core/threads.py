"""How many threads this process may use."""

import os


def available_threads() -> int:
    """Return how many threads this process may use; `KIBITZ_THREADS` limits it, as worker processes do."""
    limit = os.environ.get("KIBITZ_THREADS", "")
    if limit.isascii() and limit.isdecimal():
        return max(1, int(limit))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
