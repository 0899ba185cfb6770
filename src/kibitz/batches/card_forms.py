"""What has another form on a graphics card: what no card has an instruction for, and the number of a thread."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.core import bits, native
from kibitz.core.native import helper

_REGISTER = "llvm.nvvm.read.ptx.sreg."


def _register(builder: Any, name: str) -> Any:
    """Return a special register of a thread as a 64-bit number."""
    word = ir.IntType(32)
    read = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, []), f"{_REGISTER}{name}")
    return builder.zext(builder.call(read, []), ir.IntType(64))


@intrinsic
def first_row(typingctx):
    """Return the number of this thread, which is the first row that it takes."""

    def codegen(context, builder, signature, args):
        before = builder.mul(_register(builder, "ctaid.x"), _register(builder, "ntid.x"))
        return builder.add(before, _register(builder, "tid.x"))

    return types.int64(), codegen


@intrinsic
def all_threads(typingctx):
    """Return the number of threads."""

    def codegen(context, builder, signature, args):
        return builder.mul(_register(builder, "nctaid.x"), _register(builder, "ntid.x"))

    return types.int64(), codegen


@helper
def _no_prefetch(cells, n):
    pass


@helper
def _no_signals(halt):
    pass


_FORMS: dict[int, Any] = {
    id(native.prefetch): _no_prefetch,
    id(native.heed): _no_signals,
    id(bits.nth): bits.nth_by_halving,
    id(bits.gather): bits.gather_by_counting,
}


def form_of(value: Any) -> Any:
    """Return the form that a function has on a card, None if it has none of its own."""
    return _FORMS.get(id(value))


def nothing_by_number(signature: Any) -> Callable[..., Any]:
    """Return what is called where no function has the number."""
    number, arity = signature.return_type, len(signature.args)
    zero = None if number == types.void else (0.0 if number == types.float64 else 0)
    by_arity: dict[int, Callable[..., Any]] = {
        1: lambda number, a: zero,
        2: lambda number, a, b: zero,
        3: lambda number, a, b, c: zero,
        4: lambda number, a, b, c, d: zero,
        5: lambda number, a, b, c, d, e: zero,
    }
    return helper(by_arity[arity])


def choice(wanted: int, function: Any, other: Any, arity: int) -> Callable[..., Any]:
    """Return what calls a function where the number is `wanted`, and another one elsewhere."""
    by_arity: dict[int, Callable[..., Any]] = {
        1: lambda number, a: function(a) if number == wanted else other(number, a),
        2: lambda number, a, b: function(a, b) if number == wanted else other(number, a, b),
        3: lambda number, a, b, c: function(a, b, c) if number == wanted else other(number, a, b, c),
        4: lambda number, a, b, c, d: function(a, b, c, d) if number == wanted else other(number, a, b, c, d),
        5: lambda number, a, b, c, d, e: function(a, b, c, d, e) if number == wanted else other(number, a, b, c, d, e),
    }
    return helper(by_arity[arity])
