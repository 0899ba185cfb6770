"""Compilation: numba, set up once for the whole house.

Machine code is kept on disk and found by its content (core/code_on_disk.py): numba's own cache looks at one file only,
and does not notice when a helper in another file changes.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, event
from numba.core.errors import TypingError
from numba.extending import intrinsic

from kibitz.core.code_on_disk import dispatcher_of
from kibitz.core.errors import Halted
from kibitz.core.inlined_functions import InlinedFunction
from kibitz.core.target import choose_target

# When it first loads code, numba looks for SciPy's linear algebra, for a function that works without it. That import
# takes a fifth of the time that a process needs to start, so it is hidden for the moment.
_LINEAR_ALGEBRA = "scipy.linalg.cython_blas"
if _LINEAR_ALGEBRA not in sys.modules:
    sys.modules[_LINEAR_ALGEBRA] = None  # type: ignore[assignment]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[_LINEAR_ALGEBRA]

INTERPRETED = bool(numba.config.DISABLE_JIT)
choose_target()


def keep_on_disk(function: Callable[..., Any], *signature: Any, **options: Any) -> Any:
    """Compile a function and keep its machine code if it comes from a file."""
    if INTERPRETED or not Path(function.__code__.co_filename).is_file():
        return numba.njit(*signature, nogil=True, **options)(function)
    dispatcher = dispatcher_of(function, **options)
    for types_of_arguments in signature:
        dispatcher.compile(types_of_arguments)
        dispatcher.disable_compile()
    return dispatcher


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function for the types of its first call; the next process finds the machine code on disk."""
    return keep_on_disk(function)


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a small function that other compiled functions call; it is inlined into them."""
    return numba.njit(function) if INTERPRETED else InlinedFunction(function, compiled)


def from_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a helper as a compiled function that Python calls with arrays in place of addresses."""
    return compiled(getattr(function, "py_func", function))


if INTERPRETED:

    def pointer(array):
        """Return the address of an array's cells; interpreted, the array itself."""
        return array

    def offset(cells, n):
        """Return the cells from number n on."""
        return cells[n:]

    def prefetch(cells, n):
        """Start to load cell n into the cache of the processor."""

else:

    @intrinsic
    def pointer(typingctx, array):
        """Return the address of an array's cells.

        Addresses avoid numba's reference counts, which cost more than the rules themselves. An address does not keep
        its array alive: take it from an argument, never from an array made in the same function.
        """

        if array.layout != "C":
            raise TypingError("compiled code takes contiguous arrays only")

        def codegen(context, builder, signature, args):
            return context.make_array(array)(context, builder, args[0]).data

        return types.CPointer(array.dtype)(array), codegen

    @intrinsic
    def offset(typingctx, cells, n):
        """Return the cells from number n on."""

        def codegen(context, builder, signature, args):
            return builder.gep(args[0], [args[1]])

        return cells(cells, types.int64), codegen

    @intrinsic
    def prefetch(typingctx, cells, n):
        """Start to load cell n into the cache of the processor."""

        def codegen(context, builder, signature, args):
            byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            for_reading, keep, data = word(0), word(3), word(1)
            builder.call(fetch, [builder.bitcast(builder.gep(args[0], [args[1]]), byte), for_reading, keep, data])
            return context.get_dummy_value()

        return types.void(cells, types.int64), codegen


HALT = np.zeros(1, dtype=np.int64)  # while it is not 0, compiled loops in all threads end

if INTERPRETED:

    def heed_signals_in_loop():
        """Handle signals in a compiled loop; interpreted, Python does."""

    def _is_halted(address):
        return address[0] != 0

else:

    @intrinsic
    def heed_signals_in_loop(typingctx):
        """Handle signals in a compiled loop; what a handler raises leaves the loop."""

        def codegen(context, builder, signature, args):
            api = context.get_python_api(builder)
            lock = api.gil_ensure()
            word = ir.IntType(32)
            check = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, []), "PyErr_CheckSignals")
            raised = builder.icmp_signed("!=", builder.call(check, []), word(0))
            api.gil_release(lock)
            with cgutils.if_unlikely(builder, raised):
                context.call_conv.return_exc(builder)
            return context.get_dummy_value()

        return types.void(), codegen

    @intrinsic
    def _is_halted(typingctx, address):
        def codegen(context, builder, signature, args):
            cell = builder.load(builder.inttoptr(args[0], ir.IntType(64).as_pointer()))
            return builder.icmp_signed("!=", cell, ir.IntType(64)(0))

        return types.boolean(types.int64), codegen


@helper
def heed(halt):
    """Leave a long compiled loop if a signal has arrived or HALT is set; `halt` is the address of HALT."""
    if _is_halted(halt):
        raise Halted("stopped from another thread")
    heed_signals_in_loop()


@contextmanager
def halted() -> Iterator[None]:
    """Make compiled loops in other threads end while the block runs."""
    HALT[0] += 1
    try:
        yield
    finally:
        HALT[0] -= 1


class _Watcher(event.Listener):  # type: ignore[misc]
    def __init__(self, tell: Callable[[str], None], done: Callable[[], None]):
        self.tell, self.done = tell, done

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        self.tell(f"{dispatcher.__module__.removeprefix('kibitz.')}.{dispatcher.__name__}")

    def on_end(self, event: Any) -> None:
        self.done()


def watch_compilation(tell: Callable[[str], None], done: Callable[[], None] = lambda: None) -> None:
    """Call `tell` with the name of every function that is compiled from now on, not loaded from disk, then `done`."""
    event.register("numba:compile", _Watcher(tell, done))


def load_compiler() -> None:
    """Load what the first compiled function of a process would load."""
    if not INTERPRETED:
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
