"""Streams: seeds that tell nothing about each other, and hidden numbers that stand the tests of a generator."""

import numpy as np
import pytest
from scipy.stats import chisquare

import kibitz
from kibitz.core.calls import deal, play, sample, turn
from kibitz.core.contract import OVER
from kibitz.core.dice import below, dice, dice_all, dice_in, seed_from
from kibitz.core.native import compiled, offset, pointer
from kibitz.core.seeds import NAMES, derive_seed
from kibitz.games.colonizers.cells import EVERY_COLONIST, PACKET, ROUND

LEAST_P = 1e-4
LAGS = range(1, 9)
SEQUENCE = 4


def test_streams_of_all_names_and_numbers_differ():
    seeds = [
        derive_seed(seed, name, *path)
        for seed in (0, 1, -1, 2**70)
        for name in NAMES
        for path in ((), (0,), (1,), (0, 1))
    ]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_stream_of_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="there is no stream 'deals'; the streams are deal, opening, mind"):
        derive_seed(1, "deals")


def _flips(seeds):
    """Return how often each bit changes from one seed to the next."""
    bits = np.unpackbits(np.array(seeds, dtype=np.uint64).view(np.uint8)).reshape(len(seeds), 64)
    return (bits[1:] != bits[:-1]).mean(axis=0)


@pytest.mark.parametrize("name", NAMES)
def test_neighbouring_numbers_give_seeds_that_have_nothing_in_common(name):
    share = _flips([derive_seed(1, name, number) for number in range(4000)])
    assert abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(4000)


def check_as_dice(numbers, sides):
    """Ask rows of numbers for equal frequencies, no repetition at any lag, and all short sequences equally often."""
    for column in numbers.T:
        assert chisquare(np.bincount(column, minlength=sides)).pvalue > LEAST_P
    for lag in LAGS:
        same = (numbers[:, lag:] == numbers[:, :-lag]).ravel()
        counts = [same.sum(), len(same) - same.sum()]
        assert chisquare(counts, [len(same) / sides, len(same) * (1 - 1 / sides)]).pvalue > LEAST_P, lag
    places = sides ** np.arange(SEQUENCE)
    found = np.bincount((numbers[:, :SEQUENCE] * places).sum(axis=1), minlength=sides**SEQUENCE)
    assert chisquare(found).pvalue > LEAST_P


@compiled
def _roll_in_cells(rng, cell, sides, out):
    for game in range(out.shape[0]):
        cell[0] = seed_from(pointer(rng))
        for draw in range(out.shape[1]):
            out[game, draw] = below(dice_in(pointer(cell), 0), sides)


@pytest.mark.parametrize("sides", [2, 6, 13])
def test_dice_in_a_cell_stand_the_tests_of_a_generator(sides):
    out = np.zeros((100_000, 12), dtype=np.int64)
    _roll_in_cells(dice(1), np.zeros(1, dtype=np.int64), sides, out)
    check_as_dice(out, sides)


@compiled
def _put_away(rules_, options_, deals, state_, room_, rng_, out):
    rules, options, state, room, rng = (
        pointer(rules_), pointer(options_), pointer(state_), pointer(room_), pointer(rng_),
    )  # fmt: skip
    for game in range(deals.shape[0]):
        deal(rules, state, options, offset(pointer(deals), game))
        begun = 0
        while turn(rules, state) != OVER and begun < out.shape[1]:
            if state[ROUND] > begun:
                out[game, begun] = EVERY_COLONIST ^ state[PACKET]
                begun += 1
            play(rules, state, sample(rules, state, rng, room))


def test_the_colonists_put_away_are_draws():
    game = kibitz.game("colonizers")
    out = np.zeros((40_000, 12), dtype=np.int64)
    deals = dice_all(np.arange(len(out), dtype=np.uint64))
    _put_away(game.rules, game.encoded_options, deals, game.new_state(), game.new_moves(), dice(1), out)
    whole = out[(out > 0).all(axis=1)]
    assert len(whole) > 0.99 * len(out)
    check_as_dice(np.log2(whole).astype(np.int64), 6)
