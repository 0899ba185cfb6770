"""Alpha-beta with and without what it remembers of other searches: a transposition table, and shallower depths."""

import pytest

from kibitz import agents, games
from tests.agents.test_real_games import worlds

PLAIN = "deepen=false, table=false"


@pytest.mark.parametrize("search", ["brs", "paranoid"])
def test_what_a_search_remembers_does_not_change_what_it_finds(search):
    for game, world, _ in worlds("chexers", 25, seeds=range(6)):
        found = [
            agents.build(f"{search}(depth=3, {options}, memory=1)", game, 1).decide(world)
            for options in ("deepen=true", "deepen=false", "table=false", PLAIN)
        ]
        assert len({round(decision.considered[decision.move], 6) for decision in found}) == 1
        assert len({decision.nodes for decision in found}) > 1


@pytest.mark.parametrize("search", ["brs", "paranoid"])
def test_without_a_table_a_position_is_searched_again(search):
    nodes = {"true": [0, 0], "false": [0, 0]}
    for game, world, _ in worlds("chexers", 25):
        for table, (first, second) in nodes.items():
            mind = agents.build(f"{search}(depth=4, table={table}, memory=16)", game, 1)
            nodes[table] = [first + mind.decide(world).nodes, second + mind.decide(world).nodes]
    assert nodes["true"][1] < nodes["true"][0] / 2
    assert nodes["false"][1] > nodes["false"][0] / 2


@pytest.mark.parametrize("search", ["brs", "paranoid"])
def test_without_a_table_the_line_is_as_long(search):
    for game, world, _ in worlds("chexers", 25):
        lines = [
            agents.build(f"{search}(depth=3, table={table}, memory=4)", game, 1).decide(world).line
            for table in ("true", "false")
        ]
        assert len(lines[0]) == len(lines[1]) > 0


def test_without_a_table_a_search_has_memory_for_positions_under_way_alone():
    game = games.find("chexers")
    sizes = [
        agents.build(f"brs(table={table}, memory=64)", game, 1).driver.engine.arrays.cells.nbytes
        for table in ("true", "false")
    ]
    assert sizes[0] > 2**20
    assert sizes[1] < 100
