"""Searches where chance moves: they come to the values of value iteration, and cut-offs change nothing."""

from functools import cache

import numpy as np
import pytest

from kibitz import games
from kibitz.agents import build
from kibitz.agents.search.alphabeta import alphabeta_arrays as cells
from kibitz.core.contract import CHANCE, OVER
from kibitz.core.playout import hand_turn
from kibitz.core.table import Table
from kibitz.core.world import World
from tests.core.test_chance import PIG
from tests.pig.optimal import after, chances

GAMBLE = PIG.replace("pig", "gamble")
BEARING = PIG.replace("pig", "bearing")
TARGET = 8
POSITIONS = [(0, 0, 0), (3, 3, 2), (2, 5, 3), (6, 1, 0), (0, 7, 4)]  # own score, that of the other, points of the turn
DECIDED = 1e6  # what a payoff of 1 is worth to a search whose value has no scale


@pytest.fixture
def pig():
    return games.find(f"{PIG}(target={TARGET})")


def view_of(game, own, other, points):
    state, at = game.new_state()[: game.size].copy(), game.cells
    state[at["COUNT"]], state[at["TARGET"]], state[at["POINTS"]] = 2, game.options["target"], points
    state[at["SCORE"]], state[at["SCORE"] + 1] = own, other
    return state


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize(
    "agent", ["mcts(iterations=60000)", "ismcts(iterations=60000)", "mcts(iterations=60000, mast=mast)"]
)
def test_sampling_comes_to_the_value_of_value_iteration(pig, agent, position):
    best = max(after(chances(TARGET), TARGET, 6, position))
    found = build(agent, pig, 1).decide(view_of(pig, *position))
    assert abs(found.considered[found.move] - best) < 0.02
    assert found.move == int(np.argmax(after(chances(TARGET), TARGET, 6, position)))


@pytest.mark.parametrize("position", POSITIONS)
def test_minimax_comes_to_the_value_of_value_iteration(pig, position):
    best = max(after(chances(TARGET), TARGET, 6, position))
    found = build("minimax(depth=10)", pig, 1).decide(view_of(pig, *position))
    assert found.move == int(np.argmax(after(chances(TARGET), TARGET, 6, position)))
    assert abs(found.values[0] / DECIDED + 0.5 - best) < 1e-3
    assert not found.exact  # a turn may always come to nothing


@pytest.mark.parametrize("position", POSITIONS)
def test_maxn_paranoid_and_minimax_agree_for_two_seats(pig, position):
    view = view_of(pig, *position)
    two = build("minimax(depth=3, deepen=false)", pig, 1).decide(view)
    every = build("maxn(depth=3)", pig, 1).decide(view)
    against = build("paranoid(depth=3)", pig, 1).decide(view)
    assert two.move == every.move == against.move
    assert two.values == pytest.approx(every.values, abs=1e-3)
    assert against.considered[against.move] == pytest.approx(every.values[0], abs=1e-3)


def test_a_hope_is_not_taken_for_a_win(pig):
    found = build("minimax(depth=2)", pig, 1).decide(view_of(pig, 6, 0, 0))
    assert found.depth == 2
    assert not found.exact


@pytest.fixture
def bearing():
    return games.find(BEARING)


@cache
def race(mine, other):
    """Return how likely the seat to move wins a race of bearing off, from the rules alone."""
    total = 0.0
    for first in (1, 2, 3):
        for second in (1, 2, 3):
            total += max(1.0 if not left else 1 - race(other, left) for left in choices(mine, first, second)) / 9
    return total


def choices(men, first, second):
    """Return the men that may be left after a roll, each man as the steps it needs."""
    found = set()
    for dice in {(first, second), (second, first)}:
        lefts = {men}
        for die in dice:
            lefts = {moved(left, at, die) for left in lefts for at in range(len(left))} | {
                left for left in lefts if not left
            }
        found |= lefts
    return found


def moved(men, at, die):
    left = men[at] - die
    return tuple(sorted((*men[:at], *men[at + 1 :], *([left] if left > 0 else []))))


def test_endings_of_a_race_are_solved_exactly(bearing):
    for seed in range(12):
        table = Table(bearing, seed)
        men, dice = bearing.cells["MEN"], bearing.cells["DIE"]
        view = table.view(0)
        hands = [tuple(sorted(int(man) for man in view[men + 2 * seat : men + 2 * seat + 2] if man)) for seat in (0, 1)]
        first, second = (int(die) for die in view[dice : dice + 2])
        best = max(1.0 if not left else 1 - race(hands[1], left) for left in choices(hands[0], first, second))
        for text in ("minimax(depth=12)", "maxn(depth=12)", "paranoid(depth=12)"):
            found = build(text, bearing, 1).decide(view)
            assert found.considered[found.move] / DECIDED * (0.5 if text.startswith("minimax") else 1) == pytest.approx(
                best - 0.5, abs=1e-9
            )
            assert found.exact


def plain_value(world, root, depth):
    """Return the expected payoff of the root seat less an even share, all others against it; 0 at the horizon."""
    if world.turn == OVER:
        return world.payoff()[root] - 1 / world.game.seats
    values = []
    mover = world.turn
    for move in world.moves():
        after_ = world.copy().play(move)
        values.append(settled(after_, root, depth, mover))
    return max(values) if mover == root else min(values)


def settled(world, root, depth, mover):
    if world.turn == CHANCE:
        total = 0.0
        for share, move in zip(world.odds(), world.moves(), strict=True):
            after_ = world.copy().play(move)
            total += share * rolled(after_, root, depth - 1)  # a roll ends a turn
        return total
    left = depth if world.turn == mover else depth - 1
    return 0.0 if left == 0 and world.turn != OVER else plain_value(world, root, left)


def rolled(world, root, depth):
    if depth == 0 and world.turn != OVER:
        return 0.0
    return settled(world, root, depth, CHANCE) if world.turn == CHANCE else plain_value(world, root, depth)


def handed(world, seat):
    """Return the same world with another seat to move."""
    state = world.game.new_state()
    state[: world.game.size] = world.cells
    hand_turn(world.game.rules, state, seat)
    return World(world.game, state[: world.game.size])


def best_reply_value(world, root, depth, replying=None):
    """Return what best-reply search expects: between two turns of the root seat one other seat has a turn."""
    if world.turn == root:
        return max(replied(world.copy().play(move), root, depth, root) for move in world.moves())
    seats = set(range(world.game.seats)) - {root} if replying is None else {replying}
    others = [handed(world, seat) for seat in seats]
    return min(replied(other.copy().play(move), root, depth, other.turn) for other in others for move in other.moves())


def replied(world, root, depth, mover, rolled=False):
    if world.turn == CHANCE:
        if depth == 0:
            return 0.0
        total = 0.0
        for odds, move in zip(world.odds(), world.moves(), strict=True):
            total += odds * replied(world.copy().play(move), root, depth - 1, mover, rolled=True)
        return total
    if world.turn == OVER:
        return world.payoff()[root] - 1 / world.game.seats
    if mover != root and world.turn not in (root, mover):
        world = handed(world, root)
    left = depth if world.turn == mover or rolled else depth - 1
    return best_reply_value(world, root, left, mover if world.turn == mover != root else None) if left > 0 else 0.0


@pytest.mark.parametrize("skips", ["false", "true"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_best_reply_search_takes_expectations(seats, skips):
    game = games.find(f"{GAMBLE}(seats={seats}, skips={skips})")
    for seed in range(4):
        table = Table(game, seed)
        for depth, options in ((2, ""), (4, ""), (4, ", table=false")):
            found = build(f"brs(depth={depth}{options})", game, 1).decide(table.view(table.turn))
            wanted = best_reply_value(World.of(table), table.turn, depth)
            assert found.considered[found.move] / DECIDED == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("options", ["", ", table=false"])
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("skips", ["false", "true"])
def test_star_cut_offs_change_no_value_and_save_positions(seats, options, skips):
    game = games.find(f"{GAMBLE}(seats={seats}, skips={skips})")
    nodes = dict.fromkeys((cells.NO_STAR, cells.STAR1, cells.STAR2), 0)
    for seed in range(12):
        table = Table(game, seed)
        wanted = plain_value(World.of(table), table.turn, 4)
        for star in nodes:
            agent = build(f"paranoid(depth=4{options})", game, 1)
            agent.driver.engine.control.parameters[cells.STAR] = star
            found = agent.decide(table.view(table.turn))
            assert found.considered[found.move] / DECIDED == pytest.approx(wanted, abs=1e-9)
            nodes[star] += found.nodes
    assert nodes[cells.STAR1] < nodes[cells.NO_STAR]
    # Probes pay where the table remembers them, and where rolls have replies.
    assert options or skips == "true" or nodes[cells.STAR2] < nodes[cells.NO_STAR]


def test_maxn_takes_a_roll_that_follows_a_roll_for_a_turn():
    game = games.find(f"{GAMBLE}(skips=true, plies=12)")
    for seed in range(8):
        table = Table(game, seed)
        for depth in (1, 2, 3):
            wanted = plain_value(World.of(table), table.turn, depth)
            found = build(f"maxn(depth={depth})", game, 1).decide(table.view(table.turn))
            assert found.considered[found.move] / DECIDED == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    "text", ["maxn", "maxn(unit=moves", "paranoid", "brs", "nsp(value=even", "offensive", "mpmix", "opps", "minimax"]
)
def test_a_search_to_a_depth_ends_where_rolls_follow_rolls(text):
    game = games.find(f"{GAMBLE}(seats={2 if text == 'minimax' else 3}, skips=true, plies=400)")
    agent = build(text + (", " if "(" in text else "(") + "depth=2, nodes=20000)", game, 1)
    found = agent.decide(Table(game, 1).view(0))
    assert (found.depth, found.ended) == (2, "depth")


@pytest.mark.parametrize("text", ["maxn", "paranoid", "offensive", "mpmix", "opps", "minimax"])
def test_a_search_to_a_depth_ends_where_a_seat_may_roll_as_often_as_it_likes(text):
    pig = games.find(f"{PIG}(target=100)")
    agent = build(f"{text}(depth=3, nodes=20000)", pig, 1)
    found = agent.decide(Table(pig, 1).view(0))
    assert (found.depth, found.ended) == (3, "depth")


def test_turnwise_ends_where_rolls_follow_rolls():
    table = Table(games.find(f"{GAMBLE}(seats=3, skips=true, plies=400)"), 1)
    assert build("turnwise(depth=2)", table.game, 1).decide(table.view(table.turn)).nodes < 2000


@pytest.mark.parametrize(
    "text", ["greedy", "flat(playouts=20)", "offensive(depth=2)", "mpmix(depth=2)", "turnwise(depth=2)",
             "opps(depth=2)", "random", "flat(playouts=5, width=2)", "mcts(iterations=300, reuse=true)",
             "ismcts(iterations=300, observer=multi)"],
)  # fmt: skip
def test_an_agent_plays_a_game_with_dice_to_its_end(pig, text):
    table = Table(games.find(f"{PIG}(seats=3, target=12)"), 4)
    minds = [build(text, table.game, seat) for seat in range(3)]
    while not table.over:
        table.play(minds[table.turn].decide(table.view(table.turn)).move)
    assert sum(table.payoff()) == 1
