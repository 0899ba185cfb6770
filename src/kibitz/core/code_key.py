"""What a compiled function is: a hash of its code, of all that it calls, and of the constants that they read.

Machine code is found by this hash, so it does not matter where a file lies, and a function is compiled again exactly if
something that it is made of changes.
"""

import enum
import hashlib
import platform
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config, sigutils
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import builtin_registry
from numba.extending import _Intrinsic

from kibitz.core.target import target_of

_PACKAGE = Path(__file__).resolve().parent.parent
_LIBRARIES = tuple(Path(library.__path__[0]).resolve() for library in (numba, np, llvmlite))  # known by their versions
_STANDARD = tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")})
_OF_OTHERS = frozenset({"site-packages", "dist-packages"})  # folders in that of the standard library
NO_OPTIONS: Mapping[str, Any] = {}
_FORMAT = 2  # of files of machine code; another number makes all of them unknown
_digests: dict[int, tuple[object, bytes]] = {}  # by the id of a function, which is kept alive
_circles: list[object] = []  # functions that were met inside themselves
_under_way: list[object] = []  # functions whose digest is being computed, one inside the other


class _Overloads:
    """The functions of the user that compiled code calls in place of others, in any file, as numba lists them."""

    def __init__(self) -> None:
        self._by_replaced: dict[int, list[FunctionType]] = {}  # by the id of a function, which numba keeps alive
        self._read = 0  # entries of the list

    def replacing(self, value: Any) -> list[FunctionType]:
        """Return what replaces a function."""
        known = builtin_registry.globals
        for replaced, kind in known[self._read :]:
            for template in getattr(kind, "templates", ()):
                function = getattr(template, "_overload_func", None)
                if isinstance(function, FunctionType) and not _is_known(function):
                    self._by_replaced.setdefault(id(replaced), []).append(function)
        self._read = len(known)
        return self._by_replaced.get(id(value), [])


_overloads = _Overloads()


def code_key(
    function: Callable[..., Any], signature: Any, processor: str, features: str, options: Mapping[str, Any] = NO_OPTIONS
) -> str:
    """Return the name under which the machine code of a function for a signature is kept."""
    args, result = sigutils.normalize_signature(signature)
    text = [_text_of_type(kind) for kind in (*args, result)]
    digest = digest_of_parts(
        [_making(), target_of(processor, features), dict(options), *text, digest_of_function(function)]
    )
    return f"{function.__name__.strip('<>')}-{digest.hex()}"


@cache
def _making() -> str:
    """Return what else machine code depends on: the versions of all tools, and the settings of the compiler."""
    settings = (config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT)
    python = f"{sys.implementation.name}{sys.version_info.major}.{sys.version_info.minor}"
    machine = f"{sys.platform} {platform.machine()}"
    return f"{_FORMAT} {machine} {python} {numba.__version__} {version('llvmlite')} {settings}"


def _text_of_type(kind: Any) -> str:
    """Return a type as text; for a named tuple, also inside another type, with the names of its fields."""
    fields = _fields_in(kind)
    return f"{kind} {fields}" if fields else str(kind)


def _fields_in(kind: Any) -> list[Any]:
    """Return the names of the fields of all named tuples in a type, which its text lacks."""
    inside = [*(getattr(kind, "types", None) or ()), getattr(kind, "dtype", None)]
    found = [fields for one in inside if isinstance(one, types.Type) for fields in _fields_in(one)]
    return [kind.fields, *found] if isinstance(kind, types.BaseNamedTuple) else found


def digest_of_function(function: Callable[..., Any]) -> bytes:
    """Return a hash of a function, of the functions that it calls, and of the values that it reads."""
    known = _digests.get(id(function))
    if known is not None and known[0] is function:
        return known[1]
    if function in _under_way:
        _circles.append(function)
        return digest_of_parts(["itself", function.__module__, function.__qualname__])
    circles = len(_circles)
    _under_way.append(function)
    try:
        found = digest_of_parts(_parts_of_function(function))
    finally:
        _under_way.pop()
    if len(_circles) == circles or not _under_way:  # in a circle it depends on where the circle was entered
        _digests[id(function)] = (function, found)
    return found


def _parts_of_function(function: Callable[..., Any]) -> Iterator[Any]:
    code = function.__code__
    yield from ("function", function.__module__, function.__qualname__, code.co_firstlineno)
    yield from _parts_of_code(code)
    yield getattr(function, "__defaults__", None)
    names = sorted(set(_names_in(code)))
    for cell in function.__closure__ or ():
        yield from _parts_of_value(cell.cell_contents, names, [])
    for name in names:
        if name in function.__globals__:
            yield name
            yield from _parts_of_value(function.__globals__[name], names, [])


def _parts_of_value(value: Any, names: list[str], outside: list[ModuleType]) -> Iterator[Any]:
    """Yield a value; of a module of the user also what has one of the names in it, or in a module in it."""
    yield value
    if isinstance(value, ModuleType) and value not in outside and not _is_library(value):
        for name in names:
            if hasattr(value, name):
                yield name
                yield from _parts_of_value(getattr(value, name), names, [*outside, value])


def _parts_of_code(code: CodeType) -> Iterator[Any]:
    yield from (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags, code.co_exceptiontable)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts_of_code(constant)
        else:
            yield constant


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def digest_of_parts(parts: Iterable[Any]) -> bytes:
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        content = _content(part)
        found.update(len(content).to_bytes(8, "little") + content)
    return found.digest()


def _content(value: Any) -> bytes:
    """Return bytes that are equal for equal values, in this process and in any other."""
    kind = type(value).__name__.encode()
    if isinstance(value, bytes):
        return value
    if value is None or isinstance(value, bool | int | float | complex | str | np.generic) or value is Ellipsis:
        return kind + repr(value).encode()
    if isinstance(value, enum.Enum):
        return kind + f"{value!r}".encode()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind + _content_of_class(type(value)) + digest_of_parts(value)
    if isinstance(value, tuple | list):
        return kind + digest_of_parts(value)
    if isinstance(value, set | frozenset):
        return kind + b"".join(sorted(_content(one) for one in value))
    if isinstance(value, dict):
        return kind + b"".join(sorted(_content(key) + _content(entry) for key, entry in value.items()))
    if isinstance(value, np.ndarray):
        return kind + f"{value.dtype} {value.shape}".encode() + np.ascontiguousarray(value).tobytes()
    if isinstance(value, np.dtype):
        return kind + repr(value).encode()
    return kind + _content_of_code(value) + b"".join(map(digest_of_function, _overloads.replacing(value)))


def _content_of_code(value: Any) -> bytes:
    if isinstance(value, types.Type):
        return _text_of_type(value).encode()
    if isinstance(value, Dispatcher):
        return repr(sorted((k, str(v)) for k, v in value.targetoptions.items())).encode() + digest_of_function(
            value.py_func
        )
    if isinstance(value, _Intrinsic):
        return digest_of_function(value._defn)
    if isinstance(value, ModuleType):
        return value.__name__.encode()
    if isinstance(value, type):
        return _content_of_class(value)
    if isinstance(value, FunctionType):
        return _content_of_plain_function(value)
    inner = getattr(value, "function", None)  # of a rule
    if isinstance(inner, FunctionType):
        return digest_of_function(inner)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if name is not None:  # a function of a library that is not written in Python
        return f"{getattr(value, '__module__', '')} {name}".encode()
    return f"{type(value).__module__} {type(value).__qualname__}".encode()


def _content_of_class(value: type) -> bytes:
    members = list(value.__members__.items()) if issubclass(value, enum.Enum) else []
    text = f"{value.__module__} {value.__qualname__} {getattr(value, '_fields', ())} {members}"
    return text.encode() + _content(getattr(value, "_field_defaults", None))


def _content_of_plain_function(function: FunctionType) -> bytes:
    """Return the content of a function that compiled code may replace by another: that of both.

    In files of the user more may replace it than we know, so the whole file counts.
    """
    if _is_of_library(function):
        return f"{function.__module__} {function.__qualname__}".encode()
    replacement = getattr(function, "compiled_as", None)
    parts = digest_of_function(function) + (digest_of_function(replacement) if replacement else b"")
    source = Path(function.__code__.co_filename)
    return parts if source.is_relative_to(_PACKAGE) else parts + _file_content(source)


def _is_known(function: FunctionType) -> bool:
    return _is_of_library(function) or Path(function.__code__.co_filename).is_relative_to(_PACKAGE)


def _file_content(source: Path) -> bytes:
    return hashlib.blake2b(source.read_bytes(), digest_size=16).digest() if source.is_file() else b""


def _is_of_library(function: FunctionType) -> bool:
    """Return whether the file of a function belongs to a library; the user's modules may have any name."""
    home = function.__globals__.get("__file__")
    if isinstance(home, str):
        return _is_file_of_library(home)
    module = sys.modules.get(function.__module__ or "")
    return module is not None and _is_library(module)


def _is_library(module: ModuleType) -> bool:
    home = getattr(module, "__file__", None)
    if isinstance(home, str):
        return _is_file_of_library(home)
    return module.__name__ in sys.builtin_module_names or getattr(module.__spec__, "origin", None) == "frozen"


@cache
def _is_file_of_library(name: str) -> bool:
    path = Path(name).resolve()
    if any(path.is_relative_to(folder) for folder in _LIBRARIES):
        return True
    return any(
        path.is_relative_to(folder) and _OF_OTHERS.isdisjoint(path.relative_to(folder).parts) for folder in _STANDARD
    )
