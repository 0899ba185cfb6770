"""Perft: the number of sequences of `depth` moves; the classical check of a move generator."""

from collections.abc import Callable

import numpy as np

from kibitz.core.arrays import Int64s
from kibitz.core.calls import copy, moves, play, turn
from kibitz.core.contract import GUARD, HALT_AT, MOST_MOVES, OVER, SIZE
from kibitz.core.native import compiled, heed
from kibitz.core.playout import HEEDED
from kibitz.core.table import Table
from kibitz.core.world import World

Count = Callable[[Int64s, int], int]  # of the cells of a position, and the length of the sequences


@compiled
def count_paths(rules, start, depth):
    """Count the sequences of `depth` moves from `start`, without games that end sooner."""
    if depth == 0:
        return 1
    states = np.empty((depth, rules[SIZE] + GUARD), dtype=np.int64)
    lists = np.empty((depth, rules[MOST_MOVES] + GUARD), dtype=np.int64)
    left = np.zeros(depth, dtype=np.int64)
    copy(rules, start, states[0])
    if turn(rules, states[0]) == OVER:
        return 0
    left[0] = moves(rules, states[0], lists[0])
    level, paths, steps = 0, 0, 0
    while level >= 0:
        steps += 1
        if steps & HEEDED == 0:
            heed(rules[HALT_AT])
        if level == depth - 1:
            paths += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        copy(rules, states[level], states[level + 1])
        play(rules, states[level + 1], lists[level, left[level]])
        if turn(rules, states[level + 1]) != OVER:
            level += 1
            left[level] = moves(rules, states[level], lists[level])
    return paths


def start_of(table: Table) -> World:
    """Return the position of a new table before chance has moved there."""
    return World(table.game, table.rolls[0].before[: table.game.size]) if table.rolls else World.of(table)


def perft(start: Table | World, depth: int, count: Count | None = None) -> int:
    """Count the sequences of `depth` further moves, here or by what counts elsewhere."""
    cells = _cells(start)
    return int(count_paths(start.game.rules, cells, depth)) if count is None else count(cells, depth)


def split(start: Table | World, depth: int, count: Count | None = None) -> dict[int, int]:
    """Count the sequences of `depth` further moves by their first move."""
    worlds = ((move, World(start.game, _cells(start)).play(move)) for move in start.moves())
    return {move: perft(world, depth - 1, count) for move, world in worlds}


def _cells(start: Table | World) -> Int64s:
    return start.copy_of_truth() if isinstance(start, Table) else start.cells.copy()
