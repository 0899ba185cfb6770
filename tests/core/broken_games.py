"""Broken copies of the small game that `kibitz new game` writes, each with one mistake.

`python -m tests.core.broken_games FOLDER MISTAKE ...` writes games there and prints what is found when they are played
with checked cells; it must be run interpreted.
"""

import json
import os
import sys
from pathlib import Path

from kibitz.cli import game_checks
from kibitz.cli.new_command import start_game
from kibitz.core.laws import checked

_LOOP = "    for i in range(ALL_CELLS):\n        out[i] = state[i]\n"
_PLAY = "def play(state, move):\n"

MISTAKES = {  # what is replaced in rules.py, and by what
    "syntax": ("def deal(state, options, rng):", "def deal(state, options, rng)"),
    "name": ("1 + below(", "1 + belov("),
    "misspelt": ("def payoff(", "def payof("),
    "missing": ("@rule\ndef payoff(", "def earnings("),
    "arguments": ("def moves(state, out):", "def moves(state, out, seat):"),
    "seats": ("SEATS = 2", "SEATS = 'two'"),
    "many_seats": ("SEATS = 2", "SEATS = 99"),
    "most_moves_word": ("MOST_MOVES = 20", "MOST_MOVES = 'many'"),
    "slice": (_LOOP, "    out[0:5] = state[0:5]\n"),
    "no_moves": ("    return n\n", "    return 0\n"),
    "few_moves": ("MOST_MOVES = 20", "MOST_MOVES = 3"),
    "few_cells": ("    NUMBER=1,  # the number, hidden from both\n)", ")"),
    "negative": ("state[NUMBER] = 1 + below(", "state[-3] = 1 + below("),
    "fraction": ("state[LOW] = 1\n", "state[LOW] = 1.5\n"),
    "wrong_seat": ("state[SEAT] = 1 - state[SEAT]", "state[SEAT] = 2"),
    "endless": (_PLAY, f"{_PLAY}    state[SEAT] = 1 - state[SEAT]\n    if state[LOW] > 0:\n        return\n"),
    "stuck": ("    return n\n", "    while n > 0:\n        n += 0\n    return n\n"),
    "payoff": ("out[state[WINNER]] = 1.0", "out[state[WINNER]] = 2.0"),
    "payoff_seat": ("out[1 - state[WINNER]] = 0.0", "out[2] = 0.0"),
    "unknown_left": ("        view[NUMBER] = view[LOW] + below(rng, view[HIGH] - view[LOW] + 1)\n", "        pass\n"),
    "biased_guess": ("view[LOW] + below(rng, view[HIGH] - view[LOW] + 1)", "view[LOW]"),
    "meddling": ("    n = 0\n", "    n = 0\n    state[WINNER] = 1\n"),
    "zero": ("    n = 0\n", "    n = 0 // (state[LOW] - 1)\n"),
    "dictionary": ("    n = 0\n", "    n = {'none': 0, 1: 'one'}['none']\n"),
}


def break_game(mistake: str, folder: Path, secrets: bool = True) -> Path:
    """Write the small game with one mistake, with or without its secret, under the mistake's name; return where."""
    start_game(mistake, folder)
    rules = folder / mistake / "rules.py"
    old, new = MISTAKES[mistake]
    text = rules.read_text()
    assert old in text, mistake
    text = text.replace(old, new)
    if mistake == "few_cells":
        text = text.replace("SEAT, LOW, HIGH, WINNER, NUMBER = CELLS", "SEAT, LOW, HIGH, WINNER = CELLS\nNUMBER = 4")
    rules.write_text(text if secrets else text[: text.index("@rule\ndef view(")])
    return folder / mistake


def _found(game: Path) -> list[dict[str, str]]:
    """Return what a check of a game finds before anything is compiled, in a process of its own."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.dup2(writer, sys.stdout.fileno())
            game_checks._run("interpreted", str(game), 1, 1)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        return [line["broken"] for line in map(json.loads, lines) if "broken" in line]


if __name__ == "__main__":
    checked.STUCK_SECONDS = 0.5
    print(json.dumps({mistake: _found(break_game(mistake, Path(sys.argv[1]))) for mistake in sys.argv[2:]}))
