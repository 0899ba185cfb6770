"""Bit masks: counting, lowest, highest and n-th bit, gathering; one machine instruction each if the CPU has it."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

from kibitz.core.native import INTERPRETED, helper
from kibitz.core.target import has_bmi2


def popcount(mask):
    """Count the bits that are set."""
    return int(mask).bit_count() if mask >= 0 else (int(mask) & (2**64 - 1)).bit_count()


def lowest(mask):
    """Return the index of the lowest set bit; the mask must not be 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask):
    """Return the index of the highest set bit; the mask must be positive."""
    return int(mask).bit_length() - 1


def nth(mask, n):
    """Return the index of the n-th set bit (n = 0 is the lowest); the mask must have more than n bits set."""
    mask = int(mask)
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


def gather(bits, mask):
    """Return the bits selected by the mask, packed at the low end."""
    bits, mask = int(bits), int(mask) & (2**64 - 1)
    out, at = 0, 0
    while mask:
        out |= (bits >> lowest(mask) & 1) << at
        mask &= mask - 1
        at += 1
    return out - 2**64 if out >> 63 else out


_NOT_ZERO = ir.Constant(ir.IntType(1), 1)  # a promise that a mask is not 0


@intrinsic
def _ctpop(typingctx, mask):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _cttz(typingctx, mask):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.cttz(args[0], _NOT_ZERO)


@intrinsic
def _ctlz(typingctx, mask):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctlz(args[0], _NOT_ZERO)


def _bmi2(name):
    """Return the code generator of a BMI2 instruction, which takes a word and a mask."""

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.bmi.{name}.64"), args)

    return codegen


@intrinsic
def _pdep(typingctx, source, mask):
    return types.int64(types.int64, types.int64), _bmi2("pdep")


@intrinsic
def _pext(typingctx, source, mask):
    return types.int64(types.int64, types.int64), _bmi2("pext")


@helper
def _nth_by_deposit(mask, n):
    return _cttz(_pdep(np.int64(1) << n, mask))


@helper
def nth_by_halving(mask, n):
    """Return the index of the n-th set bit, without an instruction for it."""
    at = np.int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        below = _ctpop((mask >> at) & ((np.int64(1) << width) - 1))
        skip = n >= below
        n -= below * skip
        at += width * skip
    return at


@helper
def gather_by_counting(bits, mask):
    """Return the bits selected by the mask, packed at the low end, without an instruction for it."""
    out = np.int64(0)
    bits &= mask
    while bits:
        bit = bits & -bits
        out |= np.int64(1) << _ctpop(mask & (bit - 1))
        bits ^= bit
    return out


HAS_DEPOSIT = has_bmi2(*cpu_target.target_context.codegen().magic_tuple()[1:])


def _replaces(function):
    """Let compiled code call another function in place of one; machine code is found by the content of both."""

    def register(replacement):
        function.compiled_as = replacement
        return overload(function, inline="always")(replacement)

    return register


if not INTERPRETED:

    @_replaces(popcount)
    def _popcount(mask):
        return lambda mask: _ctpop(mask)

    @_replaces(lowest)
    def _lowest(mask):
        return lambda mask: _cttz(mask)

    @_replaces(highest)
    def _highest(mask):
        return lambda mask: 63 - _ctlz(mask)

    @_replaces(nth)
    def _nth(mask, n):
        if HAS_DEPOSIT:
            return lambda mask, n: _nth_by_deposit(mask, n)
        return lambda mask, n: nth_by_halving(mask, n)

    @_replaces(gather)
    def _gather(bits, mask):
        if HAS_DEPOSIT:
            return lambda bits, mask: _pext(bits, mask)
        return lambda bits, mask: gather_by_counting(bits, mask)


@helper
def list_bits(mask, out):
    """Write the indices of the set bits, the lowest first; return how many there are."""
    n = 0
    while mask:
        out[n] = lowest(mask)
        mask &= mask - 1
        n += 1
    return n
