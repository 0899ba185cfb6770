"""Positions as text: what is written can be read, what is read can be played, and what cannot be is refused."""

import re
from contextlib import suppress

import pytest

from kibitz.agents import build
from kibitz.arena.balance import play_balance
from kibitz.arena.match import play_match
from kibitz.core.dice import dice, roll
from kibitz.core.errors import BadValue
from kibitz.core.record import read_line, record_of
from kibitz.core.spec import Spec
from kibitz.core.table import Table
from kibitz.games import find, names

POSITIONS = {
    "quarto": "a1 WSQH b1 WSQS; BTRS in hand",
    "chexers": "red+3 g1; green d1 e1 f1; blue d7 e6 f5 g4; red to move",
    "focus": "d4 RGR d6 GRRG a4 B h5 YG; red has 1, took GB; blue took R; red to move after 31 turns",
    "chinese_checkers": "red a1 b1 g4; green j2 j4 h1; blue h8 i8 k1; blue to move after 20 turns",
    "cartagena": "red 0*4 7 37 / hat*2 key; green 0*5 3 / skull; blue 0*6 / key; green to move after 31 turns",
    "colonizers": "round 5; 1: 3 / quarry, marketplace / garrison; 2: 0 / / ?*2; 3: 4 / mass relay /; 4: 2 / /",
    "rolit": "red d5 e5 f5; yellow; green e4; blue d4; yellow to move",
}


def start(game, position):
    """Return a game that starts from a position."""
    return find(Spec(game, {"position": Spec(position)}))


def positions_of_random_games(game, games=5):
    """Yield tables of random games at which a position can be written, each with its text."""
    for seed in range(games):
        table, rng = Table(game, seed), dice(seed)
        while not table.over:
            with suppress(BadValue):
                yield table, game.position_text(table.copy_of_truth())
            moves = table.moves()
            table.play(moves[roll(rng, len(moves))])


def test_every_game_has_positions():
    assert sorted(POSITIONS) == names()


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_that_is_written_is_the_same_when_it_is_read(name):
    game, found = find(name), 0
    for table, text in positions_of_random_games(game):
        if table.ply % 7 == 0 or name == "colonizers":
            again = Table(start(name, text), 1)
            assert again.turn == table.turn
            if name != "colonizers":  # which colonist is put away is drawn anew
                assert again.moves() == table.moves()
            assert game.position_text(again.copy_of_truth()) == text
            found += 1
    assert found > 10


@pytest.mark.parametrize("name", POSITIONS)
def test_a_game_from_a_position_is_played_recorded_and_replayed(name):
    game = start(name, POSITIONS[name])
    assert find(str(game)).position == game.position
    table, rng = Table(game, 3), dice(3)
    while not table.over:
        moves = table.moves()
        table.play(moves[roll(rng, len(moves))])
    record = record_of(table, ["random"] * game.seats)
    assert record.options["position"] == POSITIONS[name]
    assert read_line(record.line()).replay(find).payoff() == table.payoff()


@pytest.mark.parametrize("name", POSITIONS)
def test_agents_search_from_a_position(name):
    game = start(name, POSITIONS[name])
    table = Table(game, 1)
    for text in ("flat(playouts=5)", "random", f"{'ismcts' if game.hidden else 'mcts'}(iterations=20)"):
        assert build(text, game, 1).decide(table.view(table.turn)).move in table.moves()


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_from_a_position_starts_there_and_not_a_random_opening_later(jobs):
    game = start("chexers", "red+3 g1; green d1; blue d7; red to move")
    result = play_match(game, ["policy(greedy)", "policy(greedy)", "policy(greedy)"], 6, 1, jobs)
    assert result.openings == 0
    assert [row.wins for row in result.by_seat] == [6, 0, 0]  # red leaves the board at once


def positions_in_readme(name):
    """Return the positions that a game's README shows."""
    shown = re.findall(r"position[^`|]*written as\s+`([^`]+)`", find(name).rules_text)
    assert shown, f"the README of {name} shows no position"
    return shown


@pytest.mark.parametrize("name", names())
def test_a_match_starts_from_the_position_that_the_readme_shows(name):
    for text in positions_in_readme(name):
        game = start(name, text)
        result = play_match(game, ["random"] * game.seats, games=game.seats)
        assert (result.games, result.options["position"]) == (game.seats, text)


@pytest.mark.parametrize("name", names())
def test_the_balance_of_a_position_is_looked_at(name):
    result = play_balance(start(name, POSITIONS[name]), "random", games=4)
    assert (result.games, result.options["position"]) == (4, POSITIONS[name])


def test_every_deal_of_a_position_draws_what_it_leaves_open():
    tables = [Table(start("colonizers", POSITIONS["colonizers"]), seed) for seed in range(20)]
    hands = {table.game.text(table.view(1)).split("seat 2 holds ")[1] for table in tables}
    assert len(hands) > 10
    assert all("3     1       8  2 of 8" in table.game.text(table.view(0)) for table in tables)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("quarto", "a1", "it is cells and pieces in turn"),
        ("quarto", "e1 WSQH", "there is no cell 'e1'"),
        ("quarto", "a1 WSQX", "there is no piece 'WSQX'"),
        ("quarto", "a1 WSQH a1 BTRS", "there are two pieces on a1"),
        ("quarto", "a1 WSQH b1 WSQH", "the piece WSQH appears twice"),
        ("quarto", "a1 WSQH; WSQH in hand", "the piece WSQH appears twice"),
        ("quarto", "a1 WSQH; seat 1 to move", "it is seat 2 to move, not seat 1"),
        ("quarto", "a1 WSQH b1 WSQS c1 WSRH d1 WSRS", "the game is over in this position"),
        ("quarto", "empty; nonsense", "cannot read 'nonsense'"),
        ("chexers", "red", "a position ends with whose turn it is"),
        ("chexers", "red; green; blue; red to move", "there is no piece on the board"),
        ("chexers", "red+3; green+3; blue+3; red to move", "there is no piece on the board"),
        ("cartagena", "red 0*6 /; green 0*6 /; red to move", "tells of red, green, blue once each"),
        ("cartagena", "red 0*5 /; green 0*6 /; blue 0*6 /; red to move", "red has 5 pirates; a seat has 6"),
        ("cartagena", "red 0*5 99 /; green 0*6 /; blue 0*6 /; red to move", "there is no space '99'"),
        ("cartagena", "red 0*5 ² /; green 0*6 /; blue 0*6 /; red to move", "there is no space '²'"),
        ("cartagena", "red 7*6 /; green 0*6 /; blue 0*6 /; red to move", "there are 6 pirates on space 7"),
        ("cartagena", "red 37*6 /; green 0*6 /; blue 0*6 /; red to move", "the game is over in this position"),
        ("cartagena", "red 0*6 / hat*18; green 0*6 /; blue 0*6 /; red to move", "there are 18 cards with the sign hat"),
        ("cartagena", "red 0*6 / cat; green 0*6 /; blue 0*6 /; red to move", "there is no sign 'cat'"),
        ("cartagena", "red 0*6 /; green 0*6 /; blue 0*6 /; row hat*3; red to move", "the row is up to 12 signs"),
        ("cartagena", "red 0*6 /; green 0*6 /; blue 0*6 /; red to move after 31 turns", "it is green to move, not red"),
        ("cartagena", "red 0*6 /; green 0*6 /; blue 0*6 /; red to move after 600 turns", "is over after 500 turns"),
        ("cartagena", "red 0*6 /; green 0*6 /; blue 0*6 /; go", "a position ends with whose turn it is"),
        (
            "rolit",
            "red d5; yellow e5; green e4; red to move",
            "lists red, yellow, green and blue once each, not red, yellow",
        ),
        (
            "rolit",
            "red d5; yellow e5; green e4; red d4",
            "lists red, yellow, green and blue once each, not red, yellow",
        ),
        ("rolit", "red d5; yellow e5; green e4; pink d4", "cannot read 'pink d4'"),
        ("rolit", "red d5; yellow e5; green e4; blue d9", "there is no square 'd9'"),
        ("rolit", "red d5; yellow d5; green e4; blue d4", "there are two discs on d5"),
        ("rolit", "red d5; yellow e5; green e4; blue c4", "there is no disc on d4"),
        ("rolit", "red d5; yellow e5; green e4; blue d4; blue to move", "it is red to move, not blue"),
        ("colonizers", "1: 3 / /", "a position begins with 'round 1'"),
        ("colonizers", "round 501; 1: 3 / /", "a position begins with 'round 1' to 'round 500'"),
        ("colonizers", "round 5; 1: 3 / /", "tells of the seats 1 to 4 once each, not of [1]"),
        ("colonizers", "round 5; 1: 3 / barn /", "there is no module 'barn'"),
        ("colonizers", "round 5; 1: 3 / ?*2 /", "the colony of seat 1 must be 0 to 7 modules by name"),
        ("colonizers", "round 5; 1: 3 / / ?*6", "seat 1 cannot hold 6 cards"),
        ("colonizers", "round 5; 1: 3 / eco-dome / eco-dome; 2: 0 / /; 3: 0 / /; 4: 0 / /", "2 cards eco-dome"),
        ("colonizers", "round 5; 1: 999999 / /", "cannot have 999999 Omnium"),
        ("colonizers", "round 5; 1 3", "cannot read '1 3'"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(name, text, complaint):
    with pytest.raises(BadValue) as refusal:
        start(name, text)
    assert complaint in str(refusal.value)


def test_secret_hands_and_random_boards_have_no_position_as_text():
    least = "'red 0*6 /; green 0*6 /; blue 0*6 /; red to move'"
    for option, complaint in (("version=jamaica", "version=tortuga"), ("board=random", "board=standard")):
        with pytest.raises(BadValue, match=complaint):
            find(f"cartagena({option}, position={least})")
