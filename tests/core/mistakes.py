"""Mistakes that authors of games make, each in a tiny game, and what they should be told.

`python -m tests.core.mistakes FOLDER` writes the games there and prints what is found: interpreted, what a check finds
when it loads and plays a game, or what one law finds; compiled, what the compiler says of one rule.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from kibitz import games
from kibitz.cli.new_command import start_game
from kibitz.core.errors import KibitzError
from kibitz.core.laws import LAWS
from kibitz.core.native import INTERPRETED
from tests.core.broken_games import _found

DOCUMENT = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
OPTION = 'OPTIONS = {"highest": Option(9, "the highest possible number", least=3, most=20)}'
NAMES = "SEAT, LOW, HIGH, WINNER, NUMBER = CELLS"
FIRST = "    n = 0\n"  # of the rule moves
SECRET = "state[NUMBER] = 1 + below(rng, state[HIGH])"
COPY = "    for i in range(ALL_CELLS):\n        out[i] = state[i]\n"
HIDE = "    if state[SEAT] != OVER:\n        out[NUMBER] = UNKNOWN\n"
IMPORT = "from kibitz.rules import OVER"
DEAL = "@rule\ndef deal"
ODDS = "        out[side] = 1\n    return SIDES\n"
REFUSE = "def refuse(options):\n    return {}\n\n\n@rule\ndef deal"
LINES = "    return hit if state[SEAT] == seat else 1.0 - hit"
MORE = "ALL_CELLS = CELLS.size"
OFTEN = 'LEVELS = {"beginner": "random"}\n'
SUBSCRIPT = "a number stands where cells or dice should: are arguments in the wrong order?"

LAID = "    if state[HIGH] == 9:\n        state[NUMBER] = move\n        state[SEAT] = 1 - state[SEAT]\n        return\n"
FACE_DOWN = [
    ("rules", "def play(state, move):\n", f"def play(state, move):\n{LAID}"),
    ("rules", DEAL, f"@rule\ndef seen(state, move, seat):\n    return move\n\n\n{DEAL}"),
]

# For each mistake: where it shows, what is replaced in which file by what (a whole file, if nothing is replaced), and
# what is said. It shows when the game is loaded and played (""), to a law, or when a rule is compiled ("!moves").
MISTAKES: dict[str, tuple[str, list[tuple[str, str, str]], str]] = {
    "a name of a cell forgotten": ("", [("rules", NAMES, "SEAT, LOW, HIGH, NUMBER = CELLS")],
        r"rules.py, line 19: .*in the order declared: SEAT, LOW, HIGH, WINNER, NUMBER = CELLS"),
    "names of cells in another order": ("", [("rules", NAMES, "SEAT, HIGH, LOW, WINNER, NUMBER = CELLS")],
        r"LOW is 2, but the cells are declared so that it is 1"),
    "no cell SEAT": ("", [("rules", "    SEAT=1,", "    TURN=1,")],
        r"line 12: CELLS is cells\(TURN=1, .*with a cell SEAT for the seat to move"),
    "cells as a dictionary": ("", [("rules", "CELLS = cells(", "CELLS = dict(")], r"rules.py, line"),
    "a group of no cells": ("", [("rules", "    LOW=1,", "    LOW=0,")],
        r"rules.py, line 12: LOW has 0 cells; it must be .* at least 1"),
    "a name that is not there": ("", [("rules", "state[LOW] = 1", "state[low] = 1")],
        r"rules.py, line 25: NameError: name 'low'"),
    "the length of a state": ("", [("rules", FIRST, "    n = len(state) - ALL_CELLS\n")],
        r"rules.py, line 32: the rule moves asks for the length of cells; .*one by one"),
    "a copy of a state": ("", [("rules", FIRST, f"{FIRST}    before = state.copy()\n")],
        r"rules.py, line 33: the rule moves uses .copy of cells; .*one by one"),
    "a loop over a state": ("", [("rules", FIRST, f"{FIRST}    for cell in state:\n        n += 0\n")],
        r"rules.py, line 33: the rule moves loops over cells"),
    "a negative index": ("", [("rules", FIRST, "    n = 0 * state[LOW - 2]\n")],
        r"rules.py, line 32: the rule moves reads cell -1, which is outside the state"),
    "a fraction as an index": ("", [("rules", FIRST, "    n = 0 * state[state[SEAT] / 2]\n")],
        r"the rule moves uses 0.0 as an index; it must be a whole number"),
    "a fraction in a state": ("", [("rules", SECRET, "state[NUMBER] = state[HIGH] / 2")],
        r"rules.py, line 27: the rule deal writes 4.5 to NUMBER; a cell holds whole numbers"),
    "a list in a state": ("", [("rules", SECRET, "state[NUMBER] = [1]")],
        r"writes \[1\] to NUMBER; it holds numbers only"),
    "a word in a state": ("", [("rules", "state[SEAT] = OVER", "state[SEAT] = 'over'")],
        r"line 43: .*writes 'over' to SEAT; it holds numbers only"),
    "moves as a list": ("", [("rules", "    return n\n", "    return [1, 2]\n")],
        r"the rule moves returns \[1, 2\]; it must return how many there are"),
    "the number of moves forgotten": ("", [("rules", "    return n\n", "    n += 0\n")],
        r"the rule moves returns None; it must return how many there are"),
    "moves out of order": ("moves_ascend", [("rules", "out[n] = number", "out[n] = state[HIGH] - n")],
        r"the moves \[9, 8, .* do not ascend"),
    "a move listed twice": ("moves_ascend", [("rules", "out[n] = number", "out[n] = (number + 1) // 2")],
        r"or one is listed twice"),
    "no move at the end": ("", [("rules", "state[LOW], state[HIGH] + 1", "state[LOW], state[HIGH]")],
        r"rules.py, line 30: the rule moves lists 0 moves while the game goes on"),
    "a payoff returned": ("", [("rules", "    out[state[WINNER]] = 1.0\n", "    return [1.0, 0.0]\n")],
        r"rules.py, line 52: the rule payoff returns \[1.0, 0.0\]; it must return nothing and write into out"),
    "a payoff forgotten": ("", [("rules", "    out[1 - state[WINNER]] = 0.0\n", "")],
        r"rules.py, line 52: the rule payoff writes nothing for seat [12]; it must write what each seat earned"),
    "a payoff above 1": ("", [("rules", "= 1.0", "= 10.0")], r"the rule payoff gives seat [12] 10.0"),
    "a view returned": ("", [("rules", COPY + HIDE, "    return state\n")],
        r"the rule view returns cells; it must return nothing and write into out"),
    "printing": ("", [("rules", FIRST, f"{FIRST}    print('hello')\n")],
        r"rules.py, line 33: the rule moves prints 'hello'; rules only read and write cells"),
    "a helper without end": ("", [("rules", DEAL, f"@helper\ndef again(n):\n    return again(n)\n\n\n{DEAL}"),
        ("rules", FIRST, "    n = 0 * again(3)\n"), ("rules", "import OVER,", "import helper, OVER,")],
        r"rules.py, line 25: the rule moves calls itself without end"),
    "a shift by less than 0": ("", [("rules", "    state[LOW] = 1\n",
        "    state[LOW] = 1\n    state[WINNER] = 0 * (1 << (int(options[1]) - 5))\n")],
        r"negative shift count; if nobody can play with highest=3, let refuse\(options\) of rules.py say so"),
    "an option by name": ("", [("rules", "options[1]", "options['highest']")],
        r"the rule deal uses 'highest' as an index; it must be a whole number"),
    "an option too far": ("", [("rules", "options[1]", "options[2]")], r"there are 0 \(seats\), 1 \(highest\)"),
    "options as a list": ("", [("rules", OPTION, 'OPTIONS = ["highest"]')],
        r"rules.py, line 10: OPTIONS is \['highest'\]; it must be a dictionary"),
    "an option as a number": ("", [("rules", OPTION, 'OPTIONS = {"highest": 9}')],
        r"rules.py, line 10: option highest is 9; write 'highest': Option\(9, 'what it means'\)"),
    "a default that does not fit": ("", [("rules", "Option(9,", "Option(99,")],
        r"rules.py, line 10: the default does not fit: .*highest=99 .*from 3 to 20"),
    "refuse by number": ("", [("rules", DEAL, REFUSE.format("options[1] > 10"))],
        r"refuse fails; it gets the options by name: options\['seats'\], options\['highest'\]: .*line 24: KeyError: 1"),
    "refuse that returns a truth": ("", [("rules", DEAL, REFUSE.format("options['highest'] > 3"))],
        r"the function refuse returned True; it returns a sentence, or nothing"),
    "a version in words": ("", [("rules", "SEATS = 2", "SEATS = 2\nVERSION = '1.0'")],
        r"rules.py, line 9: VERSION is '1.0'; it must be a whole number, at least 1"),
    "too few names of seats": ("", [("rules", "SEATS = 2", "SEATS = 2\nSEAT_NAMES = ['red']")],
        r"rules.py, line 9: SEAT_NAMES has 1 names for 2 seats"),
    "usual seats out of range": ("", [("rules", "SEATS = 2", "SEATS = (2, 4)\nUSUAL_SEATS = 7")],
        r"rules.py, line 9: USUAL_SEATS is 7; SEATS is 2 to 4"),
    "seats as a list": ("", [("rules", "SEATS = 2", "SEATS = [2, 4]")], r"SEATS is \[2, 4\]; .* or \(least, most\)"),
    "a newer contract": ("", [("rules", "SEATS = 2", "CONTRACT = 99\nSEATS = 2"), ("rules", "OVER, UNKNOWN", "LATER")],
        r"is made for contract 99, and this Kibitz knows contract \d+: pip install --upgrade kibitz"),
    "an older contract": ("", [("rules", "SEATS = 2", "CONTRACT = 0\nSEATS = 2")],
        r"is made for contract 0, .*; docs/contract.md says how to port it"),
    "a rule of a later contract": ("", [("rules", DEAL, f"@rule\ndef odds(state, out):\n    return 0\n\n\n{DEAL}"),
        ("rules", "SEATS = 2", "CONTRACT = 1\nSEATS = 2")], r"the rule odds came with contract 2, .* CONTRACT = 1"),
    "a rule without @rule": ("", [("rules", "@rule\ndef play(", "def play(")],
        r"rules.py, line 39: the function play lacks @rule above it"),
    "a rule with brackets": ("", [("rules", "@rule\ndef play(", "@rule()\ndef play(")],
        r"rules.py, line 39: TypeError: @rule stands above a function, and takes nothing in brackets"),
    "a wrong name of a rule": ("", [("rules", "def moves(", "def legal_moves(")],
        r"rules.py, line 30: 'legal_moves' is not a rule; the rules are deal, moves"),
    "a hint among the rules": ("", [("rules", DEAL, f"@rule\ndef alive(state):\n    return 3\n\n\n{DEAL}")],
        r"'alive' is not a rule; it is a hint and belongs in hints.py"),
    "arguments in another order": ("", [("rules", "def view(state, seat, out):", "def view(seat, state, out):")],
        r"rules.py, line 58: the rule view takes \(state, seat, out\), in this order"),
    "an argument too many": ("", [("rules", "def payoff(state, out):", "def payoff(state, seat, out):")],
        r"takes 2 arguments, and here it has 3: \(state, out\)"),
    "dice in the wrong place": ("", [("rules", "below(rng, state[HIGH])", "below(state[HIGH], rng)")],
        rf"rules.py, line 27: .*{re.escape(SUBSCRIPT)}"),
    "an import from the inside": ("", [("rules", "from kibitz.rules import", "from kibitz.core.rules import")],
        r"No module named 'kibitz.core.rules'; what games and agents need is in kibitz.rules, "),
    "an imported name misspelt": ("", [("rules", "OVER, UNKNOWN,", "OVER, UNKOWN,")],
        r"did you mean 'UNKNOWN' of kibitz.rules\?"),
    "an import from another module": ("", [("rules", IMPORT, "from kibitz.rules import Grid, OVER")],
        r"; Grid is in kibitz.scenes"),
    "an import of a neighbour": ("", [("values", "from .rules import", "from rules import")],
        r"No module named 'rules'; inside a folder of Kibitz write: from .rules import"),
    "guess without view": ("", [("rules", "@rule\ndef view(", "def unused(")],
        r"has the rule guess, but no rule view, so nothing is hidden"),
    "a guess without its decorator": ("", [("rules", "@rule\ndef guess(", "def guess(")],
        r"rules.py, line 66: the function guess lacks @rule above it"),
    "hidden by -1": ("a_guess_fills_every_unknown", [("rules", "out[NUMBER] = UNKNOWN", "out[NUMBER] = -1")],
        r"no view holds UNKNOWN, so nothing is hidden from anyone"),
    "an UNKNOWN that stays": ("a_guess_fills_every_unknown", [("rules", "== UNKNOWN:", "== 0:")],
        r"the guess of seat 1 leaves NUMBER UNKNOWN"),
    "a card face down that is told": ("moves_look_alike_to_a_seat_whose_view_does_not_tell_them_apart", FACE_DOWN,
        r"seat 2 has the same view after moves 1 \(1\) and 2 \(2\), yet .* either the rule seen returns one number"),
    "a card face down that is not told": ("moves_look_alike_to_a_seat_whose_view_does_not_tell_them_apart",
        [*FACE_DOWN, ("rules", "    return move\n", "    return -1 if state[HIGH] == 9 else move\n")], r"^None$"),
    "a hidden turn": ("the_seat_to_move_finds_its_moves_in_its_view",
        [("rules", HIDE, f"{HIDE}    out[SEAT] = UNKNOWN\n")],
        r"the view of seat 1 does not show that it is to move"),
    "moves that depend on a secret": ("the_seat_to_move_finds_its_moves_in_its_view",
        [("rules", "state[LOW], state[HIGH] + 1", "state[LOW], max(state[NUMBER], state[LOW]) + 1")],
        r"seat 1 finds the moves \[1\] in its view, not"),
    "a value of an old kind": ("", [("values", "(state, weights, seat)", "(state, seat)")],
        r"values.py, line 10: the value chance takes \(state, seat\); it must take \(state, weights, seat\)"),
    "a value that divides by zero": ("", [("values", "state[HIGH] - state[LOW] + 1", "state[HIGH] - state[HIGH]")],
        r"values.py, line 13: the value chance divides by zero"),
    "a share of 0": ("values_are_numbers", [("values", "@value\n", "@value(shares=True)\n"),
        ("values", LINES, "    return 1.0 if seat == 0 else 0.0")],
        r"the value chance gives seat 2 0 per cent; with shares=True every seat has more than 0. .*positive=False"),
    "USUAL misspelt": ("values_are_numbers", [("values", 'USUAL = "chance"', 'USUAL = "chanse"')],
        r"USUAL of values.py names no value: .*known: chance. Did you mean 'chance'\?"),
    "odds of 0": ("", [("dice", "        out[side] = 1\n", "        out[side] = side\n")],
        r"rules.py, line \d+: the rule odds writes \[0, 1, .*each must be at least 1"),
    "odds as fractions": ("", [("dice", "        out[side] = 1\n", "        out[side] = 1 / 6\n")],
        r"the rule odds writes 0.166\d* to entry 0 of the list of weights"),
    "fewer odds than outcomes": ("", [("dice", ODDS, ODDS.replace("SIDES", "5"))],
        r"the rule odds returns 5; the rule moves lists 6"),
    "odds that return nothing": ("", [("dice", ODDS, ODDS.replace("    return SIDES\n", ""))],
        r"the rule odds returns None; it must return how many outcomes there are"),
    "chance without odds": ("", [("dice", "@rule\ndef odds", "def chances")],
        r"the cell SEAT is -2; .*or CHANCE in a game with the rule odds"),
    "a table of another kind": ("!moves", [("rules", MORE, f"{MORE}\nTABLE = {{0: 1}}"),
        ("rules", FIRST, "    n = 0 * TABLE[state[SEAT]]\n")],
        r"rules.py, line 33: moves reads TABLE; make it a NumPy array, or use numbers"),
    "a table that is written to": ("!deal", [("rules", IMPORT, f"import numpy as np\n{IMPORT}"),
        ("rules", MORE, f"{MORE}\nTABLE = np.zeros(5, dtype=np.int64)"),
        ("rules", "    state[LOW] = 1\n", "    state[LOW] = 1\n    TABLE[0] += 1\n")],
        r"deal writes to a table of the module; what changes belongs in cells of the state"),
    "a helper without @helper": ("!moves", [("rules", DEAL, f"def mid(state):\n    return state[LOW]\n\n\n{DEAL}"),
        ("rules", FIRST, "    n = 0 * mid(state)\n")], r"line 36: moves calls mid, which lacks @helper above it"),
    "a file in a rule": ("!moves", [("rules", FIRST, f"{FIRST}    open('x')\n")],
        r"moves calls open, which rules cannot"),
    "an exception caught": ("!moves", [("rules", FIRST, f"    try:\n    {FIRST}    except KeyError:\n    {FIRST}")],
        r"moves catches an exception, which rules cannot"),
    "a sum of a state": ("!moves", [("rules", FIRST, "    n = 0 * sum(state)\n")],
        r"rules.py, line 32: moves calls sum on cells, which are read one by one, as in state\[i\]"),
    "a global that changes": ("!moves", [("rules", MORE, f"{MORE}\nCOUNT = 0"),
        ("rules", FIRST, f"    global COUNT\n    COUNT += 1\n{FIRST}")], r"moves assigns to a global"),
    "a function that numba lacks": ("!moves", [("rules", IMPORT, f"import numpy as np\n{IMPORT}"),
        ("rules", FIRST, f"{FIRST}    np.memmap('x')\n")], r"rules.py, line 34: moves cannot be compiled"),
}  # fmt: skip


def write_mistake(number: int, name: str, folder: Path) -> Path:
    """Write a game with a mistake in a folder of its own; return where."""
    start_game(f"mistake{number}", folder)
    place = folder / f"mistake{number}"
    for file, old, new in MISTAKES[name][1]:
        path = place / ("rules.py" if file == "dice" else f"{file}.py")
        text = _pig(place) if file == "dice" else path.read_text()
        assert old in text, name
        path.write_text(text.replace(old, new))
    return place


def _pig(place: Path) -> str:
    """Return the rules of the game with dice in the document, and leave no other file."""
    for path in place.iterdir():
        path.unlink()
    text = DOCUMENT.read_text(encoding="utf-8")
    begin = text.index('"""Pig: ')
    return text[begin : text.index("```", begin)]


def _said(where: str, game: Path) -> str:
    """Return what is said about a game."""
    if not where:
        return "; ".join(finding["sentence"] for finding in _found(game))
    try:
        if where.startswith("!"):
            return f"nothing, it is {games.find(str(game)).rule(where[1:]).handle}"
        check = next(check for check in LAWS if check.__name__ == where)
        return str(check(games.find(str(game)), 1))
    except KibitzError as error:
        return str(error)


def main(folder: Path) -> dict[str, Any]:
    """Write the games whose mistakes show in this mode, and return what is said about each."""
    chosen = [(n, name) for n, name in enumerate(MISTAKES) if MISTAKES[name][0].startswith("!") != INTERPRETED]
    return {name: _said(MISTAKES[name][0], write_mistake(n, name, folder)) for n, name in chosen}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
