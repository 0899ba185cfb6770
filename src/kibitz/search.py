"""What the author of an agent needs beyond `kibitz`: guessed worlds, fast playouts, budgets, dice."""

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from kibitz.core.arrays import Int64s, UInt64s
from kibitz.core.calls import copy, payoff, play
from kibitz.core.contract import SEATS
from kibitz.core.dice import derive, dice
from kibitz.core.dice import roll as _roll
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.playout import play_out
from kibitz.core.world import World, as_dice

__all__ = ["Budget", "compiled", "derive", "dice", "guess_worlds", "helper", "offset", "playouts", "pointer", "roll"]


def guess_worlds(game: Game, view: Int64s, number: int, rng: UInt64s) -> Iterator[World]:
    """Yield `number` worlds that the seat to move cannot rule out; in an open game they are all the same."""
    rng = as_dice(rng)
    for _ in range(number):
        yield World.guess(game, view, rng)


@compiled
def _play_outs(rules_, policy, weights_, start_, move, number, rng_, state_, room_, earned_, out):
    rules, weights, start, rng = pointer(rules_), pointer(weights_), pointer(start_), pointer(rng_)
    state, room, earned = pointer(state_), pointer(room_), pointer(earned_)
    for _ in range(number):
        copy(rules, start, state)
        play(rules, state, move)
        play_out(rules, policy, weights, state, rng, room)
        payoff(rules, state, earned)
        for seat in range(rules[SEATS]):
            out[seat] += earned[seat]


def playouts(world: World, move: int, number: int, rng: UInt64s, policy: str = "random") -> list[float]:
    """Return what each seat earns on average in `number` playouts that start with a move, all in compiled code."""
    game = world.game
    if move not in world.moves():
        raise BadValue(f"move {move} is not legal here; the moves are {', '.join(map(str, world.moves())) or 'none'}")
    if number < 1:
        raise BadValue(f"at least 1 playout is needed, not {number}")
    chosen, out = game.policy(policy), np.zeros(game.seats)
    _play_outs(
        game.rules, chosen.handle, chosen.weights, world.cells, move, number, as_dice(rng), game.new_state(),
        game.new_moves(), np.zeros(game.seats), out,
    )  # fmt: skip
    return (out / number).tolist()


def roll(rng: UInt64s, n: int) -> int:
    """Draw a whole number from 0 to n - 1."""
    if n < 1:
        raise BadValue(f"a roll needs at least 1 side, not {n}")
    return int(_roll(as_dice(rng), n))


class Budget:
    """How long an agent may go on: a number of rounds, a number of seconds, or whichever ends first.

    >>> budget = Budget(rounds=3)
    >>> [number for number in budget]
    [0, 1, 2]
    """

    def __init__(self, rounds: int | None = None, seconds: float | None = None):
        if rounds is None and seconds is None:
            raise BadValue("a budget needs rounds or seconds, or both")
        for name, limit in (("rounds", rounds), ("seconds", seconds)):
            if limit is not None and not (isinstance(limit, int | float) and limit > 0):
                raise BadValue(f"{name} of a budget must be a number above 0, not {limit!r:.80}")
        self.rounds, self.seconds = rounds, seconds

    def __iter__(self) -> Iterator[int]:
        begun, number = perf_counter(), 0
        while self.rounds is None or number < self.rounds:
            if self.seconds is not None and number and perf_counter() - begun >= self.seconds:
                return
            yield number
            number += 1
