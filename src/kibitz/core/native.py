"""Compilation: numba, set up once for the whole house.

Machine code is kept on disk in a folder named after the sources, because numba's own check looks at one file only and
goes stale when a helper in another file changes.
"""

import getpass
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils, event
from numba.core.errors import TypingError
from numba.extending import intrinsic

PACKAGE = Path(__file__).resolve().parent.parent
KEPT_FOLDERS = 6
INTERPRETED = bool(numba.config.DISABLE_JIT)


def _source_hash(files: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(files):
        digest.update(str(path).removeprefix(str(PACKAGE)).encode())
        digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {sys.version}".encode())
    return digest.hexdigest()


def _cache_root() -> Path:
    wished = os.environ.get("KIBITZ_CACHE")
    shared = os.environ.get("XDG_CACHE_HOME")
    root = Path(wished) if wished else (Path(shared) if shared else Path.home() / ".cache") / "kibitz"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        spare = Path(tempfile.gettempdir()) / f"kibitz-cache-{getpass.getuser()}"
        spare.mkdir(mode=0o700, exist_ok=True)
        return spare


def _open_cache() -> Path:
    root = _cache_root()
    folder = root / f"code-{_source_hash(PACKAGE.rglob('*.py'))}"
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        old = sorted(root.glob("code-*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in old[KEPT_FOLDERS:]:
            shutil.rmtree(path, ignore_errors=True)
    return folder


CACHE_FOLDER = _open_cache()
numba.config.CACHE_DIR = str(CACHE_FOLDER)


def keep_on_disk(function: Callable[..., Any], *signature: Any) -> Any:
    """Compile and keep the machine code; that of a user's own file in a folder named after the files beside it."""
    source = Path(function.__code__.co_filename).resolve()
    if source.is_file() and not source.is_relative_to(PACKAGE):
        beside = source.parent.glob("*.py") if (source.parent / "__init__.py").exists() else [source]
        folder = CACHE_FOLDER / f"own-{_source_hash(path for path in beside if path.is_file())}"
        folder.mkdir(exist_ok=True)
        numba.config.CACHE_DIR = str(folder)
    try:
        return numba.njit(*signature, cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = str(CACHE_FOLDER)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile for the types it is first called with; the machine code is found on disk by the next process."""
    return keep_on_disk(function)


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a small function that only other compiled functions call; it is folded into its callers."""
    return numba.njit(forceinline=True)(function)


if INTERPRETED:

    def pointer(array):
        """Return the address of an array's cells; here the array itself."""
        return array

    def offset(cells, n):
        """Return the cells from number n on."""
        return cells[n:]

    def send_for(cells, n):
        """Have cell n brought into the cache, without waiting for it."""

else:

    @intrinsic
    def pointer(typingctx, array):
        """Return the address of an array's cells.

        Passing addresses around spares numba's reference counts, which cost more than the rules themselves. An
        address does not keep its array alive: take it from an argument, never from an array made in the same function.
        """

        if array.layout != "C":
            raise TypingError("compiled code takes arrays whose cells lie side by side")

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
    def send_for(typingctx, cells, n):
        """Have cell n brought into the cache, without waiting for it."""

        def codegen(context, builder, signature, args):
            byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            for_reading, keep, data = word(0), word(3), word(1)
            builder.call(fetch, [builder.bitcast(builder.gep(args[0], [args[1]]), byte), for_reading, keep, data])
            return context.get_dummy_value()

        return types.void(cells, types.int64), codegen


class _Watcher(event.Listener):
    def __init__(self, tell: Callable[[str], None], done: Callable[[], None]):
        self.tell, self.done = tell, done

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        self.tell(f"{dispatcher.__module__.removeprefix('kibitz.')}.{dispatcher.__name__}")

    def on_end(self, event: Any) -> None:
        self.done()


def watch_compilation(tell: Callable[[str], None], done: Callable[[], None] = lambda: None) -> None:
    """Call `tell` with the name of every function compiled from now on, not those found on disk; then `done`."""
    event.register("numba:compile", _Watcher(tell, done))
