"""Focus: cases that can be checked by hand with the rules and a board beside them."""

import numpy as np
import pytest

from kibitz import games
from kibitz.agents import build
from kibitz.core.calls import hand_over, may_end
from kibitz.core.contract import OVER
from kibitz.core.errors import BadMove, BadValue
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import legal_moves, play_legal, settle, value_of, who
from kibitz.core.table import Table
from kibitz.games.focus import events, position, scene
from kibitz.games.focus.fields import fields
from kibitz.games.focus.rules import COUNT, MOST_TURNS, PASS, SEAT, TURNS

GAMES = {seats: games.find(f"focus(seats={seats})") for seats in (2, 3, 4)}
FULL = games.find("focus(seats=2, full=true)")
RED, GREEN, BLUE, YELLOW = range(4)
ROOM = np.empty(GAMES[2].most_moves, dtype=np.int64)
NEXT = "; red to move"


def start(game):
    return Table(game, 1).copy_of_truth()


def legal(game, state):
    """The legal moves by their texts."""
    return {game.write(state, move): move for move in ROOM[: legal_moves(game.rules, state, ROOM)].tolist()}


def at(text, *moves, seats=2, game=None):
    """The position of a text after some moves, and its game."""
    game = game or GAMES[seats]
    state = position.read(text, start(game))
    for move in moves:
        assert play_legal(game.rules, state, legal(game, state)[move], ROOM)
    return state


def texts(text, seats=2):
    return set(legal(GAMES[seats], at(text, seats=seats)))


def stack(state, field):
    return "".join(colour[0].upper() for colour in fields(state, 0)["stacks"][field])


def payoff(state):
    out = np.zeros(int(state[COUNT]))
    settle(GAMES[int(state[COUNT])].rules, state, out)
    return out.tolist()


def worth(name, state):
    game, out = GAMES[int(state[COUNT])], np.zeros(int(state[COUNT]))
    value = game.value(name)
    value_of(game.rules, value.handle, value.weights, state, out)
    return out.tolist()


@compiled
def _hand(rules, state, seat):
    hand_over(pointer(rules), pointer(state), seat)


@compiled
def _may_end(rules, state):
    return may_end(pointer(rules), pointer(state))


# ---- the start


@pytest.mark.parametrize(("seats", "each"), [(2, 18), (3, 12), (4, 13)])
def test_every_seat_starts_with_as_many_single_pieces(seats, each):
    stacks = fields(start(GAMES[seats]), 0)["stacks"].values()
    assert len(stacks) == 52
    assert [sum(stack == [colour] for stack in stacks) for colour in scene.SEAT_NAMES[:seats]] == [each] * seats


def test_the_corners_are_cut_off():
    stacks = fields(start(GAMES[2]), 0)["stacks"]
    assert not {"a1", "b1", "a2", "g1", "h1", "h2", "a7", "a8", "b8", "g8", "h8", "h7"} & set(stacks)


@pytest.mark.parametrize(("seats", "count"), [(2, 68), (3, 16), (4, 44)])
def test_red_has_as_many_first_moves(seats, count):
    assert len(legal(GAMES[seats], start(GAMES[seats]))) == count


def test_seats_move_in_turn():
    table, seats = Table(GAMES[4], 1), []
    for _ in range(5):
        seats.append(table.turn)
        table.play(table.moves()[0])
    assert seats == [RED, GREEN, BLUE, YELLOW, RED]


def test_three_seats_first_place_their_reserve_piece_on_a_free_field():
    table = Table(GAMES[3], 1)
    for text in ("*a3", "*a4", "*a5"):
        assert all(move.startswith("*") for move in table.moves_text())
        assert text in table.moves_text()
        table.play(table.read(text))
    assert "*a3" not in table.moves_text()
    assert all("-" in move for move in table.moves_text())


def test_a_field_that_is_taken_is_no_place_for_the_first_piece():
    table = Table(GAMES[3], 1)
    table.play(table.read("*a3"))
    with pytest.raises(BadMove, match="must go on a free field, and a3 is taken"):
        table.read("*a3")
    with pytest.raises(BadMove, match="green must first place its reserve piece"):
        table.read("d7-d8")


# ---- moving


def test_a_stack_of_three_moves_one_two_or_three_fields():
    ends = ["d5", "d3", "c4", "e4", "d6", "d2", "b4", "f4", "d7", "d1", "a4", "g4"]
    assert texts("d4 GGR a4 G" + NEXT) == {f"d4-{end}" for end in ends}


def test_as_many_pieces_go_as_fields_and_keep_their_order():
    state = at("d4 GRGR h4 G" + NEXT, "d4-d6")
    assert (stack(state, "d4"), stack(state, "d6")) == ("GR", "GR")


def test_what_stands_on_the_way_does_not_matter():
    state = at("d4 GR d5 G d6 G" + NEXT, "d4-d6")
    assert (stack(state, "d5"), stack(state, "d6")) == ("G", "GGR")


def test_moves_do_not_leave_the_board():
    assert texts("c1 GR h4 G" + NEXT) == {"c1-d1", "c1-e1", "c1-c2", "c1-c3"}


def test_no_move_goes_round_the_edge_of_the_board():
    assert texts("h4 GGGGR a4 G" + NEXT) == {"h4-g4", "h4-f4", "h4-e4", "h4-d4", "h4-c4", "h4-h5", "h4-h6", "h4-h3"}


def test_only_the_top_piece_controls():
    assert texts("d4 RRG f1 R" + NEXT) == {"f1-e1", "f1-f2"}


def test_the_rest_of_a_stack_belongs_to_whoever_is_on_top_of_it():
    state = at("d4 GR h4 G" + NEXT, "d4-d5")
    assert "d4-c4" in legal(GAMES[2], state)
    assert who(GAMES[2].rules, state) == GREEN


# ---- captures and reserves


def test_what_exceeds_five_comes_off_from_the_bottom():
    state = at("d4 RGR d6 GRRG h4 G" + NEXT, "d4-d6")
    assert (stack(state, "d4"), stack(state, "d6")) == ("R", "RRGGR")
    assert fields(state, 0)["captured"]["red"] == {"green": 1}
    assert fields(state, 0)["reserve"] == {"red": 0, "green": 0}


def test_own_pieces_come_into_the_reserve():
    state = at("d4 RGR d6 RRRG h4 G" + NEXT, "d4-d6")
    assert fields(state, 0)["captured"]["red"] == {"green": 0}
    assert fields(state, 0)["reserve"] == {"red": 1, "green": 0}


def test_five_on_five_takes_all_five_off():
    state = at("c4 RRRRR h4 RGRGR c5 G; red took G" + NEXT, "h4-c4")
    assert stack(state, "c4") == "RGRGR"
    assert fields(state, 0)["reserve"]["red"] == 5


def test_captures_count_by_colour():
    state = at("d4 RRR d7 BGGBR h4 G h5 B" + NEXT, "d4-d7", seats=3)
    assert fields(state, 0)["captured"]["red"] == {"green": 2, "blue": 1}


def test_a_reserve_piece_goes_on_any_field():
    found = texts("h4 G; red has 1" + NEXT)
    assert found == {f"*{name}" for name in fields(start(GAMES[2]), 0)["stacks"]}
    state = at("h4 G a4 G; red has 1" + NEXT, "*h4")
    assert (stack(state, "h4"), fields(state, 0)["reserve"]["red"]) == ("GR", 0)


def test_a_reserve_piece_on_a_full_stack_takes_the_lowest_off():
    assert fields(at("d4 GRGGG h4 G; red has 1" + NEXT, "*d4"), 0)["captured"]["red"] == {"green": 1}
    assert fields(at("d4 RRGGG h4 G; red has 1" + NEXT, "*d4"), 0)["reserve"]["red"] == 1


# ---- ends


@pytest.mark.parametrize(("took", "over"), [("GGGG", False), ("GGGGG", True)])
def test_with_two_seats_the_sixth_capture_wins(took, over):
    state = at(f"d4 R d5 GGGGG h4 G; red took {took}" + NEXT, "d4-d5")
    assert (who(GAMES[2].rules, state) == OVER) == over
    if over:
        assert payoff(state) == [1.0, 0.0]


@pytest.mark.parametrize(("took", "over"), [("GGBBB", True), ("GGBB", False), ("GBBBBBBBB", True), ("GBBBBBBB", False)])
def test_with_three_seats_three_of_each_or_ten_win(took, over):
    state = at(f"d4 R d5 GGGGG h4 G h5 B; red took {took}" + NEXT, "d4-d5", seats=3)
    assert (who(GAMES[3].rules, state) == OVER) == over


@pytest.mark.parametrize(("took", "over"), [("GBBYY", True), ("GGBBY", False), ("BBBBBBBBY", True)])
def test_with_four_seats_two_of_each_or_ten_win(took, over):
    state = at(f"d4 R d5 GGGGG h4 G h5 B h6 Y; red took {took}" + NEXT, "d4-d5", seats=4)
    assert (who(GAMES[4].rules, state) == OVER) == over


def test_in_the_full_game_captures_do_not_win():
    state = at("d4 R d5 GGGGG h4 G; red took GGGGGGGG" + NEXT, "d4-d5", game=FULL)
    assert who(FULL.rules, state) == GREEN


def test_the_last_seat_that_can_move_wins():
    assert payoff(at("d4 R d5 G" + NEXT, "d4-d5")) == [1.0, 0.0]


def test_a_reserve_piece_keeps_a_seat_in_play():
    assert who(GAMES[2].rules, at("d4 R d5 G; green has 1" + NEXT, "d4-d5")) == GREEN


def test_a_seat_that_cannot_move_is_passed_over_until_a_piece_of_it_is_uncovered():
    state = at("d4 R d5 G h4 B" + NEXT, "d4-d5", seats=3)
    assert who(GAMES[3].rules, state) == BLUE
    state = at("d4 R d5 G h4 B" + NEXT, "d4-d5", "h4-h5", "d5-d6", seats=3)
    assert (who(GAMES[3].rules, state), stack(state, "d5"), state[TURNS]) == (GREEN, "G", 3)


def test_the_game_is_drawn_after_500_turns():
    state = at("d4 R h4 G; red to move after 499 turns", "d4-d5")
    assert who(GAMES[2].rules, state) == OVER
    assert payoff(state) == [0.5, 0.5]
    assert GAMES[2].drawn_by(state) == f"the limit of {MOST_TURNS} turns"


def test_a_win_in_the_last_turn_counts():
    assert payoff(at("d4 R d5 G; red to move after 499 turns", "d4-d5")) == [1.0, 0.0]


# ---- texts, hints, values, events


def test_a_seat_that_cannot_move_passes_when_a_search_hands_it_the_turn():
    state = at("d4 RG h4 G h5 B; green to move", seats=3)
    _hand(GAMES[3].rules, state, RED)
    assert legal(GAMES[3], state) == {"pass": PASS}
    assert play_legal(GAMES[3].rules, state, PASS, ROOM)
    assert state[SEAT] == GREEN


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("h4-h5", "red does not control a stack on h4"),
        ("d4-e5", "pieces move along a row or a column, not from d4 to e5"),
        ("d4-d7", "d7 is 3 fields away, and on d4 are 2 pieces"),
        ("d4-a1", "there is no field a1"),
        ("*d4", "red has no piece in reserve"),
    ],
)
def test_a_move_that_is_refused_is_told_why(text, why):
    table = Table(games.find("focus(seats=2, position='d4 GR h4 G; red to move')"), 1)
    with pytest.raises(BadMove, match=why):
        table.read(text)


def test_the_value_of_the_literature_counts_captures_needed_and_stacks():
    state = at("d4 R a4 R d5 GGGGG h4 G h5 B; red took GB" + NEXT, seats=3)
    assert worth("goal", state) == [600 - 400 + 2, 600 - 600 + 2, 600 - 600 + 1]


def test_events_count_captures_reserves_and_turns_passed_over():
    before = at("d4 RRR d7 RGBBG h4 B" + NEXT, seats=3)
    after = at("d4 RRR d7 RGBBG h4 B" + NEXT, "d4-d7", seats=3)
    found = [found for found in events.events(before, 0, after) if found[2]]
    assert found == [
        ("captured", RED, 2), ("lost", GREEN, 1), ("lost", BLUE, 1), ("reserved", RED, 1), ("passed", GREEN, 1)
    ]  # fmt: skip


def test_changes_tell_what_a_move_captured():
    before = at("d4 RRR d7 RGBBG h4 B" + NEXT, seats=3)
    after = at("d4 RRR d7 RGBBG h4 B" + NEXT, "d4-d7", seats=3)
    assert scene.changes(before, after) == [
        "red captures 1 green and 1 blue",
        "red has 1 in reserve",
        "green cannot move",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("d4 R", "a position ends with whose turn it is"),
        ("d4 R a1 G" + NEXT, "there is no field 'a1'"),
        ("d4 R d4 G" + NEXT, "there are two stacks on d4"),
        ("d4 RRRRRR h4 G" + NEXT, "has 6 pieces; 5 is the most"),
        ("d4 R h4 B" + NEXT, "there is no colour 'B'"),
        ("d4 R h4 G; red took R" + NEXT, "red cannot capture its own pieces"),
        ("d4 R h4 G; red has 18" + NEXT, "there are 19 red pieces"),
        ("d4 R h4 G; red took GGGGGG" + NEXT, "the game is over in this position: red has captured enough"),
        ("d4 R h4 RG" + "; blue to move", "a position ends with whose turn it is"),
        ("d4 RG h4 G" + NEXT, "red cannot move"),
        ("d4 GR h4 R" + NEXT, "the game is over in this position: only one seat can move"),
        ("d4 R h4 G; red to move after 500 turns", "the game is over after 500 turns"),
        ("d4 R h4 G; nonsense" + NEXT, "cannot read 'nonsense'"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text, complaint):
    with pytest.raises(BadValue, match=complaint):
        position.read(text, start(GAMES[2]))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_move_ends_the_game_where_the_hint_says_so(seats):
    game, ends = GAMES[seats], 0
    for state in positions_of_games(game, 8):
        can_end = any(ended_by(game, state, move) for move in legal(game, state).values())
        assert _may_end(game.rules, state) or not can_end
        ends += can_end
    assert ends > 0


def ended_by(game, state, move):
    after = state.copy()
    assert play_legal(game.rules, after, move, ROOM)
    return who(game.rules, after) == OVER


def positions_of_games(game, games):
    """Yield every third position of games that the quick policy plays, and the last ones of each."""
    for seed in range(games):
        table, mind = Table(game, seed), build("policy(greedy(epsilon=0.2))", game, seed)
        past = []
        while not table.over:
            past.append(table.copy_of_truth())
            table.play(mind.decide(table.view(table.turn)).move)
        yield from [*past[::9], *past[-3:]]
