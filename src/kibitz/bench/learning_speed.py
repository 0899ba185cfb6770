"""Speed of networks: self-play, evaluation, and the cost of evaluation in a search."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

import numpy as np

from kibitz.agents import build
from kibitz.core.calls import evaluate
from kibitz.core.dice import dice
from kibitz.core.game import Game
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import random_position
from kibitz.core.table import Table
from kibitz.games import find, names
from kibitz.learn.training import TrainingBudget, train
from kibitz.learn.training_settings import default_settings
from kibitz.networks.net import encodings, value_of
from kibitz.networks.network_file import About, Network, as_bytes, new_network

HIDDEN = (64,)
TAUGHT = 12  # rounds of learning
ROUNDS = 5
POSITIONS, PLIES = 64, 30
REPEATED = 200
EVALUATED = "chexers"
ITERATIONS = 5000


def measure() -> Iterator[tuple[str, str, float]]:
    """Yield rows: name, unit and value."""
    for name in names():
        yield f"learn/td-games-per-second-{name}", "games/s", _games_a_second(find(name))
    game = find(EVALUATED)
    yield "learn/net-evaluations-per-second", "positions/s", _evaluations_a_second(game)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "new.npz"
        path.write_bytes(as_bytes(_network(game)))
        plain, evaluated = (
            _iterations_a_second(game, f"mcts({ITERATIONS}, {options})")
            for options in ("cut=1", f"cut=1, value=net({path})")
        )
    yield "learn/net-cost-ratio", "times", evaluated / plain


def _network(game: Game) -> Network:
    settings = default_settings(game)
    length = encodings(game)[settings.encoding].length
    return new_network(About(game.name, game.version, {}, game.seats, settings.encoding, length), HIDDEN, 1)


def _games_a_second(game: Game) -> float:
    """Return how many games a second a new network plays and learns from."""
    with TemporaryDirectory() as folder:
        settings = default_settings(game, hidden=HIDDEN)
        rounds = train(game, settings, TrainingBudget(positions=TAUGHT * settings.round), Path(folder) / "new.npz")
        first = next(rounds)  # compiles
        begun = thread_time()
        *_, last = rounds
    return (last.games - first.games) / (thread_time() - begun)


def _evaluations_a_second(game: Game) -> float:
    value, out = value_of(game, _network(game)), np.zeros(game.seats)
    states, rng = np.array([game.new_state() for _ in range(POSITIONS)]), dice(1)
    for state in states:
        random_position(game.rules, game.encoded_options, PLIES, rng, state, game.new_moves())
    best = np.inf
    for times in (1, *[REPEATED] * ROUNDS):
        begun = thread_time()
        _evaluate_all(game.rules, value.handle, value.weights, states, times, out)
        best = min(best, (thread_time() - begun) / times / POSITIONS) if times > 1 else best
    return 1 / best


@compiled
def _evaluate_all(rules_, value_, weights_, states, times, out_):
    """Evaluate every position `times` times."""
    rules, value, weights, out = pointer(rules_), pointer(value_), pointer(weights_), pointer(out_)
    for _ in range(times):
        for i in range(states.shape[0]):
            evaluate(rules, value, weights, pointer(states[i]), out)


def _iterations_a_second(game: Game, agent: str) -> float:
    """Return iterations a second of a search of the initial position."""
    view, best = Table(game, 1).view(0), np.inf
    mind = build(agent, game, 1)
    mind.decide(view)
    for _ in range(ROUNDS):
        begun = thread_time()
        mind.decide(view)
        best = min(best, thread_time() - begun)
    return ITERATIONS / best
