"""Bits: the compiled forms agree with plain Python on every kind of mask."""

import numba
import numpy as np
import pytest

from kibitz.core.bits import (
    HAS_DEPOSIT,
    _nth_by_deposit,
    gather,
    gather_by_counting,
    highest,
    list_bits,
    lowest,
    nth,
    nth_by_halving,
    popcount,
)
from kibitz.core.dice import dice, roll

MASKS = [1, 2, 0b1011, 0xFFFF, 1 << 36, (1 << 37) - 1, (1 << 62) | 5, -1, -(2**63)]


@numba.njit
def _compiled(mask, n):
    return popcount(mask), lowest(mask), nth(mask, n)


@numba.njit
def _compiled_highest(mask):
    return highest(mask)


@numba.njit
def _halved(mask, n):
    return nth_by_halving(mask, n)


@numba.njit
def _gathered(word, mask):
    return gather(word, mask), gather_by_counting(word, mask)


def _plain(mask: int) -> list[int]:
    return [bit for bit in range(64) if mask >> bit & 1]


@pytest.mark.parametrize("mask", MASKS)
def test_masks_are_read_alike_everywhere(mask):
    bits = _plain(mask)
    assert popcount(mask) == len(bits)
    assert lowest(mask) == bits[0]
    for n in {0, len(bits) // 2, len(bits) - 1}:
        assert nth(mask, n) == bits[n]
        assert _compiled(mask, n) == (len(bits), bits[0], bits[n])
        assert _halved(mask, n) == bits[n]


@pytest.mark.parametrize("mask", [mask for mask in MASKS if mask > 0])
def test_the_highest_bit_is_the_last(mask):
    assert highest(mask) == _compiled_highest(mask) == _plain(mask)[-1]


def test_random_masks_agree():
    rng = dice(1)
    for _ in range(2000):
        mask = (roll(rng, 2**30) << 30 | roll(rng, 2**30)) & (roll(rng, 2**30) << 30 | roll(rng, 2**30)) | 1 << 40
        bits = _plain(mask)
        n = roll(rng, len(bits))
        assert _compiled(mask, n)[2] == bits[n] == _halved(mask, n)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("word", MASKS)
def test_gathering_moves_the_bits_of_a_mask_together(word, mask):
    together = sum((word >> bit & 1) << place for place, bit in enumerate(_plain(mask)))
    assert {found & (2**64 - 1) for found in (gather(word, mask), *_gathered(word, mask))} == {together}
    assert gather(word, mask) == _gathered(word, mask)[0]


@pytest.mark.skipif(not HAS_DEPOSIT, reason="this processor has no bit deposit")
def test_bit_deposit_is_used_where_the_processor_has_it():
    assert numba.njit(lambda mask, n: _nth_by_deposit(mask, n))(0b1010, 1) == 3


def test_the_bits_of_a_mask_are_listed_from_the_lowest():
    for mask in (0, 1, 0b1011000, (1 << 62) + 5):
        out = np.full(8, -1)
        n = list_bits(mask, out)
        assert out[:n].tolist() == [k for k in range(64) if mask >> k & 1]
