"""What Kibitz ships is compiled by `kibitz.cli.precompile`, and nothing else is left to compile."""

import os
import subprocess
import sys

import pytest

from kibitz import games
from kibitz.cli.precompile import precompiled
from kibitz.core.native import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

PLAY_ALL = """
import sys
from kibitz import agents, games
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
PRECOMPILE = [sys.executable, "-m", "kibitz.cli.precompile"]


@pytest.mark.parametrize("name", games.names())
def test_no_agent_compiles_anything_for_a_game_that_is_shipped(name):
    words = [sys.executable, "-c", PLAY_ALL, name]
    run = subprocess.run(words, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "."})
    needed = set(run.stdout.split())
    assert len(needed) > 10
    if needed - precompiled():  # make test has run it for all games, but perhaps this is not make test
        subprocess.run([*PRECOMPILE, name], check=True, capture_output=True)
    assert needed - precompiled() == set()
