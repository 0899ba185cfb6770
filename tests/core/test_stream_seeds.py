"""Seeds that compiled loops derive for themselves are those of `derive_seed`."""

import numpy as np
import pytest

from kibitz.core.dice import derive, dice, mixed, set_dice_of
from kibitz.core.native import INTERPRETED, compiled, offset, pointer
from kibitz.core.rolls import roll_keys
from kibitz.core.seeds import DEAL, MIND, OPENING, derive_seed
from kibitz.core.stream_seeds import deal_seed, mind_seed, opening_seed, streams_of, write_roll_key

pytestmark = pytest.mark.skipif(INTERPRETED, reason="words of 64 bits overflow in compiled code only")
SEEDS = (0, 1, 127, 128, 255, 256, 2**56 - 1, 2**63, 2**64 - 1, 0x0123456789ABCDEF)
NUMBERS = (0, 9, 10, 12_345, 10**10 - 1)


@compiled
def _seeds(streams_, number, out):
    streams = pointer(streams_)
    out[0], out[1] = deal_seed(streams, number), opening_seed(streams, number)
    for mind in range(12):
        out[2 + mind] = mind_seed(streams, number, mind)


@compiled
def _key(deal, out):
    write_roll_key(deal, pointer(out))


@compiled
def _dice(seed, attempt, out):
    set_dice_of(seed, pointer(out))
    set_dice_of(mixed(mixed(seed) ^ np.uint64(attempt)), offset(pointer(out), 1))


def test_deals_openings_and_minds_have_the_seeds_of_a_schedule():
    for seed in SEEDS:
        streams = streams_of(seed)
        for number in NUMBERS:
            out = np.zeros(14, dtype=np.uint64)
            _seeds(streams, number, out)
            minds = [derive_seed(seed, MIND, number, mind) for mind in range(12)]
            assert out.tolist() == [derive_seed(seed, DEAL, number), derive_seed(seed, OPENING, number), *minds]


def test_rolls_have_the_keys_of_a_table():
    for seed in SEEDS:
        key = np.zeros(4, dtype=np.int64)
        _key(np.uint64(seed), key)
        assert key.tolist() == roll_keys([seed], True).tolist()


def test_dice_are_those_of_python():
    for seed in SEEDS:
        out = np.zeros(2, dtype=np.uint64)
        _dice(np.uint64(seed), 7, out)
        assert out.tolist() == [dice(seed)[0], dice(derive(seed, 7))[0]]
