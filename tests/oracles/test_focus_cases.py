"""Positions of Focus worked out by hand. A stack is written from the bottom up."""

from collections import Counter

import pytest

from tests.oracles.focus import FIELDS, NAMES, Oracle, grid


def game(seats=2, turn=0, full=False, **luck):
    return Oracle({"seats": seats, "full": full}, {"turn": turn, **luck})


def stack(oracle, name):
    return "".join(str(owner) for owner in oracle.stacks.get(NAMES[name], ()))


def test_the_board_has_fifty_two_fields():
    assert len(FIELDS) == 52
    assert not {"a1", "b1", "a2", "g8", "h7", "h8"} & set(NAMES)


@pytest.mark.parametrize(("seats", "each", "reserve"), [(2, 18, 0), (3, 12, 1), (4, 13, 0)])
def test_every_seat_starts_with_as_many_pieces(seats, each, reserve):
    oracle = Oracle({"seats": seats})
    assert Counter(owner for owners in oracle.stacks.values() for owner in owners) == dict.fromkeys(range(seats), each)
    assert oracle.reserves == [reserve] * seats


def test_half_a_turn_of_the_start_of_two_exchanges_the_seats():
    start = {field: int(sign) for field, sign in grid(2).items() if sign in "01"}
    assert start == {(7 - column, 7 - row): 1 - owner for (column, row), owner in start.items()}


def test_a_quarter_turn_of_the_start_of_four_gives_each_seat_the_next_ones_pieces():
    start = {field: int(sign) for field, sign in grid(4).items() if sign in "0123"}
    assert start == {(row, 7 - column): (owner + 1) % 4 for (column, row), owner in start.items()}


def test_first_moves_of_two_seats():
    # 18 single pieces with four directions each, but two of the corners b7 and g7 lead off the board
    assert len(Oracle({"seats": 2}).moves()) == 72 - 4
    assert {"b7-b8", "b7-a7"} & Oracle({"seats": 2}).moves() == set()


def test_first_moves_of_four_seats_who_are_usual():
    # 13 single pieces with four directions each, but a6, b2 and c8 lose two each, d1 and d8 one each
    assert len(Oracle({}).moves()) == 52 - 8


def test_a_stack_pushed_above_five_loses_the_lowest():
    oracle = game(stacks={"d4": "010", "d6": "1001", "h4": "1"})
    oracle.play("d4-d6")
    assert (stack(oracle, "d4"), stack(oracle, "d6"), oracle.captured[0]) == ("0", "00110", [0, 1])


def test_a_stack_of_three_moves_one_two_or_three_fields():
    oracle = game(stacks={"d4": "110", "a4": "1"})
    ends = ["d5", "d3", "c4", "e4", "d6", "d2", "b4", "f4", "d7", "d1", "a4", "g4"]
    assert oracle.moves() == {f"d4-{end}" for end in ends}


def test_as_many_pieces_go_as_fields():
    oracle = game(stacks={"d4": "1010", "h4": "1"})
    oracle.play("d4-d6")
    assert (stack(oracle, "d4"), stack(oracle, "d6")) == ("10", "10")


def test_stacks_on_the_way_do_not_matter():
    oracle = game(stacks={"d4": "10", "d5": "1", "d6": "1"})
    oracle.play("d4-d6")
    assert (stack(oracle, "d5"), stack(oracle, "d6")) == ("1", "110")


def test_moves_do_not_leave_the_board():
    assert game(stacks={"c1": "10", "h4": "1"}).moves() == {"c1-d1", "c1-e1", "c1-c2", "c1-c3"}


def test_only_the_top_piece_controls():
    assert game(stacks={"d4": "001", "f1": "0"}).moves() == {"f1-e1", "f1-f2"}


def test_excess_comes_off_from_the_bottom():
    oracle = game(stacks={"d4": "10", "d6": "0101", "h4": "1"})
    oracle.play("d4-d6")
    assert stack(oracle, "d6") == "10110"
    assert (oracle.reserves, oracle.captured) == ([1, 0], [[0, 0], [0, 0]])


def test_excess_of_others_is_captured():
    oracle = game(stacks={"d4": "010", "d7": "11011", "h4": "1"})
    oracle.play("d4-d7")
    # 11011010 is three too high: 1, 1 and 0 come off
    assert stack(oracle, "d7") == "11010"
    assert (oracle.reserves, oracle.captured) == ([1, 0], [[0, 2], [0, 0]])


def test_captures_are_counted_by_colour():
    oracle = game(3, stacks={"d4": "000", "d7": "12210", "h4": "1", "h5": "2"})
    oracle.play("d4-d7")
    assert oracle.captured[0] == [0, 1, 2]


def test_a_reserve_piece_goes_anywhere():
    oracle = game(stacks={"h4": "1"}, reserves=[1, 0])
    assert oracle.moves() == {f"*{name}" for name in NAMES}
    oracle.play("*h4")
    assert (stack(oracle, "h4"), oracle.reserves) == ("10", [0, 0])


def test_a_reserve_piece_on_a_full_stack_takes_the_lowest_off():
    oracle = game(stacks={"d4": "10111", "h4": "1"}, reserves=[1, 0])
    oracle.play("*d4")
    assert (stack(oracle, "d4"), oracle.captured[0]) == ("01110", [0, 1])
    oracle = game(stacks={"d4": "00111", "h4": "1"}, reserves=[1, 0])
    oracle.play("*d4")
    assert (stack(oracle, "d4"), oracle.reserves) == ("01110", [1, 0])


def test_two_seats_win_with_six_captures():
    for captured, winner in (([0, 4], None), ([0, 5], 0)):
        oracle = game(stacks={"d4": "0", "d5": "11111", "h4": "1"}, captured=[captured, [0, 5]])
        oracle.play("d4-d5")
        assert oracle.winner == winner


def test_three_seats_win_with_three_of_each_or_ten():
    for captured, winner in (([0, 2, 3], 0), ([0, 2, 2], None), ([0, 8, 1], 0), ([0, 7, 1], None)):
        position = {"d4": "0", "d5": "11111", "h4": "1", "h5": "2"}
        oracle = game(3, stacks=position, captured=[captured, [0] * 3, [0] * 3])
        oracle.play("d4-d5")
        assert oracle.winner == winner


def test_four_seats_win_with_two_of_each_or_ten():
    for captured, winner in (([0, 1, 2, 2], 0), ([0, 1, 2, 1], None), ([0, 9, 0, 0], 0), ([0, 8, 0, 0], None)):
        position = {"d4": "0", "d5": "11111", "h4": "1", "h5": "2", "h6": "3"}
        oracle = game(4, stacks=position, captured=[captured, [0] * 4, [0] * 4, [0] * 4])
        oracle.play("d4-d5")
        assert oracle.winner == winner
    assert oracle.turn == 1


def test_the_last_seat_that_can_move_wins():
    oracle = game(stacks={"d4": "0", "d5": "1"})
    oracle.play("d4-d5")
    assert oracle.payoff() == [1.0, 0.0]


def test_a_reserve_piece_keeps_a_seat_in_the_game():
    oracle = game(stacks={"d4": "0", "d5": "1"}, reserves=[0, 1])
    oracle.play("d4-d5")
    assert (oracle.turn, len(oracle.moves())) == (1, 52)


def test_a_seat_that_cannot_move_is_passed_over_until_its_piece_is_uncovered():
    oracle = game(3, stacks={"d4": "0", "d5": "1", "h4": "2"})
    oracle.play("d4-d5")
    assert (oracle.turn, oracle.turns) == (2, 1)
    oracle.play("h4-h5")
    oracle.play("d5-d6")
    assert (oracle.turn, stack(oracle, "d5")) == (1, "1")


def test_the_piece_kept_off_by_three_seats_is_placed_first_and_on_a_free_field():
    oracle = Oracle({"seats": 3})
    assert oracle.moves() == {f"*{name}" for name, field in NAMES.items() if field not in oracle.stacks}
    assert len(oracle.moves()) == 16
    for text in ("*a4", "*a5", "*a6"):
        assert text in oracle.moves()
        oracle.play(text)
    assert oracle.turn == 0
    assert oracle.reserves == [0, 0, 0]
    assert all("-" in text for text in oracle.moves())


def test_the_full_game_does_not_end_with_captures():
    oracle = game(full=True, stacks={"d4": "0", "d5": "11111", "h4": "1"}, captured=[[0, 11], [0, 0]])
    oracle.play("d4-d5")
    assert (oracle.turn, oracle.captured[0]) == (1, [0, 12])


def test_the_full_game_is_won_by_the_last_seat_that_can_move():
    oracle = game(full=True, stacks={"d4": "0", "d5": "11111"})
    oracle.play("d4-d5")
    assert oracle.payoff() == [1.0, 0.0]


def test_turn_five_hundred_is_a_draw_unless_it_wins():
    oracle = game(stacks={"d4": "0", "h4": "1"}, turns=498)
    oracle.play("d4-d5")
    assert oracle.turn == 1
    oracle.play("h4-h5")
    assert oracle.payoff() == [0.5, 0.5]
    oracle = game(stacks={"d4": "0", "d5": "1"}, turns=499)
    oracle.play("d4-d5")
    assert oracle.payoff() == [1.0, 0.0]


def test_other_texts_are_refused():
    with pytest.raises(ValueError, match="not legal"):
        Oracle({}).play("*d4")
