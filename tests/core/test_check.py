"""`kibitz check` says what is wrong with a game, and where."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import kibitz
from kibitz.cli import main
from kibitz.cli.game_checks import check
from kibitz.cli.new_command import start_game, start_package
from kibitz.core.errors import BadValue
from tests.core.broken_games import break_game

ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
LOADED = {  # mistakes that are found when the game is loaded: the line, and words of the sentence
    "syntax": (24, "SyntaxError: expected ':'"),
    "misspelt": (52, "'payof' is not a rule; the rules are deal, moves, play, payoff"),
    "arguments": (30, "the rule moves takes 2 arguments, and here it has 3"),
    "seats": (8, "SEATS is 'two'; it must be a number from 1 to 8"),
    "many_seats": (8, "SEATS is 99; it must be a number from 1 to 8"),
    "most_moves_word": (9, "MOST_MOVES is 'many'; it must be a whole number"),
}
PLAYED = {  # mistakes that are found when it is played with checked cells
    "name": (27, "NameError: name 'belov' is not defined"),
    "slice": (60, "the rule view takes a slice; inside rules cells are read and written one by one"),
    "no_moves": (30, "the rule moves lists 0 moves while the game goes on; it must list at least one"),
    "few_moves": (34, "the rule moves writes entry 3 of the list of moves, but MOST_MOVES is 3"),
    "few_cells": (27, "the rule deal writes WINNER[1], which is outside the state (it has cells 0 to 3)"),
    "negative": (27, "the rule deal writes cell -3, which is outside the state (it has cells 0 to 4)"),
    "fraction": (25, "the rule deal writes 1.5 to LOW; a cell holds whole numbers"),
    "wrong_seat": (39, "after the rule play the cell SEAT is 2; it must be a seat, 0 to 1, or OVER"),
    "stuck": (36, "the rule moves fails"),
    "meddling": (33, "the rule moves changes WINNER; only play may change a state"),
    "zero": (32, "the rule moves divides by zero"),
    "payoff": (52, "gives seat 2 2.0; payoffs must lie between 0 and 1"),
    "payoff_seat": (55, "the rule payoff writes entry 2, but the seats are 0 to 1"),
}
TRIED = {  # mistakes that only laws find
    "endless": "not over after 1,000,000 random moves",
    "unknown_left": "the guess of seat 1 leaves NUMBER UNKNOWN",
    "biased_guess": "not calibrated",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What is found in broken games before anything is compiled, and where they are."""
    folder = tmp_path_factory.mktemp("broken")
    words = [sys.executable, "-m", "tests.core.broken_games", str(folder), *LOADED, *PLAYED]
    environment, root = {**os.environ, "NUMBA_DISABLE_JIT": "1"}, Path(__file__).parents[2]
    run = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=True)
    return json.loads(run.stdout), folder


@pytest.mark.parametrize("mistake", [*LOADED, *PLAYED])
def test_a_mistake_is_told_with_its_file_and_line(mistake, found):
    line, words = (LOADED | PLAYED)[mistake]
    findings, folder = found
    (finding,) = findings[mistake]
    assert f"{folder / mistake / 'rules.py'}, line {line}: " in finding["sentence"]
    assert words in finding["sentence"]


def test_what_runs_interpreted_but_cannot_be_compiled_is_told_with_its_file_and_line(tmp_path):
    (finding,) = check(str(break_game("dictionary", tmp_path))).broken
    assert finding.law == "the rules can be compiled"
    assert f"{tmp_path / 'dictionary' / 'rules.py'}, line 30: moves cannot be compiled" in finding.sentence


def test_a_missing_rule_is_named(tmp_path):
    (finding,) = check(str(break_game("missing", tmp_path))).broken
    assert "rules.py lacks the rules payoff" in finding.sentence


@pytest.mark.parametrize(
    "mistake", ["unknown_left", *(pytest.param(name, marks=ONLY_LONG) for name in ("endless", "biased_guess"))]
)
def test_what_only_a_law_finds_is_told_with_the_variants(mistake, tmp_path):
    report = check(str(break_game(mistake, tmp_path)), games=1)
    assert report.tried
    assert not report.holds
    assert any(TRIED[mistake] in finding.sentence for finding in report.broken)


def test_a_broken_law_comes_with_the_moves_that_lead_there(tmp_path):
    report = check(str(break_game("payoff", tmp_path)))
    position = report.broken[0].position
    assert position is not None
    assert len(position["moves"]) == len(position["texts"]) > 0


def test_a_sound_game_keeps_all_laws(tmp_path):
    start_game("sound", tmp_path)
    result = CliRunner().invoke(main, ["check", str(tmp_path / "sound"), "--games", "1"], catch_exceptions=False)
    assert result.exit_code == 0
    assert re.search(r"variants: .*sound, .*sound\(highest=3\), .*sound\(highest=20\)\n", result.stdout)
    assert re.search(r"3 variants: all \d+ laws that apply hold; \d+ do not apply", result.stdout)


def test_a_broken_game_gives_exit_code_1_and_plain_data(tmp_path):
    result = CliRunner().invoke(
        main, ["check", str(break_game("few_moves", tmp_path)), "--json"], catch_exceptions=False
    )
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["holds"] is False
    assert data["broken"][0]["position"]["moves"] == []


def test_a_fault_that_breaks_several_laws_is_told_once(tmp_path):
    start_game("pictured", tmp_path)
    scene = "from kibitz.scenes import Scores\n\nSCENE = [Scores(lambda view: [None, 1])]\n"
    (tmp_path / "pictured" / "scene.py").write_text(scene)
    words = ["check", f"'{tmp_path / 'pictured'}'(highest=5)", "--games", "1"]
    told = CliRunner().invoke(main, words, catch_exceptions=False).stdout
    assert (
        told.count("a lambda returns [None, 1]") == told.count("broken: ") == told.count("for the same reason: ") == 1
    )
    assert f"{tmp_path / 'pictured' / 'scene.py'}, line 3: Scores: a lambda returns" in told
    assert re.search(r"\b7 of \d+ laws are broken", told)


WEIGHTS = "out[i] = WEIGHTS[i]\n"  # in the game of two dice that `kibitz new` writes
ODDS = [  # what is written in place of that, and what is said of the odds
    (WEIGHTS, "21 outcomes with weights that sum to 36 in "),
    ("out[i] = WEIGHTS[i] if state[POINTS] < 30 else 1\n", "21 that sum to 21 in "),
]


@pytest.mark.parametrize(("planted", "said"), ODDS)
def test_the_author_reads_how_many_outcomes_there_are_and_what_their_weights_sum_to(planted, said, tmp_path):
    start_package("rolling", "dice", tmp_path)
    rules = tmp_path / "rolling" / "kibitz_rolling" / "rules.py"
    text = rules.read_text()
    assert WEIGHTS in text
    rules.write_text(text.replace(WEIGHTS, planted))
    report = check(f"'{rules.parent}'(seats=2)", games=1)
    assert report.holds
    (line,) = report.remarks["where chance moves"].values()
    assert said in line


def test_a_position_is_printed_as_python_that_comes_to_it(tmp_path):
    place = break_game("payoff", tmp_path)
    rules = place / "rules.py"
    rules.write_text(rules.read_text().replace("out[state[WINNER]] = 2.0", "out[state[WINNER]] = 1.0"))
    (place / "notation.py").write_text("def write(view, move):\n    return 'x' if view[1] > 1 else str(move)\n"
                                       "\n\ndef fold(text):\n    return text.strip().lower()\n")  # fmt: skip
    told = CliRunner().invoke(main, ["check", str(place), "--games", "1"], catch_exceptions=False).stdout
    code = re.search(r"in Python: (table = .*; table\.follow\(.*\))", told)[1]
    names = {"kibitz": kibitz}
    exec(code, names)
    assert names["table"].ply > 0
    assert len(set(map(names["table"].write, names["table"].moves()))) == 1


RULES = """
from kibitz.rules import OVER, Option, cells, rule
SEATS, MOST_MOVES = 2, 2
OPTIONS = {"left": Option(False, ""), "right": Option(False, ""), "idle": Option(False, "")}
CELLS = cells(SEAT=1, LEFT=1, RIGHT=1, IDLE=1, MADE=1)
SEAT, LEFT, RIGHT, IDLE, MADE = CELLS

@rule
def deal(state, options, rng):
    state[LEFT], state[RIGHT], state[IDLE] = options[1], options[2], options[3]

@rule
def moves(state, out):
    out[0], out[1] = 0, 1
    return 2

@rule
def play(state, move):
    state[MADE] += 1 + state[LEFT] * move + state[RIGHT]
    state[SEAT] = OVER if state[MADE] > 5 else 1 - state[SEAT]
    if WRONG:
        state[100] = 1

@rule
def payoff(state, out):
    out[0] = state[MADE] % 2
    out[1] = 1 - out[0]
"""


def of_two_options(folder, wrong):
    (folder / "two").mkdir()
    (folder / "two" / "rules.py").write_text(RULES.replace("WRONG", wrong))
    return str(folder / "two")


def test_a_fault_of_two_options_together_is_found(tmp_path):
    (finding,) = check(of_two_options(tmp_path, "state[LEFT] == 1 and state[RIGHT] == 1")).broken
    assert "(left=true, right=true)" in finding.variant
    assert "line 22: the rule play" in finding.sentence


def test_an_option_that_changes_nothing_is_named(tmp_path):
    report = check(of_two_options(tmp_path, "state[MADE] < 0"), games=1)
    assert [law for law in report.remarks if law.startswith("the option")] == ["the option idle"]
    assert len(report.variants) == 4


def test_a_game_that_is_not_there_is_refused():
    with pytest.raises(BadValue, match="there is no game at"):
        check("./nowhere")
    assert CliRunner().invoke(main, ["check", "quatro"]).exit_code == 2


def test_a_deal_that_cannot_be_may_also_be_the_fault_of_moves(tmp_path):
    text = (Path(__file__).parents[1] / "peek" / "rules.py").read_text()
    (tmp_path / "lost").mkdir()
    (tmp_path / "lost" / "rules.py").write_text(text.replace("    deal_place(room, SEATS, left, 0)\n", ""))
    (finding,) = check(str(tmp_path / "lost")).broken
    assert re.search("deal_out returns 0: .*; or the rule moves lists what guess holds impossible", finding.sentence)
