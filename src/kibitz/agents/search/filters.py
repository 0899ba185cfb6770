"""Omitting moves: those that a filter of the game rejects, and those that repeat a position."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.calls import copy, keep_moves, key, moves, play, repeats
from kibitz.core.dice import derive
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.native import INTERPRETED, compiled, helper, pointer
from kibitz.core.spec import Spec

_LOW_BITS = (1 << 62) - 1
_ONE = np.uint64(1)
FILTERS = 2  # the stream of an agent's seed from which filters draw
SALT = 2  # the cell of the dice that differs between agents


@helper
def filtered(rules, filters, root, state, dice, listed, n):
    """Keep the moves that all filters keep and return how many.

    The dice depend on the position and the agent alone, so that a filter always keeps the same moves of a position.
    """
    if filters[0] == 0 or n == 1:
        return n
    dice[0] = (np.uint64(key(rules, state) & _LOW_BITS) ^ dice[SALT]) | _ONE
    at = 0
    while filters[at] != 0 and n > 1:
        n = keep_moves(filters[at], state, root, dice, listed, n)
        at += 1
    return n


@compiled
def filter_moves(rules_, filters, root, state_, dice, out):
    """List the legal moves of a position that the filters keep; return how many."""
    rules, state, listed = pointer(rules_), pointer(state_), pointer(out)
    return filtered(rules, pointer(filters), root, state, pointer(dice), listed, moves(rules, state, listed))


def find_filters(game: Game, chosen: Spec | None) -> tuple[Any, ...]:
    """Return the handles of the filters that a text such as mozi+direct names, in its order."""
    if chosen is None or str(chosen) == "none":
        return ()
    return tuple(game.filter(Spec(name, chosen.args)).handle for name in chosen.name.split("+"))


def filter_dice(seed: int) -> np.ndarray:
    """Return dice for the filters of an agent: the dice, a cell for advice, and a salt that differs between agents."""
    return np.array([1, 0, derive(seed, FILTERS) >> 2], dtype=np.uint64)


def as_cells(filters: tuple[Any, ...]) -> Any:
    """Return handles of filters as compiled code takes them, ended by 0."""
    return (*filters, 0) if INTERPRETED else np.array([*filters, 0], dtype=np.int64)


def check_repeats(name: str, game: Game) -> None:
    """Refuse to avoid repetitions where a game counts none."""
    if game.hidden or not game.has("repeats"):
        raise BadValue(f"{name}: avoid=true needs an open game that counts repetitions, and {game} is none")


def unrepeated(game: Game, view: np.ndarray, moves: Sequence[int]) -> list[int]:
    """Return the moves to positions that have not occurred yet, or all moves if there are none."""
    tried, times = np.array(moves, dtype=np.int64), np.zeros(len(moves), dtype=np.int64)
    count_repeats(game.rules, view, tried, game.new_state(), times)
    return tried[times == 0].tolist() or list(moves)


@compiled
def count_repeats(rules_, state_, tried, after_, out):
    """Write how often the position after each move tried has occurred before."""
    rules, state, after = pointer(rules_), pointer(state_), pointer(after_)
    for i in range(tried.shape[0]):
        copy(rules, state, after)
        play(rules, after, tried[i])
        out[i] = repeats(rules, after)
