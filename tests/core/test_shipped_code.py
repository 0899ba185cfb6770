"""What Kibitz ships is compiled by `kibitz.cli.precompile`, and nothing else is left to compile."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import agents, games
from kibitz.cli import precompile
from kibitz.cli.precompile import agent_texts, precompiled
from kibitz.core.errors import BadValue
from kibitz.core.native import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

PLAY_ALL = """
import sys
from kibitz import agents, games
from kibitz.cli import precompile
from kibitz.core.code_on_disk import used
from kibitz.core.table import Table
from tests.laws.test_agents import every_mind
game = games.find(sys.argv[1])
for mind in every_mind(game, 3):
    table = Table(game, 11)
    while not table.over and table.ply < 24:
        view = table.view(table.turn)
        table.play(mind.decide(view).move if table.ply % 4 == 0 else table.moves()[-1])
print(*used)
"""


def test_a_command_that_fails_is_told_and_one_that_reports_progress_is_none(monkeypatch):
    monkeypatch.setattr(precompile, "run_commands", lambda name: print("kibitz: quarto: 2 of 3 games", file=sys.stderr))
    assert precompile.run(("commands", "quarto"))[-1] == ""
    monkeypatch.setattr(precompile, "run_commands", lambda name: precompile._command("match", name, "nobody"))
    assert "kibitz match quarto nobody ended with 2" in precompile.run(("commands", "quarto"))[-1]


PRECOMPILE = [sys.executable, "-m", "kibitz.cli.precompile"]


COMMANDS = """
import sys
from kibitz.cli import main
from kibitz.core.code_on_disk import used
game, seats = sys.argv[1], int(sys.argv[2])
for words in (
    ["analyse", game, "--top", "1"], ["balance", game, "random", "--games", "24", "--jobs", "1"],
    ["match", game, *["random", "greedy"] * (seats // 2), *["random"] * (seats % 2), "--games", "12", "--jobs", "1"],
    ["learn", "td", game, "--positions", "500", "--out", "own.npz"], ["perft", game, "--depth", "1"],
    ["agents", game], ["games", game],
):
    try:
        main.main(args=words)
    except SystemExit as end:
        assert not end.code, words
print()
print(*used)
"""


@pytest.mark.parametrize("name", games.names())
def test_no_command_compiles_anything_for_a_game_that_is_shipped(name, tmp_path):
    words = [sys.executable, "-c", COMMANDS, name, str(games.find(name).seats)]
    run = subprocess.run(words, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert _missing(name, run.stdout.splitlines()[-1]) == set()


@pytest.mark.parametrize("name", games.names())
def test_every_agent_and_option_that_is_precompiled_exists(name):
    built, refused = [], []
    for text in agent_texts(name):
        try:
            built.append(agents.build(text, games.find(name), 1))
        except BadValue as refusal:  # as some agents must refuse some games; an UnknownName is an error
            refused.append(str(refusal))
    assert len(built) > len(refused)


@pytest.mark.parametrize("name", games.names())
def test_no_agent_compiles_anything_for_a_game_that_is_shipped(name):
    words = [sys.executable, "-c", PLAY_ALL, name]
    run = subprocess.run(words, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "."})
    assert _missing(name, run.stdout) == set()


def _missing(name, keys):
    """Return those of the keys that a run needed that precompiling does not make."""
    needed = set(keys.split())
    assert len(needed) > 10
    if needed - precompiled():  # make test has run it for all games, but perhaps this is not make test
        subprocess.run([*PRECOMPILE, name], check=True, capture_output=True)
    return needed - precompiled()


PACKAGE = Path(precompile.__file__).parents[1]
MEASURES = {"bench", "documents"}  # folders with compiled code that only measures
NOT_SHIPPED = {
    "random_games", "random_position",  # which only `kibitz bench` calls
    "_speculate", "search_speculatively",  # of three seats and a usual value that declares its total, which no game has
}  # fmt: skip
MAKERS = ("Native", "from_python", "compiled")
GIVEN = {"function", "part"}  # arguments of those who make compiled functions for others


def _compiled_functions():
    """Yield the functions of the engine that Python calls or other code calls by address, as their files say."""
    for path in PACKAGE.rglob("*.py"):
        if (MEASURES | {"games", "templates"}) & set(path.relative_to(PACKAGE).parts[:-1]):
            continue
        made, inside = set(), set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and {"compiled", "helper"} & set(
                map(ast.unparse, node.decorator_list)
            ):
                inside |= {
                    each.func.id for each in ast.walk(node) if isinstance(each, ast.Call) and _is_name(each.func)
                }
                made |= {node.name} if "compiled" in map(ast.unparse, node.decorator_list) else set()
            if isinstance(node, ast.Call) and ast.unparse(node.func) in MAKERS and _is_name(node.args[0]):
                made.add(node.args[0].id)
        yield from {name for name in made if not (name.startswith("_") and name in inside)}


def _is_name(node):
    return isinstance(node, ast.Name)


def test_every_compiled_function_of_the_engine_is_precompiled_whatever_runs_it():
    declared = set(_compiled_functions()) - NOT_SHIPPED - GIVEN
    assert {"play_outs", "count_deals", "_negamax", "_find_path"} <= declared
    if declared - _precompiled_names():
        subprocess.run(PRECOMPILE, check=True, capture_output=True)
    assert declared - _precompiled_names() == set()


def _precompiled_names():
    return {key.rpartition("-")[0] for key in precompiled()}
