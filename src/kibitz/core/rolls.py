"""Rolls: what chance does follows from the seed of the deal and the ply, so a game that is taken back rolls the same.

The dice of a ply are XTEA (Needham and Wheeler 1997) of its number, under a key hashed from the seed: whoever has seen
every roll so far, and the deal, can compute neither the next roll nor the seed.
"""

from collections.abc import Sequence

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.calls import play, roll_outcome
from kibitz.core.native import compiled, helper, pointer
from kibitz.core.seeds import ROLL, derive_seed

KEY_WORDS = 4  # of 32 bits
_MASK = 0xFFFFFFFF
_DELTA = 0x9E3779B9
_CYCLES = 32
_HALF = np.uint64(32)
_NOT_ZERO = np.uint64(0x9E3779B97F4A7C15)  # dice that are 0 would stay 0


def roll_keys(seeds: Sequence[int], chance: bool) -> Int64s:
    """Return the keys of the rolls for each seed, KEY_WORDS each, side by side; zeros for a game without chance."""
    if not chance:
        return np.zeros(KEY_WORDS * len(seeds), dtype=np.int64)
    halves = (derive_seed(seed, ROLL, half) for seed in seeds for half in range(KEY_WORDS // 2))
    return np.array([word for half in halves for word in (half >> 32, half & _MASK)], dtype=np.int64)


@helper
def set_dice(key, ply, rng):
    """Set dice to those of a ply."""
    low, high, total = ply & _MASK, ply >> 32, 0
    for _ in range(_CYCLES):
        low = (low + ((((high << 4) ^ (high >> 5)) + high) ^ (total + key[total & 3]))) & _MASK
        total = (total + _DELTA) & _MASK
        high = (high + ((((low << 4) ^ (low >> 5)) + low) ^ (total + key[(total >> 11) & 3]))) & _MASK
    word = (np.uint64(high) << _HALF) | np.uint64(low)
    rng[0] = word if word != 0 else _NOT_ZERO


@helper
def outcome_at(rules, state, key, ply, rng, room):
    """Return what chance does at a ply; `rng` and `room` are scratch space."""
    set_dice(key, ply, rng)
    return roll_outcome(rules, state, rng, room)


@compiled
def play_chance(rules_, state_, key, ply, rng, room):
    """Play what chance does at a ply, and return it."""
    rules, state = pointer(rules_), pointer(state_)
    outcome = outcome_at(rules, state, pointer(key), ply, pointer(rng), pointer(room))
    play(rules, state, outcome)
    return outcome
