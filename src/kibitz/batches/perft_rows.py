"""Perft below many positions side by side; the same source runs on processors and on graphics cards.

A row has room for `depth` levels. A level holds a state of `width` cells, a list of moves, and how many of them are
left to be tried.
"""

from kibitz.core.calls import copy, moves, play, turn
from kibitz.core.contract import HALT_AT, OVER
from kibitz.core.native import heed, helper, offset
from kibitz.core.playout import HEEDED


@helper
def _list_moves(rules, level, width, left):
    """List the moves at a level."""
    level[left] = moves(rules, level, offset(level, width))


@helper
def _paths_below(rules, depth, levels, width, stride):
    """Count the sequences of `depth` moves from the state of the first level, which is not over."""
    left, at, paths, steps = stride - 1, 0, 0, 0
    _list_moves(rules, levels, width, left)
    while at >= 0:
        steps += 1
        if steps & HEEDED == 0:
            heed(rules[HALT_AT])
        level = offset(levels, at * stride)
        if at == depth - 1:
            paths += level[left]
            level[left] = 0
        if level[left] == 0:
            at -= 1
            continue
        level[left] -= 1
        below = offset(level, stride)
        copy(rules, level, below)
        play(rules, below, level[width + level[left]])
        if turn(rules, below) != OVER:
            at += 1
            _list_moves(rules, below, width, left)
    return paths


@helper
def perft_rows(rules, depth, starts, width, room, stride, counts, first, rows, step):
    """Write how many sequences of `depth` moves there are from the position of each row, none of which is over."""
    for row in range(first, rows, step):
        levels = offset(room, row * depth * stride)
        copy(rules, offset(starts, row * width), levels)
        counts[row] = _paths_below(rules, depth, levels, width, stride)
