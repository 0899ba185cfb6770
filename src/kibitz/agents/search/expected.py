"""The play that a two-sided search expects, found again from what it remembers."""

from kibitz.agents.search.transpositions import TO_THE_END, choice_of, depth_of, slot_of
from kibitz.agents.search.twosided import (
    CUTOFFS,
    HAIR,
    LEAVES,
    LINE_SLOTS,
    NODE_LIMIT,
    NODES,
    ROOT,
    SLOT_MASK,
    STOP,
    TURNS,
    USED,
    again,
    expand,
    opened,
    position_of,
    quota_after,
    uses_depth,
)
from kibitz.core.calls import copy, play, turn
from kibitz.core.contract import OVER, SIZE
from kibitz.core.native import compiled, helper, offset, pointer

_NO_LIMIT = 1 << 62


@helper
def _best_known(s, here, depth):
    """Return the best choice of a position, -1 if it is not known for sure."""
    at = 2 * slot_of(here, LINE_SLOTS - 1)
    note = s.lines[at + 1]
    known = s.lines[at] == here and (depth_of(note) == depth or depth_of(note) == TO_THE_END)
    return choice_of(note) if known else -1


@helper
def _best_choice(s, here, state, level, depth, quota, score):
    """Return the best choice of a position whose score is known, -1 if there is no time to find it."""
    best = _best_known(s, here, depth)
    if best < 0:
        side = 1 if turn(s.rules, state) == s.control[ROOT] else -1
        near = max(HAIR, abs(score) * HAIR)
        again(s.itself, s, state, level, depth, quota, score * side - near, score * side + near)
        slot = slot_of(here, s.control[SLOT_MASK])
        best = choice_of(s.notes[slot]) if s.notes[slot] != 0 and s.keys[slot] == here else -1
    return best if s.control[STOP] == 0 else -1


@helper
def _follow_line(s, state, first, depth, score, made, by):
    at, quota, seat = 0, 0, turn(s.rules, state)
    s.listed[0], s.movers[0], s.control[USED] = first, seat, 0
    copy(s.rules, state, s.states)
    play(s.rules, s.states, first)
    n = 0
    while True:
        copy(s.rules, offset(s.states, at * s.rules[SIZE]), state)
        made[n], by[n] = s.listed[at], s.movers[at]
        n += 1
        then = turn(s.rules, state)
        depth -= 1 if uses_depth(s, s.movers[at], then) else 0
        if n == made.shape[0] or then == OVER or depth <= 0:
            return n
        quota, seat = quota_after(s, seat, then, quota, at), then
        at = _best_choice(s, position_of(s, state, quota), state, n, depth, quota, score)
        if at < 0 or at >= expand(s, state, seat, n, 0, quota, -1):
            return n


@compiled
def expected_line(arrays, state, first, depth, score, made, by):
    """Play in place what a search of this depth and score expects after a move; return how many moves are in `made`.

    What the table has forgotten is searched again, and not counted.
    """
    s = opened(arrays)
    control = s.control
    nodes, cutoffs, leaves, turns, limit = (
        control[NODES], control[CUTOFFS], control[LEAVES], control[TURNS], control[NODE_LIMIT],
    )  # fmt: skip
    control[NODE_LIMIT] = _NO_LIMIT
    n = _follow_line(s, pointer(state), first, depth, score, made, by)
    control[NODES], control[CUTOFFS], control[LEAVES], control[TURNS], control[NODE_LIMIT] = (
        nodes, cutoffs, leaves, turns, limit,
    )  # fmt: skip
    return n
