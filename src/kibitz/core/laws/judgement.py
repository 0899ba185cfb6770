"""Laws on values and policies."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from kibitz.core.arrays import Floats
from kibitz.core.dice import dice
from kibitz.core.errors import UnknownName
from kibitz.core.game import Game
from kibitz.core.heuristics import Value
from kibitz.core.laws.law import Broken, DoesNotApply, law
from kibitz.core.laws.walk import PLIES, fresh_table, roomy, roomy_list, walk
from kibitz.core.playout import pick_once, value_of
from kibitz.core.table import Table

EXTREME_WEIGHTS = (-3, 0, 1000)
LAST_CHOICE = 1000  # plies played by a policy
FEW = 40  # plies with each of the extreme weights


def _evaluated(game: Game, text: str, seed: int, plies: int = PLIES) -> Iterator[tuple[Table, Floats]]:
    """Yield the positions of a random game with a value for each seat."""
    value, out = game.value(text), np.zeros(game.seats)
    for table in walk(game, seed, plies):
        out[:] = np.nan
        value_of(game.rules, value.handle, value.weights, roomy(game, table.copy_of_truth()), out)
        yield table, out


@law
def values_are_numbers(game: Game, seed: int) -> None:
    """Every value gives a finite number for every seat, and above 0 if it declares that."""
    try:
        game.value(game.usual_value)
    except UnknownName as error:
        raise Broken(f"USUAL of values.py names no value: {error}") from error
    for name, value in game.values.items():
        if value.properties.per_unit <= 0:
            raise Broken(f"the value {name} declares per_unit = {value.properties.per_unit}; it must be above 0")
        for table, out in _evaluated(game, name, seed):
            if not np.isfinite(out).all():
                raise Broken(f"the value {name} is {out.tolist()}; it must be a number for each seat", table)
            if value.properties.positive and not (out > 0).all():
                raise Broken(_not_positive(value, name, out), table)


def _not_positive(value: Value, name: str, out: Floats) -> str:
    """Return in a sentence that a value is not above 0 for every seat."""
    seat = int(np.argmin(out > 0)) + 1
    if not value.shares:
        return f"the value {name} is {out[seat - 1]:g} for seat {seat}, but it declares positive=True"
    return (
        f"the value {name} gives seat {seat} {out[seat - 1]:g} per cent; with shares=True every seat has more than 0. "
        f"If that share is meant, declare shares=True, positive=False, and nsp will not take the value"
    )


@law
def values_stay_within_their_total(game: Game, seed: int) -> None:
    """Values that declare a total are not below 0 and sum to at most the total, whatever the weights."""
    bounded = {name: value for name, value in game.values.items() if value.properties.total}
    if not bounded:
        raise DoesNotApply("no value declares a total")
    for name, value in bounded.items():
        extremes = [f"{name}({weight}={extreme})" for weight in value.weights for extreme in EXTREME_WEIGHTS]
        for text in (name, *extremes):
            for table, out in _evaluated(game, text, seed, FEW):
                if (out < 0).any() or sum(map(Fraction, out)) > value.properties.total:
                    total = f"{value.properties.total:g}"
                    raise Broken(f"the value {text} is {out.tolist()}; it declares a total of {total}", table)


@law
def policies_pick_legal_moves(game: Game, seed: int) -> None:
    """Every policy picks a legal move from a view."""
    if not game.policies:
        raise DoesNotApply("the game has no policies")
    room, rng = roomy_list(game), dice(seed)
    for name in game.policies:
        policy, table = game.policy(name), fresh_table(game, seed)
        while not table.over and table.ply < LAST_CHOICE:
            view = roomy(game, table.view(table.turn))
            move = int(pick_once(game.rules, policy.handle, policy.weights, view, rng, room))
            if move not in table.moves():
                raise Broken(f"the policy {name} picks {move}, which is not legal", table)
            table.play(move)
