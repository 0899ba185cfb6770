"""Positions of Can't Stop worked out by hand."""

import pytest

from tests.oracles.cant_stop import LENGTH, Oracle

SIX_EIGHT = (2, 4, 3, 5)  # 6 8, 5 9, 7 7


def game(*rolls, seats=2, max_turns=400, **luck):
    return Oracle({"seats": seats, "max_turns": max_turns}, {"rolls": [*rolls, *[(1, 1, 1, 1)] * 50], **luck})


def play(oracle, *texts):
    for text in texts:
        oracle.play(text)
    return oracle


def test_columns_are_as_long_as_printed():
    assert [LENGTH[column] for column in range(2, 13)] == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]


def test_a_roll_has_three_pairings():
    assert game(SIX_EIGHT).moves() == {"6 8", "5 9", "7 7"}


def test_pairings_that_say_the_same_are_one_move():
    assert game((3, 3, 4, 4)).moves() == {"6 8", "7 7"}
    assert game((2, 2, 2, 2)).moves() == {"4 4"}


def test_both_columns_advance():
    oracle = play(game(SIX_EIGHT), "6 8")
    assert (oracle.runners, oracle.moves()) == ({6: 1, 8: 1}, {"go", "stop"})


def test_equal_sums_advance_two_spaces():
    assert play(game(SIX_EIGHT), "7 7").runners == {7: 2}


def test_equal_sums_advance_one_space_below_the_top():
    oracle = game((1, 1, 1, 1), spaces=[{2: 2}, {}])
    assert oracle.moves() == {"2"}
    assert play(oracle, "2").runners == {2: 3}


def test_a_neutral_marker_starts_above_the_own_one():
    oracle = play(game(SIX_EIGHT, spaces=[{6: 4}, {8: 5}]), "6 8")
    assert oracle.runners == {6: 5, 8: 1}


def test_with_one_marker_left_either_sum_may_be_chosen():
    oracle = game(SIX_EIGHT, runners={2: 1, 12: 1})
    assert oracle.moves() == {"6", "8", "5", "9", "7 7"}


def test_with_no_marker_left_only_columns_with_one_are_playable():
    assert game(SIX_EIGHT, runners={2: 1, 12: 1, 8: 1}).moves() == {"8"}


def test_both_are_played_if_one_marker_is_enough():
    assert game(SIX_EIGHT, runners={2: 1, 8: 1}).moves() == {"6 8", "5", "9", "7 7"}


def test_a_column_topped_by_anybody_is_closed():
    assert game(SIX_EIGHT, spaces=[{6: 11}, {9: 9}]).moves() == {"8", "5", "7 7"}


def test_a_neutral_marker_on_the_top_goes_no_further():
    assert game(SIX_EIGHT, runners={6: 11}).moves() == {"8", "5 9", "7 7"}


def test_a_roll_without_a_move_loses_the_turn_at_once():
    # 2, 12 and 3 are taken: 1 1 1 1 can be played, 4 4 4 4 cannot
    oracle = game(SIX_EIGHT, (4, 4, 4, 4), SIX_EIGHT, runners={2: 1, 12: 1}, spaces=[{6: 4}, {}])
    play(oracle, "6")
    assert oracle.runners == {2: 1, 12: 1, 6: 5}
    play(oracle, "go")
    assert (oracle.turn, oracle.turns, oracle.runners) == (1, 1, {})
    assert (oracle.spaces, oracle.roll) == ([{6: 4}, {}], SIX_EIGHT)


def test_several_seats_may_lose_their_turns_in_a_row():
    closed = {2: 3, 12: 3}
    oracle = game((1, 1, 1, 1), (6, 6, 6, 6), (1, 1, 1, 1), SIX_EIGHT, spaces=[closed, {}])
    assert (oracle.turn, oracle.turns) == (1, 3)


def test_going_on_keeps_the_markers():
    oracle = play(game(SIX_EIGHT, SIX_EIGHT), "6 8", "go", "6 8", "stop")
    assert (oracle.spaces[0], oracle.turn) == ({6: 2, 8: 2}, 1)


def test_three_tops_win_when_secured():
    spaces = [{2: 3, 12: 3, 7: 12}, {}]
    oracle = play(game(SIX_EIGHT, spaces=spaces), "7")
    assert oracle.moves() == {"go", "stop"}
    play(oracle, "stop")
    assert (oracle.turn, oracle.payoff()) == (None, [1.0, 0.0])


def test_two_tops_do_not_win():
    oracle = play(game(SIX_EIGHT, SIX_EIGHT, spaces=[{2: 3, 7: 12}, {}]), "7", "stop")
    assert (oracle.turn, oracle.won(0)) == (1, {2, 7})
    assert oracle.moves() == {"6 8", "5 9"}


def test_several_seats_may_be_on_one_space():
    oracle = play(game(SIX_EIGHT, SIX_EIGHT), "6 8", "stop", "6 8", "stop")
    assert oracle.spaces == [{6: 1, 8: 1}, {6: 1, 8: 1}]


def test_the_last_turn_is_a_draw_unless_it_wins():
    oracle = play(game(SIX_EIGHT, turns=9, max_turns=10, seats=4), "6 8", "stop")
    assert oracle.payoff() == [0.25] * 4
    oracle = play(game(SIX_EIGHT, turns=9, max_turns=10, spaces=[{2: 3, 12: 3, 7: 12}, {}]), "7", "stop")
    assert oracle.payoff() == [1.0, 0.0]


def test_other_texts_are_refused():
    with pytest.raises(ValueError, match="not legal"):
        game(SIX_EIGHT).play("6")
