"""Verdicts on published numbers: three of them, the same for mirror images, and in step with intervals and p values."""

from math import log

import numpy as np
import pytest
from scipy import stats

from kibitz.arena.results.statistics.verdict import (
    Gap,
    compare,
    compare_table,
    expected_false,
    games_to_agree,
    games_to_tell,
    half_unit,
    mean_difference,
    order_verdict,
    pair_difference,
    ratio_difference,
    share_difference,
)


def _normal(mean, error):
    return lambda level: tuple(mean + sign * stats.norm.ppf((1 + level) / 2) * error for sign in (-1, 1))


def _gap(measured, error, published, published_error=0.0, rounding=0.0):
    return Gap(measured, published, _normal(measured, error), _normal(published, published_error), rounding)


def _wins(share, blocks, size, seed=1):
    return np.random.default_rng(seed).binomial(size, share, blocks).astype(float), np.full(blocks, float(size))


def test_a_small_difference_that_is_shown_to_be_small_agrees():
    found = compare(_gap(0.51, 0.008, 0.50), 0.03)
    assert (found.verdict, found.different, found.more_games) == ("agrees", False, None)


def test_a_real_difference_within_the_margin_agrees_and_is_marked():
    found = compare(_gap(0.51, 0.001, 0.50), 0.03)
    assert (found.verdict, found.different) == ("agrees", True)


def test_a_difference_that_exceeds_chance_and_margin_contradicts():
    found = compare(_gap(0.60, 0.01, 0.50), 0.03)
    assert (found.verdict, found.different, found.more_games) == ("contradicts", True, None)


def test_too_few_games_exclude_nothing_and_the_number_that_would_tell_is_given():
    found = compare(_gap(0.51, 0.05, 0.50), 0.03)
    assert (found.verdict, found.different) == ("not excluded", False)
    assert found.more_games == pytest.approx((0.05 / 0.03 * (stats.norm.ppf(0.95) + stats.norm.ppf(0.9))) ** 2)
    assert found.more_games == compare(_gap(0.49, 0.05, 0.50), 0.03).more_games  # the difference seen is mostly chance


def test_the_games_that_would_agree_do_so_four_times_in_five_if_there_is_no_difference():
    rng, more = np.random.default_rng(6), games_to_agree(_gap(0.52, 0.05, 0.5), 0.03)
    error = 0.05 / more**0.5
    shown = [compare(_gap(0.5 + rng.normal(0, error), error, 0.5), 0.03).verdict == "agrees" for _ in range(500)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.05)


def test_no_margin_never_agrees():
    assert compare(_gap(0.5, 0.001, 0.5), 0.0).verdict == "not excluded"


def test_p_of_a_normal_difference_is_that_of_the_z_test():
    gap = _gap(0.55, 0.03, 0.50, 0.02)
    assert gap.p == pytest.approx(2 * stats.norm.sf(0.05 / np.hypot(0.03, 0.02)), rel=1e-6)
    assert _gap(0.5, 0.03, 0.5).p == pytest.approx(1.0)


def test_p_is_small_exactly_where_the_interval_excludes_zero():
    for seed in range(40):
        gap = share_difference(*_wins(0.3, 10, 24, seed), 0.24)
        low, high = gap.interval(0.95)
        assert (gap.p < 0.05) == (low > 0 or high < 0)


@pytest.mark.parametrize("published_games", [None, 60])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 35 / 60, 1.0])
def test_mirror_images_have_mirror_verdicts(share, published_games):
    for seed in range(10):
        wins, games = _wins(0.5, 6, 10, seed)
        one = share_difference(wins, games, share, published_games, 0.005)
        other = share_difference(games - wins, games, 1 - share, published_games, 0.005)
        assert other.value == pytest.approx(-one.value)
        assert other.interval(0.95) == pytest.approx((-one.interval(0.95)[1], -one.interval(0.95)[0]))
        assert other.p == pytest.approx(one.p, rel=1e-6)
        first, second = compare(one, 0.02), compare(other, 0.02)
        assert (first.verdict, first.different) == (second.verdict, second.different)
        assert first.more_games == pytest.approx(second.more_games)


def test_a_ratio_and_its_inverse_have_mirror_verdicts():
    rng = np.random.default_rng(2)
    ours, theirs = rng.gamma(5, 10, 30), rng.gamma(5, 8, 30)
    games = np.full(30, 6.0)
    one = ratio_difference(ours, theirs, 1.5)
    other = ratio_difference(theirs, ours, 1 / 1.5)
    means = ratio_difference(ours, games, 1.5, to=(theirs, games))
    assert means.interval(0.95) == pytest.approx(one.interval(0.95), rel=0.02)
    assert other.value == pytest.approx(-one.value)
    assert other.p == pytest.approx(one.p, rel=1e-6)
    assert compare(one, log(1.1)).verdict == compare(other, log(1.1)).verdict


def test_a_rounded_number_may_be_half_a_unit_off():
    assert [half_unit(number) for number in ("33.60", 33.6, 34, "1e3")] == pytest.approx([0.005, 0.05, 0.5, 500])
    exact, rounded = _gap(0.34, 0.001, 0.336), _gap(0.34, 0.001, 0.336, rounding=0.005)
    assert compare(exact, 0.0).verdict == "contradicts"
    assert compare(rounded, 0.0).verdict == "not excluded"


def test_a_published_number_of_games_gives_the_published_share_an_error():
    wins, games = np.full(40, 13.0), np.full(40, 24.0)
    alone = share_difference(wins, games, 0.5)
    beside = share_difference(wins, games, 0.5, 60)
    assert alone.p < 0.05 < beside.p


def test_mean_differences_judge_means_and_a_single_block_says_nothing():
    rng = np.random.default_rng(3)
    sums = rng.normal(10, 1, 50)
    assert compare(mean_difference(sums, np.ones(50), 10.0), 1.0).verdict == "agrees"
    assert compare(mean_difference(sums, np.ones(50), 12.0), 1.0).verdict == "contradicts"
    assert compare(mean_difference(sums, np.ones(50), 10.5, 1.0), 0.1).verdict == "not excluded"
    single = compare(mean_difference(np.array([9.0]), np.ones(1), 12.0), 1.0)
    assert (single.verdict, single.more_games) == ("not excluded", None)


def test_an_order_of_two_agents_is_the_share_of_wins_by_another_name():
    for seed in range(10):
        wins, games = _wins(0.5, 8, 6, seed)
        share = share_difference(wins, games, 0.5)
        for gap, sign in (
            (pair_difference(wins, games, games - wins, games, 0, 1), 1),
            (pair_difference(games - wins, games, wins, games, 0, 1), -1),
        ):
            assert gap.value == pytest.approx(sign * 2 * share.value)
            assert sorted(gap.interval(0.95)) == pytest.approx(sorted(sign * 2 * end for end in share.interval(0.95)))
            assert gap.p == pytest.approx(share.p, rel=1e-6)


def test_agents_that_never_met_have_no_order():
    gap = pair_difference(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([0.0, 1.0]), 0, 1)
    assert order_verdict(gap).verdict == "not excluded"


def test_a_ratio_of_1_is_an_order_too():
    rng = np.random.default_rng(5)
    deal, games = rng.lognormal(0, 1, 40), np.full(40, 6.0)
    found = ratio_difference(
        deal * rng.lognormal(0.2, 0.1, 40), games, 1.0, to=(deal * rng.lognormal(0, 0.1, 40), games)
    )
    assert order_verdict(found).verdict == "agrees"


def test_orders_are_judged_by_intervals():
    for measured, verdict in ((0.2, "agrees"), (-0.2, "contradicts"), (0.01, "not excluded"), (-0.01, "not excluded")):
        assert order_verdict(_gap(measured, 0.05, 0.0)).verdict == verdict


def test_rows_of_a_table_are_corrected_for_their_number():
    gaps = [_gap(0.5 + 0.05 * 2.2, 0.05, 0.5), *(_gap(0.5, 0.05, 0.5) for _ in range(9))]
    assert compare(gaps[0], 0.0).verdict == "contradicts"
    together = compare_table(gaps, [0.0] * 10)
    assert {row.verdict for row in together} == {"not excluded"}
    assert together[0].corrected_p == pytest.approx(10 * together[0].p)


def test_chance_alone_contradicts_one_in_twenty():
    assert expected_false(500) == pytest.approx(25)
    alarms = sum(share_difference(*_wins(0.3, 30, 8, seed), 0.3).p < 0.05 for seed in range(300))
    assert alarms <= 300 * 0.08


def test_the_number_of_games_that_would_tell_shows_the_difference_four_times_in_five():
    rng, gap = np.random.default_rng(4), _gap(0.52, 0.02, 0.5)
    more = games_to_tell(gap)
    error = 0.02 / more**0.5
    shown = [compare(_gap(0.5 + rng.normal(0.02, error), error, 0.5), 0.0).different for _ in range(500)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.05)


def test_no_number_of_games_makes_up_for_a_published_number_that_is_uncertain():
    assert games_to_agree(_gap(0.52, 0.02, 0.5, 0.1), 0.03) is None
    assert games_to_tell(_gap(0.52, 0.02, 0.5, 0.1)) is None


def test_two_equal_numbers_that_might_agree_are_not_said_to_have_too_few_published_games():
    """Novice won 976 of 1000 games and 98.33 % here: with that margin even a difference of nothing agrees."""
    gap = share_difference(*_wins(0.9833, 60, 1), 0.976, 1000)
    assert games_to_agree(gap, 0.0153) is not None
    assert games_to_agree(gap, 0.005) is None


def test_a_row_that_is_open_for_the_other_rows_of_its_table_needs_more_games_too():
    gap = _gap(0.55, 0.02, 0.5)
    assert gap.p < 0.05
    assert compare(gap, 0.0).verdict == "contradicts"
    among_others = compare(gap, 0.0, corrected_p=10 * gap.p)
    assert among_others.verdict == "not excluded"
    assert among_others.more_games > games_to_tell(gap) > 1
