"""Perft on a graphics card gives the numbers of the processor; here the card is simulated."""

import pytest

from kibitz import games
from kibitz.batches import card_perft
from kibitz.batches.card_perft import CardPerft
from kibitz.core import perft
from kibitz.core.errors import BadGame
from kibitz.core.native import INTERPRETED
from kibitz.core.table import Table
from tests.batches.simulated_card import SimulatedCard

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


def _start(text):
    game = games.find(text)
    return perft.start_of(Table(game, 1)), CardPerft(game, SimulatedCard(game)).count


@pytest.mark.parametrize("text", ["./tests/frogs", "./tests/pig", "./tests/kuhn"])
def test_a_card_counts_what_the_processor_counts(monkeypatch, text):
    start, count = _start(text)
    for enough, most in ((1, 9), (20, 1000), (2000, 1 << 28)):  # levels listed here, and rows counted at a time
        monkeypatch.setattr(card_perft, "ENOUGH", enough)
        monkeypatch.setattr(card_perft, "MOST_CELLS", most)
        for depth in range(6):
            assert perft.perft(start, depth, count) == perft.perft(start, depth)
    assert perft.split(start, 4, count) == perft.split(start, 4)


def test_a_position_at_the_end_of_a_game_has_no_moves_below_it():
    start, count = _start("./tests/kuhn")
    while start.moves():
        start = start.play(start.moves()[0])
    assert [perft.perft(start, depth, count) for depth in range(3)] == [1, 0, 0]


def test_a_count_that_a_card_has_not_finished_is_told(monkeypatch):
    game = games.find("./tests/kuhn")
    card = SimulatedCard(game)
    monkeypatch.setattr(card, "run", lambda *given: None)
    with pytest.raises(BadGame, match=r"kuhn: a rule fails on the graphics card; device=cpu tells which"):
        CardPerft(game, card).count(perft.start_of(Table(game, 1)).cells, 2)
