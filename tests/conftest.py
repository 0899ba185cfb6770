"""What tests share: every game with its options, and machine code kept in one place between runs."""

from pathlib import Path

import pytest

from kibitz import games
from tests.golden import variants

ROOT = Path(__file__).resolve().parents[1]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `game_text` runs for every variant of every game, one that takes `game_name` for every game."""
    if "game_text" in metafunc.fixturenames:
        metafunc.parametrize("game_text", [text for name in games.names() for text in variants(name)])
    if "game_name" in metafunc.fixturenames:
        metafunc.parametrize("game_name", games.names())


@pytest.fixture
def quarto():
    """The standard game of Quarto."""
    return games.find("quarto")
