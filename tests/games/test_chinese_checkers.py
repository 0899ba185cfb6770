"""Chinese Checkers: cases that can be checked by hand with the rules and a board beside them."""

from functools import cache

import numpy as np
import pytest

from kibitz import games
from kibitz.agents import build
from kibitz.core.calls import hand_over, key
from kibitz.core.contract import OVER
from kibitz.core.dice import dice
from kibitz.core.errors import BadMove, BadValue
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import legal_moves, pick_once, play_legal, settle, value_of, who
from kibitz.core.spec import parse
from kibitz.core.table import Table
from kibitz.games.chinese_checkers.measures import STEPS_LEFT
from kibitz.games.chinese_checkers.notation import FIELD_NAMED, NAMES
from kibitz.games.chinese_checkers.rules import AIMING, PASS, SEAT, TURNS

# Pieces of two seats on a board of 73 fields: N is all of north's home, S all of south's.
S, N = "a1 b1 b2 c1 c2 c3", "k1 k2 k3 l1 l2 m1"


@cache
def game(seats=2, fields=73):
    return games.find(f"chinese_checkers(seats={seats}, fields={fields})")


def at(red, green, to_move="red to move", **options):
    """A table with two seats that starts from a position."""
    text = f"red {red}; green {green}; {to_move}"
    extra = "".join(f", {name}={value}" for name, value in options.items())
    return Table(games.find(f'chinese_checkers(seats=2, position="{text}"{extra})'), 1)


def after(table, *moves):
    """The table after moves in its notation."""
    for move in moves:
        table.play(table.read(move))
    return table


def ends(table, start):
    """Where a piece may go."""
    return {text.split("-")[1] for text in table.moves_text() if text.startswith(f"{start}-")}


def fields_of(table):
    return table.game.fields(table.view(max(table.turn, 0)), 0)


def test_the_first_seat_has_six_steps_and_four_jumps():
    steps = {"c1-d4", "c1-d5", "c2-d5", "c2-d6", "c3-d6", "c3-d7"}
    jumps = {"b1-d4", "b1-d6", "b2-d5", "b2-d7"}
    for seats in (2, 3, 4, 6):
        assert set(Table(game(seats), 1).moves_text()) == steps | jumps


def test_on_the_large_board_there_are_eight_steps_and_six_jumps():
    moves = Table(game(2, 121), 1).moves_text()
    assert len(moves) == 14
    assert {move for move in moves if move[0] == "c"} == {"c1-e5", "c1-e7", "c2-e6", "c2-e8", "c3-e7", "c3-e9"}


@pytest.mark.parametrize(("fields", "rows"), [
    (73, [1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1]),
    (121, [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]),
])  # fmt: skip
def test_rows_are_named_from_the_south_and_fields_from_the_west(fields, rows):
    names = list(NAMES[fields == 121].values())
    lengths = zip("abcdefghijklmnopq", rows, strict=False)
    assert names == [f"{row}{k + 1}" for row, length in lengths for k in range(length)]


@pytest.mark.parametrize(("seats", "tips"), [
    (2, ["a1", "m1"]), (3, ["a1", "j1", "j10"]), (4, ["a1", "d1", "m1", "j10"]),
    (6, ["a1", "d1", "j1", "m1", "j10", "d10"]),
])  # fmt: skip
def test_seats_sit_clockwise_from_the_south(seats, tips):
    board = fields_of(Table(game(seats), 1))["board"]
    assert [board[tip] for tip in tips] == list(game(seats).seat_names)
    assert sum(colour is not None for colour in board.values()) == 6 * seats


@pytest.mark.parametrize(("start", "goal"), [("a1", "m1"), ("j1", "d10"), ("j10", "d1")])
def test_the_goal_is_the_opposite_point(start, goal):
    named, aiming = FIELD_NAMED[0], AIMING[0, 3]
    seat = ["a1", "j1", "j10"].index(start)
    assert aiming[named[goal]] == seat
    assert STEPS_LEFT[0, 2 * seat, named[start]] == 12
    assert STEPS_LEFT[0, 2 * seat, named[goal]] == 0


def test_a_piece_alone_steps_in_six_directions():
    assert ends(at("g4", "m1"), "g4") == {"g3", "g5", "f4", "f5", "h4", "h5"}


def test_a_piece_jumps_over_one_neighbour_of_any_seat_to_the_field_behind():
    table = at("g4 g5", "h4 m1")
    assert ends(table, "g4") == {"g3", "f4", "f5", "h5", "g6", "i4"}


def test_two_pieces_in_a_row_cannot_be_jumped():
    assert ends(at("g4 g5 g6", "m1"), "g4") == {"g3", "f4", "f5", "h4", "h5"}


def test_nobody_jumps_over_a_piece_that_is_further_away():
    assert "g7" not in ends(at("g3", "g5 m1"), "g3")


def test_nobody_jumps_off_the_board():
    assert ends(at("g6", "g7 m1"), "g6") == {"g5", "f6", "f7", "h6", "h7"}


def test_a_chain_of_jumps_may_turn_and_stop_after_any_jump():
    # Over h4 to i4, then over i5 to i6, then over h6 to g6.
    table = at("g4", "h4 i5 h6 m1")
    assert {"i4", "i6", "g6"} <= ends(table, "g4")


def test_a_step_does_not_go_on_with_a_jump():
    # From g3 a step leads beside h5, over which j6 lies.
    assert ends(at("g3", "h5 m1"), "g3") == {"g2", "g4", "f3", "f4", "h3", "h4"}


def test_a_chain_that_comes_back_to_its_start_is_no_move():
    # A ring around g4: over h4 to i4, over i5 to i6, and so on; g4 itself is never an end.
    table = at("g4", "h4 i5 h6 g5 m1")
    assert "g4" not in ends(table, "g4")
    assert len(table.moves()) == len(set(table.moves_text()))


def test_a_field_reached_by_two_chains_is_one_move():
    # i6 is reached over h4 and i5, and over g5 and h6.
    table = at("g4", "h4 i5 g5 h6 m1")
    assert [text for text in table.moves_text() if text.startswith("g4-i6")] == ["g4-i6"]


def test_pieces_enter_and_leave_every_point():
    assert "e2" in ends(at("e3", "m1"), "e3")
    assert "e3" in ends(at("e2", "m1"), "e2")
    assert "j6" in ends(at("k2", "m1"), "k2")


def test_a_seat_wins_by_filling_the_opposite_point():
    table = after(at(f"{N.replace('k1', '')} j4", "a1"), "j4-k1")
    assert (table.over, table.payoff()) == (True, [1.0, 0.0])


def test_one_own_piece_among_those_that_stayed_at_home_is_enough():
    table = after(at("j4", "k2 k3 l1 l2 m1 g1"), "j4-k1")
    assert table.payoff() == [1.0, 0.0]


def test_a_full_point_without_an_own_piece_wins_nothing():
    assert not Table(game(2), 1).over
    table = after(at("g4", "k2 k3 l1 l2 m1 j4"), "g4-g5", "j4-k1")
    assert not table.over


def test_the_move_of_another_seat_can_make_a_seat_win():
    table = after(at("m1 g4", "k2 k3 l1 l2 j4", "green to move"), "j4-k1")
    assert table.payoff() == [1.0, 0.0]


def test_a_seat_that_cannot_move_passes():
    # Beside red's only piece are d9 and e9, behind them d8 and f8.
    table = at("d10", "d8 d9 e9 f8")
    assert table.moves_text() == ["pass"]
    assert table.moves() == [PASS]
    assert after(table, "pass").turn == 1


def test_nobody_passes_who_can_move():
    with pytest.raises(BadMove):
        Table(game(), 1).read("pass")


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_after_two_hundred_turns_a_seat_all_share(seats):
    state = Table(game(seats), 1).copy_of_truth()
    state[TURNS], state[SEAT] = 200 * seats - 1, seats - 1
    room = game(seats).new_moves()
    rules = game(seats).rules
    assert play_legal(rules, state, int(room[: legal_moves(rules, state, room)][0]), room)
    earned = np.zeros(seats)
    settle(rules, state, earned)
    assert who(rules, state) == OVER
    assert earned.tolist() == pytest.approx([1 / seats] * seats)


def test_a_win_with_the_last_turn_counts():
    table = after(at("a1 g1", "b1 b2 c2 c3 d4 m1", "green to move after 399 turns"), "d4-c1")
    assert table.payoff() == [0.0, 1.0]


def test_five_seats_are_refused():
    with pytest.raises(BadValue, match="2, 3, 4 or 6 seats"):
        game(5)


@pytest.mark.parametrize(("typed", "words"), [
    ("a1-b1", "b1 is not empty"), ("m1-l1", "red is to move and has no piece on m1"),
    ("c1-g4", "neither beside c1 nor reached"), ("c1-z9", "there is no field 'z9'"),
])  # fmt: skip
def test_a_wrong_move_is_explained(typed, words):
    with pytest.raises(BadMove, match=words):
        Table(game(), 1).read(typed)


@pytest.mark.parametrize(("position", "words"), [
    ("red a1; red to move", "lists the pieces of red, green in this order"),
    ("red a1; green m1", "ends with whose turn it is"),
    ("red a1; green m1; blue to move", "ends with whose turn it is"),
    ("red; green m1; red to move", "red has 0 pieces"),
    ("red a1 a1; green m1; red to move", "two pieces on a1"),
    ("red a2; green m1; red to move", "no field 'a2'"),
    ("red a1; green m1; red to move after 3 turns", "after 3 turns it is green to move"),
    ("red a1; green m1; red to move after 400 turns", "the game is over after 400 turns"),
    (f"red {N}; green a1; red to move", "red has filled its goal"),
])  # fmt: skip
def test_a_position_that_cannot_be_is_refused(position, words):
    with pytest.raises(BadValue, match=words):
        games.find(f'chinese_checkers(seats=2, position="{position}")')


def chosen(table, policy, seed=1):
    """The move that a policy makes."""
    found = table.game.policy(parse(policy))
    state, room = table.copy_of_truth(), table.game.new_moves()
    return table.write(pick_once(table.game.rules, found.handle, found.weights, state, dice(seed), room))


def test_forward_takes_the_longest_way():
    assert chosen(at("g4 c2", "h4 j5 m1"), "forward(random=0)") == "g4-k2"


def test_forward_favours_the_last_piece_if_asked():
    table = at("c2 g4", "h4 m1")
    assert chosen(table, "forward(random=0)") == "g4-i4"
    assert chosen(table, "forward(random=0, last=1)").startswith("c2-")


def test_values_count_the_steps_towards_the_goal():
    table = after(Table(game(2), 1), "b1-d4", "k2-j5")
    assert evaluated(table, "distance") == [2.0, 1.0]


def evaluated(table, value):
    """What a value gives every seat."""
    found, out = table.game.value(parse(value)), np.zeros(table.game.seats)
    value_of(table.game.rules, found.handle, found.weights, table.copy_of_truth(), out)
    return out.tolist()


@compiled
def _pass_to(rules, state, seat):
    hand_over(pointer(rules), pointer(state), seat)


@compiled
def _key(rules, state):
    return key(pointer(rules), pointer(state))


def test_handing_over_counts_the_turns_in_between():
    state = Table(game(6), 1).copy_of_truth()
    _pass_to(game(6).rules, state, 4)
    assert (state[SEAT], state[TURNS]) == (4, 4)
    _pass_to(game(6).rules, state, 1)
    assert (state[SEAT], state[TURNS]) == (1, 7)


def test_a_position_has_the_same_key_whenever_it_is_reached():
    rules = game(2).rules
    short = after(Table(game(2), 1), "c1-d4", "k1-j4", "d4-c1", "j4-k1").copy_of_truth()
    assert _key(rules, short) == _key(rules, Table(game(2), 1).copy_of_truth())
    short[TURNS] = 390
    assert _key(rules, short) != _key(rules, Table(game(2), 1).copy_of_truth())


def test_searches_may_leave_out_moves_that_lose_distance():
    table = at("g4", "m1")
    mind = build("maxn(depth=1, filter=onward, value=distance)", table.game, 1)
    considered = {table.write(move) for move in mind.decide(table.view(0)).considered}
    assert considered <= {"g4-g3", "g4-g5", "g4-h4", "g4-h5"}
    assert table.write(mind.decide(table.view(0)).move) in {"g4-h4", "g4-h5"}


@pytest.mark.parametrize(("seats", "strong"), [(2, "minimax"), (3, "mcts"), (6, "mcts")])
def test_the_champion_depends_on_the_number_of_seats(seats, strong):
    assert game(seats).agents["champion"].startswith(strong)


def test_what_a_move_changed_is_told():
    table = at("j4 g1", "k2 k3 l1 l2 m1 g5")
    before = table.view(0)
    after(table, "j4-k1")
    assert table.game.changes(before, table.view(0)) == ["red has 1 of 2 pieces in its goal", "the goal of red is full"]
