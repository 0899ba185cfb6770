"""Hashes of cells, the same compiled and interpreted."""

import numpy as np

from kibitz.core.native import INTERPRETED, helper

_MASK64 = 2**64 - 1
_START = 0x2545F4914F6CDD1D
_MULTIPLIER = 0x9E3779B97F4A7C15
_SHIFT = 29

if INTERPRETED:

    def hash_cells(cells, n):
        """Return a hash of the first n cells."""
        key = _START
        for i in range(n):
            key = ((key ^ (int(cells[i]) & _MASK64)) * _MULTIPLIER) & _MASK64
            key ^= key >> _SHIFT
        return key - 2**64 if key >> 63 else key

else:
    _START64, _MULTIPLIER64, _SHIFT64 = np.uint64(_START), np.uint64(_MULTIPLIER), np.uint64(_SHIFT)

    @helper
    def hash_cells(cells, n):  # type: ignore[misc]
        """Return a hash of the first n cells."""
        key = _START64
        for i in range(n):
            key = (key ^ np.uint64(cells[i])) * _MULTIPLIER64
            key ^= key >> _SHIFT64
        return np.int64(key)
