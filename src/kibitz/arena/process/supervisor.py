"""The supervisor of a process in which agents run: it outlives them, ends what they started, and notes their pauses.

The process that the driver starts becomes the supervisor and forks the one that works. It runs no agent's code, so it
hears when the driver is gone, however the driver ended and whatever the worker is doing. This needs Linux; elsewhere
the worker has no supervisor, and looks after its driver itself.
"""

import ctypes
import os
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing import connection, parent_process
from pathlib import Path
from threading import Thread
from time import monotonic_ns
from typing import Any

from kibitz.arena.process.worker_status import TICK, WorkerStatus
from kibitz.bots.sandbox.landlock import close_to_others

_DEATH_SIGNAL, _SUBREAPER = 1, 36  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl
_LATE = 50_000_000  # nanoseconds by which a tick may be late without a pause
_SECOND = 10**9
SAFE_PATH, PATH_OF_PYTHON = "PYTHONSAFEPATH", "of the worker only"  # what a worker is started with; any word does


def work(module: str, function: str, status: WorkerStatus, *given: Any) -> None:
    """Do the work that a function of a module describes, under a keeper where there can be one."""
    close_to_others()  # for truth and seeds are in there, and agents run beside
    if os.environ.get(SAFE_PATH) == PATH_OF_PYTHON:
        del os.environ[SAFE_PATH]  # which programs that agents start would follow too
    if sys.platform == "linux":
        _keep(status)
    else:
        Thread(target=_die_with_the_driver, daemon=True).start()
    deed: Callable[..., None] = getattr(import_module(module), function)
    deed(status, *given)
    os._exit(0)  # no thread that an agent has left can hold us up


def _keep(status: WorkerStatus) -> None:
    """Fork the worker, in which alone this returns; it gets signals as before, and dies with its keeper."""
    driver = parent_process()
    assert driver is not None
    assert driver.pid is not None
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD])
    _tie_to(driver.pid, signal.SIGTERM)
    os.setsid()  # what is sent to the driver's group or terminal is not meant for us
    _prctl(_SUBREAPER, 1)
    supervisor = os.getpid()
    status.tick(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python 3.12 about threads, of which libraries may have started some
        worker = os.fork()
    if worker:
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        _end_as(_watch(worker, status))
    _tie_to(supervisor, signal.SIGKILL)
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM, signal.SIGCHLD])


def _tie_to(parent: int, number: int) -> None:
    """Get a signal when the parent is gone; end now if it is gone already."""
    _prctl(_DEATH_SIGNAL, number)
    if os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _watch(worker: int, status: WorkerStatus) -> int:
    """Wait until the worker has ended, or is to be ended; return how it ended after all its descendants are gone."""
    last, stopped = monotonic_ns(), False
    while True:
        sent = signal.sigtimedwait([signal.SIGTERM, signal.SIGCHLD], TICK / _SECOND)
        now = monotonic_ns()
        status.tick(now - last if stopped or now - last > TICK + _LATE else 0, stopped)
        last = now
        if sent is not None and sent.si_signo == signal.SIGTERM:
            os.kill(worker, signal.SIGKILL)
        for pid, ended in _changes():
            if pid == worker and os.WIFSTOPPED(ended):
                stopped = True
            elif pid == worker and os.WIFCONTINUED(ended):
                stopped = False
            elif pid == worker:
                _end_descendants()
                return ended


def _changes() -> list[tuple[int, int]]:
    """Return which children have stopped, gone on or ended, and how."""
    found = []
    with suppress(ChildProcessError):
        while (change := os.waitpid(-1, os.WNOHANG | os.WUNTRACED | os.WCONTINUED))[0]:
            found.append(change)
    return found


def _end_descendants() -> None:
    """End what the worker has started: its orphans are our children."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, os.WNOHANG)  # an error if there are none
            for pid in _children():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    us, found = os.getpid(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                found += [int(entry.name)] if parent == us else []
    return found


def _end_as(ended: int) -> None:
    """End in the same way as the worker."""
    if os.WIFSIGNALED(ended):
        import resource

        number = os.WTERMSIG(ended)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):  # of a signal that cannot be caught
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(ended) & 0xFF)


def _die_with_the_driver() -> None:
    driver = parent_process()
    assert driver is not None
    connection.wait([driver.sentinel])
    os._exit(1)
