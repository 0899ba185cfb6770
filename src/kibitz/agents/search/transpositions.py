"""A transposition table: what a search found out about positions it may meet again.

`keys[slot]` is the key of the position in the slot, `scores[slot]` its score; `notes[slot]` packs the rest and is 0 in
an empty slot:
    bits 0..31 the best choice (its place in the list), 32..33 the bound, 34.. the depth
"""

from kibitz.core.native import helper

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
TO_THE_END = 1 << 20  # the depth of a score that no horizon touched
ENTRY_BYTES = 24
FIRST_SLOTS = 1 << 12  # a table begins small, so that a short search touches little memory
_CHOICE_BITS = (1 << 32) - 1


@helper
def pack(choice, bound, depth):
    """Return choice, bound and depth in one number."""
    return choice | (bound << 32) | (depth << 34)


@helper
def choice_of(note):
    """Return the choice in a note."""
    return note & _CHOICE_BITS


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


def slots_within(limit: int) -> int:
    """Return how many entries fit into so many bytes, as a power of two."""
    return 1 << (limit // ENTRY_BYTES).bit_length() - 1
