"""Orphans: processes that a bot has started become ours if its launcher dies first, and are ended here.

While a bot runs, this process is the one that orphans of its descendants are given to (Linux only). Those of bots are
told from other children by their limits, which a process can lower but not raise, and by their session.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

from kibitz.bots.sandbox.sandbox import FILES, WRITTEN

LINUX = sys.platform == "linux"
PATIENCE = 5.0  # seconds for what was killed to be gone
_SET_SUBREAPER, _GET_SUBREAPER = 36, 37  # of prctl

_lock = Lock()
_state = {"process": 0, "bots": 0, "before": 0}


def adopt() -> None:
    """Adopt orphans until `release` has been called as often."""
    with _lock:
        if _state["process"] != os.getpid():
            _state.update(process=os.getpid(), bots=0)
        if _state["bots"] == 0:
            _state["before"] = _subreaper()
            _set_subreaper(1)
        _state["bots"] += 1


def release() -> None:
    """Stop adopting orphans when no bot runs any more."""
    with _lock:
        _state["bots"] -= 1
        if _state["bots"] == 0:
            _set_subreaper(_state["before"])


def end_orphans() -> None:
    """End the processes that bots have left to us."""
    until = monotonic() + PATIENCE
    while LINUX and monotonic() < until:
        orphans = [pid for pid in _children() if _is_of_a_bot(pid)]
        if not orphans:
            return
        for pid in orphans:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        sleep(0.001)


def _is_of_a_bot(pid: int) -> bool:
    """Return whether a child of ours is in another session and has the limits of a bot, which we do not have."""
    import resource

    most = {resource.RLIMIT_CORE: 0, resource.RLIMIT_NOFILE: FILES, resource.RLIMIT_FSIZE: WRITTEN << 20}
    try:
        theirs = all(_within(resource.prlimit(pid, kind)[1], limit) for kind, limit in most.items())
        ours = all(_within(resource.getrlimit(kind)[1], limit) for kind, limit in most.items())
        return theirs and not ours and os.getsid(pid) != os.getsid(0)
    except OSError:
        return False


def _within(hard: int, limit: int) -> bool:
    return 0 <= hard <= limit


def _children() -> list[int]:
    us, found = os.getpid(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parent = int((entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
                found += [int(entry.name)] if parent == us else []
    return found


def _subreaper() -> int:
    found = ctypes.c_int(0)
    if LINUX:
        ctypes.CDLL(None).prctl(_GET_SUBREAPER, ctypes.byref(found), 0, 0, 0)
    return found.value


def _set_subreaper(value: int) -> None:
    if LINUX:
        ctypes.CDLL(None).prctl(_SET_SUBREAPER, ctypes.c_ulong(value), 0, 0, 0)
