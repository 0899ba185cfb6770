"""A transposition table: the results of positions that a search may meet again.

An entry is a run of 64-bit cells: the key of the position, packed data (0 in an empty entry), then numbers. `cells` and
`numbers` are the same memory, read as integers and as floating-point numbers. A table starts small and doubles, so that
a short search touches little memory.
"""

import numpy as np

from kibitz.agents.search.control import FILLED, SLOT_MASK, SLOTS
from kibitz.core.native import helper

KEY, DATA, NUMBER = 0, 1, 2  # cells of an entry; the numbers come last
FIRST_SLOTS = 1 << 12
NO_TABLE = 0  # as the number of slots
CELL_BYTES = 8


def slots_within(limit: int, entry: int) -> int:
    """Return how many entries of `entry` cells fit into `limit` bytes, as a power of two."""
    return 1 << max(limit // (CELL_BYTES * entry), 1).bit_length() - 1


def empty_table(slots: int, entry: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the memory of a table, as cells and as numbers."""
    cells = np.zeros(slots * entry, dtype=np.int64)
    return cells, cells.view(np.float64)


@helper
def slot_of(key, mask):
    """Return the slot to which a key belongs."""
    return (key >> 20) & mask


@helper
def entry_of(s, key, entry):
    """Return where the entry of a key begins."""
    return slot_of(key, s.control[SLOT_MASK]) * entry


@helper
def is_hit(s, at, key):
    """Return whether the entry at a place is that of a key."""
    return s.cells[at + DATA] != 0 and s.cells[at + KEY] == key


@helper
def store_entry(s, key, data, entry):
    """Write key and data, always replacing; return where the numbers go."""
    _resize(s, entry)
    at = entry_of(s, key, entry)
    s.control[FILLED] += 1 if s.cells[at + DATA] == 0 else 0
    s.cells[at + KEY], s.cells[at + DATA] = key, data
    return at + NUMBER


@helper
def _resize(s, entry):
    """Double the slots in use once half of them are filled."""
    control, slots = s.control, s.control[SLOT_MASK] + 1
    if 2 * control[FILLED] > slots and 2 * slots <= control[SLOTS]:
        control[SLOT_MASK] = 2 * slots - 1
        for slot in range(slots):
            old, new = slot * entry, entry_of(s, s.cells[slot * entry + KEY], entry)
            if s.cells[old + DATA] != 0 and new != old:
                for i in range(entry):
                    s.cells[new + i] = s.cells[old + i]
                s.cells[old + DATA] = 0
