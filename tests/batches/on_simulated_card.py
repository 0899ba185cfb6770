"""Commands and functions with device=gpu, on a simulated card."""

import pytest

from kibitz.agents import flat
from kibitz.arena import balance
from kibitz.arena.play import card_games
from kibitz.batches import card_perft
from kibitz.batches.game_batch import check_device
from kibitz.batches.processor import Processor
from tests.batches.simulated_card import SimulatedCard

PLACES = (flat, balance, card_games, card_perft)  # that ask for a device


def simulated(game, name):
    """Return a simulated card in place of one."""
    check_device(name)
    return Processor(game) if name == "cpu" else SimulatedCard(game)


@pytest.fixture
def simulated_card(monkeypatch):
    """Put a simulated card into this machine."""
    for place in PLACES:
        monkeypatch.setattr(place, "device_of", simulated)
