"""A fork server: a process that has loaded our code, and of which every worker is a copy that starts at once.

It runs no agent's code and knows no secret: what a worker is given goes to the worker alone. Only its owner can ask it
for anything, through a socket without a name. It ends with its owner.
"""

import atexit
import gc
import importlib
import os
import pickle
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context, reduction
from multiprocessing.connection import Connection
from multiprocessing.context import get_spawning_popen, set_spawning_popen
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

from kibitz.bots.sandbox.landlock import close_to_others

_MOST_NAME, _MOST_DESCRIPTORS = 4096, 64  # of a request
_OUTPUTS = (1, 2)  # descriptors
_FAILED, _KILLED = 1, -signal.SIGKILL  # exit codes of processes that were never begun, and of those that tell none
_READ_AT_IMPORT = ("KIBITZ_", "NUMBA_", "PYTHON", "HOME", "XDG_CACHE_HOME", "TMPDIR")  # how such variables begin

_received: list[int] = []  # descriptors that came with the request for this process


class ForkedProcess:
    """A process of a fork server, as its owner sees it; named as those of multiprocessing are."""

    def __init__(self, news: Connection):
        self._news, self._reading = news, Lock()
        self._pid: int | None = None
        self._code: int | None = None

    @property
    def pid(self) -> int:
        """The number of the process; ProcessLookupError if it was never begun."""
        if self._pid is None:
            self._hear(None)
        if self._pid is None:
            raise ProcessLookupError
        return self._pid

    @property
    def exitcode(self) -> int | None:
        """How the process ended: its exit code, a signal as a negative number, None while it runs."""
        self.join(0)
        return self._code

    def is_alive(self) -> bool:
        """Return whether the process is running."""
        return self.exitcode is None

    def join(self, timeout: float | None = None) -> None:
        """Wait until the process has ended."""
        while self._code is None and self._hear(timeout):
            pass

    def terminate(self) -> None:
        """Send SIGTERM."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        with suppress(ProcessLookupError):
            if self.is_alive():
                os.kill(self.pid, number)

    def _hear(self, timeout: float | None) -> bool:
        """Take in the next number that the process tells: its own, then its exit code; return whether there was one."""
        with self._reading:
            if self._code is not None or not self._news.poll(timeout):
                return False
            try:
                number = int(self._news.recv_bytes())
            except (EOFError, OSError):
                number = _FAILED if self._pid is None else _KILLED
                self._code = number
                return True
            if self._pid is None:
                self._pid = number
            else:
                self._code = number
            return True


class ForkServer:
    """The process that forks, as its owner sees it."""

    def __init__(self) -> None:
        self._socket, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            self.process = get_context("spawn").Process(target=_serve, args=(there,), daemon=True)
            self.process.start()
        atexit.register(self.close)

    def close(self) -> None:
        """Let the server end, and its processes with it."""
        self._socket.close()
        atexit.unregister(self.close)

    def fork(self, module: str, function: Callable[..., None], *given: Any) -> ForkedProcess:
        """Return a new process that runs a function with a module loaded; OSError if the server has ended."""
        parcel = _Parcel()
        content = parcel.pack((dict(os.environ), _folder(), list(sys.path), function, given))
        news, there = get_context("spawn").Pipe(duplex=False)
        reader, writer = os.pipe()
        outputs = [descriptor for descriptor in _OUTPUTS if _is_open(descriptor)]
        head = " ".join([module, *map(str, outputs)]).encode()
        try:
            socket.send_fds(self._socket, [head], [reader, there.fileno(), *outputs, *parcel.descriptors])
        except OSError:
            os.close(writer)
            raise
        finally:
            os.close(reader)
            there.close()
        with suppress(BrokenPipeError), open(writer, "wb") as out:  # noqa: PTH123
            out.write(content)
        return ForkedProcess(news)


class _Parcel:
    """What is given to a process, with its descriptors; it stands where multiprocessing has a process it starts."""

    def __init__(self) -> None:
        self.descriptors: list[int] = []

    def pack(self, what: object) -> bytes:
        before = get_spawning_popen()
        set_spawning_popen(self)  # type: ignore[arg-type]  # it has what pickling needs
        try:
            return bytes(reduction.ForkingPickler.dumps(what))
        finally:
            set_spawning_popen(before)

    def duplicate_for_child(self, descriptor: int) -> int:
        self.descriptors.append(descriptor)
        return len(self.descriptors) - 1

    @staticmethod
    def DupFd(number: int) -> "_Received":  # as multiprocessing calls it
        return _Received(number)


class _Received:
    """A descriptor on its way to a process."""

    def __init__(self, number: int):
        self.number = number

    def detach(self) -> int:
        return _received[self.number]


_servers: dict[tuple[Any, ...], ForkServer] = {}
_starting = Lock()


def fork(module: str, function: Callable[..., None], *given: Any) -> ForkedProcess:
    """Return a process that runs a function with a module loaded.

    The function is given the connection for its exit code, the number of its parent, and the rest.
    """
    read = tuple(sorted((name, text) for name, text in os.environ.items() if name.startswith(_READ_AT_IMPORT)))
    key = os.getpid(), read
    with _starting:
        for _ in range(2):
            try:
                server = _servers.get(key) or _servers.setdefault(key, ForkServer())
                return server.fork(module, function, *given)
            except ConnectionError:  # somebody has ended it
                _servers.pop(key).close()
    raise ChildProcessError("the process that starts workers was ended twice")


def _folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:  # it was removed
        return None


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _serve(requests: socket.socket) -> NoReturn:
    """Fork a process for every request, until our owner closes the socket."""
    close_to_others()  # what workers are given passes through copies of this process
    os.setsid()  # what is sent to our owner's group or terminal is not meant for us
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # processes that have ended leave nothing behind
    server = os.getpid()
    try:
        while True:
            head, descriptors, _, _ = socket.recv_fds(requests, _MOST_NAME, _MOST_DESCRIPTORS)
            if not head:
                break
            module, *outputs = head.decode().split()
            _load(module)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python 3.12 warns about threads, which libraries may have started
                child = os.fork()
            if not child:
                requests.close()
                _begin(server, descriptors, [int(number) for number in outputs])
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        os._exit(0)


def _load(module: str) -> None:
    """Load what a worker is going to need; what fails here fails in the worker as well, and is told there."""
    with suppress(Exception):
        importlib.import_module(module)
        from kibitz.core.native import load_compiler

        load_compiler()
        gc.freeze()  # so that copies share the memory of what is loaded


def _begin(server: int, descriptors: list[int], outputs: list[int]) -> NoReturn:
    """Be the new process: take on what our owner is at this moment, and run its function."""
    reader, told, *rest = descriptors
    news = Connection(told, readable=False)
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, descriptor in zip(outputs, rest, strict=False):
            os.dup2(descriptor, number)
            os.close(descriptor)
        _received[:] = rest[len(outputs) :]
        tell(news, os.getpid())
        with open(reader, "rb") as file:  # noqa: PTH123
            environment, folder, path, function, given = pickle.load(file)
        os.environ.clear()
        os.environ.update(environment)
        if folder is not None:
            os.chdir(folder)
        sys.path[:] = path
        importlib.invalidate_caches()
        function(news, server, *given)
    except BaseException:
        traceback.print_exc()
    finally:
        tell(news, _FAILED)
        os._exit(_FAILED)


def tell(news: Connection, number: int) -> None:
    """Tell the owner of this process a number: its own, and at the end its exit code."""
    with suppress(OSError):  # the owner is gone
        news.send_bytes(str(number).encode())
