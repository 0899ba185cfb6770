"""The functions of a game as functions of a graphics card, from the same source.

Rules, values, policies and the helpers of the engine are compiled again for the card as they stand. Only what is an
instruction of the processor or an address has another form here (card_forms.py). The card has no calls by address:
what a game's `rules` hold are numbers, and a call by number becomes a choice among the functions with that signature,
which the compiler settles.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any, ClassVar

from numba.core.dispatcher import Dispatcher

from kibitz.batches.card_forms import choice, form_of, nothing_by_number
from kibitz.batches.card_refusal import NotForCards
from kibitz.core.address import Native, signature_of_caller
from kibitz.core.inlined_functions import InlinedFunction
from kibitz.core.native import helper


class DeviceCode:
    """Device functions for some rules, policies and values, by their numbers, and for what the engine does with them.

    A function that calls nothing by number is the same for all games, and compiled once in a process.
    """

    _shared: ClassVar[dict[int, tuple[object, Callable[..., Any]]]] = {}  # by the id of the function it was made of

    def __init__(self, natives: Iterable[Native]) -> None:
        self._numbers = {id(native): (number, native) for number, native in enumerate(natives, 1)}
        self._made: dict[int, tuple[Callable[..., Any], Callable[..., Any]]] = {}
        self._calls: dict[int, tuple[object, Callable[..., Any]]] = {}
        self._kernels: dict[Hashable, InlinedFunction] = {}
        self._in_work: list[Callable[..., Any]] = []
        self._by_number = False  # whether what is being bound calls anything by number

    def number_of(self, native: Native | None) -> int:
        """Return the number by which compiled code calls a function; 0 for none."""
        return 0 if native is None else self._numbers[id(native)][0]

    def device(self, function: Any) -> Callable[..., Any]:
        """Return a function as a device function."""
        plain = function.function if isinstance(function, Native) else function.py_func
        if id(plain) in self._made:
            self._by_number = True
            return self._made[id(plain)][1]
        if id(plain) not in self._shared:
            before, self._by_number = self._by_number, False
            made = plain, helper(self._bound(plain))
            if self._by_number:
                self._made[id(plain)] = made
                return made[1]
            self._shared[id(plain)], self._by_number = made, before
        return self._shared[id(plain)][1]

    def _bound(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function bound anew; one that comes back to itself is refused."""
        if function in self._in_work:
            raise NotForCards(function, f"{function.__name__} calls itself, and cards have no room for that")
        self._in_work.append(function)
        try:
            return self._rebound(function)
        finally:
            self._in_work.pop()

    def kernel(self, key: Hashable, function: Callable[..., None]) -> InlinedFunction:
        """Return a kernel as a device function; kernels with equal keys are the same."""
        if key not in self._kernels:
            self._kernels[key] = InlinedFunction(self._rebound(function), helper)
        return self._kernels[key]

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
            self._by_number = True
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
