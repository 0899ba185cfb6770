"""Broken games in use: a sentence and an exit code, never a traceback, a crash, or a process that nothing ends."""

import os
import signal
import subprocess
import sys
from time import sleep

import pytest

from tests.core.broken_games import break_game

PATIENCE = 60  # seconds, far more than it takes
NO_GOOD_LIST = "the rule moves lists no move in a game that is not over, or more than MOST_MOVES"
TOO_FEW_CELLS = "a rule writes behind the last cell of the state; CELLS declares too few, or an index is wrong"


def kibitz(*words, typed=None):
    return subprocess.run(
        [sys.executable, "-m", "kibitz", *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize(
    ("mistake", "agent", "sentence"),
    [
        ("few_moves", "random", NO_GOOD_LIST),
        ("few_moves", "maxn", NO_GOOD_LIST),
        ("no_moves", "mcts", NO_GOOD_LIST),
        ("few_cells", "random", TOO_FEW_CELLS),
        ("wrong_seat", "random", "the cell SEAT holds neither a seat nor OVER"),
        ("wrong_seat", "mcts", "after the rule play the cell SEAT is 2"),
        ("payoff", "random", "does not lie between 0 and 1"),
        ("payoff", "maxn", "payoffs must lie between 0 and 1"),
    ],
)
def test_a_match_of_a_broken_game_ends_in_a_sentence(mistake, agent, sentence, tmp_path):
    game = break_game(mistake, tmp_path, secrets=False)
    ended = kibitz("match", str(game), agent, "random", "--games", "20", "--jobs", "1")
    assert ended.returncode in (1, 2)
    assert "Traceback" not in ended.stderr
    assert sentence in ended.stderr


@pytest.mark.parametrize("mistake", ["few_moves", "no_moves", "few_cells"])
def test_a_broken_game_cannot_be_played(mistake, tmp_path):
    ended = kibitz("play", str(break_game(mistake, tmp_path)), "human", "random", typed="5\n5\n")
    assert ended.returncode in (1, 2)
    assert "Traceback" not in ended.stderr
    assert "kibitz: " in ended.stderr


# Tests may run where Ctrl-C is ignored, as in the background of a shell; the command must hear it all the same.
HEARING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from kibitz.cli import main
main()
"""


@pytest.mark.parametrize(
    ("agent", "number"),
    [
        ("random", signal.SIGINT),
        ("mcts", signal.SIGTERM),
        ("flat(threads=2)", signal.SIGINT),
        ("maxn", signal.SIGTERM),
    ],
)
def test_a_match_of_a_game_without_end_heeds_signals(agent, number, tmp_path):
    game = break_game("endless", tmp_path, secrets=False)
    words = [sys.executable, "-c", HEARING, "match", str(game), agent, "random", "--games", "2", "--jobs", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as match:
        try:
            sleep(5)  # so that it is likely in the midst of a game; before, it must heed the signal too
            os.kill(match.pid, number)
            _, complaint = match.communicate(timeout=PATIENCE)
        finally:
            match.kill()
    assert match.returncode in (128 + number, 130)
    assert "Traceback" not in complaint
