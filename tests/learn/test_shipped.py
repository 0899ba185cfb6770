"""The networks that come with games."""

import pytest

from kibitz import games
from kibitz.core.network_file import read_network
from kibitz.core.options import as_text
from kibitz.learn.strength import strength

MOST_BYTES = 4_000_000
GAMES = 60
SHIPPED = [
    (name, net)
    for name in games.names()
    for net in games.find(name).networks
    if not read_network(games.find(name).networks[net]).about.actions  # these name actions, and judge nothing
]


def taught_on(name, net):
    """Return the game, with its options, that a network was taught on."""
    about = read_network(games.find(name).networks[net]).about
    return games.find(f"{name}({', '.join(f'{key}={as_text(value)}' for key, value in about.options.items())})")


@pytest.mark.parametrize(("name", "net"), SHIPPED)
def test_a_network_that_comes_with_a_game_judges_better_than_its_usual_value(name, net):
    game = taught_on(name, net)
    assert game.networks[net].stat().st_size <= MOST_BYTES
    earned = strength(game, game.value(f"net({net})"), game.value(game.usual_value), GAMES, 6, 1)
    assert earned > 1.2 / game.seats
