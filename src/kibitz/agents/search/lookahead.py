"""Looking one move ahead, by a value."""

import numpy as np

from kibitz.agents.search.evaluation import even_worth, judge
from kibitz.core.calls import copy, guess, play
from kibitz.core.contract import SEATS
from kibitz.core.dice import dice
from kibitz.core.game import Game
from kibitz.core.heuristics import BoundHeuristic
from kibitz.core.native import compiled, pointer
from kibitz.core.playout import legal_moves


def look_ahead(
    game: Game, value: BoundHeuristic, view: np.ndarray, seat: int, worlds: int = 0, rng: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the legal moves and what each is worth to every seat, summed over guessed worlds (0: a view is one)."""
    room = game.new_moves()
    listed = room[: legal_moves(game.rules, view, room)]
    worths = np.zeros((len(listed), game.seats))
    _judge_moves(
        game.rules, value.handle, value.weights, view, seat, worlds, listed, dice(0) if rng is None else rng,
        game.new_state(), np.empty(game.seats), worths,
    )  # fmt: skip
    return listed, worths


@compiled
def _judge_moves(rules_, value_, weights_, view_, seat, worlds, listed, rng_, world_, worth_, out):
    """Add to out[i] each seat's value after the i-th move, summed over guessed worlds."""
    rules, value, weights = pointer(rules_), pointer(value_), pointer(weights_)
    view, rng, world, worth = pointer(view_), pointer(rng_), pointer(world_), pointer(worth_)
    for _ in range(max(worlds, 1)):
        seed = rng_[0]
        for i in range(listed.shape[0]):
            rng_[0] = seed  # the same world for every move
            copy(rules, view, world)
            if worlds > 0:
                guess(rules, world, seat, rng)
            even = even_worth(rules, value, weights, world, worth)
            play(rules, world, listed[i])
            judge(rules, value, weights, world, even, worth)
            for s in range(rules[SEATS]):
                out[i, s] += worth[s]
