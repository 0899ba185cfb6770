"""Cartagena: how many moves the searches of the thesis calculate (tables 7.1 and 7.2), counted again.

A move of the thesis is a whole turn. The counts of max^n, 521 at 3 ply and 11834 at 4 ply, are b + b^2 and b + b^2 +
b^3 for the same b = 22.4, which is how many ways there are to use a turn. So a search of d ply is one of d - 1 turns
here. The experiment cartagena-effort has all numbers.
"""

import numpy as np
import pytest

from kibitz import agents, games
from kibitz.core.table import Table

GAME = "cartagena(row=10, refill=always, cards=18, stock=open, max_rounds=20)"
AGENT = "turnwise({}, depth={}, value=utility(card=5))"
BY_THE_LETTER = "paranoid, order=listed, cut=beyond"
PUBLISHED = [  # by style and ply
    (("maxn", BY_THE_LETTER, "p"), 3, (521, 159, 531)),
    (("np", "p", "ep"), 3, (521, 497, 72)),
    (("np", "p", "ep"), 4, (12241, 4156, 183)),
]


def counted(styles, ply, seeds):
    """Let three searches play games, seats changing; return how many turns each looked at in a decision."""
    game, nodes = games.find(GAME), {style: [] for style in styles}
    for seed in seeds:
        table = Table(game, seed)
        minds = [agents.build(AGENT.format(style, ply - 1), game, 1) for style in styles]
        while not table.over:
            number = (table.turn + seed) % len(styles)
            found = minds[number].decide(table.view(table.turn))
            if found.nodes:
                nodes[styles[number]].append(found.nodes)
            table.play(found.move)
    return [float(np.mean(found)) for found in nodes.values()]


@pytest.mark.parametrize(("styles", "ply", "published"), PUBLISHED)
def test_searches_look_at_as_many_turns_as_published(styles, ply, published):
    assert counted(styles, ply, range(3)) == pytest.approx(published, rel=0.35)
