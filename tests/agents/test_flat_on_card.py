"""Flat with playouts apart decides the same on processors and on a graphics card; here the card is simulated."""

import numpy as np
import pytest

from kibitz import games
from kibitz.agents import build
from kibitz.batches import playouts
from kibitz.core.errors import BadGame, BadValue
from kibitz.core.native import INTERPRETED
from kibitz.core.table import Table
from tests.batches.on_simulated_card import simulated_card  # noqa: F401
from tests.batches.simulated_card import SimulatedCard

COMPILED = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


def _decided(text, agent, plies=3):
    table = Table(games.find(text), 2)
    for _ in range(plies):
        table.play(table.moves()[-1])
    return build(f"flat({agent})", table.game, 5).decide(table.view(table.turn))


@COMPILED
@pytest.mark.usefixtures("simulated_card")
@pytest.mark.parametrize(("game", "options"), [
    ("./tests/tricks", "playouts=9"),
    ("./tests/tricks", "playouts=9, count=wins"),
    ("./tests/race", "playouts=9, width=2, follow=true"),
])  # fmt: skip
def test_a_decision_depends_neither_on_the_device_nor_on_threads(monkeypatch, game, options):
    here = _decided(game, f"{options}, apart=true")
    assert here == _decided(game, f"{options}, apart=true, threads=1")
    assert here == _decided(game, f"{options}, device=gpu")
    monkeypatch.setattr(playouts, "MOST_ROWS", 10)
    parts = _decided(game, f"{options}, apart=true")
    assert (parts.move, parts.tries) == (here.move, here.tries)


@COMPILED
def test_playouts_apart_are_as_good_as_others():
    apart, others = (_decided("quarto", f"playouts=2000{more}", plies=7) for more in ("", ", apart=true"))
    assert np.allclose([*apart.considered.values()], [*others.considered.values()], atol=0.07)


def test_what_does_not_go_together_is_refused():
    for more in ("apart=true", "device=gpu"):
        with pytest.raises(BadValue, match="among makes playouts one after another, so it goes neither with apart nor"):
            build(f"flat(width=2, among=2, {more})", games.find("quarto"), 1)
    with pytest.raises(BadValue, match="flat: option device=tpu does not fit; it takes cpu or gpu"):
        build("flat(device=tpu)", games.find("quarto"), 1)


@COMPILED
@pytest.mark.usefixtures("simulated_card")
def test_playouts_that_a_card_has_not_finished_are_told(monkeypatch):
    monkeypatch.setattr(SimulatedCard, "failed", lambda self: True)
    with pytest.raises(BadGame, match="a rule fails in a playout on the graphics card; device=cpu tells which"):
        _decided("./tests/race", "playouts=9, device=gpu")
