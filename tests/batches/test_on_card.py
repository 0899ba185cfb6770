"""The comparison of a card with the processors tells what differs, and that there is no card."""

from importlib.util import find_spec

import pytest

from kibitz.core.native import INTERPRETED
from tests.batches import on_card
from tests.batches.simulated_card import SimulatedCard

PIG = "./tests/pig"


@pytest.mark.skipif(find_spec("cupy") is not None, reason="a card may be at hand")
def test_without_a_card_a_sentence_says_that_nothing_was_compared(capsys):
    assert on_card.main([]) == 1
    assert "nothing was compared: games on a graphics card need one more library" in capsys.readouterr().err


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_row_tells_games_and_plies_and_what_differs(monkeypatch, capsys):
    monkeypatch.setattr(on_card, "Card", SimulatedCard)
    monkeypatch.setattr(on_card, "ASKED", 4)
    monkeypatch.setattr(on_card, "SIDE_BY_SIDE", 3)
    assert on_card.report(PIG, 5)
    told = capsys.readouterr().out.split()
    assert (told[0], told[1], told[-1]) == (PIG, "5", "yes")
    assert int(told[2].replace(",", "")) > 100
    whole = SimulatedCard.run
    monkeypatch.setattr(SimulatedCard, "run", lambda card, what, *given, **more: _wrong(whole, card, what, given, more))
    assert not on_card.report(PIG, 5)
    assert "NO: payoffs; payoff" in capsys.readouterr().out


def _wrong(run, card, what, given, more):
    run(card, what, *given, **more)
    if what == "payoff":
        given[-1][:] += 1.0
