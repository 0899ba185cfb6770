"""Speculative pruning of max^n (Sturtevant 2003), for three seats that move in turn.

A node is pruned as soon as the guarantees of its seat, the seat before it and the one before that add up to the total.
This is a guess: if it turns out wrong later, the node is searched again. A seat with no move searched yet has no bound,
and of equal moves the leftmost is chosen.
"""

from numba import types

from kibitz.agents.search.control import CUTOFFS, LEVELS, SHORT, STOP, depth_after, spent
from kibitz.agents.search.maxn.leaves import evaluate_end, evaluate_horizon
from kibitz.agents.search.maxn.maxn_arrays import MAXN, UNBOUNDED
from kibitz.agents.search.maxn.maxn_kernel import back_up, pv_at, values_at
from kibitz.agents.search.move_picker import child_of, first_choice, list_moves
from kibitz.agents.search.search_arrays import opened
from kibitz.core.address import CELLS, INT, Native, caller
from kibitz.core.calls import turn
from kibitz.core.contract import OVER
from kibitz.core.native import compiled, helper, offset, pointer

_WAITING, _DONE, _POSTPONED = 0.0, 1.0, 2.0  # how a child is marked
_COMPLETE, _CUT, _PRUNED_SPECULATIVELY = 0, 1, 2  # how the search of a node's children ended
_SPECULATE = INT(MAXN, CELLS, INT, INT, types.float64, types.float64, INT)
_speculate_at = caller(_SPECULATE)
_TIE = 1e-7  # a child left of the best so far may be cut off only if it is worse


@helper
def _first(marks, n):
    """Return the first child still to be searched, or -1."""
    for i in range(n):
        if marks[i] == _WAITING:
            return i
    return -1


@helper
def _resume_postponed(marks, n):
    """Put the postponed children back on the list."""
    for i in range(n):
        if marks[i] == _POSTPONED:
            marks[i] = _WAITING


@helper
def _search_child(s, after, seat, then, level, depth, sure, parent, before, improves):
    """Write the values of an unfinished child one level below; return 1 if it was pruned on a guess instead.

    `sure` is the seat's guarantee; `improves` says whether the best so far gives the seat before more than its
    guarantee, so that this bound must not be used.
    """
    usable = then != seat and then != before and not improves
    left = depth_after(s.control, seat, then, depth)
    return _speculate_at(s.itself, s, after, level + 1, left, sure, parent if usable else UNBOUNDED, seat)


@helper
def _search_choices(s, state, seat, level, depth, parent, grand, before):
    """Search the moves of a position; return how that ended, and the move chosen or -1."""
    best, found, base, chosen = values_at(s, level), values_at(s, level + 1), first_choice(s, level), -1
    n, marks = list_moves(s, state, offset(s.listed, base)), offset(s.order, base)
    for i in range(n):
        marks[i] = _WAITING
    while True:
        i = _first(marks, n)
        if i < 0:
            return _COMPLETE, chosen
        marks[i] = _DONE
        after = child_of(s, state, level, s.listed[base + i])
        then = turn(s.rules, after)
        if then == OVER:
            pv_at(s, level + 1)[0] = -1
            evaluate_end(s, after, found)
        else:
            sure = UNBOUNDED if chosen < 0 or then == seat else best[seat] - (_TIE if i < chosen else 0.0)
            improves = chosen >= 0 and best[before] > parent
            if _search_child(s, after, seat, then, level, depth, sure, parent, before, improves) != 0:
                marks[i] = _POSTPONED
                continue
        if s.control[STOP] != 0:
            return _COMPLETE, chosen
        if chosen < 0 or found[seat] > best[seat] or (found[seat] == best[seat] and i < chosen):
            chosen = i
            back_up(s, level, s.listed[base + i])
            if parent == UNBOUNDED or best[before] > parent:
                _resume_postponed(marks, n)
        if parent > UNBOUNDED and grand > UNBOUNDED and grand + parent + best[seat] >= s.total[0]:
            return _PRUNED_SPECULATIVELY, chosen
        if parent > UNBOUNDED and parent + best[seat] >= s.total[0]:
            return _CUT, chosen


def _speculate(s, state, level, depth, parent, grand, before):
    """Write the values of a position at a level; return 1 if it was pruned on a guess instead.

    `parent` and `grand` are the guarantees of the seat before and of the one before that, UNBOUNDED if they must not be
    used; `before` is the seat that moved here.
    """
    control = s.control
    pv_at(s, level)[0] = -1
    if spent(s):
        return 0
    if depth == 0 or level == control[LEVELS]:
        control[SHORT] = max(control[SHORT], depth)
        evaluate_horizon(s, state, values_at(s, level))
        return 0
    ended, chosen = _search_choices(s, state, turn(s.rules, state), level, depth, parent, grand, before)
    if control[STOP] != 0:
        return 0
    if ended != _COMPLETE:
        control[CUTOFFS] += 1
        return 1 if ended == _PRUNED_SPECULATIVELY else 0
    if chosen < 0:
        return _speculate_at(s.itself, s, state, level, depth, UNBOUNDED, UNBOUNDED, before)
    return 0


speculate = Native(_speculate, _SPECULATE)


@compiled
def search_speculatively(arrays, root, depth):
    """Search from the root; its values and principal variation are at level 0. Return whether the budget sufficed."""
    s = opened(arrays)
    _speculate_at(s.itself, s, pointer(root), 0, depth, UNBOUNDED, UNBOUNDED, 0)
    return s.control[STOP] == 0
