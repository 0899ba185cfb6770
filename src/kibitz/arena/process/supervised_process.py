"""A supervised process: one in which agents run, as the process that started it sees it."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from threading import Lock
from typing import Any

from kibitz.arena.process.supervisor import PATH_OF_PYTHON, SAFE_PATH, work
from kibitz.arena.process.tampering import HARMS
from kibitz.arena.process.worker_status import WorkerStatus
from kibitz.bots.sandbox.landlock import close_to_others

_DYING = 1.0  # seconds that a process may take to end after its pipe has closed
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)  # what people and systems end processes with
_ENDING = 5.0  # seconds that a keeper may take to end all that it keeps
_environment = Lock()  # held while it is that of a process to be started


class SupervisedProcess:
    """A process that runs one function, given its status and one end of a pipe."""

    def __init__(self, module: str, function: str, *given: Any):
        close_to_others()
        context = get_context("spawn")
        self.status = WorkerStatus(context)
        self.pipe, there = context.Pipe()
        args = (module, function, self.status, there, *given)
        self.process = context.Process(target=work, args=args, daemon=True)
        with _current_folder_ignored(), _interrupts_held():
            self.process.start()
        there.close()

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self.process.is_alive()

    def end(self) -> None:
        """End the process at once, and all that it has started."""
        self.process.terminate()
        self.process.join(_ENDING)
        self.process.kill()
        self.process.join()

    @property
    def killed(self) -> bool:
        """Whether the process was ended by a signal as people and systems send it, which no fault of code raises."""
        return -(self.process.exitcode or 0) in _FROM_OUTSIDE

    @property
    def signalled(self) -> bool:
        """Whether the process was ended by a signal, which any process of the same user can send."""
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


@contextmanager
def _current_folder_ignored() -> Iterator[None]:
    """Start a process that takes no module of Python from the current folder, where agents may lie."""
    with _environment:
        before = os.environ.get(SAFE_PATH, "")
        os.environ[SAFE_PATH] = before or PATH_OF_PYTHON
        try:
            yield
        finally:
            if before:
                os.environ[SAFE_PATH] = before
            else:
                del os.environ[SAFE_PATH]


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
