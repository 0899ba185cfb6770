"""The passage: signs, spaces and the pirates on them, as bit masks."""

import numpy as np

from kibitz.core.bits import highest, lowest, nth
from kibitz.core.dice import below
from kibitz.core.native import helper
from kibitz.games.cartagena.cells import DOUBLES, FOURS, ONES, SIGNS, SINGLES, TWOS

SIGN_NAMES = ("bottle", "pistol", "hat", "skull", "dagger", "key")
PIRATES = 6
SPACES = 36
START, SLOOP = 0, 37
PASSAGE = (1 << SLOOP) - 2  # the spaces between the start and the sloop
AS_PRINTED = 123456  # the order of the segments on the standard board
SEGMENTS = np.array(
    [
        [0, 1, 2, 3, 4, 5],
        [4, 0, 5, 1, 2, 3],
        [2, 5, 1, 0, 3, 4],
        [5, 0, 3, 4, 2, 1],
        [1, 5, 4, 2, 3, 0],
        [2, 4, 5, 0, 1, 3],
    ],
    dtype=np.int64,
)


@helper
def _is_among(digits, digit):
    """Return whether a digit is among those of a number."""
    while digits:
        if digits % 10 == digit:
            return True
        digits //= 10
    return False


@helper
def lay_out(state, random, order, turned, rng):
    """Lay the six segments in a row: in random order and direction, or in an order and with some turned, by digits."""
    for sign in range(6):
        state[SIGNS + sign] = 1 << SLOOP
    left = 0b111111
    for place in range(6):
        segment = nth(left, below(rng, 6 - place)) if random else order // 10 ** (5 - place) % 10 - 1
        backwards = below(rng, 2) == 1 if random else _is_among(turned, segment + 1)
        left ^= 1 << segment
        for k in range(6):
            sign = SEGMENTS[segment, 5 - k if backwards else k]
            state[SIGNS + sign] |= 1 << (6 * place + k + 1)


@helper
def standing(state, seat):
    """Return the spaces where a seat has pirates."""
    return state[ONES + seat] | state[TWOS + seat] | state[FOURS + seat]


@helper
def pirates_of(state, seat, space):
    """Count a seat's pirates on a space."""
    ones, twos, fours = state[ONES + seat], state[TWOS + seat], state[FOURS + seat]
    return ((ones >> space) & 1) + 2 * ((twos >> space) & 1) + 4 * ((fours >> space) & 1)


@helper
def pirates_on(state, space):
    """Count all pirates on a space of the passage."""
    return ((state[SINGLES] >> space) & 1) + 2 * ((state[DOUBLES] >> space) & 1)


@helper
def space_ahead(state, space, sign):
    """Return where a pirate lands that leaves a space by a sign: the next free space that shows it, or the sloop."""
    free = state[SIGNS + sign] & ~(state[SINGLES] | state[DOUBLES])
    return lowest(free & (-2 << space))


@helper
def inviting(state):
    """Return the spaces with one or two pirates, where others may fall back to."""
    return state[SINGLES] ^ state[DOUBLES]


@helper
def space_behind(state, space):
    """Return where a pirate falls back to; there must be such a space."""
    return highest(inviting(state) & ((1 << space) - 1))


@helper
def set_out(state, seat):
    """Put a seat's six pirates on the start."""
    state[TWOS + seat] = 1 << START
    state[FOURS + seat] = 1 << START


@helper
def walk(state, seat, origin, goal):
    """Move one pirate of a seat from one space to another."""
    _leave(state, seat, 1 << origin)
    _enter(state, seat, 1 << goal)


@helper
def _leave(state, seat, bit):
    state[ONES + seat] ^= bit
    borrow = state[ONES + seat] & bit
    state[TWOS + seat] ^= borrow
    state[FOURS + seat] ^= state[TWOS + seat] & borrow
    bit &= PASSAGE
    state[SINGLES] ^= bit
    state[DOUBLES] ^= state[SINGLES] & bit


@helper
def _enter(state, seat, bit):
    carry = state[ONES + seat] & bit
    state[ONES + seat] ^= bit
    state[FOURS + seat] ^= state[TWOS + seat] & carry
    state[TWOS + seat] ^= carry
    bit &= PASSAGE
    state[DOUBLES] ^= state[SINGLES] & bit
    state[SINGLES] ^= bit


@helper
def all_aboard(state, seat):
    """Return whether a seat's six pirates are on the sloop."""
    return (state[TWOS + seat] & state[FOURS + seat]) >> SLOOP != 0
