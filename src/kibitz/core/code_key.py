"""What a compiled function is: a hash of its code, of all that it calls, and of the constants that they read.

Machine code is found by this hash, so it does not matter where a file lies, and a function is compiled again exactly if
something that it is made of changes.
"""

import enum
import hashlib
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import config, sigutils
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

from kibitz.core.target import target_of

_LIBRARIES = frozenset({"numba", "numpy", "llvmlite", "cython", *sys.stdlib_module_names})  # known by their versions
_PACKAGE = Path(__file__).resolve().parent.parent
NO_OPTIONS: Mapping[str, Any] = {}
_FORMAT = 1  # of files of machine code; another number makes all of them unknown
_digests: dict[int, tuple[object, bytes]] = {}  # by the id of a function, which is kept alive
_circles: list[object] = []  # functions that were met inside themselves
_under_way: list[object] = []  # functions whose digest is being computed, one inside the other


def code_key(
    function: Callable[..., Any], signature: Any, processor: str, features: str, options: Mapping[str, Any] = NO_OPTIONS
) -> str:
    """Return the name under which the machine code of a function for a signature is kept."""
    args, result = sigutils.normalize_signature(signature)
    text = [_text_of_type(kind) for kind in (*args, result)]
    digest = _digest([_making(), target_of(processor, features), dict(options), *text, digest_of_function(function)])
    return f"{function.__name__.strip('<>')}-{digest.hex()}"


@cache
def _making() -> str:
    """Return what else machine code depends on: the versions of all tools, and the settings of the compiler."""
    settings = (config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT)
    python = f"{sys.implementation.name}{sys.version_info.major}.{sys.version_info.minor}"
    machine = f"{sys.platform} {platform.machine()}"
    return f"{_FORMAT} {machine} {python} {numba.__version__} {version('llvmlite')} {settings}"


def _text_of_type(kind: Any) -> str:
    """Return a type as text; for a named tuple also the names of its fields."""
    fields = getattr(kind, "fields", ())
    inside = [_text_of_type(one) for one in getattr(kind, "types", ())] if fields else []
    return f"{kind} {fields} {inside}" if fields else str(kind)


def digest_of_function(function: Callable[..., Any]) -> bytes:
    """Return a hash of a function, of the functions that it calls, and of the values that it reads."""
    known = _digests.get(id(function))
    if known is not None and known[0] is function:
        return known[1]
    if function in _under_way:
        _circles.append(function)
        return _digest(["itself", function.__module__, function.__qualname__])
    circles = len(_circles)
    _under_way.append(function)
    try:
        found = _digest(_parts_of_function(function))
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
    for cell in function.__closure__ or ():
        yield cell.cell_contents
    names = sorted(set(_names_in(code)))
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name
            yield value
            if isinstance(value, ModuleType) and not _is_library(value.__name__):
                yield from (getattr(value, inside) for inside in names if hasattr(value, inside))


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


def _digest(parts: Iterable[Any]) -> bytes:
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
    if isinstance(value, tuple | list):
        return kind + _digest(value)
    if isinstance(value, set | frozenset):
        return kind + b"".join(sorted(_content(one) for one in value))
    if isinstance(value, dict):
        return kind + b"".join(sorted(_content(key) + _content(entry) for key, entry in value.items()))
    if isinstance(value, np.ndarray):
        return kind + f"{value.dtype} {value.shape}".encode() + np.ascontiguousarray(value).tobytes()
    return kind + _content_of_code(value)


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
    return text.encode()


def _content_of_plain_function(function: FunctionType) -> bytes:
    """Return the content of a function that compiled code may replace by another: that of both.

    In files of the user we do not know which replaces it, so the whole file counts.
    """
    if _is_library(function.__module__):
        return f"{function.__module__} {function.__qualname__}".encode()
    replacement = getattr(function, "compiled_as", None)
    parts = digest_of_function(function) + (digest_of_function(replacement) if replacement else b"")
    source = Path(function.__code__.co_filename)
    return parts if source.is_relative_to(_PACKAGE) else parts + _file_content(source)


def _file_content(source: Path) -> bytes:
    return hashlib.blake2b(source.read_bytes(), digest_size=16).digest() if source.is_file() else b""


def _is_library(module: str | None) -> bool:
    return (module or "").partition(".")[0] in _LIBRARIES
