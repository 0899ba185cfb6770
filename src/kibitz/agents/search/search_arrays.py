"""Arrays that Python and compiled code share, and structs of them.

A struct is a NamedTuple that declares the type of each array, and its shape in a comment. Python passes arrays;
compiled code opens the struct first, which replaces them by their addresses.
"""

from typing import Annotated, Any, get_type_hints

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy.typing import NDArray

from kibitz.core.address import CELLS, DICE, FLOATS, INT, NUMBERS
from kibitz.core.native import INTERPRETED

Int64s = Annotated[NDArray[np.int64], CELLS]
Int32s = Annotated[NDArray[np.int32], types.CPointer(types.int32)]
UInt64s = Annotated[NDArray[np.uint64], DICE]
Float64s = Annotated[NDArray[np.float64], NUMBERS]
Float32s = Annotated[NDArray[np.float32], FLOATS]
Entries = Annotated[Any, CELLS]  # [entry]: rules, a value or filters, as core/calls.py calls them
Handle = Annotated[Any, INT]  # of one compiled function; 0 for none


def struct_type(struct: Any) -> Any:
    """Return the numba type of a struct that has been opened."""
    hints = get_type_hints(struct, include_extras=True).values()
    members = (hint.__metadata__[0] if hasattr(hint, "__metadata__") else struct_type(hint) for hint in hints)
    return types.NamedTuple(tuple(members), struct)


def _opened_type(given: Any) -> Any:
    if isinstance(given, types.BaseNamedTuple):
        return types.NamedTuple(tuple(map(_opened_type, given.types)), given.instance_class)
    if isinstance(given, types.Array) and given.layout != "C":
        raise TypingError("compiled code takes arrays whose cells lie side by side")
    return types.CPointer(given.dtype) if isinstance(given, types.Array) else given


def _open(context: Any, builder: Any, given: Any, value: Any) -> Any:
    """Emit the code that opens a member of a struct, or a struct."""
    if isinstance(given, types.BaseNamedTuple):
        members = zip(given.types, cgutils.unpack_tuple(builder, value), strict=True)
        return context.make_tuple(builder, _opened_type(given), [_open(context, builder, *each) for each in members])
    return context.make_array(given)(context, builder, value).data if isinstance(given, types.Array) else value


if INTERPRETED:

    def opened(struct):
        """Return a struct with addresses in place of arrays; here the struct itself."""
        return struct

else:

    @intrinsic
    def opened(typingctx, struct):
        """Return a struct with addresses in place of arrays; they do not keep the arrays alive."""

        def codegen(context, builder, signature, args):
            return _open(context, builder, struct, args[0])

        return _opened_type(struct)(struct), codegen
