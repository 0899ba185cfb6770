"""Positions of Rolit worked out by hand."""

import pytest

from tests.oracles.rolit import FIELDS, NAMES, START, TEXTS, Oracle


def game(discs, seats=4, turn=0):
    return Oracle({"seats": seats}, {"discs": discs, "turn": turn})


def colours(oracle, text):
    return [oracle.discs.get(NAMES[name]) for name in text.split()]


def row(text):
    """Return the discs of row 1 from a string such as 01.2, a1 first."""
    return {"abcdefgh"[i] + "1": int(sign) for i, sign in enumerate(text) if sign != "."}


def test_four_colours_clockwise_in_the_middle():
    for seats in (2, 3, 4):
        assert colours(Oracle({"seats": seats}), "d5 e5 e4 d4") == [0, 1, 2, 3]


def test_first_moves():
    assert Oracle({}).moves() == {"f5", "d3", "f3"}


def test_a_seat_without_a_disc_may_place_next_to_any():
    oracle = Oracle({})
    oracle.play("f5")
    assert colours(oracle, "d5 e5 f5 e4 d4") == [0, 0, 0, 2, 3]
    assert oracle.moves() == {"c3", "d3", "e3", "f3", "c4", "f4", "g4", "c5", "g5", "c6", "d6", "e6", "f6", "g6"}


def test_two_seats_are_red_and_yellow():
    oracle = Oracle({"seats": 2})
    oracle.play("f3")
    assert oracle.turn == 1
    assert oracle.moves() == {"c5", "c3", "e3"}
    oracle.play("c5")
    assert colours(oracle, "c5 d5 e5") == [1, 1, 1]
    assert oracle.turn == 0


def test_nobodys_discs_are_captured():
    oracle = Oracle({"seats": 2})
    oracle.play("d3")
    assert colours(oracle, "d3 d4 d5") == [0, 0, 0]
    oracle = Oracle({"seats": 2})
    oracle.play("f3")
    assert colours(oracle, "f3 e4 d5") == [0, 0, 0]


def test_nobodys_discs_enclose_nothing():
    oracle = game(row("31."), seats=3)
    oracle.play("c1")
    assert colours(oracle, "a1 b1 c1") == [3, 1, 0]


def test_no_move_adds_a_disc_of_nobodys_colour():
    oracle = Oracle({"seats": 2})
    while oracle.turn is not None:
        green_and_blue = sum(oracle.counts()[2:])
        oracle.play(min(oracle.moves()))
        assert sum(oracle.counts()[2:]) <= green_and_blue


def test_turns_go_round():
    oracle = Oracle({"seats": 3})
    turns = []
    for _ in range(4):
        turns.append(oracle.turn)
        oracle.play(min(oracle.moves()))
    assert turns == [0, 1, 2, 0]


def test_a_run_of_several_colours_is_captured():
    oracle = game(row("0123."))
    assert oracle.moves() == {"e1"}
    oracle.play("e1")
    assert colours(oracle, "a1 b1 c1 d1 e1") == [0] * 5


def test_a_run_ends_at_the_next_own_disc():
    oracle = game(row("0101."))
    oracle.play("e1")
    assert colours(oracle, "a1 b1 c1 d1 e1") == [0, 1, 0, 0, 0]


def test_a_gap_ends_a_run():
    oracle = game({**row("0.1."), "h8": 1})
    assert "d1" in oracle.moves()
    oracle.play("d1")
    assert colours(oracle, "a1 b1 c1 d1") == [0, None, 1, 0]


def test_the_edge_ends_a_run():
    oracle = game(row("11..0"))
    oracle.play("d1")
    assert colours(oracle, "a1 b1 c1 d1 e1") == [1, 1, None, 0, 0]


def test_all_directions_at_once_diagonals_too():
    around = {"c4": 1, "c5": 2, "c3": 3, "d5": 1, "d3": 2, "e4": 3, "e5": 1, "e3": 2}
    ends = dict.fromkeys(["b4", "b6", "b2", "d6", "d2", "f4", "f6", "f2"], 0)
    oracle = game({**around, **ends})
    oracle.play("d4")
    assert set(oracle.discs.values()) == {0}


def test_changed_discs_capture_nothing_further():
    # a4 captures b4 (before c4); b4 and b6 now enclose b5, which stays
    oracle = game({"b4": 1, "c4": 0, "b5": 2, "b6": 0})
    oracle.play("a4")
    assert colours(oracle, "a4 b4 c4 b5 b6") == [0, 0, 0, 2, 0]


def test_capturing_is_forced():
    oracle = game({**row("01."), "e5": 2, "e6": 3})
    assert oracle.moves() == {"c1"}


def test_next_to_a_disc_includes_diagonals():
    assert game({"d4": 1}).moves() == {"c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5"}
    assert game({"a1": 1}).moves() == {"b1", "a2", "b2"}


def full(**counts):
    """Return a full board but for h8, with so many discs of each colour in field order, seat 0 to place."""
    signs = [int(colour[1]) for colour, count in counts.items() for _ in range(count)]
    return {TEXTS[field]: sign for field, sign in zip(FIELDS[:-1], signs, strict=True)}


def test_most_discs_win():
    oracle = game(full(c1=20, c2=22, c3=21))
    oracle.play("h8")
    assert (oracle.turn, oracle.counts(), oracle.payoff()) == (None, [1, 20, 22, 21], [0.0, 0.0, 1.0, 0.0])


def test_equal_numbers_share():
    oracle = game(full(c1=21, c2=21, c3=21))
    oracle.play("h8")
    assert oracle.payoff() == [0.0, 1 / 3, 1 / 3, 1 / 3]


def test_nobodys_discs_do_not_win():
    oracle = game(full(c1=3, c2=30, c3=30), seats=2)
    oracle.play("h8")
    assert (oracle.counts(), oracle.payoff()) == ([1, 3, 30, 30], [0.0, 1.0])


def test_a_position_is_not_changed_by_its_copy():
    oracle = Oracle({})
    oracle.copy().play("f5")
    assert {TEXTS[field]: colour for field, colour in oracle.discs.items()} == START


def test_other_texts_are_refused():
    with pytest.raises(ValueError, match="not legal"):
        Oracle({}).play("a1")
