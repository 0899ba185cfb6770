"""Positions of liar's dice worked out by hand."""

import pytest

from tests.oracles.liars_dice import Oracle


def game(*rolls, dice=2, **options):
    return Oracle({"seats": len(rolls[0]), "dice": dice, **options}, {"rolls": rolls})


def play(oracle, *texts):
    for text in texts:
        oracle.play(text)
    return oracle


def test_first_moves_are_bids_only():
    assert game([[1, 2], [3, 4]]).moves() == {f"{number}x{face}" for number in (1, 2, 3, 4) for face in range(1, 7)}


def test_bids_rise_in_number_or_face():
    oracle = play(game([[1, 2], [3, 4]]), "3x5")
    assert oracle.moves() == {"3x6", "4x1", "4x2", "4x3", "4x4", "4x5", "4x6", "liar"}


def test_after_the_highest_bid_there_is_only_the_challenge():
    assert play(game([[1, 2], [3, 4]]), "4x6").moves() == {"liar"}
    assert play(game([[1, 2], [3, 4]], spot_on=True), "4x6").moves() == {"liar", "spot on"}


def test_a_bid_that_is_not_there_costs_the_bidder_a_die():
    oracle = play(game([[2, 3], [4, 5]], [[2], [4, 5]]), "1x6", "liar")
    assert (oracle.counts, oracle.turn) == ([1, 2], 0)


def test_a_bid_that_is_there_costs_the_challenger_a_die():
    oracle = play(game([[2, 3], [4, 5]], [[2, 3], [4]]), "1x4", "liar")
    assert (oracle.counts, oracle.turn) == ([2, 1], 1)


def test_ones_count_as_every_face():
    oracle = play(game([[1, 3], [1, 3]], [[2, 3], [4]]), "4x3", "liar")
    assert oracle.counts == [2, 1]
    oracle = play(game([[1, 3], [1, 3]], [[2], [4, 4]], wild=0), "4x3", "liar")
    assert oracle.counts == [1, 2]


def test_a_bid_on_ones_counts_only_ones():
    oracle = play(game([[1, 3], [1, 3]], [[2], [4, 4]]), "3x1", "liar")
    assert oracle.counts == [1, 2]


def test_another_face_may_be_wild():
    assert play(game([[6, 3], [1, 3]], wild=6), "1x3").actual() == 3


@pytest.mark.parametrize(("bid", "counts"), [("6x2", [1, 5]), ("3x2", [4, 5]), ("2x2", [5, 4]), ("1x2", [5, 4])])
def test_the_difference_is_lost_but_at_least_one_die(bid, counts):
    # two twos lie on the table
    rolls = [[2, 3, 3, 3, 3], [2, 4, 4, 4, 4]], [[5] * counts[0], [5] * counts[1]]
    assert play(game(*rolls, dice=5, loss="difference"), bid, "liar").counts == counts


def test_no_more_is_lost_than_is_left():
    oracle = play(game([[2, 3], [4, 4]], loss="difference"), "4x6", "liar")
    assert (oracle.counts, oracle.payoff()) == ([0, 2], [0.0, 1.0])


def test_the_last_with_dice_wins():
    oracle = play(game([[2], [4]], dice=1), "1x4", "liar")
    assert (oracle.turn, oracle.payoff()) == (None, [1.0, 0.0])


def test_the_next_seat_begins_if_the_loser_is_out():
    oracle = play(game([[2], [3], [4]], [[2], [], [4]], dice=1), "1x2", "2x2", "liar")
    assert (oracle.counts, oracle.turn) == ([1, 0, 1], 2)
    assert play(oracle, "1x5").turn == 0


def test_a_round_has_as_many_bids_as_dice_are_left():
    oracle = play(game([[2], [3], [4]], [[2], [], [4]], dice=1), "1x2", "2x2", "liar")
    assert len(oracle.moves()) == 12


def test_spot_on_costs_all_others_a_die_if_right():
    oracle = play(game([[2, 3], [2, 5], [4, 5]], [[2], [4, 5], [4]], spot_on=True), "2x2", "spot on")
    assert (oracle.counts, oracle.turn) == ([1, 2, 1], 1)


@pytest.mark.parametrize("bid", ["1x2", "3x2"])
def test_spot_on_costs_the_caller_a_die_if_wrong(bid):
    oracle = play(game([[2, 3], [2, 5], [4, 5]], [[2, 2], [4], [4, 4]], spot_on=True), bid, "spot on")
    assert (oracle.counts, oracle.turn) == ([2, 1, 2], 1)


def test_spot_on_is_an_option():
    assert "spot on" not in play(game([[2, 3], [2, 5]]), "1x2").moves()


def test_a_seat_sees_its_own_dice_until_all_are_shown():
    oracle = play(game([[3, 2], [5, 4]], [[6], [1, 1]]), "1x6")
    assert oracle.view(1) == {"dice": [4, 5], "counts": [2, 2], "bid": (1, 6), "bidder": 0, "turn": 1}
    assert oracle.seen(1) == [("rolls", 1, 4, 5), ("1x6", 0)]
    play(oracle, "liar")
    assert oracle.seen(0)[1:] == [
        ("1x6", 0),
        ("liar", 1),
        ("shown", (2, 3), (4, 5)),
        ("left", 1, 2),
        ("rolls", 0, 6),
    ]


def test_a_roll_must_have_the_right_dice():
    with pytest.raises(ValueError, match="roll"):
        game([[1], [2]])
