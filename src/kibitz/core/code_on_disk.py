"""The machine code of functions on disk, found by what a function is (core/code_key.py).

It is looked for in three places: in this user's folder, in the package, which brings the code of all that it ships, and
in a folder that is only read: that of the process that started this one in a sandbox, or this user's if it cannot be
written, as in the image of a container. Otherwise it is compiled and kept in the user's folder; if several processes
need a function, one compiles it while the others wait.
"""

import getpass
import hashlib
import os
import pickle
import stat
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import serialize
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult

from kibitz.core.code_key import code_key
from kibitz.core.compile_forecast import CompileForecast
from kibitz.core.compile_notice import CompileNotice
from kibitz.core.inlined_functions import set_environments
from kibitz.core.target import target_of

try:
    import fcntl
except ImportError:  # not on Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]

PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED = PACKAGE / "machine_code"
_PATIENCE = 60.0  # seconds, after which a process compiles for itself
_PAUSE = 0.02
_KEPT_DAYS = 60  # code that nobody has loaded for longer is removed
_DAY = 86400.0
_CODE = "code"  # the folder with a file for each function
_SUFFIX = ".code"
_LOCK = ".turn"
_CHECK = 16  # bytes of a hash in front of the code
_TYPES_AS_TEXT = 6  # where numba's parts of compiled code hold its types as text, with the path of the source
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_NOWHERE = Path(os.devnull, "kibitz")
_USER = os.getuid() if hasattr(os, "getuid") else getpass.getuser()  # a container may have users without names


def tell(sentence: str) -> None:
    """Say on standard error what costs time but stops nothing."""
    with suppress(OSError, ValueError, AttributeError):
        print(f"kibitz: {sentence}", file=sys.stderr, flush=True)


def _usual_root() -> Path:
    own, home = os.environ.get("KIBITZ_CACHE"), os.environ.get("XDG_CACHE_HOME")
    if not own and not home and os.environ.get("HOME") == "":
        raise RuntimeError  # Python would take the root of all folders
    return Path(own) if own else (Path(home) if home else Path.home() / ".cache") / "kibitz"


def _objection(folder: Path) -> str:
    """Return why machine code in a folder cannot be trusted; empty if only this user can write there."""
    found = folder.stat()
    if not stat.S_ISDIR(found.st_mode):
        return "it is not a folder"
    if hasattr(os, "geteuid") and found.st_uid not in (os.geteuid(), 0):
        return "it belongs to somebody else"
    return "others can write there; change that with: chmod go-w" if found.st_mode & _OTHERS_MAY_WRITE else ""


def _checked_roots() -> tuple[Path, Path | None]:
    """Return the folder for machine code, made if necessary, and one that is only read.

    If the usual one cannot be used, the first is another, with a sentence unless there is code to read.
    """
    where, why = "your home folder", ""
    try:
        root = _usual_root()
        where = str(root)
        root.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            root.mkdir(mode=0o700)
        why = _objection(root)
        if not why:
            with tempfile.TemporaryFile(dir=root):
                return root, None
    except OSError as error:
        if not why and _is_trusted(Path(where, _CODE)):
            return _spare_root(), Path(where)
        why = error.strerror or type(error).__name__
    except RuntimeError:
        why = "there is none"
    spare = _spare_root()
    kept = f"it is kept in {spare}" if spare != _NOWHERE else "it is made again each time"
    tell(f"machine code is not kept in {where} ({why}); {kept}")
    return spare, None


def _spare_root() -> Path:
    """Return a folder of this user's in the folder for temporary files, or one that can never exist."""
    with suppress(OSError):  # there may be no folder that can be written
        spare = Path(tempfile.gettempdir()) / f"kibitz-cache-{_USER}"
        with suppress(OSError):
            spare.mkdir(mode=0o700, exist_ok=True)
            if not spare.is_symlink() and not _objection(spare):
                return spare
        return Path(tempfile.mkdtemp(prefix="kibitz-cache-"))
    return _NOWHERE


def _is_trusted(folder: Path) -> bool:
    """Return whether machine code in a folder may be loaded and kept; if others can write there, say so once."""
    try:
        why = _objection(folder)
    except OSError:  # it does not exist yet
        return False
    if why:
        _tell_of_distrust(folder, why)
    return not why


@cache
def _tell_of_distrust(folder: Path, why: str) -> None:
    tell(f"machine code in {folder} is not used ({why})")


CACHE_ROOT, _READ_ONLY = _checked_roots()
IGNORES_SHIPPED = bool(os.environ.get("KIBITZ_IGNORE_SHIPPED"))  # to measure how long compiling takes
SHARED_CACHE = os.environ.get("KIBITZ_SHARED_CACHE") or (_READ_ONLY and str(_READ_ONLY))  # a folder that is only read


def code_folder() -> Path:
    """Return the folder of machine code of this user."""
    return CACHE_ROOT / _CODE


def code_file(key: str) -> Path:
    """Return the file of the machine code with a key."""
    return code_folder() / f"{key}{_SUFFIX}"


@cache
def _ready_folder() -> Path | None:
    """Return the folder of this user, made if necessary; None if it is passed over, as others can write there."""
    folder = code_folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_trusted(folder):
        return None
    _remove_old(folder)
    return folder


def _remove_old(folder: Path) -> None:
    """Remove code that was not loaded for long; looked at once a day."""
    stamp = folder / "swept"
    now = time.time()
    with suppress(OSError):
        if stamp.exists() and now - stamp.stat().st_mtime < _DAY:
            return
        stamp.touch()
        for path in folder.iterdir():
            with suppress(OSError):
                if now - path.stat().st_mtime > _KEPT_DAYS * _DAY:
                    path.unlink()


class _Shipped:
    """The machine code in the package, one archive for each target."""

    def __init__(self) -> None:
        self._archives: dict[str, zipfile.ZipFile | None] = {}
        self._lock = threading.Lock()

    def read(self, target: str, key: str) -> bytes | None:
        with self._lock:
            archive = self._archive(target)
            try:
                return None if archive is None else unsealed(key, archive.read(key))
            except Exception:  # there is none, or damage anywhere in the archive
                return None

    def _archive(self, target: str) -> zipfile.ZipFile | None:
        if target not in self._archives:
            try:
                self._archives[target] = zipfile.ZipFile(shipped_file(target))
            except Exception:
                self._archives[target] = None
        return self._archives[target]


def shipped_file(target: str, folder: Path = SHIPPED) -> Path:
    """Return the archive of machine code for a target and this Python."""
    return folder / f"{target}-{sys.implementation.cache_tag}.zip"


_shipped = _Shipped()
used: set[str] = set()  # the keys of our own machine code that this process loaded or compiled
NOTE_USED = "KIBITZ_NOTE_USED"  # names a file in which all processes note these keys, a line each


def _note_used(key: str, function: Callable[..., Any]) -> None:
    if key in used or not function.__module__.startswith("kibitz."):
        return
    used.add(key)
    if os.environ.get(NOTE_USED):
        with suppress(OSError), Path(os.environ[NOTE_USED]).open("a") as notes:
            notes.write(f"{key}\n")


def sealed(key: str, code: bytes) -> bytes:
    """Return code as it is kept: behind a hash of it and its key."""
    return hashlib.blake2b(key.encode() + b"\0" + code, digest_size=_CHECK).digest() + code


def unsealed(key: str, content: bytes) -> bytes | None:
    """Return the code in what is kept; None if any of it is damaged, or if it is that of another key."""
    code = content[_CHECK:]
    return code if sealed(key, code) == content else None


def read_code(path: Path) -> bytes | None:
    """Return the code in a file, which bears the name of its key; None if there is none, or if it is damaged."""
    try:
        return unsealed(path.name.removesuffix(_SUFFIX), path.read_bytes()) if path.is_file() else None
    except OSError:
        return None


def write_code(path: Path, code: bytes) -> None:
    """Write a file of machine code, so that nobody ever finds half of it."""
    descriptor, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(sealed(path.name.removesuffix(_SUFFIX), code))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _is_kept(key: str) -> bool:
    folders = [code_folder(), *([Path(SHARED_CACHE, _CODE)] if SHARED_CACHE else [])]
    with suppress(OSError, ValueError):  # no file can have such a name
        return bool(key) and any((folder / f"{key}{_SUFFIX}").is_file() for folder in folders)
    return False


forecast = CompileForecast(CACHE_ROOT, _is_kept)
notice = CompileNotice(forecast)
forecast.watch(notice.tell)
_together = threading.local()


class InWork(Exception):
    """Another process is compiling the function, and this one has something else to do."""


@contextmanager
def together() -> Iterator[None]:
    """Let functions that another process is compiling raise InWork in the block, in place of waiting for them."""
    _together.impatient = True
    try:
        yield
    finally:
        _together.impatient = False


@cache
def _tell_of_full_disk(why: str) -> None:
    tell(f"machine code cannot be kept in {CACHE_ROOT} ({why}); it will be compiled again next time")


def kept_code(key: str, make: Callable[[], bytes]) -> bytes:
    """Return code of another kind that is kept under a key; if there is none, make it and keep it."""
    known = read_code(code_file(key)) if _is_trusted(code_folder()) else None
    if known is None:
        known = make()
        _keep(key, known)
    return known


def _keep(key: str, code: bytes) -> None:
    """Keep code in the folder of this user, if that is possible."""
    try:
        folder = _ready_folder()
        if folder is not None:
            write_code(folder / code_file(key).name, code)
    except IsADirectoryError:
        pass  # something else has the name, so it is compiled each time
    except OSError as error:
        _tell_of_full_disk(error.strerror or type(error).__name__)


def full_name(function: Callable[..., Any]) -> str:
    """Return the name of a function, with its module."""
    return f"{function.__module__}.{function.__qualname__}"


class _CodeOnDisk(_Cache):  # type: ignore[misc]
    """What numba asks for the machine code of a function, and gives it to."""

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any]):
        self._function, self._options = function, options
        self._turn: int | None = None  # the lock file while it is our turn to compile
        self._key = ""

    @property
    def name(self) -> str:
        """The name of the function, with its module."""
        return full_name(self._function)

    @property
    def key(self) -> str:
        """The key of the machine code that was looked for last."""
        return self._key

    @property
    def cache_path(self) -> str:
        return str(code_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        processor, features = target_context.codegen().magic_tuple()[1:]
        self._key = code_key(self._function, sig, processor, features, self._options)
        found = self._found(target_context, target_of(processor, features))
        if found is None and fcntl is not None and self._turn is None and self._take_turn():
            found = self._found(target_context, target_of(processor, features))
            if found is not None:
                self.end_turn()
        return found

    def _found(self, target_context: Any, target: str) -> Any:
        for read in self._places(target):
            code = read()
            if code is not None:
                try:
                    found = CompileResult._rebuild(target_context, *pickle.loads(code))
                except Exception:  # of another version, under the same name: compiled again
                    continue
                _note_used(self._key, self._function)
                forecast.note_found(self.name)
                return found
        return None

    def _places(self, target: str) -> Iterator[Callable[[], bytes | None]]:
        if _is_trusted(code_folder()):
            yield lambda: self._read_own(code_file(self._key))
        if not IGNORES_SHIPPED:
            yield lambda: _shipped.read(target, self._key)
        if SHARED_CACHE and _is_trusted(Path(SHARED_CACHE, _CODE)):
            yield lambda: read_code(Path(SHARED_CACHE, _CODE, code_file(self._key).name))

    def _read_own(self, path: Path) -> bytes | None:
        code = read_code(path)
        with suppress(OSError):
            if code is not None and time.time() - path.stat().st_mtime > _DAY:
                os.utime(path)  # for _remove_old
        return code

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            if not data.lifted and not data.library.has_dynamic_globals:
                _note_used(self._key, self._function)
                parts = list(data._reduce())
                parts[_TYPES_AS_TEXT] = ""
                with _no_signal_lost():
                    _keep(self._key, serialize.dumps(tuple(parts)))
        finally:
            self.end_turn()

    def _take_turn(self) -> bool:
        """Wait until no other process compiles the function, then lock it."""
        try:
            folder = _ready_folder()
            if folder is None:
                return False
            file = os.open(folder / f"{self._key}{_LOCK}", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:  # the folder is read-only, or gone
            return False
        if _locked(file):
            self._turn = file
            return True
        if getattr(_together, "impatient", False):
            os.close(file)
            raise InWork
        end = time.monotonic() + _PATIENCE
        with forecast.waiting():
            while time.monotonic() < end:
                time.sleep(_PAUSE)
                forecast.note_waited(_PAUSE)
                if _locked(file):
                    self._turn = file
                    return True
        os.close(file)
        return False

    def end_turn(self) -> None:
        """Let other processes compile the function."""
        if self._turn is not None:
            with suppress(OSError):
                Path(code_folder(), f"{self._key}{_LOCK}").unlink(missing_ok=True)
            os.close(self._turn)
            self._turn = None

    def enable(self) -> None:
        """Do nothing: numba asks for it."""

    def disable(self) -> None:
        """Do nothing: numba asks for it."""

    def flush(self) -> None:
        """Do nothing: numba asks for it."""


def _locked(file: int) -> bool:
    """Lock a file; return whether that was possible at once."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


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


def dispatcher_of(function: Callable[..., Any], **options: Any) -> Any:
    """Return numba's dispatcher of a function; its machine code is kept on disk."""
    dispatcher = numba.njit(nogil=True, **options)(function)
    code = dispatcher._cache = _CodeOnDisk(function, options)
    compile_ = dispatcher._compiler.compile

    def compile_in_turn(args: Any, return_type: Any) -> Any:
        try:
            with forecast.compiling(code.name, code.key), _no_signal_lost():
                found = compile_(args, return_type)
            set_environments(found.library)
            return found
        except BaseException:
            code.end_turn()
            raise

    dispatcher._compiler.compile = compile_in_turn
    return dispatcher
