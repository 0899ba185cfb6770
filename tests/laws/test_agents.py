"""Laws that hold for every agent on every game it accepts."""

from itertools import islice

import pytest

from kibitz import agents, games
from kibitz.core.errors import BadValue
from kibitz.core.laws.walk import walk
from tests.golden import variants

QUICK = {
    "flat": "flat(playouts=3)",
    "greedy": "greedy(worlds=2)",
    "mcts": "mcts(iterations=30)",
    "ismcts": "ismcts(iterations=30)",
    "pimc": "pimc(maxn(depth=1), worlds=2)",
    "minimax": "minimax(depth=2, opening=none)",
    "openspiel": "openspiel(random)",
} | {name: f"{name}(depth=2, width=4, worlds=2, opening=none)" for name in
     ("maxn", "paranoid", "offensive", "mpmix", "nsp", "brs", "opps")}  # fmt: skip
LAST_PLY = 80  # of the positions that are looked at


def _quick(name, game):
    """Return an agent's text with a small budget, and none in seconds."""
    text = QUICK.get(name, game.agents.get(name, name))
    return text.replace("seconds=1", "iterations=30" if text.startswith(("mcts", "ismcts")) else "depth=1")


def minds(game, seed):
    """Build every agent that accepts the game, set to be quick."""
    for name in [*agents.names(), *game.agents]:
        try:
            yield agents.build(_quick(name, game), game, seed)
        except BadValue:
            continue  # refused, as some agents must refuse some games


def every_mind(game, seed):
    """Build every agent that accepts the game, and every policy of the game."""
    return [*minds(game, seed), *(agents.build(f"policy({name})", game, seed) for name in game.policies)]


@pytest.mark.parametrize("text", [text for name in games.names() for text in variants(name)])
def test_agents_decide_on_legal_moves_and_leave_the_view_alone(text):
    game = games.find(text)
    for mind in minds(game, 1):
        for table in islice(walk(game, 2), LAST_PLY):
            if table.ply % 9 == 0:
                view = table.view(table.turn)
                before = view.copy()
                decision = mind.decide(view)
                assert decision.move in table.moves(), mind.text
                assert (view == before).all(), mind.text
                assert decision.values is None or len(decision.values) == game.seats
                assert set(decision.considered) <= set(table.moves())


def test_the_same_seed_gives_the_same_decisions(game_name):
    game = games.find(game_name)
    for first, second in zip(minds(game, 5), minds(game, 5), strict=True):
        for table in islice(walk(game, 3), LAST_PLY):
            if table.ply % 13 == 0:
                view = table.view(table.turn)
                assert first.decide(view) == second.decide(view), first.text


def test_every_agent_says_what_it_does_and_what_its_options_mean():
    for name in agents.names():
        assert agents.kind(name).__doc__
        for option in agents.declared(name).values():
            assert option.help
            assert option.allowed
