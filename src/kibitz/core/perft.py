"""Perft: the number of sequences of `depth` moves; the classical check of a move generator."""

import numpy as np

from kibitz.core.calls import copy, moves, play, turn
from kibitz.core.contract import GUARD, HALT_AT, MOST_MOVES, OVER, SIZE
from kibitz.core.native import compiled, heed
from kibitz.core.playout import HEEDED
from kibitz.core.table import Table
from kibitz.core.world import World


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


def perft(table: Table, depth: int) -> int:
    """Count the sequences of `depth` further moves at a table."""
    return int(count_paths(table.game.rules, table.copy_of_truth(), depth))


def split(table: Table, depth: int) -> dict[int, int]:
    """Count the sequences of `depth` further moves by their first move."""
    rules, worlds = table.game.rules, ((move, World.of(table).play(move)) for move in table.moves())
    return {move: int(count_paths(rules, world.cells, depth - 1)) for move, world in worlds}
