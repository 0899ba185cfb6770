"""What agents count while they decide can be looked at by another thread."""

import pytest

from kibitz.agents import build
from kibitz.core.table import Table
from kibitz.games import find


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("quarto", "mcts(iterations=20)"),
        ("quarto", "minimax(depth=1, opening=none)"),
        ("colonizers", "ismcts(iterations=20)"),
    ],
)
def test_what_was_counted_is_what_the_decision_says(game, agent):
    table = Table(find(game), 1)
    mind = build(agent, table.game, 1)
    decision = mind.decide(table.view(table.turn))
    found = mind.progress()
    assert found == {name: getattr(decision, name) for name in found}
    assert any(found.values())


def test_an_agent_that_counts_nothing_tells_nothing():
    assert build("random", find("quarto")).progress() == {}
