"""Why a game cannot go to a graphics card: the file, the line, what stands there, and a sentence."""

import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from numba import types
from numba.core import ir
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

from kibitz.core.address import explained
from kibitz.core.errors import KibitzError

_PLACES = re.compile(r'File "([^"]+)", line (\d+)')
_LOOKS = {"getitem", "static_getitem", "getattr", "cast", "phi"}  # operations that read what is there
_ARRAY = "it makes an array, for which cards have no room; scratch(n) of kibitz.rules has"


class NotForCards(KibitzError):
    """A function that cannot run on a graphics card; without a line, that of its name is told."""

    def __init__(self, function: Callable[..., Any], why: str, line: int = 0):
        super().__init__(f"{_place(function.__code__.co_filename, line or _line_of_name(function))}: {why}")


def _line_of_name(function: Callable[..., Any]) -> int:
    """Return the line of a function's name, which is below its decorators."""
    line = function.__code__.co_firstlineno
    while linecache.getline(function.__code__.co_filename, line).startswith("@"):
        line += 1
    return line


def _place(file: str, line: int) -> str:
    """Return a line of a file, with what stands there."""
    return f"{file}, line {line} ({linecache.getline(file, line).strip()})"


def of_error(kernel: Callable[..., Any], error: Exception) -> str:
    """Return why a kernel cannot be compiled, and where: in the innermost function that numba names."""
    own = Path(kernel.__code__.co_filename).name
    named = [(file, int(line)) for file, line in _PLACES.findall(str(error)) if Path(file).name != own]
    what = explained(kernel, error).partition(f": {kernel.__name__} ")[2] or str(error).splitlines()[0]
    if not named:
        return what
    file, line = named[0]
    return f"{_place(str(Path(file).resolve()), line)}: it {what}"


def of_foreign(kernel: Dispatcher, foreign: Iterable[str]) -> str:
    """Return which of the functions that a kernel calls needs others that cards lack, and in which line."""
    called = [*_with_callees(kernel, set())]
    for function in called:
        for line, why in _reasons(function):
            return str(NotForCards(function.py_func, why, line))
    why = f"it calls {', '.join(sorted({name.removeprefix('llvm.').partition('.')[0] for name in foreign}))}"
    for function in called:
        if any(name in str(made.library.final_module) for made in function.overloads.values() for name in foreign):
            return str(NotForCards(function.py_func, f"{why}, which cards lack", _line_of(function, why)))
    return f"{why}, which cards lack"


def _reasons(function: Dispatcher) -> Iterator[tuple[int, str]]:
    """Yield the lines of a function that need what cards lack, and what that is."""
    for statement, kinds in _statements(function):
        why = _reason(statement, kinds)
        if why:
            yield statement.loc.line, why


def _line_of(function: Dispatcher, why: str) -> int:
    """Return the line in which a function calls one that a sentence names; 0 if there is none."""
    for statement, kinds in _statements(function):
        value = getattr(statement, "value", None)
        if isinstance(value, ir.Expr) and value.op == "call" and _name(kinds[value.func.name]) in why.split():
            return int(statement.loc.line)
    return 0


def _statements(function: Dispatcher) -> Iterator[tuple[Any, Any]]:
    """Yield the statements of a function with the types of its names."""
    for made in function.overloads.values():
        for block in made.type_annotation.blocks.values():
            for statement in block.body:
                yield statement, made.type_annotation.typemap


def _with_callees(function: Dispatcher, known: set[int]) -> Iterator[Dispatcher]:
    """Yield a function after all that it calls."""
    known.add(id(function))
    plain = function.py_func
    named = [plain.__globals__.get(name) for name in plain.__code__.co_names]
    for one in (*named, *(cell.cell_contents for cell in plain.__closure__ or ())):
        if isinstance(one, Dispatcher) and id(one) not in known:
            yield from _with_callees(one, known)
    yield function


def _reason(statement: Any, kinds: Any) -> str:
    """Return what a statement needs that cards lack; empty if it needs nothing."""
    if isinstance(statement, ir.Print):
        return "cards cannot print"
    if isinstance(statement, ir.DynamicRaise):
        return "it raises an error with a text that it makes; cards take a fixed text"
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(value, ir.Expr) or value.op in _LOOKS:
        return ""
    result = kinds.get(statement.target.name)
    if value.op != "call":
        return _made(result)
    called = kinds[value.func.name]
    if isinstance(called, types.Dispatcher):
        return ""
    if any(_is_object(kinds.get(one.name)) for one in value.args):
        return f"cards cannot call {_name(called)}"
    return _made(result)


def _name(called: Any) -> str:
    """Return the name of a function by its type."""
    return str(getattr(getattr(called, "typing_key", None), "__name__", called))


def _made(kind: Any) -> str:
    if not _is_object(kind):
        return ""
    return _ARRAY if isinstance(kind, types.Array) else "it makes an object of Python, for which cards have no room"


def _is_object(kind: Any) -> bool:
    """Return whether things of a kind lie in memory that has to be asked for."""
    models = cpu_target.target_context.data_model_manager
    return kind is not None and models[kind].contains_nrt_meminfo()
