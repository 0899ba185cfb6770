"""Sums over rows of 32-bit numbers by vector instructions, for networks.

Widths are multiples of BLOCK. The interpreted functions add in the same order, so that results are equal bit for bit.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.core.native import INTERPRETED

LANES = 8  # numbers in a vector
CHAINS = 4  # vectors that are summed in parallel, because each addition waits for the one before it
BLOCK = LANES * CHAINS


def padded(n: int) -> int:
    """Return n rounded up to a multiple of BLOCK."""
    return -(-n // BLOCK) * BLOCK


if INTERPRETED:

    def as_floats(numbers):
        """Return 64-bit numbers as twice as many 32-bit ones in the same memory."""
        return numbers.view(np.float32)

    def local_cells(n):
        """Return room for n whole numbers on the stack of the caller; n is a constant."""
        return np.empty(n, dtype=np.int64)

    def local_numbers(n):
        """Return room for n 64-bit numbers on the stack of the caller; n is a constant."""
        return np.empty(n, dtype=np.float64)

    def local_floats(n):
        """Return room for n 32-bit numbers on the stack of the caller; n is a constant."""
        return np.empty(n, dtype=np.float32)

    def add_rows(table, rows, n, width, out):
        """Add n rows of a table, given by their numbers, to `out`."""
        for i in range(n):
            out[:width] += table[rows[i] * width : (rows[i] + 1) * width]

    def add_scaled_rows(table, scales, n, width, out):
        """Add the first n rows of a table, each times its scale, to `out`."""
        for i in range(n):
            out[:width] += scales[i] * table[i * width : (i + 1) * width]

    def dot(one, other, width):
        """Return the dot product."""
        sums = np.zeros(BLOCK, dtype=np.float32)
        for start in range(0, width, BLOCK):
            sums += one[start : start + BLOCK] * other[start : start + BLOCK]
        while len(sums) > 1:
            half = len(sums) // 2
            sums = sums[:half] + sums[half:]
        return sums[0]

else:
    _FLOATS = types.CPointer(types.float32)
    _VECTOR = ir.VectorType(ir.FloatType(), LANES)
    _WORD = ir.IntType(64)
    _ALIGN = 4  # bytes to which addresses are known to be aligned

    @intrinsic
    def as_floats(typingctx, numbers):
        """Return 64-bit numbers as twice as many 32-bit ones in the same memory."""

        def codegen(context, builder, signature, args):
            return builder.bitcast(args[0], ir.FloatType().as_pointer())

        return _FLOATS(types.CPointer(types.float64)), codegen

    def _local(kind, size):
        def codegen(context, builder, signature, args):
            return cgutils.alloca_once(builder, context.get_value_type(kind), size=size.literal_value)

        return types.CPointer(kind)(size), codegen

    @intrinsic(prefer_literal=True)
    def local_cells(typingctx, n):
        """Return room for n whole numbers on the stack of the caller; n is a constant."""
        return _local(types.int64, n)

    @intrinsic(prefer_literal=True)
    def local_numbers(typingctx, n):
        """Return room for n 64-bit numbers on the stack of the caller; n is a constant."""
        return _local(types.float64, n)

    @intrinsic(prefer_literal=True)
    def local_floats(typingctx, n):
        """Return room for n 32-bit numbers on the stack of the caller; n is a constant."""
        return _local(types.float32, n)

    def _vectors_at(builder, floats, at):
        """Return the addresses of the vectors of a block."""
        return [
            builder.bitcast(builder.gep(floats, [builder.add(at, _WORD(LANES * k))]), _VECTOR.as_pointer())
            for k in range(CHAINS)
        ]

    def _loaded(builder, floats, at):
        return [builder.load(place, align=_ALIGN) for place in _vectors_at(builder, floats, at)]

    def _splat(builder, number):
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.IntType(32)(0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), lanes)

    def _each_block(builder, width):
        blocks = builder.udiv(width, _WORD(BLOCK))
        return cgutils.for_range(builder, blocks, intp=_WORD)

    def _summed(builder, sums, n, terms):
        """Add to the vectors at `sums` (on the stack) what `terms` gives for each i below n."""
        with cgutils.for_range(builder, n, intp=_WORD) as loop:
            for place, term in zip(sums, terms(loop.index), strict=True):
                builder.store(builder.fadd(builder.load(place), term), place)

    def _emit_rows(table, n, width, out, term):
        """Emit a loop over blocks, in which a loop adds the block of each row to that of `out`."""

        def emit(builder):
            sums = [cgutils.alloca_once(builder, _VECTOR) for _ in range(CHAINS)]
            with _each_block(builder, width) as loop:
                at = builder.mul(loop.index, _WORD(BLOCK))
                for place, start in zip(sums, _loaded(builder, out, at), strict=True):
                    builder.store(start, place)
                _summed(builder, sums, n, lambda i: term(builder, i, at))
                for place, target in zip(sums, _vectors_at(builder, out, at), strict=True):
                    builder.store(builder.load(place), target, align=_ALIGN)

        return emit

    @intrinsic
    def add_rows(typingctx, table, rows, n, width, out):
        """Add n rows of a table, given by their numbers, to `out`."""

        def codegen(context, builder, signature, args):
            table, rows, n, width, out = args

            def term(builder, i, at):
                row = builder.load(builder.gep(rows, [i]))
                return _loaded(builder, table, builder.add(builder.mul(row, width), at))

            _emit_rows(table, n, width, out, term)(builder)
            return context.get_dummy_value()

        return types.void(_FLOATS, types.CPointer(types.int64), types.int64, types.int64, _FLOATS), codegen

    @intrinsic
    def add_scaled_rows(typingctx, table, scales, n, width, out):
        """Add the first n rows of a table, each times its scale, to `out`."""

        def codegen(context, builder, signature, args):
            table, scales, n, width, out = args

            def term(builder, i, at):
                scale = _splat(builder, builder.load(builder.gep(scales, [i])))
                row = _loaded(builder, table, builder.add(builder.mul(i, width), at))
                return [builder.fmul(scale, part) for part in row]

            _emit_rows(table, n, width, out, term)(builder)
            return context.get_dummy_value()

        return types.void(_FLOATS, _FLOATS, types.int64, types.int64, _FLOATS), codegen

    def _halved(builder, vector, length):
        """Return the sum of a vector's two halves, number by number."""
        word, half = ir.IntType(32), length // 2
        parts = [
            builder.shuffle_vector(
                vector,
                ir.Constant(vector.type, ir.Undefined),
                ir.Constant(ir.VectorType(word, half), list(range(start, start + half))),
            )
            for start in (0, half)
        ]
        return builder.fadd(*parts)

    @intrinsic
    def dot(typingctx, one, other, width):
        """Return the dot product."""

        def codegen(context, builder, signature, args):
            one, other, width = args
            sums = [cgutils.alloca_once(builder, _VECTOR) for _ in range(CHAINS)]
            for place in sums:
                builder.store(ir.Constant(_VECTOR, [0.0] * LANES), place)
            with _each_block(builder, width) as loop:
                at = builder.mul(loop.index, _WORD(BLOCK))
                for place, a, b in zip(sums, _loaded(builder, one, at), _loaded(builder, other, at), strict=True):
                    builder.store(builder.fadd(builder.load(place), builder.fmul(a, b)), place)
            left = [builder.load(place) for place in sums]
            while len(left) > 1:
                half = len(left) // 2
                left = [builder.fadd(left[k], left[half + k]) for k in range(half)]
            total, length = left[0], LANES
            while length > 1:
                total, length = _halved(builder, total, length), length // 2
            return builder.extract_element(total, ir.IntType(32)(0))

        return types.float32(_FLOATS, _FLOATS, types.int64), codegen
