"""Seeds of streams in compiled code: what `derive_seed` of core/seeds.py returns, for loops that deal for themselves.

The hash is BLAKE2b (Aumasson, Neves, Wilcox-O'Hearn and Winnerlein 2013, RFC 7693) with a key: the key fills the first
block, the name of the stream and its numbers the second, which is the last.
"""

import numpy as np

from kibitz.core.arrays import UInt64s
from kibitz.core.dice import dice_in
from kibitz.core.native import compiled, helper, pointer
from kibitz.core.scratch import scratch
from kibitz.core.seeds import DEAL, MIND, OPENING, ROLL

STATE_WORDS, BLOCK_WORDS, WORK_WORDS = 8, 16, 16
NO_NUMBER = -1  # in place of a second number
_ROUNDS, _BLOCK_BYTES, _WORDS_OF_SEED = 12, np.uint64(128), np.uint64(0x01010008)  # a digest of 8 bytes
_START = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ], dtype=np.uint64,
)  # fmt: skip
_ORDER = np.array([
    int(word, 16)
    for row in (
        "0123456789ABCDEF", "EA489FD61C02B753", "B8C052FDAE367194", "7931DCBE265A40F8", "905724AFE1BC683D",
        "2C6A0B834D75FE19", "C51FED4A0763928B", "DB7EC13950F4862A", "6FE9B308C2D714A5", "A2847615FB9E3CD0",
        "0123456789ABCDEF", "EA489FD61C02B753",
    )
    for word in row
], dtype=np.int64)  # fmt: skip
_A, _A_LEFT, _B, _B_LEFT = np.uint64(32), np.uint64(32), np.uint64(24), np.uint64(40)
_C, _C_LEFT, _D, _D_LEFT = np.uint64(16), np.uint64(48), np.uint64(63), np.uint64(1)
_ALL = np.uint64(2**64 - 1)
_NONE, _SIGN, _BYTE, _KEY_SHIFT = np.uint64(0), np.uint64(7), np.uint64(8), np.uint64(8)
_TEN, _DIGIT = np.uint64(10), np.uint64(ord("0"))
_COLON = ord(":")


def _prefix(name: str) -> np.uint64:
    """Return the name of a stream, with its colon, as the first word of a block."""
    return np.uint64(int.from_bytes(f"{name}:".encode(), "little"))


_DEAL, _OPENING, _MIND, _ROLL = map(_prefix, (DEAL, OPENING, MIND, ROLL))
_DEAL_BYTES, _OPENING_BYTES, _MIND_BYTES, _ROLL_BYTES = (len(name) + 1 for name in (DEAL, OPENING, MIND, ROLL))


@helper
def _mix(v, a, b, c, d, x, y):
    v[a] = v[a] + v[b] + x
    v[d] ^= v[a]
    v[d] = (v[d] >> _A) | (v[d] << _A_LEFT)
    v[c] = v[c] + v[d]
    v[b] ^= v[c]
    v[b] = (v[b] >> _B) | (v[b] << _B_LEFT)
    v[a] = v[a] + v[b] + y
    v[d] ^= v[a]
    v[d] = (v[d] >> _C) | (v[d] << _C_LEFT)
    v[c] = v[c] + v[d]
    v[b] ^= v[c]
    v[b] = (v[b] >> _D) | (v[b] << _D_LEFT)


@helper
def _compress(state, block, length, last):
    """Mix a block into a state, the last one inverted; `length` is how many bytes there were until its end."""
    v = dice_in(scratch(WORK_WORDS), 0)
    for i in range(STATE_WORDS):
        v[i] = state[i]
        v[STATE_WORDS + i] = _START[i]
    v[12] ^= length
    v[14] ^= last
    for turn in range(0, _ROUNDS * BLOCK_WORDS, BLOCK_WORDS):
        _mix(v, 0, 4, 8, 12, block[_ORDER[turn]], block[_ORDER[turn + 1]])
        _mix(v, 1, 5, 9, 13, block[_ORDER[turn + 2]], block[_ORDER[turn + 3]])
        _mix(v, 2, 6, 10, 14, block[_ORDER[turn + 4]], block[_ORDER[turn + 5]])
        _mix(v, 3, 7, 11, 15, block[_ORDER[turn + 6]], block[_ORDER[turn + 7]])
        _mix(v, 0, 5, 10, 15, block[_ORDER[turn + 8]], block[_ORDER[turn + 9]])
        _mix(v, 1, 6, 11, 12, block[_ORDER[turn + 10]], block[_ORDER[turn + 11]])
        _mix(v, 2, 7, 8, 13, block[_ORDER[turn + 12]], block[_ORDER[turn + 13]])
        _mix(v, 3, 4, 9, 14, block[_ORDER[turn + 14]], block[_ORDER[turn + 15]])
    for i in range(STATE_WORDS):
        state[i] ^= v[i] ^ v[STATE_WORDS + i]


@helper
def begin_streams(seed, streams):
    """Write what all streams of a seed have in common: the state after the block of the key."""
    block = dice_in(scratch(BLOCK_WORDS), 0)
    for i in range(BLOCK_WORDS):
        block[i] = _NONE
    block[0] = seed
    size, rest = np.uint64(1), seed >> _SIGN
    while rest != _NONE:
        size += np.uint64(1)
        rest >>= _BYTE
    for i in range(STATE_WORDS):
        streams[i] = _START[i]
    streams[0] ^= _WORDS_OF_SEED ^ (size << _KEY_SHIFT)
    _compress(streams, block, _BLOCK_BYTES, _NONE)


@helper
def _write_number(block, at, number):
    """Write a number in decimal digits from byte `at` of a block on; return where they end."""
    width, rest = 1, np.uint64(number) // _TEN
    while rest != _NONE:
        width += 1
        rest //= _TEN
    rest = np.uint64(number)
    for place in range(at + width - 1, at - 1, -1):
        block[place >> 3] |= (_DIGIT + rest % _TEN) << np.uint64(8 * (place & 7))
        rest //= _TEN
    return at + width


@helper
def _stream_seed(streams, name, length, number, second):
    """Return the seed of a stream, by the first word of its text, its numbers, and what `begin_streams` has written."""
    state, block = dice_in(scratch(STATE_WORDS), 0), dice_in(scratch(BLOCK_WORDS), 0)
    for i in range(STATE_WORDS):
        state[i] = streams[i]
    for i in range(BLOCK_WORDS):
        block[i] = _NONE
    block[0] = name
    at = _write_number(block, length, number)
    if second != NO_NUMBER:
        block[at >> 3] |= np.uint64(_COLON) << np.uint64(8 * (at & 7))
        at = _write_number(block, at + 1, second)
    _compress(state, block, _BLOCK_BYTES + np.uint64(at), _ALL)
    return state[0]


@helper
def deal_seed(streams, block):
    """Return the seed of the deal of a block of games."""
    return _stream_seed(streams, _DEAL, _DEAL_BYTES, block, NO_NUMBER)


@helper
def opening_seed(streams, block):
    """Return the seed of the opening of a block of games."""
    return _stream_seed(streams, _OPENING, _OPENING_BYTES, block, NO_NUMBER)


@helper
def mind_seed(streams, game, mind):
    """Return the seed of an agent in a game."""
    return _stream_seed(streams, _MIND, _MIND_BYTES, game, mind)


@helper
def write_roll_key(deal, key):
    """Write the key of the rolls of a game from the seed of its deal: words of 32 bits, the upper ones first."""
    streams = dice_in(scratch(STATE_WORDS), 0)
    begin_streams(deal, streams)
    for half in range(2):
        word = _stream_seed(streams, _ROLL, _ROLL_BYTES, half, NO_NUMBER)
        key[2 * half] = np.int64(word >> np.uint64(32))
        key[2 * half + 1] = np.int64(word & np.uint64(0xFFFFFFFF))


@compiled
def _begin(seed, out):
    begin_streams(seed, pointer(out))


def streams_of(seed: int) -> UInt64s:
    """Return what compiled loops derive all streams of a seed from."""
    out = np.zeros(STATE_WORDS, dtype=np.uint64)
    _begin(np.uint64(seed), out)
    return out
