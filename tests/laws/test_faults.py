"""Every law is broken by a game that is made to break it: none is empty words."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.laws import LAWS, ONCE
from kibitz.core.laws.law import turn_in_words
from kibitz.core.laws.texts import alike_in_words
from tests.laws.faults import FAULTS, write_game


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What each law finds in the game that is made to break it, interpreted, in a process of its own."""
    words = [sys.executable, "-m", "tests.laws.faults", str(tmp_path_factory.mktemp("faults"))]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    root = Path(__file__).parents[2]
    run = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_there_is_a_fault_for_every_law():
    assert set(FAULTS) == {law.__name__ for law in LAWS if law not in ONCE}


@pytest.mark.parametrize("law", FAULTS)
def test_a_law_finds_its_fault(law, found):
    assert found[law]["sentence"] != "nothing"
    assert found[law]["meant"], found[law]


WITHOUT_A_TURN = {  # laws on deals and options; and a game without end has too many moves to show
    "a_game_ends", "deals_are_listed_in_full", "states_are_large_enough", "the_text_of_a_game_names_it",
}  # fmt: skip
OF_GUESSES = {
    "a_guess_fills_every_unknown", "a_guess_keeps_what_is_known", "a_guessed_world_looks_the_same",
    "a_guessed_world_can_be_played_to_its_end", "what_a_seat_is_told_holds_in_all_its_worlds",
    "fields_tell_nothing_but_the_view",
}  # fmt: skip


@pytest.mark.parametrize("law", FAULTS)
def test_a_broken_law_names_seed_ply_seat_and_whether_it_was_a_guess(law, found):
    position = found[law]["position"]
    seed, text, ply = position["seed"], position["text"], len(position["moves"])
    assert seed >= 1
    assert f", seed {seed}" in text
    if law not in WITHOUT_A_TURN:
        assert re.search("seat [12] to move|chance to move|the game over", text)
        assert (f"after {ply} move" in text) if ply else text.endswith("before the first move")
    assert (position["guess_of"] is not None) == text.startswith("a world guessed by seat") == (law in OF_GUESSES)


def test_seats_are_counted_from_1_in_sentences(found):
    assert not [one["sentence"] for one in found.values() if "seat 0" in one["sentence"]]


def test_sentences_are_short_and_name_people_and_numbers_as_people_do(found):
    for one in found.values():
        assert len(one["sentence"]) < 500
        assert not re.search(r"np\.int64|seat -\d", one["sentence"] + one["position"]["text"]), one
    for law in ("every_outcome_has_its_odds", "everybody_sees_a_roll", "an_outcome_leads_to_one_position"):
        assert "ply" not in found[law]["sentence"]
        assert ", chance to move" in found[law]["position"]["text"]


def test_a_game_without_end_is_told_with_the_cells_that_still_change_and_its_last_moves(found):
    said = found["a_game_ends"]["sentence"]
    assert "in the next 1,000 only SEAT change, of 5 cells, and the last moves are " in said


def test_moves_in_a_wrong_order_do_not_break_the_limit_of_moves_too(tmp_path):
    place = write_game("moves_ascend", tmp_path)
    rules = place / "rules.py"
    rules.write_text(rules.read_text().replace("MOST_MOVES =", "MOVES_BELOW = 925\nMOST_MOVES ="))
    wanted = "gameplay.moves_lie_below_what_is_declared"
    ask = ASK.replace("secrets.what_a_seat_is_told_holds_in_all_its_worlds", wanted).replace("secrets", "gameplay")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [sys.executable, "-c", ask, str(place)], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout == ""


@pytest.mark.parametrize(("number", "named"), [(3, "3, 4, 5 have"), (462, "3, 4, 5, 6, 7 and 457 more have")])
def test_moves_with_one_text_are_named_up_to_five(number, named):
    moves = [1, 2, *range(3, 3 + number)]
    said = alike_in_words(moves, ["a", "b", *["c"] * number])
    assert said == f"the moves {named} the same text 'c'"


def test_a_wrong_seat_and_chance_are_named_as_what_they_are():
    assert [turn_in_words(turn) for turn in (0, -1, -2, -7)] == [
        "seat 1 to move", "the game over", "chance to move", "nobody (SEAT is -7) to move"
    ]  # fmt: skip


def test_a_law_that_fails_in_a_guess_says_so(tmp_path):
    """A guess leads to a position without moves, which no law expects."""
    place = write_game("a_guess_fills_every_unknown", tmp_path)
    rules = place / "rules.py"
    rules.write_text(rules.read_text().replace("        pass\n", "        view[NUMBER] = 0\n        view[LOW] = 99\n"))
    words = [sys.executable, "-c", ASK, str(place)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert "lists no move" in run.stdout
    assert "[a world guessed by seat 1 in " in run.stdout
    assert ", seed 1, seat 2 to move, after 1 move: 5]" in run.stdout


ASK = """
import sys
from kibitz import games
from kibitz.core.laws import Broken, secrets
try:
    secrets.what_a_seat_is_told_holds_in_all_its_worlds(games.find(sys.argv[1]), 1)
except Broken as error:
    print(error)
"""
