"""Compilation: found on disk by the next process, the same interpreted, and errors that surface."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kibitz.core.address import Native
from kibitz.core.calls import progress
from kibitz.core.contract import SIGNATURES, bind, rule
from kibitz.core.errors import BadGame
from kibitz.core.native import INTERPRETED, compiled, pointer
from kibitz.core.scoring import WINS

SEARCHERS = ("minimax(depth=1)", "flat(playouts=3)", "greedy")
COUNT_COMPILATIONS = """
import sys
from kibitz.core.native import watch_compilation
compiled = []
watch_compilation(compiled.append)
from kibitz import agents, games
from kibitz.arena.match import play_match
from kibitz.core.dice import dice
from kibitz.core.table import Table
for text in ("quarto", "quarto(squares=true)"):
    game = games.find(text)
    result = play_match(game, ["novice", "random"], 4, 1)
    table = Table(game, 1)
    for agent in sys.argv[1:]:
        table.play(agents.build(agent, game, 1).decide(table.view(table.turn)).move)
    print(text, [agent.wins for agent in result.agents], table.moves_made)
    print(len(compiled), file=sys.stderr)
"""


def _run(code: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_the_next_process_compiles_nothing(tmp_path):
    agents = SEARCHERS if os.environ.get("KIBITZ_LONG") else ("greedy",)
    first = _run(COUNT_COMPILATIONS, *agents, KIBITZ_CACHE=str(tmp_path))
    second = _run(COUNT_COMPILATIONS, *agents, KIBITZ_CACHE=str(tmp_path))
    counts = [int(line) for line in first.stderr.splitlines() if line.isdigit()]  # others say that it compiles
    assert counts[0] > 10
    assert counts[1] == counts[0], "another game's options made the kernels compile again"
    assert second.stderr.split() == ["0", "0"]
    assert second.stdout == first.stdout


def test_interpreted_games_equal_compiled_ones():
    compiled_run = _run(COUNT_COMPILATIONS, *SEARCHERS)
    interpreted = _run(COUNT_COMPILATIONS, *SEARCHERS, NUMBA_DISABLE_JIT="1")
    assert interpreted.stdout == compiled_run.stdout


def test_a_cache_that_cannot_be_written_is_replaced_with_a_sentence(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    run = _run("from kibitz.core.code_on_disk import CACHE_ROOT; print(CACHE_ROOT)", KIBITZ_CACHE=str(blocked / "in"))
    assert "kibitz-cache-" in run.stdout
    assert f"kibitz: machine code is not kept in {blocked / 'in'} (File exists)" in run.stderr


def test_without_a_home_or_any_folder_to_write_a_sentence_says_so_and_all_works(tmp_path):
    homeless = "from pathlib import Path\nPath.home = classmethod(lambda cls: exec('raise RuntimeError'))\n"
    read_only = homeless + "import tempfile\ntempfile._candidate_tempdir_list = lambda: ['/proc/nowhere']\n"
    agents = "import kibitz; print(kibitz.agent('greedy', kibitz.game('quarto'), seed=1))"
    unset = {"KIBITZ_CACHE": "", "XDG_CACHE_HOME": ""}
    for prepared, kept in ((homeless, "it is kept in "), (read_only, "it is made again each time")):
        run = _run(prepared + agents, **unset, TMPDIR=str(tmp_path))
        assert f"kibitz: machine code is not kept in your home folder (there is none); {kept}" in run.stderr
        assert run.stdout


def test_code_for_a_processor_without_bmi2_gives_the_same_games(tmp_path):
    usual = _run(COUNT_COMPILATIONS, "greedy")
    plain = _run(COUNT_COMPILATIONS, "greedy", NUMBA_CPU_NAME="generic", KIBITZ_CACHE=str(tmp_path))
    assert plain.stdout == usual.stdout


@compiled
def _ask_progress(rules, state):
    return progress(pointer(rules), pointer(state))


def _progress(state):
    return state[0] // int(state[1])


def test_an_error_inside_a_rule_surfaces():
    broken = Native(_progress, SIGNATURES["progress"])
    rules = bind({"progress": broken}, 2, 1, 2, 0, WINS)
    assert _ask_progress(rules, np.array([6, 2])) == 3
    with pytest.raises(ZeroDivisionError):
        _ask_progress(rules, np.array([6, 0]))


@pytest.mark.skipif(INTERPRETED, reason="rules are a tuple then")
def test_nobody_can_write_to_the_rules_of_a_game(quarto):
    with pytest.raises(ValueError, match="read-only"):
        quarto.rules[4] = 0
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        quarto.rules.setflags(write=True)


def test_only_the_names_of_the_contract_are_rules():
    with pytest.raises(BadGame, match=r"test_native\.py, line \d+: 'undo' is not a rule; the rules are deal, moves"):

        @rule
        def undo(state):
            return 0

    with pytest.raises(BadGame, match="'alive' is not a rule; it is a hint and belongs in hints"):

        @rule
        def alive(state):
            return 0

    with pytest.raises(BadGame, match="the rule play takes 2 arguments, and here it has 1"):

        @rule
        def play(state):
            return 0
