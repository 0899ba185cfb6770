"""Chexers: cases that can be checked by hand with the rules and a board beside them."""

import numpy as np
import pytest

from kibitz import games
from kibitz.core.calls import copy, extent, hand_over, key
from kibitz.core.contract import OVER
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadMove, BadValue, KibitzError
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import legal_moves, pick_once, play_legal, progress_of, settle, value_of, who
from kibitz.core.table import Table
from kibitz.games.chexers import position
from kibitz.games.chexers.notation import from_action, to_action
from kibitz.games.chexers.rules import (
    CELLS,
    EXITS,
    LENGTH,
    OCCURRENCES,
    PASS,
    PAST,
    SEAT,
    TURNS,
)

GAME = games.find("chexers")
RED, GREEN, BLUE = range(3)
START = "red a4 a5 a6 a7; green d1 e1 f1 g1; blue d7 e6 f5 g4; red to move after 0 turns"
ROOM = np.empty(GAME.most_moves, dtype=np.int64)


def legal(state):
    """The legal moves as numbers."""
    return ROOM[: legal_moves(GAME.rules, state, ROOM)].tolist()


def texts(state):
    """The legal moves as texts."""
    return {GAME.write(state, move) for move in legal(state)}


def at(text, *moves):
    """The position of a text after some moves."""
    state = position.read(text)
    for move in moves:
        assert play_legal(GAME.rules, state, GAME.read(state, legal(state), move), ROOM)
    return state


def board(state):
    """The position without seat and turns, be the game over or not."""
    still = state.copy()
    still[SEAT] = RED
    return position.write(still).rsplit(";", 1)[0]


def turn(state):
    return int(who(GAME.rules, state))


def payoff(state):
    out = np.zeros(3)
    settle(GAME.rules, state, out)
    return out.tolist()


def worth(name, state):
    """What a value writes, seat by seat."""
    value, out = GAME.value(name), np.zeros(3)
    value_of(GAME.rules, value.handle, value.weights, state, out)
    return pytest.approx(out.tolist())


@compiled
def _hand(rules, state, seat):
    hand_over(pointer(rules), pointer(state), seat)


@compiled
def _copied(rules, state, out):
    copy(pointer(rules), pointer(state), pointer(out))


@compiled
def _extent(rules, state):
    return extent(pointer(rules), pointer(state))


@compiled
def _key(rules, state):
    return key(pointer(rules), pointer(state))


# ---- the start


def test_each_colour_starts_with_four_pieces_on_its_side():
    assert position.write(Table(GAME, 1).view(RED)) == START


def test_red_begins_and_green_and_blue_follow():
    table = Table(GAME, 1)
    seats = []
    for _ in range(4):
        seats.append(table.turn)
        table.play(table.moves()[0])
    assert seats == [RED, GREEN, BLUE, RED]


def test_red_has_eight_first_moves():
    assert texts(at(START)) == {"a4-b3", "a4-b4", "a5-b4", "a5-b5", "a6-b5", "a6-b6", "a7-b6", "a7-b7"}


# ---- moving and jumping


def test_a_piece_in_the_middle_moves_to_all_six_neighbours():
    assert texts(at("red d4; green; blue; red to move")) == {"d4-c4", "d4-d3", "d4-e3", "d4-e4", "d4-d5", "d4-c5"}


def test_a_piece_in_a_corner_has_three_neighbours():
    assert texts(at("red d1; green; blue; red to move")) == {"d1-e1", "d1-d2", "d1-c2"}


def test_a_move_takes_the_piece_along_and_changes_nothing_else():
    after = at("red d4; green d6; blue a4; red to move", "d4-e4")
    assert board(after) == "red e4; green d6; blue a4"


def test_a_jumped_piece_changes_colour_and_stays_where_it_is():
    after = at("red d4; green e4; blue a4; red to move", "d4xf4")
    assert board(after) == "red e4 f4; green; blue a4"


def test_a_piece_may_jump_over_its_own_and_takes_nothing():
    after = at("red d4 e4; green a7; blue a4; red to move", "d4xf4")
    assert board(after) == "red e4 f4; green a7; blue a4"


def test_a_jump_needs_an_empty_hex_behind():
    assert "d4xf4" not in texts(at("red d4; green e4; blue f4; red to move"))


def test_nothing_jumps_off_the_board():
    state = at("red f4; green g4; blue a7; red to move")
    assert texts(state) == {"f4-e4", "f4-f3", "f4-g3", "f4-f5", "f4-e5"}


def test_an_occupied_neighbour_cannot_be_moved_to():
    assert "d4-e4" not in texts(at("red d4; green e4; blue; red to move"))


def test_there_are_no_chains_of_jumps():
    after = at("red a4; green b4 d4; blue g4; red to move", "a4xc4")
    assert turn(after) == GREEN


def test_no_shift_wraps_from_one_edge_to_the_other():
    # g3 is the last hex of its row; a4, the first of the next, must not be its neighbour.
    assert texts(at("green g3; red; blue; green to move after 1 turn")) == {"g3-f3", "g3-g2", "g3-g4", "g3-f4"}


# ---- exits


@pytest.mark.parametrize(
    ("colour", "seat", "hexes"),
    [("red", 0, "g1 g2 g3 g4"), ("green", 1, "a7 b7 c7 d7"), ("blue", 2, "a4 b3 c2 d1")],
)
def test_each_colour_exits_on_the_side_across(colour, seat, hexes):
    others = [name for name in ("red", "green", "blue") if name != colour]
    everywhere = [f"{column}{row}" for column in "abcdefg" for row in range(1, 8)]
    exits = set()
    for name in everywhere:
        try:
            state = at(f"{colour} {name}; {others[0]}; {others[1]}; {colour} to move after {seat} turns")
        except BadValue:
            continue  # no hex
        exits |= {text for text in texts(state) if text.endswith("out")}
    assert exits == {f"{name} out" for name in hexes.split()}


def test_an_exit_takes_the_piece_off_and_counts():
    after = at("red g1 d4; green a5; blue f5; red to move", "g1 out")
    assert board(after) == "red+1 d4; green a5; blue f5"


def test_a_converted_piece_uses_the_exits_of_its_new_colour():
    # Green's piece on g4 cannot exit there; taken by red, it can.
    state = at("red g3; green g4 a6; blue a4 d7; green to move after 1 turn")
    assert "g4 out" not in texts(state)
    taken = at("red f4; green g3 a6; blue b6; red to move", "f4-g4", "a6-a7", "b6-b7", "g4xg2", "a7-a6", "b7-b6")
    assert "g3 out" in texts(taken)


def test_the_fourth_exit_wins_at_once():
    after = at("red+3 g1 a4; green+2 a7; blue+3 a5; red to move", "g1 out")
    assert turn(after) == OVER
    assert payoff(after) == [1.0, 0.0, 0.0]
    assert texts(after) == set()


@pytest.mark.parametrize(("seat", "move"), [(GREEN, "a7 out"), (BLUE, "d1 out")])
def test_the_others_win_the_same_way(seat, move):
    colour = ("red", "green", "blue")[seat]
    after = at(f"red+3 g1; green+3 a7; blue+3 d1; {colour} to move", move)
    assert payoff(after) == [float(s == seat) for s in range(3)]


def test_a_third_exit_does_not_win():
    assert turn(at("red+2 g1; green; blue; red to move", "g1 out")) == GREEN


# ---- passing


def test_a_seat_passes_only_when_nothing_else_is_possible():
    # Red on a4 is shut in: its neighbours are taken, and so is everything behind them.
    shut = "red a4; green b3 c2 b4 c4; blue a5 a6; red to move"
    assert texts(at(shut)) == {"pass"}
    assert board(at(shut, "pass")) == board(at(shut))
    assert "pass" not in texts(at("red a4; green b3 c2 b4 c4; blue a5; red to move"))


def test_a_shut_in_piece_on_an_exit_hex_exits_and_does_not_pass():
    assert texts(at("red; green b3 c2 b4 c4; blue a4 a5 a6; blue to move")) >= {"a4 out"}
    assert texts(at("red a5 a6; green b3 c2 b4 c4; blue a4; blue to move")) == {"a4 out"}


def test_a_seat_without_pieces_stays_in_the_rotation_passes_and_keeps_its_exits():
    state = at("red+3; green+1 d1; blue d7; red to move")
    assert texts(state) == {"pass"}
    after = at("red+3; green+1 d1; blue d7; red to move", "pass")
    assert turn(after) == GREEN
    assert after[TURNS] == 1
    assert after[EXITS + RED] == 3


# ---- draws


def test_the_fourth_occurrence_draws_and_the_start_counts_once():
    circle = ["a4-b4", "d1-d2", "g4-f4", "b4-a4", "d2-d1", "f4-g4"]
    state = at(START, *circle, *circle)
    assert state[OCCURRENCES] == 3
    nearly = at(START, *circle, *circle, *circle[:-1])
    assert turn(nearly) == BLUE
    drawn = at(START, *circle, *circle, *circle)
    assert turn(drawn) == OVER
    assert payoff(drawn) == [1 / 3] * 3


def test_a_table_draws_on_the_fourth_occurrence_as_well():
    table = Table(GAME, 1)
    for move in ["a4-b4", "d1-d2", "g4-f4", "b4-a4", "d2-d1", "f4-g4"] * 3:
        table.play(table.read(move))
    assert table.over
    assert table.payoff() == [1 / 3] * 3


def test_the_same_board_with_another_seat_to_move_is_another_position():
    # Red takes three moves to come back, the others two.
    state = at(START, "a4-b4", "d1-d2", "g4-f4", "b4-b3", "d2-d1", "f4-g4", "b3-a4")
    assert board(state) == board(at(START))
    assert state[SEAT] == GREEN
    assert state[OCCURRENCES] == 1


def test_passes_count_towards_repetition():
    # Green and blue can only pass while red goes to and fro: the third return of the first position ends it.
    alone = "red d4; green; blue; red to move"
    shuttle = ["d4-e4", "pass", "pass", "e4-d4", "pass", "pass"] * 3
    assert turn(at(alone, *shuttle[:-1])) == BLUE
    assert turn(at(alone, *shuttle)) == OVER


def test_an_exit_starts_the_history_anew():
    state = at(START, "a4-b4", "d1-d2", "g4-f4")
    assert state[LENGTH] == 4
    before = "red g1 d4; green a5; blue f5; red to move"
    assert at(before, "d4-e4", "a5-a6", "f5-e5")[LENGTH] == 4
    assert at(before, "d4-e4", "a5-a6", "f5-e5", "g1 out")[LENGTH] == 1


def test_a_jump_that_takes_a_colours_last_piece_starts_the_history_anew():
    state = at("red d4; green e4; blue a4; red to move", "d4xf4")
    assert state[LENGTH] == 1


def test_conversions_can_be_undone_so_they_do_not_end_the_history():
    # Red and green jump over d4 in turn, there and back, and it changes colour every time; blue steps to and fro.
    start = "red c4; green d3 d4; blue g4; red to move"
    circle = ["c4xe4", "d3xd5", "g4-f4", "e4xc4", "d5xd3", "f4-g4"]
    assert board(at(start, *circle[:1])) == "red d4 e4; green d3; blue g4"
    assert board(at(start, *circle[:2])) == "red e4; green d4 d5; blue g4"
    once = at(start, *circle)
    assert board(once) == board(at(start))
    assert once[OCCURRENCES] == 2
    assert turn(at(start, *circle * 3)) == OVER


def test_the_game_is_drawn_after_768_turns():
    state = at("red d4; green+1 d1; blue d7; blue to move after 767 turns")
    assert turn(state) == BLUE
    drawn = at("red d4; green+1 d1; blue d7; blue to move after 767 turns", "d7-d6")
    assert turn(drawn) == OVER
    assert payoff(drawn) == [1 / 3] * 3


def test_a_pass_may_be_turn_768():
    assert turn(at("red d4; green+1 d1; blue+3; blue to move after 767 turns", "pass")) == OVER


def test_a_fourth_exit_on_turn_768_wins():
    won = at("red d4; green+1 e1; blue+3 d1; blue to move after 767 turns", "d1 out")
    assert payoff(won) == [0.0, 0.0, 1.0]


def test_the_game_goes_on_after_767_turns():
    assert turn(at("red d4; green d1; blue d7; green to move after 766 turns", "d1-d2")) == BLUE


# ---- handing over


def test_handing_over_makes_it_that_seats_turn_and_counts_those_skipped():
    state = at(START, "a4-b4")
    _hand(GAME.rules, state, BLUE)
    assert (turn(state), state[TURNS]) == (BLUE, 2)
    _hand(GAME.rules, state, GREEN)
    assert (turn(state), state[TURNS]) == (GREEN, 4)
    assert board(state) == board(at(START, "a4-b4"))


def test_handing_over_to_the_seat_on_turn_changes_nothing():
    state = at(START, "a4-b4")
    before = state.copy()
    _hand(GAME.rules, state, GREEN)
    assert (state == before).all()


def test_handing_over_is_no_occurrence_and_ends_nothing():
    state = at("red d4; green d1; blue d7; green to move after 766 turns")
    _hand(GAME.rules, state, RED)
    assert turn(state) == RED
    assert state[LENGTH] == 1
    assert legal(state)


def test_a_finished_game_is_not_handed_over():
    state = at("red+3 g1 a4; green a7; blue a5; red to move", "g1 out")
    _hand(GAME.rules, state, BLUE)
    assert turn(state) == OVER


# ---- the rest of the contract


def test_drawing_equals_listing_and_choosing_even_when_passing():
    for text in (START, "red+3; green+1 d1; blue d7; red to move", "red g1 g2 f2; green g3; blue; red to move"):
        state = at(text)
        for seed in range(50):
            move = pick_once(GAME.rules, 0, np.zeros(1), state, dice(seed), ROOM)
            moves = legal(state)
            assert move == moves[roll(dice(seed), len(moves))]


def test_only_the_cells_in_use_are_copied_and_they_suffice():
    table, rng, out = Table(GAME, 4), dice(4), np.empty(CELLS.size, dtype=np.int64)
    while not table.over:
        state = table.view(RED)
        out[:] = 77
        _copied(GAME.rules, state, out)
        used = _extent(GAME.rules, state)
        assert used == PAST + state[LENGTH] + (state[LENGTH] + 7) // 8
        assert (out[:used] == state[:used]).all()
        assert (out[used:] == 77).all()
        moves = table.moves()
        move = moves[roll(rng, len(moves))]
        table.play(move)
        assert play_legal(GAME.rules, out, move, ROOM)
        again = table.view(RED)
        assert (out[: _extent(GAME.rules, again)] == again[: _extent(GAME.rules, again)]).all()


def test_progress_counts_turns():
    assert progress_of(GAME.rules, at(START, "a4-b4", "d1-d2")) == 2


def test_the_key_tells_apart_seat_exits_and_occurrences_but_not_the_way_there():
    def keyed(*args):
        return _key(GAME.rules, at(*args))

    assert keyed(START) != keyed(START.replace("red to move after 0", "green to move after 1"))
    assert keyed("red d4; green; blue; red to move") != keyed("red+1 d4; green; blue; red to move")
    circle = ["a4-b4", "d1-d2", "g4-f4", "b4-a4", "d2-d1", "f4-g4"]
    assert keyed(START) != keyed(START, *circle)
    one = keyed(START, "a4-b4", "d1-d2", "g4-f4", "a5-b5", "e1-e2", "f5-e5")
    assert one == keyed(START, "a5-b5", "e1-e2", "f5-e5", "a4-b4", "d1-d2", "g4-f4")


def test_the_key_tells_apart_the_last_turns():
    early = "red d4; green; blue; red to move after {} turns"
    assert _key(GAME.rules, at(early.format(30))) == _key(GAME.rules, at(early.format(60)))
    assert _key(GAME.rules, at(early.format(750))) != _key(GAME.rules, at(early.format(753)))


# ---- notation


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("d4-e4", ("MOVE", ((0, 0), (1, 0)))),
        ("d4xf2", ("JUMP", ((0, 0), (2, -2)))),
        ("g1 out", ("EXIT", (3, -3))),
    ],
)
def test_short_texts_and_action_tuples_name_the_same_moves(text, action):
    state = at("red d4 g1; green e3; blue a7; red to move")
    move = GAME.read(state, legal(state), text)
    assert to_action(state, move) == action
    assert from_action(state, action) == move
    assert GAME.read(state, legal(state), repr(action)) == move
    assert from_action(state, [action[0], [list(x) if isinstance(x, tuple) else x for x in action[1]]]) == move


@pytest.mark.parametrize("whole", [np.int64, np.int8, np.uint8])
def test_actions_may_hold_numpy_integers_and_small_letters(whole):
    state = at("red d4 g1; green e3; blue a7; red to move")
    jump = ((whole(0), whole(0)), (whole(2), -2))
    assert from_action(state, ("jump", jump)) == from_action(state, ("JUMP", ((0, 0), (2, -2))))
    assert from_action(state, ("Exit", (whole(3), -3))) == from_action(state, ("EXIT", (3, -3)))
    assert GAME.read(state, legal(state), "('exit', (3, -3))") == from_action(state, ("EXIT", (3, -3)))


def test_pass_is_a_tuple_too():
    state = at("red; green d1; blue; red to move")
    assert to_action(state, PASS) == ("PASS", None)
    assert from_action(state, ("PASS", None)) == PASS
    assert GAME.read(state, legal(state), '("PASS", None)') == PASS


def test_every_legal_move_makes_the_round_trip_through_its_tuple():
    for seed in range(3):
        table, rng = Table(GAME, seed), dice(seed)
        while not table.over:
            moves, view = table.moves(), table.view(table.turn)
            assert [from_action(view, to_action(view, move)) for move in moves] == moves
            table.play(moves[roll(rng, len(moves))])


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (("MOVE", ((0, 0), (2, 0))), r"\(2, 0\) is not next to \(0, 0\)"),
        (("MOVE", ((0, 0), (1, -1))), r"\(1, -1\) is not empty"),
        (("MOVE", ((1, 0), (2, 0))), r"red is to move and has no piece on \(1, 0\)"),
        (("JUMP", ((0, 0), (1, 0))), r"\(1, 0\) is not two steps in a straight line from \(0, 0\)"),
        (("JUMP", ((0, 0), (2, 0))), r"no piece to jump over on \(1, 0\)"),
        (("JUMP", ((3, -3), (3, -1))), r"\(3, -1\) is not empty"),
        (("EXIT", (0, 0)), r"\(0, 0\) is not an exit hex of red"),
        (("EXIT", (4, -3)), r"\(4, -3\), which is not a hex"),
        (("PASS", None), "only when nothing else is possible"),
        (("FLY", (0, 0)), "is not an action; an action is"),
        (("MOVE", (0, 0)), "should be the coordinates"),
        (("MOVE", None), "is not an action"),
        ("MOVE", "is not an action"),
        (None, "is not an action"),
        (7, "is not an action"),
        (("EXIT", ("a", 1)), "should be the coordinates"),
        (("EXIT", (True, -3)), "should be the coordinates"),
        (("EXIT", (np.bool_(True), -3)), "should be the coordinates"),
        (("EXIT", (3.0, -3)), "should be the coordinates"),
        (("EXIT", (np.int64(4), -3)), r"\(4, -3\), which is not a hex"),
    ],
)
def test_an_action_that_cannot_be_is_refused_in_one_sentence(action, why):
    state = at("red d4 g1; green e3 g2; blue g3; red to move")
    with pytest.raises(BadMove, match=why) as caught:
        from_action(state, action)
    assert "\n" not in str(caught.value)


def test_no_action_is_read_once_the_game_is_over():
    with pytest.raises(BadMove, match="the game is over"):
        from_action(at("red+3 g1; green; blue; red to move", "g1 out"), ("PASS", None))


@pytest.mark.parametrize("text", ["", "(", "('MOVE',", "('MOVE', ((9, 9), (0, 0)))", "a4", "a4-b9", "(" * 5000, "out"])
def test_text_that_is_no_move_is_refused_with_the_choices(text):
    state = at(START)
    with pytest.raises(BadMove, match="the moves are a4-b3"):
        GAME.read(state, legal(state), text)


# ---- positions as text


def test_a_position_reads_back_as_written():
    table, rng = Table(GAME, 8), dice(8)
    while not table.over:
        view = table.view(table.turn)
        again = position.read(position.write(view))
        assert (again[:OCCURRENCES] == view[:OCCURRENCES]).all()
        assert again[TURNS] == view[TURNS]
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])


@pytest.mark.parametrize("seed", range(4))
def test_a_game_that_is_over_is_not_written_as_one_that_goes_on(seed):
    table, rng = Table(GAME, seed), dice(seed)
    while not table.over:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    with pytest.raises(BadValue, match=f"over after {table.ply} turns"):
        position.write(table.view(RED))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ends with whose turn it is"),
        ("red a4; green; blue", "ends with whose turn it is"),
        ("red a4; blue; red to move", "red, green and blue once each, not red, blue"),
        ("red a4; red a5; green; blue; red to move", "once each"),
        ("red a1; green; blue; red to move", "no hex 'a1'"),
        ("red a4 h2; green; blue; red to move", "no hex 'h2'"),
        ("red a4; green a4; blue; red to move", "two pieces on a4"),
        ("red a44; green; blue; red to move", "cannot read 'red a44'"),
        ("pink a4; green; blue; red to move", "cannot read 'pink a4'"),
        ("red+4 a4; green; blue; red to move", "red cannot have brought out 4"),
        ("red+99999999999999999999 a4; green; blue; red to move", "red cannot have brought out 9+"),
        ("red+3 a4 a5 a6 a7; green+3 d1 d2; blue+3; red to move", "there are 15 pieces"),
        ("red a4; green; blue; red to move after 4 turns", "after 4 turns it is green to move"),
        ("red a4; green; blue; red to move after 768 turns", "over after 768 turns"),
        (f"red a4; green; blue; red to move after {'9' * 5000} turns", "over after 768 turns, so none goes on"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_one_sentence(text, why):
    with pytest.raises(BadValue, match=why) as caught:
        position.read(text)
    assert "\n" not in str(caught.value)


# ---- values


def test_report_3_counts_and_scores_against_both_others():
    state = at("red+1 d4 e4; green a5; blue+2 f5; red to move")
    assert worth("count", state) == [3 - 4, 1 - 6, 3 - 4]
    assert worth("score", state) == [1 - 2, 0 - 3, 2 - 1]


def test_report_3_gives_a_bonus_for_every_piece_beside_its_own():
    assert worth("adjacent", at("red d4 e4 a7; green a5 a6; blue f5; red to move")) == [2, 2, 0]


def test_report_3_takes_inverse_roots_of_the_steps_to_leave():
    # Red on g1 leaves in 1 step, on d4 in 4; green on d7 in 1; blue on d4's far side e5 in 3 + 1 + 1 + 1 = 6.
    state = at("red g1 d4; green d7; blue e5; red to move")
    red, green, blue = 1 + 1 / 2, 1, 1 / np.sqrt(6)
    assert worth("distance", state) == [red - green - blue, green - red - blue, blue - red - green]


def test_report_3_lets_score_outweigh_count_for_the_seat_with_the_majority():
    state = at("red+1 d4 e4 f4 a4 a5 a6; green+1 d1 e1; blue d7 f5; red to move")
    parts = [GAME.value(name) for name in ("count", "score", "adjacent", "distance")]
    found = []
    for value in parts:
        out = np.zeros(3)
        value_of(GAME.rules, value.handle, value.weights, state, out)
        found.append(out)
    count, score, adjacent, distance = found
    assert count.tolist() == [2, -6, -8]
    expected = 1000 * count + 100 * np.array([100, 1, 1]) * score + 10 * adjacent + distance
    assert worth("weighted", state) == expected.tolist()
    assert worth("weighted(count=0, score=1, adjacent=0, distance=0, majority=7)", state) == [0.0, 0.0, -2.0]


def test_report_2_has_three_costs_to_destination():
    # Red's pieces are 0, 1, 3, 6 and 6 steps from its exits.
    state = at("red g1 f2 d4 a4 a5; green; blue; red to move")
    assert worth("cost_of_all", state) == [-(16 / 2 + 5), 0, 0]
    assert worth("cost_on_average", state) == [-16 / 5, 0, 0]
    assert worth("cost_of_four", state) == [-10 / 4, 0, 0]
    assert worth("equation1", state) == [5 - 0.1 * 13, 0, 0]


def test_report_2_cost_to_goal_at_the_start():
    # Red holds a4 and a7, two of its strategy points; d1 is 4 steps from a5, d7 is 4 from a6. So it is for the others.
    assert worth("cost_to_goal", at(START)) == [-8, -8, -8]


def test_report_2_cost_to_goal_asks_points_when_pieces_are_many_and_pieces_when_they_are_few():
    # Points a4 a7 d1 d7. Three hold their points; free b4 and d4 are 3 and 3 from d1.
    assert worth("cost_to_goal", at("red a4 a7 d7 b4 d4; green; blue; red to move")) == [-3, 0, 0]
    # One piece only, on d4: three steps from every point.
    assert worth("cost_to_goal", at("red d4; green; blue; red to move")) == [-3, 0, 0]


def test_report_2_counts_steps_to_the_walls():
    assert worth("walls", at("red d4 e4 a5; green d3; blue; red to move")) == [-(3 + 2 + 0), -2, 0]


def test_report_2_counts_pieces():
    state = at("red+1 d4 e4; green a5; blue+2; red to move")
    assert worth("own", state) == [3, 1, 2]
    assert worth("on_board", state) == [2, 1, 0]
    assert worth("exited", state) == [1, 0, 2]


def test_report_2_red_has_its_traps_where_green_and_blue_leave():
    state = at("red b7 c7 b3 c2 a7 d4 g2; green; blue; red to move")
    assert worth("in_trap", state) == [-4, 0, 0]


def test_report_2_equation_2_sets_everyone_against_our_pieces():
    state = at("red+1 d4 e4; green a5; blue f5; red to move")
    assert worth("equation2(ours=0)", state) == [3, -3, -3]
    assert worth("equation2(ours=2)", state) == [-1, -1, 1]


def test_report_2_equation_3_weighs_walls_a_little_more_than_goals():
    # b5 is one step from the wall a5, and two from a7.
    state = at("red a4 b5; green; blue; red to move")
    assert worth("equation3", state) == [2 - 0.1 * 2 - 0.11 * 1, 0, 0]
    assert worth("trap_forming(ours=0)", state) == [2 - 0.1 * 2 - 0.11 * 1, -2, -2]


def test_report_2_equations_4_and_5():
    # To the corners g1 and g4: c7 is 4 + 3 from g4, g2 is 1 from g1. To any exit: 4 and 0. c7 is in a trap.
    state = at("red+1 c7 g2; green; blue; red to move")
    assert worth("equation4", state) == [2 - 1 - 0.1 * (4 + 1), 0, 0]
    assert worth("equation5", state) == [3 + 1 - 1 - 0.1 * 4, 0, 0]
    assert worth("equation4(pieces=0, trap=-1)", state) == [2 - (2 - 1) - 0.1 * (4 + 1), 0, 0]
    assert worth("equation5(pieces=0, exited=2, trap=-1)", state) == [3 + 1 - (2 - 1) - 0.1 * 4, 0, 0]


@pytest.mark.parametrize("text", ["equation2(ours=3)", "equation2(ours=-1)", "equation2(ours=x)", "equation7"])
def test_a_value_that_cannot_be_is_refused(text):
    with pytest.raises(KibitzError):
        GAME.value(text)


# ---- the greedy policy


def greedy(state):
    """Everything the greedy policy plays here."""
    policy = GAME.policy("greedy")
    moves = {int(pick_once(GAME.rules, policy.handle, policy.weights, state, dice(seed), ROOM)) for seed in range(60)}
    return {GAME.write(state, move) for move in moves}


def test_greedy_exits_before_anything_else():
    assert greedy(at("red g1 g4 d4; green e4; blue; red to move")) == {"g1 out", "g4 out"}


def test_greedy_takes_before_it_runs():
    assert greedy(at("red d4; green c4; blue; red to move")) == {"d4xb4"}


def test_greedy_jumps_forward_before_it_steps_forward():
    assert greedy(at("red a4 b4; green d1; blue; red to move")) == {"a4xc4"}
    assert greedy(at("red a4; green d1; blue; red to move")) == {"a4-b4", "a4-b3"}
    assert greedy(at("red; green d1; blue; red to move")) == {"pass"}
