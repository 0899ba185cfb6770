"""What has another form on a graphics card: what no card has an instruction for, and the number of a thread."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.core import bits, native
from kibitz.core.native import helper

_WORD = 2**64 - 1
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


@intrinsic
def count_up(typingctx, cells):
    """Add 1 to a cell that all threads count in; return what it held."""

    def codegen(context, builder, signature, args):
        return builder.atomic_rmw("add", args[0], ir.IntType(64)(1), "monotonic")

    return types.int64(cells), codegen


@intrinsic
def _nth(typingctx, mask, n):
    """Return the index of the n-th set bit, by numbers of 32 bits, which are those that cards compute with."""

    def codegen(context, builder, signature, args):
        half = ir.IntType(32)
        low, high = builder.trunc(args[0], half), builder.trunc(builder.lshr(args[0], args[0].type(32)), half)
        word, left, at = low, builder.trunc(args[1], half), half(0)
        for width in (32, 16, 8, 4, 2, 1):
            part = word if width == 32 else builder.and_(word, half((1 << width) - 1))
            bits = builder.ctpop(part)
            beyond = builder.icmp_unsigned(">=", left, bits)
            rest = high if width == 32 else builder.lshr(word, half(width))
            word = builder.select(beyond, rest, word)
            left = builder.select(beyond, builder.sub(left, bits), left)
            at = builder.or_(at, builder.select(beyond, half(width), half(0)))
        return builder.zext(at, args[0].type)

    return types.int64(types.int64, types.int64), codegen


@helper
def nth_by_words(mask, n):
    """Return the index of the n-th set bit (n = 0 is the lowest); the mask must have more than n bits set."""
    return _nth(np.int64(mask), np.int64(n))


def _plain(function: Any) -> Any:
    """Return the function of Python that a helper was made from."""
    return function.py_func


@intrinsic(prefer_literal=True)
def gather(typingctx, chosen, mask):
    """Return the bits selected by the mask, packed at the low end; by a few shifts if the mask is a constant."""

    def codegen(context, builder, signature, args):
        if not isinstance(mask, types.IntegerLiteral):
            return context.compile_internal(builder, _plain(bits.gather_by_counting), signature, args)
        word = args[0].type
        packed = builder.and_(args[0], word(mask.literal_value))
        for step, movers in steps_of_gathering(mask.literal_value):
            moved = builder.and_(packed, word(movers))
            packed = builder.or_(builder.xor(packed, moved), builder.lshr(moved, word(step)))
        return packed

    return types.int64(types.int64, mask if isinstance(mask, types.IntegerLiteral) else types.int64), codegen


def steps_of_gathering(mask: int) -> Iterator[tuple[int, int]]:
    """Yield by how much to shift which bits down, one after the other, to pack those of a mask (Warren 2013, 7-4)."""
    mask &= _WORD
    gaps = ~mask << 1 & _WORD  # of the bits below each bit, whether an odd number is to be left out
    for step in (1, 2, 4, 8, 16, 32):
        odd = gaps
        for distance in (1, 2, 4, 8, 16, 32):
            odd ^= odd << distance & _WORD
        movers = odd & mask
        mask = (mask ^ movers) | (movers >> step)
        gaps &= ~odd
        if movers:
            yield step, movers


@helper
def _no_prefetch(cells, n):
    pass


@helper
def _no_signals(halt):
    pass


_FORMS: dict[int, Any] = {
    id(native.prefetch): _no_prefetch,
    id(native.heed): _no_signals,
    id(bits.nth): nth_by_words,
    id(bits.gather): gather,
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
