"""Perft on a graphics card: positions some moves on are listed here, and what lies below each is counted there."""

from typing import Any

import numpy as np

from kibitz.batches.game_batch import device_of
from kibitz.batches.processor import Processor
from kibitz.core.arrays import Int64s
from kibitz.core.calls import copy, moves, play, turn
from kibitz.core.contract import GUARD, OVER
from kibitz.core.errors import BadGame
from kibitz.core.game import Game
from kibitz.core.native import compiled, pointer
from kibitz.core.perft import Count

ENOUGH = 1 << 15  # positions that keep a card busy
MOST_POSITIONS = 1 << 20  # listed at a time
MOST_CELLS = 1 << 28  # of all positions listed, and of the room for those that are counted at a time
NOT_DONE = -1


@compiled
def _count_moves(rules_, states, room_):
    """Return how many moves all positions have together, none of which is over."""
    rules, room, found = pointer(rules_), pointer(room_), 0
    for row in range(states.shape[0]):
        found += moves(rules, pointer(states[row]), room)
    return found


@compiled
def _play_moves(rules_, states, room_, out):
    """Write the positions after each move of each position that are not over; return how many."""
    rules, room, found = pointer(rules_), pointer(room_), 0
    for row in range(states.shape[0]):
        state = pointer(states[row])
        for at in range(moves(rules, state, room)):
            after = pointer(out[found])
            copy(rules, state, after)
            play(rules, after, room[at])
            found += turn(rules, after) != OVER
    return found


def listed(game: Game, states: Int64s, depth: int) -> tuple[Int64s, int]:
    """Return the positions some moves after others, enough to keep a card busy, and how deep there is left to go."""
    left, width = depth, states.shape[1]
    while left > 1 and len(states) < ENOUGH:
        most = _count_moves(game.rules, states, game.new_moves())
        if most > min(MOST_POSITIONS, MOST_CELLS // width):
            break
        out = np.tile(game.new_state(), (most + 1, 1))
        states, left = out[: _play_moves(game.rules, states, game.new_moves(), out)], left - 1
    return states, left


def counter_on(device: str, game: Game) -> Count | None:
    """Return what counts on a device; None for the processor."""
    found = device_of(game, device)
    return None if isinstance(found, Processor) else CardPerft(game, found).count


class CardPerft:
    """Counts sequences of moves on a device."""

    def __init__(self, game: Game, device: Any):
        self.game, self.device = game, device
        self._width = len(game.new_state())
        self._stride = self._width + game.most_moves + GUARD + 1

    def count(self, start: Int64s, depth: int) -> int:
        """Count the sequences of `depth` moves from a position, without games that end sooner."""
        if depth == 0:
            return 1
        states = self.game.new_state()[None]
        states[0, : self.game.size] = start[: self.game.size]
        if states[0, self.game.cells["SEAT"]] == OVER:
            return 0
        states, left = listed(self.game, states, depth)
        most = max(1, MOST_CELLS // (left * self._stride))
        return sum(self._below(states[at : at + most], left) for at in range(0, len(states), most))

    def _below(self, states: Int64s, depth: int) -> int:
        """Count the sequences of `depth` moves from all positions together."""
        xp, rows = self.device.arrays, len(states)
        room = xp.empty(rows * depth * self._stride, dtype=np.int64)
        counts = xp.full(rows, NOT_DONE, dtype=np.int64)
        starts = self.device.array(states).reshape(-1)
        self.device.run("perft", rows, depth, starts, self._width, room, self._stride, counts)
        if int(counts.min()) == NOT_DONE:
            raise BadGame(f"{self.game}: a rule fails on the graphics card; device=cpu tells which, and why")
        return int(counts.sum())
