"""Functions by address: a function compiled for one signature, and how compiled code calls it.

A call costs about two nanoseconds, so a search written once runs on every game without being compiled again. Inside
such a function only `state[i]` works on an array, so the same source also runs interpreted (NUMBA_DISABLE_JIT=1), where
a handle is the plain function. An error raised inside passes through the compiled caller to Python.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import import_module
from typing import Any
from weakref import WeakValueDictionary

from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError, TypingError, UnsupportedBytecodeError
from numba.extending import intrinsic

from kibitz.core.code_on_disk import InWork, forecast, full_name, together
from kibitz.core.errors import BadGame
from kibitz.core.native import INTERPRETED, keep_on_disk

# Lines of numba's messages that say nothing to an author:
_IS_NOISE = re.compile(
    r"nopython|^During|^File|^\s*\^|^- |^>>>|There are \d+ candidate|pipeline|^def |^@|<source elided>"
)

_IN_PLAIN_WORDS = (  # what numba says of common mistakes, and what they are
    (r"to none for '\$", "returns a value; it must return nothing"),
    (r"global name '(\w+)': .*<class 'function'>", "calls {0}, which lacks @helper above it"),
    (r"global name '(\w+)': .*<class '(?:dict|list|set|str)'>", "reads {0}; make it a NumPy array, or use numbers"),
    (r"global name '(\w+)': .*<class 'builtin", "calls {0}, which rules cannot; they only read and write cells"),
    (r"setitem>\).*readonly array", "writes to a table of the module; what changes belongs in cells of the state"),
    (
        r"<built-in function (len|sum|max|min|sorted|list)>",
        "calls {0} on cells, which are read one by one, as in state[i]",
    ),
    (r"STORE_GLOBAL", "assigns to a global; what changes belongs in cells of the state"),
    (r"exception_match", "catches an exception, which rules cannot"),
)

CELLS = types.CPointer(types.int64)
NUMBERS = types.CPointer(types.float64)
FLOATS = types.CPointer(types.float32)
BYTES = types.CPointer(types.uint8)
DICE = types.CPointer(types.uint64)
INT = types.int64
NUMBER = types.float64
NOTHING = types.void


_without_code: ContextVar[bool] = ContextVar("without_code", default=False)


@contextmanager
def without_code() -> Iterator[None]:
    """Compile nothing in the block: all addresses are 0, so what is built there can be looked at, but never run."""
    before = _without_code.set(True)
    try:
        yield
    finally:
        _without_code.reset(before)


def compiles_nothing() -> bool:
    """Return whether nothing is compiled here."""
    return INTERPRETED or _without_code.get()


_natives: "WeakValueDictionary[str, Native]" = WeakValueDictionary()  # by the names of their functions


class Native:
    """A function compiled for one signature and called by its address; called from Python it runs interpreted."""

    def __init__(self, function: Callable[..., Any], signature: Any):
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.signature = signature
        self._address: int | None = None
        self._dispatcher: Any = None
        _natives[full_name(function)] = self

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def __repr__(self) -> str:
        return f"<compiled {self.__module__}.{self.__name__}>"

    @property
    def handle(self) -> Any:
        """What compiled code calls it by: its address, or the plain function if nothing is compiled."""
        if INTERPRETED:
            return self.function
        if _without_code.get():
            return 0
        if self._address is None:
            try:
                self._dispatcher = keep_on_disk(
                    self.function, self.signature, no_cpython_wrapper=True, no_cfunc_wrapper=True
                )
            except (NumbaError, UnsupportedBytecodeError) as error:
                raise BadGame(explained(self.function, error)) from error
            (built,) = self._dispatcher.overloads.values()
            self._address = built.library.get_pointer_to_function(built.fndesc.llvm_func_name)
        return self._address


def compile_together(functions: Iterable[Native]) -> None:
    """Compile functions, the longest first and those last that another process is compiling just now.

    So several processes that need the same share the work.
    """
    waiting = [function for function in functions if function._address is None]
    if compiles_nothing() or not waiting:
        return
    waiting.sort(key=lambda function: -forecast.cost(full_name(function.function)))
    in_work = []
    for function in waiting:
        try:
            with together():
                _ = function.handle
        except InWork:
            in_work.append(function)
    for function in in_work:
        _ = function.handle


def compile_expected() -> None:
    """Compile all that is expected to be needed and is called by address, together with other processes."""
    found = []
    for name in forecast.expected():
        module = name.rpartition(".")[0]
        if module.startswith("kibitz."):
            with suppress(ImportError):
                import_module(module)
        if name in _natives:
            found.append(_natives[name])
    compile_together(found)


def explained(function: Callable[..., Any], error: Exception) -> str:
    """Return one sentence that says where and why a function cannot be compiled."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if "core.address.Native" in text:
        at = f"{function.__code__.co_filename}, line {function.__code__.co_firstlineno}"
        return f"{at}: {function.__name__} calls another rule, which a rule cannot; put what they share into a @helper"
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    source, at_line = function.__code__.co_filename, str(function.__code__.co_firstlineno)
    line = next((line for file, line in reversed(places) if source.endswith(file.lstrip("./"))), None)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _IS_NOISE.search(line)]
    what = re.sub(r"\s+", " ", " ".join(lines[:2]))
    place = f"{source}, line {line or at_line}: {function.__name__}"
    for pattern, sentence in _IN_PLAIN_WORDS:
        if found := re.search(pattern, what):
            return f"{place} {sentence.format(*found.groups())}"
    return (
        f"{place} cannot be compiled: {what}; inside rules, states and lists are read and written cell by cell, as in "
        f"state[i]"
    )


def _emit_call(context: Any, builder: Any, address: Any, signature: Any, given: Any, args: Any) -> Any:
    convention = context.call_conv
    kind = convention.get_function_type(signature.return_type, signature.args)
    target = builder.inttoptr(address, kind.as_pointer())
    values = []
    for value, source, wanted in zip(args, given, signature.args, strict=True):
        if isinstance(source, types.Array):
            values.append(context.make_array(source)(context, builder, value).data)
        else:
            values.append(context.cast(builder, value, source, wanted))
    status, result = convention.call_function(builder, target, signature.return_type, signature.args, values)
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result


_signatures: dict[int, tuple[Any, Any]] = {}  # by the id of what `caller` has made


def signature_of_caller(made: Any) -> Any:
    """Return the signature with which something calls addresses; None if it does not."""
    return _signatures.get(id(made), (None, None))[1]


def caller(signature: Any) -> Callable[..., Any]:
    """Return the function with which compiled code calls an address with this signature: call(address, *args)."""
    if INTERPRETED:
        return lambda function, *args: function(*args)

    def typed(address: Any, *given: Any) -> Any:
        if any(isinstance(source, types.Array) and source.layout != "C" for source in given):
            raise TypingError("compiled code takes contiguous arrays only")

        def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
            return _emit_call(context, builder, args[0], signature, given, args[1:])

        return signature.return_type(address, *given), codegen

    by_arity: dict[int, Callable[..., Any]] = {
        1: lambda typingctx, address, a: typed(address, a),
        2: lambda typingctx, address, a, b: typed(address, a, b),
        3: lambda typingctx, address, a, b, c: typed(address, a, b, c),
        4: lambda typingctx, address, a, b, c, d: typed(address, a, b, c, d),
        5: lambda typingctx, address, a, b, c, d, e: typed(address, a, b, c, d, e),
        6: lambda typingctx, address, a, b, c, d, e, f: typed(address, a, b, c, d, e, f),
        7: lambda typingctx, address, a, b, c, d, e, f, g: typed(address, a, b, c, d, e, f, g),
    }
    made = intrinsic(by_arity[len(signature.args)])
    _signatures[id(made)] = (made, signature)
    return made
