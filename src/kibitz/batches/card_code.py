"""The functions of a game as functions of a graphics card, from the same source.

Rules, values, policies and the helpers of the engine are compiled again for the card as they stand. Only what is an
instruction of the processor or an address has another form here (card_forms.py). The card has no calls by address:
what a game's `rules` hold are numbers, and a call by number becomes a choice among the functions with that signature,
which the compiler settles.
"""

from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from numba.core.dispatcher import Dispatcher

from kibitz.batches.card_forms import choice, form_of, nothing_by_number
from kibitz.core.address import Native, signature_of_caller
from kibitz.core.inlined_functions import InlinedFunction
from kibitz.core.native import helper


class DeviceCode:
    """Device functions for one game: its own, and those of the engine that call them by number."""

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[int, Native]] = {}  # by the id of a function that is called by address
        self._made: dict[int, tuple[object, Callable[..., Any]]] = {}
        self._calls: dict[int, tuple[object, Callable[..., Any]]] = {}

    def number_of(self, native: Native | None) -> int:
        """Return the number by which compiled code calls a function; 0 for none."""
        if native is None:
            return 0
        return self._numbers.setdefault(id(native), (len(self._numbers) + 1, native))[0]

    def device(self, function: Any) -> Callable[..., Any]:
        """Return a function as a device function; all that it may call by address must have its number before."""
        plain = function.function if isinstance(function, Native) else function.py_func
        if id(plain) not in self._made:
            self._made[id(plain)] = plain, helper(self._rebound(plain))
        return self._made[id(plain)][1]

    def compiled(self, kernel: Callable[..., None], takes: tuple[Any, ...]) -> Any:
        """Compile a kernel, with all that it calls, for arguments of these types."""
        return InlinedFunction(self._rebound(kernel), helper).compile_for(takes)

    def _rebound(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose names stand for what they mean on a card."""
        names = {**function.__globals__}
        for name in _names_in(function.__code__):
            if name in names:
                names[name] = self._form(names[name])
        closure = tuple(CellType(self._form(cell.cell_contents)) for cell in function.__closure__ or ())
        made = FunctionType(function.__code__, names, function.__name__, function.__defaults__, closure or None)
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        return made

    def _form(self, value: Any) -> Any:
        """Return what a name stands for on a card."""
        form = form_of(value)
        if form is not None:
            return form
        signature = signature_of_caller(value)
        if signature is not None:
            return self._call_by_number(value, signature)
        return self.device(value) if isinstance(value, Dispatcher | Native) else value

    def _call_by_number(self, caller: Any, signature: Any) -> Callable[..., Any]:
        if id(caller) not in self._calls:
            call = nothing_by_number(signature)
            for number, native in self._numbers.values():
                if native.signature == signature:
                    call = choice(number, self.device(native), call, len(signature.args))
            self._calls[id(caller)] = caller, call
        return self._calls[id(caller)][1]


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)
