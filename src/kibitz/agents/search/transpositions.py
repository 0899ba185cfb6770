"""A transposition table: what a search found out about positions it may meet again.

`keys[slot]` is the key of the position in the slot, `scores[slot]` its score; `notes[slot]` packs the rest and is 0 in
an empty slot:
    bits 0..31 the best move, 32..33 the bound, 34.. the depth
"""

from kibitz.core.native import compiled, helper, pointer
from kibitz.core.rules import key

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
TO_THE_END = 1 << 20  # the depth of a score that no horizon touched
ENTRY_BYTES = 24
_MOVE_BITS = (1 << 32) - 1


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


@helper
def slot_of(key, mask):
    """Return where a key belongs."""
    return (key >> 20) & mask


@compiled
def remembered_move(rules, keys, notes, state):
    """Return the best move that the table remembers for a position, or -1."""
    here = key(pointer(rules), pointer(state))
    slot = slot_of(here, keys.shape[0] - 1)
    return move_of(notes[slot]) if keys[slot] == here else -1


def slots_for(megabytes: int) -> int:
    """Return how many entries fit, as a power of two."""
    return 1 << max(10, (megabytes * 2**20 // ENTRY_BYTES).bit_length() - 1)
