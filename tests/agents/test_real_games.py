"""Searches on positions of the real games, against plain searches in Python."""

import pytest

from kibitz import agents, games
from kibitz.core.dice import derive, dice, roll
from kibitz.core.playout import guess_world, play_legal, who
from kibitz.core.table import Table
from tests.agents.reference import Reference

POSITIONS = [(name, plies) for name, plies in (("quarto", 21), ("chexers", 25), ("cartagena", 9), ("colonizers", 30))
             if name in games.names()]  # fmt: skip
WIDE = {"cartagena", "colonizers"}  # too many moves to look at all of them in plain Python


def worlds(name, plies, seeds=range(3)):
    """Yield a game with positions in which nothing is hidden."""
    game = games.find(name)
    for seed in seeds:
        table, rng = Table(game, seed), dice(seed)
        while not table.over and table.ply < plies:
            moves = table.moves()
            table.play(moves[roll(rng, len(moves))])
        if not table.over:
            world = table.view(table.turn)
            guess_world(game.rules, world, table.turn, dice(derive(seed, 9)))
            yield game.opened(), world, table.turn


@pytest.mark.parametrize(("name", "plies"), POSITIONS)
def test_maxn_agrees(name, plies):
    width = 2 if name in WIDE else 0
    for game, world, seat in worlds(name, plies):
        reference = Reference(game, game.usual_value, width=width)
        found = agents.build(f"maxn(depth=2, width={width}, prune=none, opening=none)", game, 1).decide(world)
        expected = reference.maxn(world, 2)
        assert found.values[seat] == pytest.approx(expected[seat])


@pytest.mark.parametrize(("name", "plies"), POSITIONS)
def test_paranoid_agrees(name, plies):
    width = 2 if name in WIDE else 0
    for game, world, seat in worlds(name, plies):
        found = agents.build(f"paranoid(depth=2, width={width}, opening=none, memory=4)", game, 1).decide(world)
        expected = Reference(game, game.usual_value, width=width).two_sided(world, 2, seat)
        if found.depth == 2:
            assert found.considered[found.move] == pytest.approx(expected)
        else:
            assert found.exact
        if found.depth == 2 and not found.exact:
            assert found.values[seat] == pytest.approx(expected), "the values are those the score rests on"


def test_best_reply_and_opponent_pruning_agree_on_chexers():
    for game, world, seat in worlds("chexers", 25):
        reference = Reference(game, game.usual_value)
        found = agents.build("brs(depth=2, memory=1)", game, 1).decide(world)
        assert found.considered[found.move] == pytest.approx(reference.best_reply(world, 2, seat))
        found = agents.build("opps(1, 4, 1, depth=3, memory=1)", game, 1).decide(world)
        assert found.considered[found.move] == pytest.approx(reference.opponent_pruning(world, 3, seat, 1, 4, 1))
        narrow = Reference(game, game.usual_value, width=3)
        found = agents.build("brs(depth=2, width=3, memory=4)", game, 1).decide(world)
        assert found.considered[found.move] == pytest.approx(narrow.best_reply(world, 2, seat)), (
            "the best of each mover"
        )


def test_opponent_pruning_counts_opponents_where_a_turn_is_several_moves():
    for game, world, seat in worlds("cartagena", 9, range(4)):
        reference = Reference(game, game.usual_value, width=3)
        found = agents.build("opps(1, 3, 1, depth=3, width=3, memory=4)", game, 1).decide(world)
        assert found.considered[found.move] == pytest.approx(reference.opponent_pruning(world, 3, seat, 1, 3, 1))
    for plies in (30, 60, 90):
        for game, world, _ in worlds("cartagena", plies, range(5)):
            everyone = agents.build("opps(2, 0, 1, depth=3, width=4, memory=4)", game, 1).decide(world)
            paranoid = agents.build("paranoid(depth=3, width=4, memory=4)", game, 1).decide(world)
            assert everyone.considered[everyone.move] == paranoid.considered[paranoid.move]


@pytest.mark.parametrize("agent", ["paranoid", "opps", "brs"])
def test_a_two_sided_search_tells_its_whole_line_and_what_it_leads_to(agent):
    for game, world, seat in worlds("chexers", 25, range(8)):
        for depth in (2, 4):
            found = agents.build(f"{agent}(depth={depth}, memory=8)", game, 1).decide(world)
            assert found.values[seat] == pytest.approx(found.considered[found.move])
            assert _turns(game, world, found.line) in ((depth,) if agent != "brs" else range(depth + 1))
            assert found.line[0] == found.move


def _turns(game, world, line):
    """Play a line and return how many turns it took."""
    state, room = world.copy(), game.new_moves()
    turns = 0
    for move in line:
        before = who(game.rules, state)
        assert play_legal(game.rules, state, move, room)
        turns += who(game.rules, state) != before
    return turns
