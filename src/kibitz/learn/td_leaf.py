"""Self-play by a deeper search: TD-leaf (Baxter, Tridgell and Weaver), which learns from principal variations.

The value of a search is that of the leaf of its principal variation, so the leaf is what the replay buffer keeps. The
targets are those of self_play.py, computed from the network's values of the leaves that follow.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kibitz.agents import build
from kibitz.agents.agent import Agent, decide_at
from kibitz.core.dice import roll
from kibitz.core.errors import BadMove, BadValue
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.playout import value_of
from kibitz.core.spec import Spec, parse
from kibitz.core.table import Table
from kibitz.core.world import World
from kibitz.learn.exploration import explores
from kibitz.learn.self_play import EPSILON, GAMES, KEPT, LAMBDA, LONGEST, OPENING, SelfPlayArrays, keep_position

_SEEDS = 1 << 30


@dataclass(frozen=True)
class _Leaf:
    world: World
    chances: np.ndarray  # [seat]: win probabilities by the network; shares of the payoff if the game is over
    explored: bool  # whether a random move was made


def agent_with_network(agent: str, game: Game, path: Path, seed: int) -> Agent:
    """Return an agent whose value is the network in a file."""
    spec = parse(agent)
    if "value" in spec.args:
        raise BadValue(f"{agent} names a value, and it is to judge by the network that learns")
    net = Spec("net", {"0": Spec(str(path.resolve()))})
    return build(Spec(spec.name, {**spec.args, "value": net}), game, seed)


def play_leaves(game: Game, agent: Agent, value: BoundHeuristic, buffer: SelfPlayArrays, positions: int) -> None:
    """Empty the replay buffer, and let an agent play whole games until it holds `positions` positions."""
    control = buffer.control
    control[[KEPT, GAMES]] = 0
    while control[KEPT] < positions:
        leaves, end = _play_game(game, agent, value, buffer)
        _keep(game, buffer, leaves, end)
        control[GAMES] += 1


def _play_game(
    game: Game, agent: Agent, value: BoundHeuristic, buffer: SelfPlayArrays
) -> tuple[list[_Leaf], np.ndarray]:
    """Play a game; return the leaves of its searches, and the result."""
    control, rng, leaves = buffer.control, buffer.rng, list[_Leaf]()
    table = Table(game, int(roll(rng, _SEEDS)))
    opening = int(roll(rng, int(control[OPENING]) + 1))
    while not table.over and table.ply < control[LONGEST]:
        legal = table.moves()
        move = legal[int(roll(rng, len(legal)))]
        if table.ply >= opening:
            view = table.view(table.turn)
            decision = decide_at(table, agent)
            explored = explores(rng, float(buffer.tuning[EPSILON]))
            world = _followed(World.guess(game, view, rng), decision.line or [decision.move]).roll(rng)
            leaves.append(_Leaf(world, _chances(world, value), explored))
            move = move if explored else decision.move
        table.play(move)
    return leaves, _shares(table.game.scoring.as_parts(table.payoff())) if table.over else leaves[-1].chances


def _followed(world: World, line: list[int]) -> World:
    """Return a world after a variation, as far as it is legal there."""
    try:
        for move in line:
            world.play(move)
    except BadMove:
        pass
    return world


def _chances(world: World, value: BoundHeuristic) -> np.ndarray:
    if world.over:
        return _shares(world.game.scoring.as_parts(world.payoff()))
    out = np.zeros(world.game.seats)
    value_of(world.game.rules, value.handle, value.weights, world.cells, out)
    return _shares(out.tolist())


def _shares(earned: list[float]) -> np.ndarray:
    total = sum(earned)
    return np.array(earned) / total if total > 0 else np.full(len(earned), 1 / len(earned))


def _keep(game: Game, buffer: SelfPlayArrays, leaves: list[_Leaf], end: np.ndarray) -> None:
    """Keep leaves with their targets, from the last to the first."""
    trace, target = buffer.tuning[LAMBDA], end
    for at in range(len(leaves) - 1, -1, -1):
        leaf = leaves[at]
        if leaf.explored:
            target = leaf.chances
        elif at + 1 < len(leaves):
            target = (1 - trace) * leaves[at + 1].chances + trace * target
        if not leaf.world.over:
            state = game.new_state()
            state[: game.size] = leaf.world.cells
            keep_position(buffer, state, leaf.world.turn, target)
