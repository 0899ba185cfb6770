"""A search that is told to halt from outside ends soon, however deep it was to look."""

import pytest

from kibitz import agents, games
from kibitz.core.errors import Halted
from kibitz.core.native import INTERPRETED, halted
from kibitz.core.table import Table

ENDLESS = {
    "chexers": (
        "paranoid(depth=50)",
        "maxn(depth=50)",
        "maxn(depth=50, value=shares, prune=speculative)",
        "mcts(iterations=1000000000)",
    ),
    "colonizers": ("ismcts(iterations=1000000000)", "flat(playouts=10000000, threads=1)"),
}


@pytest.mark.skipif(INTERPRETED, reason="it takes too many positions for an interpreter")
@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in ENDLESS.items() for text in texts])
def test_a_search_that_would_never_end_can_be_halted(name, text):
    game = games.find(name)
    mind, view = agents.build(text, game, 1), Table(game, 1).view(0)
    with halted(), pytest.raises(Halted):
        mind.decide(view)
