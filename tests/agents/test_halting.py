"""A search that is told to halt from outside ends soon, however deep it was to look."""

import signal
from time import perf_counter

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
SOON, PATIENCE = 0.5, 15  # seconds


@pytest.mark.skipif(INTERPRETED, reason="it takes too many positions for an interpreter")
@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in ENDLESS.items() for text in texts])
def test_a_search_that_would_never_end_can_be_halted(name, text):
    game = games.find(name)
    mind, view = agents.build(text, game, 1), Table(game, 1).view(0)
    with halted(), pytest.raises(Halted):
        mind.decide(view)


@pytest.fixture
def interrupts():
    """Let what Ctrl-C raises come soon; a timer brings it, as tests may run where Ctrl-C is ignored."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGALRM, interrupt)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, SOON)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, usual)


@pytest.mark.skipif(INTERPRETED, reason="it takes too many positions for an interpreter")
@pytest.mark.parametrize("text", ["flat(playouts=10000000, threads=2)", "mcts(iterations=100000000, trees=2)"])
def test_a_decision_on_several_threads_heeds_ctrl_c(text, monkeypatch, interrupts):
    monkeypatch.setenv("KIBITZ_THREADS", "2")
    game = games.find("quarto")
    mind, view = agents.build(text, game, 1), Table(game, 1).view(0)
    mind.warm_up(view)
    interrupts()
    begun = perf_counter()
    with pytest.raises(KeyboardInterrupt):
        mind.decide(view)
    assert perf_counter() - begun < PATIENCE
    assert agents.build("flat(playouts=5)", game, 1).decide(view).values  # nothing stays halted
