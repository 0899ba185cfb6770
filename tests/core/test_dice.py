"""Dice: fair, the same everywhere, and seeds that do not collide."""

from collections import Counter
from itertools import product

import numpy as np
from scipy import stats

from kibitz.core.dice import below, derive, derive_all, dice, dice_all, dice_in, seed_from, shuffle, unit
from kibitz.core.dice_ways import dice_ways
from kibitz.core.native import compiled, pointer


@compiled
def _draw_in(cells, n):
    return below(dice_in(pointer(cells), n), 1000)


def test_below_is_even():
    rng = dice(1)
    counts = np.bincount([below(rng, 7) for _ in range(70_000)], minlength=7)
    assert stats.chisquare(counts).pvalue > 0.001


def test_unit_stays_below_1_and_fills_the_range():
    rng = dice(2)
    drawn = np.array([unit(rng) for _ in range(20_000)])
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert stats.kstest(drawn, "uniform").pvalue > 0.001


def test_shuffle_gives_every_order_equally_often():
    rng, counts = dice(3), {}
    for _ in range(24_000):
        cells = np.arange(6)
        shuffle(rng, cells, 1, 5)
        assert cells[0] == 0
        assert cells[5] == 5
        counts[tuple(cells)] = counts.get(tuple(cells), 0) + 1
    assert len(counts) == 24
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_pairs_of_draws_are_independent():
    rng = dice(4)
    pairs = np.zeros((4, 4))
    for _ in range(40_000):
        pairs[below(rng, 4), below(rng, 4)] += 1
    assert stats.chi2_contingency(pairs).pvalue > 0.001


def test_derived_seeds_differ_and_arrays_agree_with_single_ones():
    seeds = [derive(1, step, branch) for step in range(1000) for branch in range(3)]
    assert len(set(seeds)) == 3000
    assert derive_all(1, np.arange(1000), 2).tolist() == [derive(1, step, 2) for step in range(1000)]
    assert dice_all(np.array(seeds[:50], dtype=np.uint64)).tolist() == [int(dice(seed)[0]) for seed in seeds[:50]]


def test_any_whole_number_is_a_seed():
    assert dice(0)[0] != 0
    assert dice(-5)[0] != dice(5)[0]
    assert dice(2**100)[0] != 0


def test_dice_in_a_cell_draw_what_dice_of_their_own_would():
    cells, own = np.array([5, 7, -9]), np.array([7], dtype=np.uint64)
    assert [_draw_in(cells, 1) for _ in range(50)] == [below(own, 1000) for _ in range(50)]
    assert cells.tolist() == [5, int(own.view(np.int64)[0]), -9]


def test_seeds_for_cells_differ_and_are_never_0():
    rng = dice(6)
    seeds = {int(seed_from(rng)) for _ in range(5000)}
    assert len(seeds) == 5000
    assert min(seeds) > 0
    assert max(seeds) <= 2**62


def test_dice_fall_in_as_many_ways_as_throws_that_are_counted_one_by_one():
    for number, faces in ((1, 6), (2, 6), (3, 4), (5, 3)):
        counted = Counter(tuple(sorted(throw)) for throw in product(range(1, faces + 1), repeat=number))
        assert dice_ways(number, faces) == sorted(counted.items())
    assert len(dice_ways(6)) == 462
