"""Broken games in use: a sentence and an exit code, never a traceback, a crash, or a process that nothing ends."""

import json
import os
import signal
import subprocess
import sys
from time import sleep

import pytest

from tests.core.broken_games import break_game

PATIENCE = 60  # seconds, far more than it takes
ONLY_LONG = pytest.mark.skipif(not os.environ.get("KIBITZ_LONG"), reason="long: KIBITZ_LONG=1")
NO_GOOD_LIST = "the rule moves lists no move in a game that is not over, or more than MOST_MOVES"
TOO_FEW_CELLS = "a rule writes behind the last cell of the state; CELLS declares too few, or an index is wrong"


MATCHES = [  # the mistake of the game, an agent that plays it, and what is said
    ("few_moves", "random", NO_GOOD_LIST),
    ("few_moves", "maxn", NO_GOOD_LIST),
    ("no_moves", "mcts", NO_GOOD_LIST),
    ("few_cells", "random", TOO_FEW_CELLS),
    ("wrong_seat", "random", "the cell SEAT holds neither a seat nor OVER"),
    ("wrong_seat", "mcts", "after the rule play the cell SEAT is 2"),
    ("payoff", "random", "does not lie between 0 and 1"),
    ("payoff", "maxn", "payoffs must lie between 0 and 1"),
]
UNPLAYABLE = ["few_moves", "no_moves", "few_cells"]
SEVERAL = """
import json, sys
from click.testing import CliRunner
from kibitz.cli import main
ended = [CliRunner().invoke(main, words, input="5\\n5\\n") for words in json.load(sys.stdin)]
print(json.dumps([(run.exit_code, type(run.exception).__name__, run.stderr) for run in ended]))
"""


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """How commands with broken games end, one after the other in a process of their own."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "secret").mkdir()
    open_games = {mistake: str(break_game(mistake, folder, secrets=False)) for mistake in {case[0] for case in MATCHES}}
    commands = [("match", open_games[mistake], agent, "random", "--games", "20", "--jobs", "1")
                for mistake, agent, _ in MATCHES]  # fmt: skip
    commands += [("play", str(break_game(mistake, folder / "secret")), "human", "random") for mistake in UNPLAYABLE]
    words, typed = [sys.executable, "-c", SEVERAL], json.dumps(commands)
    done = subprocess.run(words, input=typed, capture_output=True, text=True, timeout=5 * PATIENCE, check=True)
    return dict(zip([case[:2] for case in MATCHES] + UNPLAYABLE, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize(("mistake", "agent", "sentence"), MATCHES)
def test_a_match_of_a_broken_game_ends_in_a_sentence(mistake, agent, sentence, ended):
    code, error, complaint = ended[mistake, agent]
    assert code in (1, 2)
    assert error == "SystemExit"
    assert "Traceback" not in complaint
    assert sentence in complaint


@pytest.mark.parametrize("mistake", UNPLAYABLE)
def test_a_broken_game_cannot_be_played(mistake, ended):
    code, error, complaint = ended[mistake]
    assert code in (1, 2)
    assert error == "SystemExit"
    assert "Traceback" not in complaint
    assert "kibitz: " in complaint


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
        pytest.param("flat(threads=2)", signal.SIGINT, marks=ONLY_LONG),
        pytest.param("maxn", signal.SIGTERM, marks=ONLY_LONG),
    ],
)
def test_a_match_of_a_game_without_end_heeds_signals(agent, number, tmp_path):
    game = break_game("endless", tmp_path, secrets=False)
    words = [sys.executable, "-c", HEARING, "match", str(game), agent, "random", "--games", "2", "--jobs", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as match:
        try:
            sleep(4)  # so that it is likely in the midst of a game; before, it must heed the signal too
            os.kill(match.pid, number)
            _, complaint = match.communicate(timeout=PATIENCE)
        finally:
            match.kill()
    assert match.returncode in (128 + number, 130), complaint
    assert "Traceback" not in complaint
