"""Compilation: found on disk by the next process, the same interpreted, and errors that surface."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kibitz.core.native import CACHE_FOLDER, INTERPRETED, PACKAGE, compiled, pointer
from kibitz.core.rules import SIGNATURES, Native, bind, rule, turn

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
    for agent in ("minimax(depth=2)", "flat(playouts=3)", "greedy"):
        table.play(agents.build(agent, game, 1).decide(table.view(table.turn)).move)
    print(text, [agent["wins"] for agent in result["agents"]], table.moves_made)
    print(len(compiled), file=sys.stderr)
"""


def _run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_the_next_process_compiles_nothing(tmp_path):
    first = _run(COUNT_COMPILATIONS, KIBITZ_CACHE=str(tmp_path))
    second = _run(COUNT_COMPILATIONS, KIBITZ_CACHE=str(tmp_path))
    counts = [int(line) for line in first.stderr.split()]
    assert counts[0] > 10
    assert counts[1] == counts[0], "another game's options made the kernels compile again"
    assert second.stderr.split() == ["0", "0"]
    assert second.stdout == first.stdout


def test_interpreted_games_equal_compiled_ones():
    compiled_run = _run(COUNT_COMPILATIONS)
    interpreted = _run(COUNT_COMPILATIONS, NUMBA_DISABLE_JIT="1")
    assert interpreted.stdout == compiled_run.stdout


def test_the_cache_folder_is_named_after_the_sources(tmp_path):
    ask = "from kibitz.core.native import CACHE_FOLDER; print(CACHE_FOLDER.name)"
    copy = tmp_path / "kibitz"
    subprocess.run(["cp", "-r", str(PACKAGE), str(copy)], check=True)
    environment = {"PYTHONPATH": str(tmp_path), "KIBITZ_CACHE": str(tmp_path / "cache")}
    before = _run(ask, **environment).stdout
    assert before.strip() == CACHE_FOLDER.name
    rules = copy / "games" / "quarto" / "rules.py"
    rules.write_text(rules.read_text() + "\n")
    assert _run(ask, **environment).stdout != before


def test_a_cache_that_cannot_be_written_is_replaced(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    run = _run("from kibitz.core.native import CACHE_FOLDER; print(CACHE_FOLDER)", KIBITZ_CACHE=str(blocked / "in"))
    assert "kibitz-cache-" in run.stdout


@compiled
def _ask_turn(rules, state):
    return turn(pointer(rules), pointer(state))


def _turn(state):
    return state[0] // int(state[1])


def test_an_error_inside_a_rule_surfaces():
    broken = Native(_turn, SIGNATURES["turn"])
    rules = bind({"turn": broken}, 2, 1, 2)
    assert _ask_turn(rules, np.array([6, 2])) == 3
    with pytest.raises(ZeroDivisionError):
        _ask_turn(rules, np.array([6, 0]))


def test_only_the_names_of_the_contract_are_rules():
    with pytest.raises(TypeError, match="'undo' is no rule; the rules are deal, turn"):

        @rule
        def undo(state):
            return 0
