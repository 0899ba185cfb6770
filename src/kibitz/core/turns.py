"""Turns: what the seat to move can reach by the end of its turn, once each however many orders of moves lead there.

Positions are told apart by the rule `key`. A search that has no transposition table can take these for its moves.
"""

from typing import NamedTuple

import numpy as np

from kibitz.core.game import Game
from kibitz.core.native import compiled, offset, pointer
from kibitz.core.rules import OVER, SIZE, copy, key, moves, play, turn

NOWHERE = -1


class Turn(NamedTuple):
    """One way to use a turn: the moves, and the position after them."""

    moves: tuple[int, ...]
    end: np.ndarray


@compiled
def spread(rules_, states_, keys, slots, before, made, ended, room_):
    """Add to position 0 all that can be reached in its turn; return how many positions there are, -1 if too many.

    Position i came from position before[i] by the move made[i], and ended[i] tells whether the turn is over there.
    `slots`, all NOWHERE, finds positions by their key.
    """
    rules, states, room = pointer(rules_), pointer(states_), pointer(room_)
    seat, size, mask = turn(rules, states), rules[SIZE], slots.shape[0] - 1
    n, at = 1, 0
    while at < n:
        here = offset(states, at * size)
        ended[at] = turn(rules, here) != seat or seat == OVER
        for i in range(0 if ended[at] else moves(rules, here, room)):
            if n == before.shape[0]:
                return -1
            after = offset(states, n * size)
            copy(rules, here, after)
            play(rules, after, room[i])
            keys[n] = key(rules, after)
            slot = keys[n] & mask
            while slots[slot] != NOWHERE and keys[slots[slot]] != keys[n]:
                slot = (slot + 1) & mask
            if slots[slot] == NOWHERE:
                slots[slot], before[n], made[n] = n, at, room[i]
                n += 1
        at += 1
    return n


def turns(game: Game, state: np.ndarray, most: int = 1 << 12) -> list[Turn]:
    """List the different ends of the turn that is going on in a world, each with one way to it."""
    states = np.empty((most, game.size), dtype=np.int64)
    states[0] = state
    keys, before, made, ended = (np.zeros(most, dtype=np.int64) for _ in range(4))
    slots = np.full(4 * most, NOWHERE, dtype=np.int64)
    room = np.empty(game.most_moves, dtype=np.int64)
    n = int(spread(game.rules, states, keys, slots, before, made, ended, room))
    if n < 0:
        return turns(game, state, 4 * most)
    return [_turn(game, _way(before, made, at), states[at]) for at in range(1, n) if ended[at]]


@compiled
def _copy_in_use(rules, state, out):
    copy(pointer(rules), pointer(state), pointer(out))


def _turn(game: Game, way: tuple[int, ...], state: np.ndarray) -> Turn:
    end = np.zeros(game.size, dtype=np.int64)
    _copy_in_use(game.rules, state, end)
    return Turn(way, end)


def _way(before: np.ndarray, made: np.ndarray, at: int) -> tuple[int, ...]:
    back: list[int] = []
    while at:
        back.append(int(made[at]))
        at = int(before[at])
    return tuple(reversed(back))
