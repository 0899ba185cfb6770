"""Dice: one 64-bit cell of random state, which gives the same numbers compiled and interpreted; and derived seeds.

The generator is xorshift64 (Marsaglia 2003); a draw adds the two halves of the word, which breaks its linearity.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from kibitz.core.arrays import UInt64s
from kibitz.core.native import INTERPRETED, compiled, from_python, helper, pointer

_MASK64 = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15  # the increment and multipliers of splitmix64 (Steele, Lea and Flood 2014)
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB

_LEFT = np.uint64(13)
_RIGHT = np.uint64(7)
_LEFT_AGAIN = np.uint64(17)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_UNIT = 1.0 / 2**32
_GOLDEN64, _FIRST64, _SECOND64 = np.uint64(_GOLDEN), np.uint64(_FIRST), np.uint64(_SECOND)
_BY_FIRST, _BY_SECOND, _BY_LAST = np.uint64(30), np.uint64(27), np.uint64(31)


@helper
def _word(rng):
    x = rng[0]
    x ^= x << _LEFT
    x ^= x >> _RIGHT
    x ^= x << _LEFT_AGAIN
    rng[0] = x
    return ((x >> _HALF) + (x & _LOW_HALF)) & _LOW_HALF


@helper
def below(rng, n):
    """Draw a whole number from 0 to n - 1; n is at most 2**32."""
    return np.int64((_word(rng) * np.uint64(n)) >> _HALF)


@helper
def unit(rng):
    """Draw a number from 0 up to, but not including, 1."""
    return np.float64(_word(rng)) * _UNIT


@helper
def shuffle(rng, cells, start, stop):
    """Put cells[start:stop] in random order."""
    for i in range(stop - 1, start, -1):
        j = start + below(rng, i - start + 1)
        kept = cells[i]
        cells[i] = cells[j]
        cells[j] = kept


roll = from_python(below)


@compiled
def shuffle_array(rng, array):
    """Put an array in random order, for callers in Python."""
    shuffle(pointer(rng), pointer(array), 0, array.shape[0])


@helper
def seed_from(rng):
    """Draw a seed for a cell of a state, for `dice_in` to use."""
    return (below(rng, 1 << 31) << 31) + below(rng, 1 << 31) + 1


if INTERPRETED:

    def dice_in(cells, n):
        """Return cell n of a state as dice; each draw changes the cell."""
        return cells[n : n + 1].view(np.uint64)

else:

    @intrinsic
    def dice_in(typingctx, cells, n):
        """Return cell n of a state as dice; each draw changes the cell."""

        def codegen(context, builder, signature, args):
            return builder.gep(args[0], [args[1]])

        return types.CPointer(types.uint64)(cells, types.int64), codegen


def _mix(x: int) -> int:
    x = (x + _GOLDEN) & _MASK64
    x = ((x ^ (x >> 30)) * _FIRST) & _MASK64
    x = ((x ^ (x >> 27)) * _SECOND) & _MASK64
    return x ^ (x >> 31)


def derive(seed: int, *path: int) -> int:
    """Return the seed that `seed` and a path of numbers lead to."""
    x = _mix(seed & _MASK64)
    for step in path:
        x = _mix(x ^ (step & _MASK64))
    return x


if INTERPRETED:

    def mixed(x):
        """Return what `_mix` does, of a word of 64 bits."""
        return np.uint64(_mix(int(x)))

else:

    @helper
    def mixed(x):  # type: ignore[misc]
        """Return what `_mix` does, of a word of 64 bits."""
        x += _GOLDEN64
        x = (x ^ (x >> _BY_FIRST)) * _FIRST64
        x = (x ^ (x >> _BY_SECOND)) * _SECOND64
        return x ^ (x >> _BY_LAST)


@helper
def set_dice_of(seed, rng):
    """Set dice to those of `dice(seed)`."""
    word = mixed(seed)
    rng[0] = word if word != np.uint64(0) else _GOLDEN64


def dice(seed: int) -> UInt64s:
    """Return new dice for `seed`, which may be any whole number."""
    return np.array([derive(seed) or _GOLDEN], dtype=np.uint64)


def _mix_all(x: UInt64s) -> UInt64s:
    x = x + np.uint64(_GOLDEN)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(_FIRST)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(_SECOND)
    return x ^ (x >> np.uint64(31))


def derive_all(seed: int, *path: Any) -> Any:
    """Return `derive(seed, *path)` for arrays of steps, of NumPy or CuPy, which are broadcast against each other."""
    x: Any = np.uint64(derive(seed))
    for step in path:
        x = _mix_all((step if hasattr(step, "astype") else np.asarray(step)).astype(np.uint64) ^ x)
    return x


def dice_all(seeds: UInt64s) -> UInt64s:
    """Return the cell of `dice(seed)` for each seed."""
    x = _mix_all(seeds)
    return np.where(x == 0, np.uint64(_GOLDEN), x)
