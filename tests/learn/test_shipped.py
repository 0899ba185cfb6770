"""The networks that come with games."""

import pytest

from kibitz import games
from kibitz.arena.match import play_match
from kibitz.core.options import as_text
from kibitz.learn.strength import strength
from kibitz.networks import net as shipped
from kibitz.networks.net import networks
from kibitz.networks.network_file import read_network

MOST_BYTES = 4_000_000
GAMES = 60
NAMED = [
    (name, net, read_network(path))
    for name in games.names()
    for net, path in shipped.networks(games.find(name)).items()
]
QUICK = [(name, net) for name, net, network in NAMED if network.about.moves and not network.hidden]  # for playouts
SHIPPED = [(name, net) for name, net, network in NAMED if not network.about.actions and (name, net) not in QUICK]


def taught_on(name, net):
    """Return the game, with its options, that a network was taught on."""
    about = read_network(shipped.networks(games.find(name))[net]).about
    return games.find(f"{name}({', '.join(f'{key}={as_text(value)}' for key, value in about.options.items())})")


@pytest.mark.parametrize(("name", "net"), SHIPPED)
def test_a_network_that_comes_with_a_game_judges_or_chooses_better_than_its_usual_value(name, net):
    game = taught_on(name, net)
    assert networks(game)[net].stat().st_size <= MOST_BYTES
    chooses = read_network(networks(game)[net]).about.moves > 0
    earned = strength(game, game.value(f"net({net})"), game.value(game.usual_value), GAMES, 6, 1, chooses)
    assert earned > 1.2 / game.seats


@pytest.mark.parametrize(("name", "net"), QUICK)
def test_a_network_for_playouts_plays_better_than_rules_of_thumb(name, net):
    game = taught_on(name, net)
    assert networks(game)[net].stat().st_size <= MOST_BYTES
    result = play_match(game, [f"policy(net({net}, temperature=0))", "heuristic"], games=4 * GAMES, jobs=1, seed=1)
    quick, heuristic = result.agents
    assert quick.wins > 1.2 * heuristic.wins
