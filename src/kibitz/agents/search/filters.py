"""Leaving out moves: those that a filter of the game leaves out, and those that repeat a position."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.calls import copy, keep_moves, key, moves, play, repeats
from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.core.native import compiled, helper, pointer

_LOW_BITS = (1 << 62) - 1
_ONE = np.uint64(1)


@helper
def filtered(rules, move_filter, root, state, dice, listed, n):
    """Keep what a filter keeps and return how many; its dice belong to the position, so it always says the same."""
    if move_filter == 0 or n == 1:
        return n
    dice[0] = np.uint64(key(rules, state) & _LOW_BITS) | _ONE
    return keep_moves(move_filter, state, root, dice, listed, n)


@compiled
def filter_moves(rules_, move_filter, root, state_, dice, out):
    """List the legal moves of a position that the filter keeps; return how many."""
    rules, state, listed = pointer(rules_), pointer(state_), pointer(out)
    return filtered(rules, move_filter, root, state, pointer(dice), listed, moves(rules, state, listed))


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
