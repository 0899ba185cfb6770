"""Scratch: cells that a rule needs for a moment, on the stack of the thread."""

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic

from kibitz.core.native import INTERPRETED

MOST_SCRATCH = 1 << 16  # cells: half a megabyte, which every thread has

if INTERPRETED:

    def scratch(n):
        """Return n cells that hold anything and last until the function that compiled code was called by returns."""
        return np.zeros(n, dtype=np.int64)

    def numbers_in(cells, n):
        """Return the cells from number n on as floating-point numbers."""
        return cells[n:].view(np.float64)

else:

    @intrinsic(prefer_literal=True)
    def scratch(typingctx, n):
        """Return n cells that hold anything and last until the function that compiled code was called by returns."""
        if not isinstance(n, types.IntegerLiteral) or not 0 < n.literal_value <= MOST_SCRATCH:
            raise RequireLiteralValue(f"scratch takes a constant number of cells, at most {MOST_SCRATCH}")

        def codegen(context, builder, signature, args):
            word = context.get_value_type(types.int64)
            return cgutils.alloca_once(builder, word, size=n.literal_value)

        return types.CPointer(types.int64)(n), codegen

    @intrinsic
    def numbers_in(typingctx, cells, n):
        """Return the cells from number n on as floating-point numbers."""

        def codegen(context, builder, signature, args):
            wanted = context.get_value_type(signature.return_type)
            return builder.bitcast(builder.gep(args[0], [args[1]]), wanted)

        return types.CPointer(types.float64)(cells, types.int64), codegen
