"""The networks that come with games."""

import pytest

from kibitz import games
from kibitz.learn.strength import strength

MOST_BYTES = 4_000_000
GAMES = 60
SHIPPED = [(name, net) for name in games.names() for net in games.find(name).networks]


@pytest.mark.parametrize(("name", "net"), SHIPPED)
def test_a_network_that_comes_with_a_game_judges_better_than_its_usual_value(name, net):
    game = games.find(name)
    assert game.networks[net].stat().st_size <= MOST_BYTES
    earned = strength(game, game.value(f"net({net})"), game.value(game.usual_value), GAMES, 6, 1)
    assert earned > 1.2 / game.seats
