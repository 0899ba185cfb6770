"""Positions of Chinese Checkers worked out by hand. Seat 0 goes up from a1."""

import pytest

from tests.oracles.chinese_checkers import Oracle, board, point

SOUTH = ["a1", "b1", "b2", "c1", "c2", "c3"]
NORTH = ["m1", "l1", "l2", "k1", "k2", "k3"]


def game(*pieces, turn=0, turns=0, **options):
    return Oracle({"seats": len(pieces), **options}, {"pieces": pieces, "turn": turn, "turns": turns})


def named(oracle, fields):
    return sorted(oracle.texts[field] for field in fields)


@pytest.mark.parametrize(("n", "fields", "of_a_point"), [(3, 73, 6), (4, 121, 10)])
def test_the_star_has_six_points_that_do_not_overlap(n, fields, of_a_point):
    points = [point(n, number) for number in range(6)]
    assert len(board(n)) == fields
    assert [len(fields) for fields in points] == [of_a_point] * 6
    assert len(set().union(*points)) == 6 * of_a_point


def test_rows_are_as_long_as_drawn():
    names = Oracle({}).names
    assert [sum(name[0] == row for name in names) for row in "abcdefghijklm"] == [
        1,
        2,
        3,
        10,
        9,
        8,
        7,
        8,
        9,
        10,
        3,
        2,
        1,
    ]


TIPS = {
    2: ["a1", "m1"],
    3: ["a1", "j1", "j10"],
    4: ["a1", "d1", "m1", "j10"],
    6: ["a1", "d1", "j1", "m1", "j10", "d10"],
}


@pytest.mark.parametrize("seats", TIPS)
def test_seats_follow_each_other_clockwise_and_face_their_goal(seats):
    oracle = Oracle({"seats": seats})
    assert [oracle.pieces[oracle.names[tip]] for tip in TIPS[seats]] == list(range(seats))
    assert named(oracle, oracle.homes[0]) == sorted(SOUTH)
    assert named(oracle, oracle.goals[0]) == sorted(NORTH)
    for home, goal in zip(oracle.homes, oracle.goals, strict=True):
        assert goal == {tuple(-part for part in field) for field in home}


@pytest.mark.parametrize("seats", TIPS)
def test_first_moves_are_six_steps_and_four_jumps(seats):
    assert Oracle({"seats": seats}).moves() == {
        "c1-d4",
        "c1-d5",
        "c2-d5",
        "c2-d6",
        "c3-d6",
        "c3-d7",
        "b1-d4",
        "b1-d6",
        "b2-d5",
        "b2-d7",
    }


def test_first_moves_of_the_large_board():
    assert len(Oracle({"fields": 121}).moves()) == 14


def test_a_chain_may_stop_after_any_jump():
    oracle = game(["g4"], ["g5", "h6"])
    assert oracle.moves() == {f"g4-{end}" for end in ("g3", "h5", "f4", "h4", "f5", "g6", "i6")}


def test_jumps_over_own_pieces_and_captures_nothing():
    oracle = game(["g4", "g5"], ["m1"])
    oracle.play("g4-g6")
    assert named(oracle, oracle.pieces) == ["g5", "g6", "m1"]


def test_a_jump_needs_the_field_right_behind_to_be_free():
    assert "g4-g6" not in game(["g4"], ["g5", "g6"]).moves()
    assert "g4-g7" not in game(["g4"], ["g5", "g6"]).moves()


def test_no_jump_from_afar():
    assert "g2-g6" not in game(["g2"], ["g4"]).moves()


def test_a_step_and_a_jump_do_not_mix():
    assert "g3-g6" not in game(["g3"], ["g5"]).moves()


def test_a_ring_of_jumps_that_comes_back_is_no_move_and_two_ways_to_one_end_are_one():
    # g4 over g5 to g6, over h6 to i6, over h5 back to g4; i6 also straight over h5
    oracle = game(["g4"], ["g5", "h6", "h5"])
    assert oracle.moves() == {f"g4-{end}" for end in ("g3", "f4", "h4", "f5", "g6", "i6")}


def test_a_seat_without_a_move_passes():
    oracle = game(["a1"], ["b1", "b2", "c1", "c3"])
    assert oracle.moves() == {"pass"}
    oracle.play("pass")
    assert (oracle.turn, oracle.turns) == (1, 1)


def test_pass_is_no_move_otherwise():
    assert "pass" not in Oracle({}).moves()


def test_a_full_goal_with_own_pieces_wins():
    oracle = game([*NORTH[:5], "j7"], ["g1", "g2", "g3", "g4", "g5", "g6"])
    oracle.play("j7-k3")
    assert (oracle.turn, oracle.payoff()) == (None, [1.0, 0.0])


def test_one_own_piece_in_the_full_goal_is_enough():
    oracle = game(["j7", "g1"], [*NORTH[:5], "g6"])
    oracle.play("j7-k3")
    assert oracle.payoff() == [1.0, 0.0]


def test_the_last_place_may_be_filled_by_another_seat():
    oracle = game(["m1", "g1"], [*NORTH[1:5], "j7"], turn=1)
    oracle.play("j7-k3")
    assert oracle.payoff() == [1.0, 0.0]


def test_a_goal_full_of_others_is_not_won():
    oracle = Oracle({"seats": 2})
    oracle.play("c1-d4")
    assert oracle.turn == 1


def test_a_goal_with_a_gap_is_not_won():
    oracle = game([*NORTH[:4], "j5", "g1"], ["g6"])
    oracle.play("j5-k2")
    assert oracle.turn == 1


def test_pieces_may_leave_the_goal_and_rest_in_other_points():
    assert "k1-j4" in game(["k1"], ["g1"]).moves()
    assert "d4-d3" in game(["d4"], ["g1"]).moves()


def test_the_last_turn_is_a_draw_unless_it_wins():
    oracle = game(["g1"], ["g7"], turns=398)
    oracle.play("g1-g2")
    assert oracle.turn == 1
    oracle = game(["g1"], ["g7"], turns=399)
    oracle.play("g1-g2")
    assert oracle.payoff() == [0.5, 0.5]
    oracle = game([*NORTH[:5], "j7"], ["g1"], turns=399)
    oracle.play("j7-k3")
    assert oracle.payoff() == [1.0, 0.0]


@pytest.mark.parametrize("fields", [73, 121])
def test_the_limit_is_two_hundred_turns_a_seat_on_both_boards(fields):
    assert [Oracle({"seats": seats, "fields": fields}).most_turns for seats in TIPS] == [400, 600, 800, 1200]


def test_three_seats_on_73_fields_are_usual():
    assert len(Oracle({}).pieces) == 3 * 6
    assert len(Oracle({}).fields) == 73


def test_other_texts_are_refused():
    with pytest.raises(ValueError, match="not legal"):
        Oracle({}).play("a1-d4")
