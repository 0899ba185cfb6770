"""A policy as an agent: what it writes, though it may not, harms nothing."""

import numpy as np

from kibitz import agents, games
from kibitz.cli.new_command import start_game
from kibitz.core.table import Table

POLICIES = """
from kibitz.rules import policy

from .rules import ALL


@policy()
def scribble(view, weights, rng):
    view[0] = view[ALL] = 77
    return 1
"""


def test_a_policy_that_writes_into_its_view_and_behind_it_changes_neither(tmp_path):
    start_game("scribbled", tmp_path)
    rules = tmp_path / "scribbled" / "rules.py"
    rules.write_text(rules.read_text() + "\nALL = CELLS.size\n")
    (tmp_path / "scribbled" / "policies.py").write_text(POLICIES)
    game = games.find(str(tmp_path / "scribbled"))
    view = Table(game, 1).view(0)
    memory = np.concatenate([view, np.zeros(4, dtype=np.int64)])
    before = memory.copy()
    assert agents.build("scribble", game, 1).decide(memory[: game.size]).move == 1
    assert (memory == before).all()
