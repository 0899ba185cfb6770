"""Who analyses, and the lines: the play that an agent expects, in words."""

import pytest

from kibitz.agents.agent import Decision
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.web.live_analysis import BUDGETS, _budgets, analyst
from kibitz.web.thinking_worker import _written

NO_MOVE = 10**6


def test_a_line_with_hidden_cards_is_told_as_far_as_it_can_be_played_in_one_guess():
    table = Table(find("cartagena(version=jamaica)"), 1)
    view, line, texts = table.view(0), [], []
    for _ in range(3):
        line.append(table.moves()[0])
        texts.append(table.write(line[-1]))
        table.play(line[-1])
    told = _written(table.game, view, Decision(line[0], line=[*line, NO_MOVE, *line]))
    assert [step.text for step in told] == texts
    assert [step.move for step in told] == line


@pytest.mark.parametrize(
    ("game", "agent"),
    [("chexers", "champion"), ("colonizers", "champion"), ("quarto", "mcts(policy=novice)")],
)
def test_the_champion_analyses_and_deepens_where_it_counts_playouts(game, agent):
    found = find(game)
    assert analyst(found) == agent
    assert _budgets(agent, found, once=False) == BUDGETS
    assert _budgets("champion(seconds=3)", found, once=False) == (None,)
