"""A supervised process runs agents. Its supervisor outlives them and ends what they started.

The driver's fork server (fork_server.py) forks the supervisor, which forks the worker. It runs no agent's code, so it
notices when the driver is gone, however the driver ended and whatever the worker is doing, and it records pauses. This
needs Linux; elsewhere the worker has no supervisor and watches its driver itself.
"""

import ctypes
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Lock, Thread
from time import monotonic_ns
from typing import Any

from kibitz.arena.process import fork_server
from kibitz.arena.process.fork_server import ForkedProcess
from kibitz.arena.process.tampering import HARMS
from kibitz.arena.process.worker_status import TICK, WorkerStatus
from kibitz.bots.sandbox.landlock import close_to_others

_DYING = 1.0  # seconds that a process may take to end after its pipe has closed
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)  # how people and systems kill processes
_ENDING = 5.0  # seconds that a supervisor may take to end its descendants
_HAS_SUPERVISORS = sys.platform == "linux"
_environment = Lock()  # held while the environment is set up for a new process
_DEATH_SIGNAL, _SUBREAPER = 1, 36  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl
_LATE = 50_000_000  # nanoseconds by which a tick may be late without a pause
_SECOND = 10**9
_SAFE_PATH, _ONLY_OURS = "PYTHONSAFEPATH", "of the worker only"  # a variable for workers; any value will do


class SupervisedProcess:
    """A process that runs one function, given its status and one end of a pipe."""

    def __init__(self, module: str, function: str, *given: Any):
        close_to_others()
        context = get_context("spawn")
        self.status = WorkerStatus(context)
        self.pipe, there = context.Pipe()
        with _current_folder_ignored(), _interrupts_held():
            self.process = _started(module, function, self.status, there, *given)
        there.close()

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self.process.is_alive()

    def end(self) -> None:
        """End the process at once, and everything it has started."""
        self.process.terminate()
        self.process.join(_ENDING)
        self.process.kill()
        self.process.join()

    @property
    def killed(self) -> bool:
        """Whether the process was killed by a signal that people and systems send and faulty code does not raise."""
        return -(self.process.exitcode or 0) in _FROM_OUTSIDE

    @property
    def signalled(self) -> bool:
        """Whether the process was killed by a signal, which any process of the same user can send."""
        return (self.process.exitcode or 0) < 0

    def cause_of_death(self) -> str:
        """Wait a moment for the process to end and return how it ended, in words."""
        self.process.join(_DYING)
        code = self.process.exitcode
        if code is None:
            return "its process hung up"
        if code in HARMS:
            return HARMS[code]
        return f"its process died ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})"


def _started(module: str, function: str, *given: Any) -> ForkedProcess | SpawnProcess:
    if _HAS_SUPERVISORS:
        return fork_server.fork(module, _work_under_supervisor, module, function, *given)
    process = get_context("spawn").Process(target=_work_alone, args=(module, function, *given), daemon=True)
    process.start()
    return process


@contextmanager
def _current_folder_ignored() -> Iterator[None]:
    """Start a process that imports no module from the current folder, where agents may be."""
    with _environment:
        before = os.environ.get(_SAFE_PATH, "")
        os.environ[_SAFE_PATH] = before or _ONLY_OURS
        try:
            yield
        finally:
            if before:
                os.environ[_SAFE_PATH] = before
            else:
                del os.environ[_SAFE_PATH]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start a process that Ctrl-C does not reach; its driver will end it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or starting it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_under_supervisor(
    news: connection.Connection, server: int, module: str, function: str, status: WorkerStatus, *given: Any
) -> None:
    _supervise(news, server, status)
    _work(module, function, status, *given)


def _work_alone(module: str, function: str, status: WorkerStatus, *given: Any) -> None:
    Thread(target=_die_with_the_driver, daemon=True).start()
    _work(module, function, status, *given)


def _work(module: str, function: str, status: WorkerStatus, *given: Any) -> None:
    """Run a function of a module, and end."""
    close_to_others()  # since true states and seeds are in it, and agents run beside it
    if os.environ.get(_SAFE_PATH) == _ONLY_OURS:
        del os.environ[_SAFE_PATH]  # which programs started by agents would inherit
    run: Callable[..., None] = getattr(import_module(module), function)
    run(status, *given)
    os._exit(0)  # no thread left by an agent can delay us


def _supervise(news: connection.Connection, server: int, status: WorkerStatus) -> None:
    """Fork the worker and return only in it; it gets signals as before, and dies with its supervisor."""
    close_to_others()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD])
    _tie_to(server, signal.SIGTERM)
    os.setsid()  # what is sent to the driver's group or terminal is not meant for us
    _prctl(_SUBREAPER, 1)
    supervisor = os.getpid()
    status.tick(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python 3.12 warns about threads, which libraries may have started
        worker = os.fork()
    if worker:
        os.closerange(3, news.fileno())
        os.closerange(news.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        _end_as(_watch(worker, status), news)
    news.close()
    _tie_to(supervisor, signal.SIGKILL)
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM, signal.SIGCHLD])


def _tie_to(parent: int, number: int) -> None:
    """Ask for a signal when the parent is gone; end now if it is gone already."""
    _prctl(_DEATH_SIGNAL, number)
    if os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _watch(worker: int, status: WorkerStatus) -> int:
    """Wait until the worker has ended or must end; return how it ended, once all its descendants are gone."""
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
    """Return which children have stopped, continued or ended, and how."""
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


def _end_as(ended: int, news: connection.Connection) -> None:
    """End in the same way as the worker, and tell the driver."""
    fork_server.tell(news, os.waitstatus_to_exitcode(ended))
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
