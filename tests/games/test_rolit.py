"""Rolit: cases that can be checked by hand with the rules and a board beside them."""

from random import Random

import numpy as np
import pytest

from kibitz import games
from kibitz.core.calls import hand_over
from kibitz.core.contract import OVER
from kibitz.core.dice import dice
from kibitz.core.errors import BadMove
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import legal_moves, pick_once, play_legal, settle, value_of, who
from kibitz.core.table import Table
from kibitz.games.rolit import hints, position
from kibitz.games.rolit.events import events
from kibitz.games.rolit.notation import SQUARES, colour_on
from kibitz.games.rolit.rules import BOARD, COLOURS, DISCS, SEAT, SEAT_NAMES, bit
from kibitz.games.rolit.squares import RANK
from kibitz.games.rolit.stability import stable_discs

GAME = {seats: games.find(f"rolit(seats={seats})") for seats in (2, 3, 4)}
RED, YELLOW, GREEN, BLUE = range(4)
START = "red d5; yellow e5; green e4; blue d4; red to move"
ROOM = np.empty(GAME[4].most_moves, dtype=np.int64)


def at(text, *moves, seats=4):
    """The position of a text after some moves."""
    state = position.read(text, Table(GAME[seats], 1).view(0))
    for move in moves:
        assert play_legal(GAME[seats].rules, state, SQUARES.index(move), ROOM)
    return state


def board(seat, seats=4, **discs):
    """A position by the squares of each colour's discs, with a seat to move."""
    state = Table(GAME[seats], 1).view(0)
    for colour, name in enumerate(SEAT_NAMES):
        state[DISCS + colour] = sum(bit(SQUARES.index(square)) for square in discs.get(name, "").split())
    state[SEAT] = seat
    return state


def after(state, move, seats=4):
    """The position after a move."""
    assert play_legal(GAME[seats].rules, state, SQUARES.index(move), ROOM)
    return state


def squares(state, seats=4):
    """The squares that may be taken, as words."""
    return " ".join(sorted(SQUARES[move] for move in ROOM[: legal_moves(GAME[seats].rules, state, ROOM)]))


def of(state, colour):
    """The squares with discs of a colour, as words."""
    return " ".join(sorted(SQUARES[square] for square in BOARD.cells if colour_on(state, square) == colour))


def counts(state):
    """How many discs each colour has."""
    return [len(of(state, colour).split()) for colour in range(COLOURS)]


def payoff(state, seats=4):
    out = np.zeros(seats)
    settle(GAME[seats].rules, state, out)
    return out.tolist()


def worth(name, state, seats=4):
    """What a value gives each seat."""
    value, out = GAME[seats].value(name), np.zeros(seats)
    value_of(GAME[seats].rules, value.handle, value.weights, state, out)
    return out.tolist()


def chosen(name, state, draws=40):
    """The squares that a policy chooses in many draws, as words."""
    policy, rng = GAME[4].policy(name), dice(1)
    found = {pick_once(GAME[4].rules, policy.handle, policy.weights, state, rng, ROOM) for _ in range(draws)}
    return " ".join(sorted(SQUARES[move] for move in found))


def counted(state, move):
    """What a move of red is counted as."""
    for event, seat, amount in events(state, SQUARES.index(move), after(state.copy(), move)):
        assert seat == RED
        yield event, amount


@compiled
def _hand(rules, state, seat):
    hand_over(pointer(rules), pointer(state), seat)


@compiled
def _stable(state):
    return stable_discs(pointer(state))


# ---- the start


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_discs_lie_clockwise_in_the_middle_for_any_number_of_seats(seats):
    assert position.write(Table(GAME[seats], 1).view(RED)) == START


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_red_begins_and_the_others_follow_in_turn(seats):
    table, found = Table(GAME[seats], 1), []
    for _ in range(seats + 1):
        found.append(table.turn)
        table.play(table.moves()[0])
    assert found == [*range(seats), RED]


def test_red_has_three_first_moves():
    assert squares(at(START)) == "d3 f3 f5"


# ---- enclosing


def test_an_enclosed_disc_takes_the_colour_of_those_around_it():
    state = at(START, "f5")
    assert [of(state, colour) for colour in range(COLOURS)] == ["d5 e5 f5", "", "e4", "d4"]


def test_a_run_may_mix_colours_and_neutral_discs():
    state = after(board(RED, 2, red="a4", yellow="c4 d4", green="b4", blue="e4"), "f4", 2)
    assert of(state, RED) == "a4 b4 c4 d4 e4 f4"


def test_runs_in_all_eight_directions_turn_at_once():
    state = board(RED, red="b2 b4 b6 d2 d6 f2 f4 f6", yellow="c3 c4 c5 d3", green="d5 e3", blue="e4 e5")
    assert of(after(state, "d4"), RED) == "b2 b4 b6 c3 c4 c5 d2 d3 d4 d5 d6 e3 e4 e5 f2 f4 f6"


def test_the_longest_runs_have_six_discs():
    state = board(BLUE, red="b1 c1 d1 e1 f1 g1", green="h2 h3 h4 h5 h6 h7", blue="a1 h8")
    assert of(after(state, "h1"), BLUE) == "a1 b1 c1 d1 e1 f1 g1 h1 h2 h3 h4 h5 h6 h7 h8"


def test_the_nearest_own_disc_ends_a_run():
    assert of(after(board(RED, red="a1 c1", yellow="b1 d1"), "e1"), RED) == "a1 c1 d1 e1"


def test_discs_turned_enclose_nothing_further():
    # e1 turns d1 alone, although d1 then lies below the yellow d2 and d3 and the red d4.
    assert of(after(board(RED, red="c1 d4", yellow="d1 d2 d3"), "e1"), RED) == "c1 d1 d4 e1"


def test_runs_to_an_empty_square_or_the_edge_do_not_turn():
    state = after(board(RED, red="a3", yellow="b3 c3 e3 f3 g3 h3 d4 d5"), "d3")
    assert of(state, RED) == "a3 b3 c3 d3"


def test_a_row_does_not_go_on_at_the_other_edge():
    # The square numbered after h1 is a2.
    assert squares(board(RED, red="c2", yellow="a2 b2 f8")) == "a1 a3 b1 b3 c1 c3 d1 d2 d3 e7 e8 f7 g7 g8"


def test_the_corner_h8_is_a_square_like_others():
    state = board(RED, red="h5 e8 e5", yellow="h6 h7 g8 f8 g7 f6")
    assert squares(state) == "h8"
    assert of(after(state, "h8"), RED) == "e5 e8 f6 f8 g7 g8 h5 h6 h7 h8"
    assert of(after(board(RED, red="h8", yellow="g7 h7"), "h6"), RED) == "h6 h7 h8"


# ---- which squares


def test_a_disc_must_enclose_if_it_can():
    state = at(START)
    assert colour_on(state, SQUARES.index("e6")) is None
    assert not play_legal(GAME[4].rules, state, SQUARES.index("e6"), ROOM)


def test_a_colour_without_discs_comes_back_beside_any_disc():
    state = at(START, "f5")
    assert of(state, YELLOW) == ""
    assert squares(state) == "c3 c4 c5 c6 d3 d6 e3 e6 f3 f4 f6 g4 g5 g6"
    assert of(at(START, "f5", "g6"), YELLOW) == "g6"


def test_a_seat_that_can_enclose_nothing_takes_any_square_beside_a_disc():
    assert squares(board(RED, red="a1", blue="d4")) == "a2 b1 b2 c3 c4 c5 d3 d5 e3 e4 e5"


# ---- the end


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_lasts_60_moves_and_everybody_makes_as_many(seats):
    rng, table, made = Random(1), Table(GAME[seats], 1), [0] * seats
    while not table.over:
        made[table.turn] += 1
        table.play(rng.choice(table.moves()))
    assert made == [60 // seats] * seats
    assert sum(counts(table.view(0))) == 64


def last_move(red, yellow, green):
    """A position with h8 empty; red's discs come first, from a1 on, then yellow's, green's, and blue's to g8."""
    names = [name for name in SQUARES if name != "h8"]
    cuts = np.cumsum([0, red, yellow, green, 63 - red - yellow - green])
    parts = [f"{colour} {' '.join(names[cuts[k] : cuts[k + 1]])}" for k, colour in enumerate(SEAT_NAMES)]
    return "; ".join(parts)


def test_most_discs_win_all():
    state = at(last_move(20, 16, 10), "h8")
    assert (who(GAME[4].rules, state), counts(state)) == (OVER, [20, 16, 10, 18])
    assert payoff(state) == [1.0, 0.0, 0.0, 0.0]


def test_those_with_equally_many_discs_share():
    state = at(last_move(20, 20, 6), "h8")
    assert counts(state) == [20, 20, 6, 18]
    assert payoff(state) == [0.5, 0.5, 0.0, 0.0]


def test_neutral_discs_win_nothing():
    state = at(last_move(20, 4, 8), "h8", seats=2)
    assert counts(state)[BLUE] > counts(state)[RED] > counts(state)[YELLOW]
    assert payoff(state, 2) == [1.0, 0.0]


# ---- texts


def test_a_move_is_written_as_its_square_and_read_in_capitals_too():
    table = Table(GAME[4], 1)
    table.play(table.read(" F5 "))
    assert of(table.view(0), RED) == "d5 e5 f5"


@pytest.mark.parametrize(
    ("text", "why"),
    [("e5", "e5 is taken"), ("e6", "a disc on e6 encloses nothing, and red can enclose discs elsewhere")],
)
def test_a_square_that_cannot_be_taken_is_refused_with_the_reason(text, why):
    with pytest.raises(BadMove, match=why):
        Table(GAME[4], 1).read(text)


def test_a_square_beside_nothing_is_refused_with_the_reason():
    table = Table(GAME[4], 1)
    table.play(table.read("f5"))
    with pytest.raises(BadMove, match="there is no disc next to a1"):
        table.read("a1")


def test_fields_count_discs_and_name_neutral_colours_and_the_winner():
    state = at(START, "f5", seats=2)
    fields = GAME[2].fields(state, 0)
    assert (fields["board"]["e5"], fields["board"]["a1"], fields["turn"], fields["moves"]) == ("red", None, 1, 1)
    assert (fields["discs"], fields["neutral"]) == ({"red": 3, "yellow": 0, "green": 1, "blue": 1}, ["green", "blue"])
    assert GAME[4].fields(at(last_move(20, 16, 10), "h8"), 0)["winner"] == RED
    assert GAME[4].fields(at(last_move(20, 20, 6), "h8"), 0)["winner"] is None


def test_a_move_tells_which_discs_turn_and_who_wins():
    assert GAME[4].changes(at(START), at(START, "f5")) == ["e5 turns red"]
    end = at(last_move(20, 20, 6), "h8")
    assert GAME[4].changes(at(last_move(20, 20, 6)), end) == ["red and yellow share the win with 20 discs each"]


def test_discs_turned_corners_and_moves_that_turn_nothing_are_counted():
    state = at(START)
    assert dict(counted(state, "f5")) == {"turned": 1, "nothing": 0, "corner": 0}
    assert dict(counted(board(RED, blue="b2", red="c3"), "a1")) == {"turned": 1, "nothing": 0, "corner": 1}
    assert dict(counted(board(RED, blue="b2"), "c3")) == {"turned": 0, "nothing": 1, "corner": 0}


# ---- stable discs and values


def stable(state):
    mask = int(_stable(state))
    return " ".join(name for square, name in enumerate(SQUARES) if mask >> square & 1)


def test_a_corner_is_stable_and_so_is_what_leans_on_it_along_the_edge():
    assert stable(board(RED, red="a1 b1 c1", yellow="d1 h7 d4")) == "a1 b1 c1"


def test_a_disc_between_stable_ones_of_other_colours_is_stable_on_the_edge():
    assert stable(board(RED, red="a1 b1 c1 d1", green="e1", blue="f1 g1 h1 d4")) == "a1 b1 c1 d1 e1 f1 g1 h1"


def test_stable_discs_are_never_turned():
    rng = Random(3)
    for seats in (2, 3, 4, 4):
        table, kept = Table(GAME[seats], 1), np.zeros(COLOURS, dtype=np.int64)
        while not table.over:
            table.play(rng.choice(table.moves()))
            discs = table.view(0)[DISCS : DISCS + COLOURS]
            assert (kept & ~discs == 0).all()
            kept = discs & _stable(table.view(0))
        assert np.bitwise_or.reduce(kept) == -1


def test_the_value_of_the_literature_counts_squares_to_enclose_at_and_ten_for_a_stable_disc():
    state = at(START, "f5")
    assert worth("weighted", state) == [4.0, 0.0, 4.0, 3.0]
    assert worth("weighted(mobility=0)", board(RED, red="a1 b1", blue="h8")) == [20.0, 0.0, 0.0, 10.0]


def test_the_discs_expected_at_the_end_are_shares_that_prefer_a_corner():
    found = worth("outlook", board(RED, red="a1", yellow="d4", green="c3", blue="d5"))
    assert sum(found) == pytest.approx(100.0)
    assert found[RED] > found[GREEN] > 0


# ---- policies and hints


def test_a_corner_is_taken_before_all_and_squares_beside_it_last():
    assert RANK[SQUARES.index("a1")] == RANK.max()
    assert {SQUARES[square] for square in BOARD.cells if RANK[square] == RANK.min()} == {"b2", "b7", "g2", "g7"}
    state = board(RED, red="c3 h5", yellow="b2 d6 g5 h6")
    assert chosen("squares(epsilon=0)", state) == "a1"


def test_grab_turns_most_discs():
    assert chosen("grab", board(RED, red="a4", yellow="b4 c4", blue="b5")) == "d4"


def test_the_turn_can_be_handed_over_but_a_finished_game_stays_finished():
    state, end = at(START), at(last_move(20, 16, 10), "h8")
    _hand(GAME[4].rules, state, BLUE)
    _hand(GAME[4].rules, end, BLUE)
    assert (state[SEAT], end[SEAT]) == (BLUE, OVER)


def test_only_the_last_move_may_end_the_game():
    assert not hints.may_end(at(START))
    assert hints.may_end(at(last_move(20, 16, 10)))
    assert (hints.turns_left(at(START)), hints.turns_left(at(last_move(20, 16, 10)))) == (60, 1)
