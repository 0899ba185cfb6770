"""A transposition table: what a search found out about positions it may meet again.

`keys[slot]` is the key of the position in the slot, 0 for none; `scores[slot]` its score; `notes[slot]` packs the rest:
    bits 0..31 the best move, 32..33 the bound, 34.. the depth
"""

import numpy as np

from kibitz.core.native import INTERPRETED, compiled, helper, pointer

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
TO_THE_END = 1 << 20  # the depth of a score that no horizon touched
ENTRY_BYTES = 24
_MOVE_BITS = (1 << 32) - 1
_MIX = 0x9E3779B97F4A7C15
_MIX64 = np.uint64(_MIX)
_SHIFT = np.uint64(29)
_SLOT_SHIFT = np.uint64(20)
_FIRST = np.uint64(0x2545F4914F6CDD1D)


@helper
def pack(move, bound, depth):
    """Return move, bound and depth in one number."""
    return move | (bound << 32) | (depth << 34)


@helper
def move_of(note):
    """Return the move in a note."""
    return note & _MOVE_BITS


@helper
def bound_of(note):
    """Return the bound in a note."""
    return (note >> 32) & 3


@helper
def depth_of(note):
    """Return the depth in a note."""
    return note >> 34


if INTERPRETED:

    def key_of(state, size):
        """Return the key of a position; never 0."""
        key = int(_FIRST)
        for i in range(size):
            key = ((key ^ (int(state[i]) & (2**64 - 1))) * _MIX) & (2**64 - 1)
            key ^= key >> 29
        return np.uint64(key | 1)

else:

    @helper
    def key_of(state, size):
        """Return the key of a position; never 0."""
        key = _FIRST
        for i in range(size):
            key = (key ^ np.uint64(state[i])) * _MIX64
            key ^= key >> _SHIFT
        return key | np.uint64(1)


@helper
def slot_of(key, mask):
    """Return where a key belongs."""
    return np.int64(key >> _SLOT_SHIFT) & mask


@compiled
def remembered_move(keys, notes, state, size):
    """Return the best move that the table remembers for a position, or -1."""
    key = key_of(pointer(state), size)
    slot = slot_of(key, keys.shape[0] - 1)
    return move_of(notes[slot]) if keys[slot] == key else -1


def slots_for(megabytes: int) -> int:
    """Return how many entries fit, as a power of two."""
    return 1 << max(10, (megabytes * 2**20 // ENTRY_BYTES).bit_length() - 1)
