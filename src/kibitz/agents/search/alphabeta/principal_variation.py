"""The principal variation of alpha-beta, rebuilt from its tables."""

from kibitz.agents.search.alphabeta.alphabeta_arrays import AFRESH, ENTRY, NORMAL, PV_SLOTS, choice_of, holds_at
from kibitz.agents.search.alphabeta.alphabeta_kernel import HAIR, depth_below, key_of, score_of, side_of
from kibitz.agents.search.alphabeta.expansion import child_at, expand, quota_after
from kibitz.agents.search.control import CUTOFFS, LEAVES, LEVELS, NO_NODE_LIMIT, NODE_LIMIT, NODES, SLOTS, STOP, TURNS
from kibitz.agents.search.move_picker import child_of, first_choice
from kibitz.agents.search.search_arrays import opened
from kibitz.agents.search.transpositions import DATA, NO_TABLE, entry_of, is_hit, slot_of
from kibitz.core.calls import copy, turn
from kibitz.core.native import compiled, helper, pointer


@helper
def _best_known(s, here, depth):
    """Return the best choice of a position, -1 if it is not known for sure."""
    at = 2 * slot_of(here, PV_SLOTS - 1)
    data = s.pv_table[at + 1]
    return choice_of(data) if s.pv_table[at] == here and holds_at(data, depth) else -1


@helper
def _best_choice(s, here, state, seat, level, depth, quota, score):
    """Return the best choice of a position whose score is known, -1 if there is no time to find it."""
    best = _best_known(s, here, depth)
    wanted, near = score * side_of(s, seat), max(HAIR, abs(score) * HAIR)
    if best < 0:
        # The table may hold the choice in a symmetric position, or there is none.
        afresh = s.control[NORMAL] != 0 or s.control[SLOTS] == NO_TABLE
        s.control[AFRESH] = level if afresh else 0
        score_of(s, state, seat, level, depth, quota, wanted - near, wanted + near)
        s.control[AFRESH] = 0
        at = entry_of(s, here, ENTRY)
        if afresh:
            best = _best_known(s, here, depth)
        elif is_hit(s, at, here):
            best = choice_of(s.cells[at + DATA])
    return best if s.control[STOP] == 0 else -1


@helper
def _follow_pv(s, state, first, depth, score, made, by):
    """Play the principal variation in place and write its moves; return how many it has."""
    seat, at, quota, n = turn(s.rules, state), 0, 0, 0
    s.listed[0], s.movers[0] = first, seat
    after = child_of(s, state, 0, first)
    while True:
        made[n], by[n] = s.listed[at], s.movers[at]
        n += 1
        copy(s.rules, after, state)
        then = turn(s.rules, state)
        depth = depth_below(s, by[n - 1], then, depth)
        if n == made.shape[0] or n == s.control[LEVELS] or then < 0 or depth <= 0:
            return n
        quota, seat = quota_after(s, seat, then, quota, at), then
        best = _best_choice(s, key_of(s, state, quota), state, seat, n, depth, quota, score)
        # The search may not have listed the choices of the level, or may have struck them off.
        listed, _ = expand(s, state, seat, n, quota, -1, -1)
        if best < 0 or best >= listed:
            return n
        at = first_choice(s, n) + best
        after = child_at(s, state, seat, n, at)


@compiled
def find_pv(arrays, state, first, depth, score, made, by):
    """Play in place the principal variation after a move, by a search of this depth and score; return its length.

    Positions that the tables have lost are searched again, uncounted.
    """
    s = opened(arrays)
    control = s.control
    nodes, cutoffs, leaves, turns, limit = (
        control[NODES], control[CUTOFFS], control[LEAVES], control[TURNS], control[NODE_LIMIT],
    )  # fmt: skip
    control[NODE_LIMIT] = NO_NODE_LIMIT
    n = _follow_pv(s, pointer(state), first, depth, score, made, by)
    control[NODES], control[CUTOFFS], control[LEAVES], control[TURNS], control[NODE_LIMIT] = (
        nodes, cutoffs, leaves, turns, limit,
    )  # fmt: skip
    return n
