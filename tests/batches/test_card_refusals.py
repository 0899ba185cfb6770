"""A game that cannot go to a graphics card is refused with the line that keeps it from there."""

import re

import pytest

from kibitz.batches.card_compiler import kernel_ptx
from kibitz.core.errors import BadGame
from kibitz.core.native import INTERPRETED
from kibitz.games import find
from tests.batches.simulated_card import simulated_batch

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
RULES = '''"""Countdown: whoever says nought has won."""

import numpy as np

from kibitz.rules import OVER, cells, helper, rule

CELLS = cells(SEAT=1, LEFT=1)
SEAT, LEFT = CELLS
SEATS = (2, 2)
MOST_MOVES = 2
TABLE, NUMBERS = np.arange(8), np.arange(8.0)
KNOWN = {1: 2}


def plain(n):
    return n


@helper
def down(n):
    return 0 if n < 1 else down(n - 1)


@helper
def room(n):
    return np.empty(n, dtype=np.int64)[0]


@rule
def deal(state, options, rng):
    state[LEFT] = 5


@rule
def moves(state, out):
    out[0], out[1] = 0, 1
    return 2


@rule
def play(state, move):
    LINE
    state[LEFT] -= 1
    state[SEAT] = 1 - state[SEAT] if state[LEFT] else OVER


@rule
def payoff(state, out):
    out[0], out[1] = 1, 0
'''
HERE = "LINE"  # the line that is told is that of the rule play


def _game(tmp_path, line):
    (tmp_path / "rules.py").write_text(RULES.replace("    LINE", f"    {line}"))
    return find(str(tmp_path))


@pytest.mark.parametrize(
    ("line", "told", "why"),
    [
        ("state[LEFT] += np.zeros(state[LEFT])[0]", HERE, r"it makes an array, .*; scratch\(n\) of kibitz.rules has"),
        ("state[LEFT] += room(move)", "return np.empty(n, dtype=np.int64)[0]", r"it makes an array, for which cards"),
        ("state[LEFT] += np.sort(TABLE)[0]", HERE, r"cards cannot call sort"),
        ("state[LEFT] += int(np.linalg.norm(NUMBERS))", HERE, r"cards cannot call norm"),
        ("state[LEFT] += int(np.sin(state[LEFT]))", HERE, r"it calls sin, which cards lack"),
        ("state[LEFT] += len([move, move])", HERE, r"it makes an object of Python, for which cards have no room"),
        ("state[LEFT] += KNOWN[1]", HERE, r"it reads KNOWN; make it a NumPy array"),
        ("state[LEFT] += plain(1)", HERE, r"it calls plain, which lacks @helper"),
        ("state[LEFT] += down(move)", "def down(n):", r"down calls itself"),
        ("print(move)", HERE, r"cards cannot print"),
        ("raise ValueError(move)", HERE, r"it raises an error with a text that it makes; cards take a fixed text"),
    ],
)
def test_what_cannot_go_to_a_card_is_told_with_its_line(tmp_path, line, told, why):
    told = line if told is HERE else told
    numbers = [n for n, text in enumerate(RULES.replace("LINE\n", f"{line}\n").splitlines(), 1) if text.strip() == told]
    place = re.escape(f"{tmp_path / 'rules.py'}, line {numbers[-1]} ({told}): ")
    with pytest.raises(BadGame, match=rf"cannot be compiled for a graphics card: {place}.*({why})"):
        kernel_ptx(_game(tmp_path, line), "play", (9, 0))


def test_a_rule_that_raises_is_told_with_its_game_and_that_processors_know_more(tmp_path):
    batch = simulated_batch(_game(tmp_path, "assert state[LEFT] != 4, 'four is bad luck'"), 5)
    batch.play(0)
    with pytest.raises(BadGame, match=r'a rule fails in game 0 of the batch; device="cpu" tells which, and why'):
        batch.play(0)


def test_a_value_that_raises_is_told_at_the_next_check(tmp_path):
    (tmp_path / "values.py").write_text(
        "from kibitz.rules import value\n\n\n@value\ndef odd(state, weights, seat):\n"
        "    assert state[0] == 1, 'even'\n    return 1.0\n"
    )
    batch = simulated_batch(_game(tmp_path, "state[LEFT] += 0"), 3)
    batch.value("odd")
    with pytest.raises(BadGame, match=r'a rule fails in the batch; device="cpu" tells where, and why'):
        batch.check()
    batch.check()
