"""Lines of the analysis: the play that an agent expects, in words."""

from kibitz.agents.agent import Decision
from kibitz.core.table import Table
from kibitz.games import find
from kibitz.web.thought import _written

NO_MOVE = 10**6


def test_a_line_with_hidden_cards_is_told_as_far_as_it_can_be_played_in_one_guess():
    table = Table(find("cartagena(version=jamaica)"), 1)
    view, line, texts = table.view(0), [], []
    for _ in range(3):
        line.append(table.moves()[0])
        texts.append(table.write(line[-1]))
        table.play(line[-1])
    told = _written(table.game, view, Decision(line[0], line=[*line, NO_MOVE, *line]))
    assert [step["text"] for step in told] == texts
    assert [step["move"] for step in told] == line
