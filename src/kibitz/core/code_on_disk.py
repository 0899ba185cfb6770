"""The machine code of a function on disk; one process compiles it while others that need it wait."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache

try:
    import fcntl
except ImportError:  # not on Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]

_PATIENCE = 60.0  # seconds, after which a process compiles for itself
_PAUSE = 0.05


class _CodeOnDisk(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function: numba asks it first, compiles if it has nothing, and saves the result."""

    _turn: int | None = None  # the lock file while it is our turn to compile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None and fcntl is not None and self._turn is None:
            self._take_turn()
            found = super().load_overload(sig, target_context)
            if found is not None:
                self.end_turn()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            with _no_signal_lost():
                super().save_overload(sig, data)
        finally:
            self.end_turn()

    def _take_turn(self) -> None:
        """Wait until no other process compiles the function, then lock it."""
        try:
            self._impl.locator.ensure_cache_path()
            name = Path(self.cache_path, f"{self._impl.filename_base}.turn")
            file = os.open(name, os.O_CREAT | os.O_RDWR, 0o666)
        except OSError:  # the folder is read-only, or gone
            return
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(_PAUSE)
            else:
                self._turn = file
                return
        os.close(file)

    def end_turn(self) -> None:
        """Let other processes compile the function."""
        if self._turn is not None:
            os.close(self._turn)
            self._turn = None


@contextmanager
def _no_signal_lost() -> Iterator[None]:
    """Raise at the end what a signal handler raised in a callback from LLVM, which Python would drop."""
    lost: list[BaseException] = []
    usual = sys.unraisablehook

    def keep(unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, Exception):
            usual(unraisable)
        else:
            lost.append(unraisable.exc_value)

    sys.unraisablehook = keep
    try:
        yield
    finally:
        sys.unraisablehook = usual
        if lost:
            raise lost[0]


def dispatcher_of(function: Callable[..., Any]) -> Any:
    """Return numba's dispatcher of a function; its machine code is kept in numba's present cache folder."""
    dispatcher = numba.njit(nogil=True)(function)
    code = dispatcher._cache = _CodeOnDisk(function)
    compile_ = dispatcher._compiler.compile

    def compile_in_turn(args: Any, return_type: Any) -> Any:
        try:
            with _no_signal_lost():
                return compile_(args, return_type)
        except BaseException:
            code.end_turn()
            raise

    dispatcher._compiler.compile = compile_in_turn
    return dispatcher
