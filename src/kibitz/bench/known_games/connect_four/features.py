"""The cells of Connect Four for networks: those of the own pieces, and those of the other's."""

from kibitz.core.bits import lowest
from kibitz.networks.encoding import encoding

_SIDE = 49  # bits of a mask


@encoding(length=2 * _SIDE, most=42)
def board(view, seat, out):
    n = 0
    for side in range(2):
        left = view[seat if side == 0 else 1 - seat]
        while left:
            out[n] = side * _SIDE + lowest(left)
            left &= left - 1
            n += 1
    return n
