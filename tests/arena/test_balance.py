"""Balance: the tables of the Colonizers thesis judged as there, and a game with a known advantage found out."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from kibitz.arena.balance import play_balance, play_variants
from kibitz.arena.results.balance_result import balance_comparison, judge
from kibitz.arena.results.statistics.evidence import p_statement, strength
from kibitz.arena.results.statistics.fairness import holm, same_rates
from kibitz.arena.show.balance_table import balance_table, comparison_table
from kibitz.core.errors import KibitzError

NAMES = ["seat 1", "seat 2", "seat 3", "seat 4"]


def _games(wins, last, shift):
    """Return payoffs of 1000 games with these first and last places by seat; the shift keeps them apart."""
    payoffs, first = np.tile([0.2, 0.21, 0.22, 0.23], (1000, 1)), np.repeat(np.arange(4), wins)
    payoffs[np.arange(1000), first] = 1
    payoffs[np.arange(1000), np.roll(np.repeat(np.arange(4), last), shift)] = 0
    return payoffs


@pytest.mark.parametrize(
    ("wins", "last", "shift", "uneven"),
    [
        ((310, 213, 251, 226), (197, 261, 279, 263), 326, [0, 1]),
        ((230, 202, 282, 286), (415, 298, 152, 135), 230, [1, 2, 3]),
    ],
)
def test_the_experiments_of_the_thesis(wins, last, shift, uneven):
    """Tables 5.1 and 5.2: seats 1 and 4 stand out as it says, and others that it did not test."""
    found = judge(_games(wins, last, shift), np.full(1000, 50), NAMES, "random")
    assert [seat.wins for seat in found.seats] == list(wins)
    assert [seat.last for seat in found.seats] == list(last)
    assert [seat.seat for seat in found.seats if seat.wins_p < 0.05] == uneven
    assert not found.fair
    assert f"Seat 1 wins {wins[0] / 1000:.1%} of 1,000 decided games" in found.verdict
    assert found.verdict.startswith("There is strong evidence that the game is unfair by seat with random in all seats")


def test_equal_seats_are_called_fair_with_what_would_not_have_shown():
    payoffs = np.tile(np.eye(2), (500, 1))
    found = judge(payoffs, np.full(1000, 9), NAMES[:2], "random")
    assert found.fair
    assert list(found.tests) == ["wins"]
    assert "1,000 games would probably not show an advantage of less than 4.5 percentage points" in found.verdict


def test_a_game_that_is_always_drawn_says_nothing():
    found = judge(np.full((30, 2), 0.5), np.full(30, 9), NAMES[:2], "random")
    assert (found.decided, found.draws, found.fair) == (0, 30, True)
    assert "nothing can be said" in found.verdict


def test_seats_that_differ_in_last_places_only_are_told_apart():
    """As with the heuristic of Colonizers, where wins hardly differ and last places do."""
    rng = np.random.default_rng(3)
    order = np.argsort(rng.random((2000, 4)) - [0, 0, 0, 0.05], axis=1)
    payoffs = np.empty((2000, 4))
    np.put_along_axis(payoffs, order, np.array([[1.0, 0.2, 0.1, 0.0]]), axis=1)
    found = judge(payoffs, np.full(2000, 9), NAMES, "random")
    assert set(found.tests) == {"wins", "last", "payoff"}
    assert found.seats[3].mean_place < 2.5


def test_quarto_by_random_moves_is_fair_and_the_workers_do_not_matter(quarto):
    one, two = (play_balance(quarto, "random", 500, 3, jobs) for jobs in (1, 2))
    assert one.fair
    assert one.seconds > 0
    assert replace(one, seconds=0) == replace(two, seconds=0)
    assert one.decided + one.draws == 500
    assert one.distinct == 500
    assert json.loads(json.dumps(one.as_dict())) == one.as_dict()
    assert repr(one).startswith("<BalanceResult of quarto by random, 500 games: seat 1 ")
    assert any("decided games" in str(part) for part in balance_table(one))
    assert one.length.least <= one.length.median <= one.length.most


def test_what_cannot_be_is_refused(quarto):
    for agent, games, jobs, openings, complaint in (
        ("nobody", 10, 1, "auto", "unknown agent"),
        ("random", 0, 1, "auto", "games must be a whole number from 1"),
        ("random", 10, 0, "auto", "jobs must be"),
        ("random", 10, 1, -1, "openings must be"),
        ("random", 10, 1, 5000, "openings must be a whole number from 0 to 1000 or .auto., not 5000"),
        ("random", 10, 1, 1000, "random games of quarto were over by then"),
        ("human", 10, 1, "auto", "a person"),
    ):
        with pytest.raises(KibitzError, match=complaint):
            play_balance(quarto, agent, games, 1, jobs, openings)


def test_p_values_are_said_in_the_same_words_everywhere():
    assert [p_statement(p) for p in (1.0, 0.5, 0.0432, 0.001, 1e-9)] == [
        "p = 1.00", "p = 0.50", "p = 0.043", "p = 0.001", "p < 0.001",
    ]  # fmt: skip
    assert [strength(p) for p in (0.5, 0.05, 0.043, 0.001)] == ["no", "no", "some", "strong"]


def test_the_verdict_comes_first_and_has_the_one_p_value_that_decides(quarto):
    found = play_balance(quarto, "random", 200, 3)
    first = str(next(iter(balance_table(found))))
    assert found.p == min(test.corrected_p for test in found.tests.values())
    assert "There is no evidence that the game is unfair by seat with random in all seats (p = " in first
    assert first.count("p =") == 1


def test_variants_have_no_dice_in_common():
    first, second = play_variants(["chexers", "chexers"], "random", 60, 3).variants
    assert first.seed == 3 != second.seed
    assert first.length != second.length
    assert second.seats == play_balance("chexers", "random", 60, second.seed).seats


def test_the_tests_of_all_variants_are_corrected_together():
    """Three equal variants: none is called unfair by the luck of one of them, and the verdict says what was counted."""
    alone = [play_balance("quarto", "random", 100, seed) for seed in (1, 2, 3)]
    together = balance_comparison(alone)
    ps = [test.p for variant in alone for test in variant.tests.values()]
    corrected = [test.corrected_p for variant in together.variants for test in variant.tests.values()]
    assert corrected == holm(ps)
    assert [variant.p for variant in together.variants] == corrected
    assert all(f"corrected for {len(ps)} tests" in variant.verdict for variant in together.variants)


def test_variants_are_laid_side_by_side():
    found = play_variants(["quarto", "quarto(squares=true)"], "novice", 200, 3)
    assert [variant.options for variant in found.variants] == [{"squares": False}, {"squares": True}]
    assert found.variants[0].seats == play_balance("quarto", "novice", 200, 3).seats
    assert 0 < found.p <= 1
    parts = list(comparison_table(found))
    assert "seats of these variants win at different rates" in parts[0]
    assert json.loads(json.dumps(found.as_dict()))["variants"][1]["options"] == {"squares": True}


def test_games_with_different_numbers_of_seats_are_shown_but_not_compared():
    found = play_variants(["quarto", "chexers"], "random", 20, 3)
    assert found.p is None
    assert len(list(comparison_table(found))) == 4


def test_equal_rates_in_all_rows_are_judged_as_the_library_judges_them():
    counts = np.array([[310, 213, 251], [230, 282, 286]])
    assert same_rates(counts) == pytest.approx(stats.chi2_contingency(counts).pvalue)
    assert same_rates(np.array([[5, 0], [9, 0]])) == 1.0
