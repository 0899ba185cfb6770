"""Max^n and its relatives: every seat for itself; a value for each seat is backed up.

Each seat chooses the move best for itself. At its own nodes the root seat may instead aim at a TARGET. Leaves may be
evaluated as Not-So-Paranoid search does (LEAF), and moves can be cut off (PRUNE): by the bounds of seats, or by the
total that all share.
"""

from numba import types

from kibitz.agents.search.control import (
    CUTOFFS,
    HORIZON,
    LEVELS,
    PROGRESS,
    ROOT,
    SHORT,
    SLOTS,
    STOP,
    TURNS,
    UNIT,
    WIDTH,
    depth_after,
    depth_after_roll,
    depth_left,
    progress_here,
    spent,
)
from kibitz.agents.search.evaluation import evaluate_move, evaluate_terminal
from kibitz.agents.search.maxn.leaves import evaluate_end, evaluate_horizon, evaluate_leaf_for
from kibitz.agents.search.maxn.maxn_arrays import (
    ALL,
    ANY,
    LAST_BRANCH,
    LAZY,
    LEFTMOST,
    LEXICOGRAPHIC,
    MAXN,
    NOT,
    PARANOID,
    PRUNE,
    RANDOM,
    SHALLOW,
    TARGET,
    TIES,
    UNBOUNDED,
)
from kibitz.agents.search.move_picker import (
    SEARCHED_OR_PRUNED,
    child_of,
    first_choice,
    list_moves,
    next_choice,
    place_of,
)
from kibitz.agents.search.search_arrays import opened
from kibitz.agents.search.transpositions import DATA, NUMBER, entry_of, is_hit, store_entry
from kibitz.core.address import CELLS, INT, NOTHING, Native, caller
from kibitz.core.calls import copy, has_seat_form, key, moves, odds, play, total_odds, turn
from kibitz.core.contract import CHANCE, OVER, SEATS
from kibitz.core.dice import below
from kibitz.core.native import compiled, helper, offset, pointer

INFINITE = 1e18
FRESH, BEGUN, LAST = 0, 1, 2  # the stage of a level: no move searched, some, all but the last
_MAXN = NOTHING(MAXN, CELLS, INT, INT, types.float64)
_maxn_at = caller(_MAXN)


@helper
def values_at(s, level):
    """Return the values of the position at a level."""
    return offset(s.values, level * s.rules[SEATS])


@helper
def pv_at(s, level):
    """Return the principal variation from a level on."""
    return offset(s.pv, level * (s.control[LEVELS] + 1))


@helper
def back_up(s, level, move):
    """Back up the values and the principal variation of the level below."""
    values, found = values_at(s, level), values_at(s, level + 1)
    for seat in range(s.rules[SEATS]):
        values[seat] = found[seat]
    pv, rest = pv_at(s, level), pv_at(s, level + 1)
    pv[0] = move
    for i in range(s.control[LEVELS]):
        pv[i + 1] = rest[i]
        if rest[i] < 0:
            break


@helper
def _list_choices(s, state, seat, level):
    """List the moves, with a width also their order by the value of the mover; return how many there are."""
    base, values = first_choice(s, level), values_at(s, level + 1)
    n = list_moves(s, state, offset(s.listed, base))
    if s.control[WIDTH] == 0:
        return n
    for i in range(base, base + n):
        after = child_of(s, state, level, s.listed[i])
        s.nexts[i] = turn(s.rules, after)
        if s.nexts[i] == OVER:
            evaluate_terminal(s, after, values)
        elif s.nexts[i] == CHANCE:
            evaluate_move(s.rules, s.value_function, s.value_weights, s.expectation, state, after, values)
        else:
            evaluate_leaf_for(s, after, seat, values)
        s.order[i] = values[seat]
    return n


@helper
def _is_better(s, seat, found, best, ties):
    """Return whether the seat prefers the values `found` to `best`; `ties` have been equal so far."""
    control = s.control
    if seat == control[ROOT] and control[TARGET] >= 0:
        target = control[TARGET]
        if found[target] != best[target]:
            return found[target] < best[target]
        return found[seat] > best[seat]
    if found[seat] != best[seat]:
        return found[seat] > best[seat]
    if control[TIES] == PARANOID:
        return found[control[ROOT]] < best[control[ROOT]]
    return control[TIES] == RANDOM and below(s.rng, ties + 1) == 0


@helper
def _is_better_at_root(s, seat, found, best, ties):
    """Return whether the root seat prefers the values `found`; LEXICOGRAPHIC compares those of all seats in turn."""
    if s.control[LEXICOGRAPHIC] == 0:
        return _is_better(s, seat, found, best, ties)
    for other in range(s.rules[SEATS]):
        if found[other] != best[other]:
            return found[other] > best[other]
    return False


@helper
def _key_of(s, state, level, depth):
    """Return the key of a position in this search: the result there also depends on the remaining depth."""
    return key(s.rules, state) ^ ((depth << 10 | level) << 40)


@helper
def _load(s, at, level):
    """Take the values and the best move of a position from the transposition table."""
    values, pv, data = values_at(s, level), pv_at(s, level), s.cells[at + DATA]
    for seat in range(s.rules[SEATS]):
        values[seat] = s.numbers[at + NUMBER + seat]
    pv[0], pv[1] = data >> 2, -1
    s.control[HORIZON] += (data >> 1) & 1


@helper
def _store(s, here, level, touched):
    """Store the result of a level: the move, whether a horizon was reached, and that the entry is not empty."""
    values, data = values_at(s, level), pv_at(s, level)[0] << 2 | touched << 1 | 1
    at = store_entry(s, here, data, NUMBER + s.rules[SEATS])
    for seat in range(s.rules[SEATS]):
        s.numbers[at + seat] = values[seat]


@helper
def _is_cut(s, seat, best, level, bound):
    """Return whether the rest of the moves can be left out."""
    control = s.control
    if control[PRUNE] == NOT:
        return False
    if control[PRUNE] == SHALLOW or control[PRUNE] == LAST_BRANCH:
        if best[seat] > bound or (control[TIES] == LEFTMOST and best[seat] == bound):
            return True
        return control[PRUNE] == LAST_BRANCH and _is_last_branch_cut(s, seat, best, level)
    bounds = offset(s.bounds, level * s.rules[SEATS])
    for other in range(s.rules[SEATS]):
        if other != seat:
            below_bound = bounds[other] > UNBOUNDED and best[other] < bounds[other]
            if control[PRUNE] == ANY and below_bound:
                return True
            if control[PRUNE] == ALL and not below_bound:
                return False
    return control[PRUNE] == ALL


@helper
def _is_last_branch_cut(s, seat, best, level):
    """Return whether this seat and all others, one at each level above, are together guaranteed the whole total.

    Then nothing found here can give the first of them more than it has, if those between are at their last move and
    have nothing better for it yet (last-branch pruning, Sturtevant 2003).
    """
    seats = s.rules[SEATS]
    top = level - seats + 1
    if top < 0 or s.stage[2 * top + 1] == FRESH:
        return False
    first, met, sum_ = s.stage[2 * top], 1 << seat, best[seat]
    for above in range(top, level):
        mover, values = s.stage[2 * above], offset(s.values, above * seats)
        if above > top and (s.stage[2 * above + 1] != LAST or values[first] > s.values[top * seats + first]):
            return False
        met |= 1 << mover
        sum_ += values[mover]
    return met == (1 << seats) - 1 and sum_ >= s.total[0]


@helper
def _propagate_bounds(s, level, seat, bound):
    """Write the bounds of all seats for the level below."""
    seats = s.rules[SEATS]
    if s.control[PRUNE] == ALL or s.control[PRUNE] == ANY:
        for other in range(seats):
            s.bounds[(level + 1) * seats + other] = s.bounds[level * seats + other]
        s.bounds[(level + 1) * seats + seat] = bound


@helper
def _bound_of(s, level, seat, first):
    """Return the bound of a seat at a level; what an earlier move of the same turn has found still holds."""
    bound = s.bounds[level * s.rules[SEATS] + seat]
    if first:
        return bound
    found = values_at(s, level)[seat]
    return max(bound, found) if s.stage[2 * (level - 1)] == seat else found


@helper
def _follow(s, state, level, depth, bound, seat, at, estimate, first):
    """Write what a choice is worth one level below; return whether that is known for the mover only."""
    control, found = s.control, values_at(s, level + 1)
    pv_at(s, level + 1)[0] = -1
    if control[WIDTH] != 0 and control[LAZY] != 0 and control[UNIT] != PROGRESS:
        then = s.nexts[at]
        if then >= 0 and depth_after(control, seat, then, depth) == 0:
            found[seat] = estimate
            control[TURNS] += 1 if then != seat else 0
            control[HORIZON] += 1
            return not spent(s)
    after = child_of(s, state, level, s.listed[at])
    then = turn(s.rules, after)
    if then == CHANCE:
        _maxn_at(s.itself, s, after, level + 1, depth, INFINITE)
        return False
    control[TURNS] += 1 if then != seat else 0
    if then == OVER:
        evaluate_end(s, after, found)
        return False
    left = depth_left(s, progress_here(s, state), after, seat, then, depth)
    if left == 0 and control[LAZY] != 0 and has_seat_form(s.value_function):
        evaluate_leaf_for(s, after, seat, found)
        control[HORIZON] += 1
        return not spent(s)
    _propagate_bounds(s, level, seat, _bound_of(s, level, seat, first))
    limit = bound if then == seat else (INFINITE if first else s.total[0] - values_at(s, level)[seat])
    _maxn_at(s.itself, s, after, level + 1, left, limit)
    return False


@helper
def _search_choices(s, state, seat, level, depth, bound):
    """Search the moves of a position; the best values and principal variation are then at the level."""
    control, best, found = s.control, values_at(s, level), values_at(s, level + 1)
    n = _list_choices(s, state, seat, level)
    kept = n if control[WIDTH] == 0 else min(n, control[WIDTH])
    base, ties, unevaluated = first_choice(s, level), 0, -1
    for tried in range(kept):
        i = base + (next_choice(offset(s.order, base), n) if control[WIDTH] != 0 else tried)
        estimate = s.order[i]
        s.order[i] = SEARCHED_OR_PRUNED
        s.stage[2 * level + 1] = FRESH if tried == 0 else (LAST if tried + 1 == kept else BEGUN)
        own_only = _follow(s, state, level, depth, bound, seat, i, estimate, tried == 0)
        if control[STOP] != 0:
            return
        ties = ties + 1 if tried and found[seat] == best[seat] else ties
        if tried == 0 or _is_better(s, seat, found, best, ties):
            ties = 0 if tried == 0 or found[seat] != best[seat] else ties
            unevaluated = i if own_only else -1
            back_up(s, level, s.listed[i])
            if tried + 1 < kept and _is_cut(s, seat, best, level, bound):
                control[CUTOFFS] += 1
                break
    if unevaluated >= 0:
        evaluate_horizon(s, child_of(s, state, level, s.listed[unevaluated]), best)


@helper
def _expect(s, state, level, depth):
    """Write the expected values of a position in which chance moves; that ends the variation.

    A roll ends the turn of the seat before it. No bound holds across it.
    """
    control, seats, mover = s.control, s.rules[SEATS], s.stage[2 * (level - 1)]
    values, found, base = values_at(s, level), values_at(s, level + 1), first_choice(s, level)
    s.stage[2 * level], s.stage[2 * level + 1] = mover, FRESH
    for seat in range(seats):
        values[seat] = 0.0
        s.bounds[(level + 1) * seats + seat] = UNBOUNDED
    n = moves(s.rules, state, offset(s.listed, base))
    n = min(n, odds(s.rules, state, offset(s.nexts, base)))
    total, before = total_odds(n, offset(s.nexts, base)), progress_here(s, state)
    for i in range(base, base + n):
        after = child_of(s, state, level, s.listed[i])
        then = turn(s.rules, after)
        control[TURNS] += 1 if then != mover and then != CHANCE else 0
        if then == OVER:
            evaluate_end(s, after, found)
        else:
            left = depth_after_roll(s, before, after, depth)
            _maxn_at(s.itself, s, after, level + 1, left, INFINITE)
        if control[STOP] != 0:
            return
        for seat in range(seats):
            values[seat] += s.nexts[i] / total * found[seat]


def _maxn(s, state, level, depth, bound):
    """Write the values of a position and its principal variation at a level."""
    control = s.control
    pv_at(s, level)[0] = -1
    if spent(s):
        return
    best = values_at(s, level)
    if turn(s.rules, state) == CHANCE and depth > 0 and level < control[LEVELS]:
        _expect(s, state, level, depth)
        return
    if depth == 0 or level == control[LEVELS]:
        control[SHORT] = max(control[SHORT], depth)
        evaluate_horizon(s, state, best)
        return
    here = 0
    if control[SLOTS] != 0:
        here = _key_of(s, state, level, depth)
        at = entry_of(s, here, NUMBER + s.rules[SEATS])
        if is_hit(s, at, here):
            _load(s, at, level)
            return
    seat, horizon = turn(s.rules, state), control[HORIZON]
    s.stage[2 * level] = seat
    _search_choices(s, state, seat, level, depth, bound)
    # Where a bound was reached, moves may have been left out, here or at a later move of the same turn.
    if control[SLOTS] != 0 and control[STOP] == 0 and (control[PRUNE] == NOT or best[seat] < bound):
        _store(s, here, level, 1 if control[HORIZON] != horizon else 0)


maxn = Native(_maxn, _MAXN)


@helper
def _complete_pv(s, root, depth):
    """Search further where the principal variation ends at a table hit, since an entry holds only one move."""
    control, pv = s.control, s.pv
    state, level = place_of(s, control[LEVELS]), 0
    copy(s.rules, root, state)
    while depth > 0 and level < control[LEVELS] and turn(s.rules, state) >= 0:
        if pv[level] < 0:
            _maxn_at(s.itself, s, state, level, depth, INFINITE)
            found = pv_at(s, level)
            for i in range(control[LEVELS] + 1 - level):
                pv[level + i] = found[i]
            if control[STOP] != 0:
                return
        seat, before = turn(s.rules, state), progress_here(s, state)
        play(s.rules, state, pv[level])
        depth = depth_left(s, before, state, seat, turn(s.rules, state), depth)
        level += 1


@helper
def _try_root_move(s, state, seat, move, depth, first):
    """Write what a move of the root seat is worth at level 1."""
    control, best = s.control, values_at(s, 0)[seat]
    s.stage[1] = FRESH if first else BEGUN
    pv_at(s, 1)[0] = -1
    after = child_of(s, state, 0, move)
    then = turn(s.rules, after)
    if then == CHANCE:
        _maxn_at(s.itself, s, after, 1, depth, INFINITE)
        return
    control[TURNS] += 1 if then != seat else 0
    if then == OVER:
        evaluate_end(s, after, values_at(s, 1))
        return
    _propagate_bounds(s, 0, seat, UNBOUNDED if first else best)
    limit = INFINITE if then == seat or first else s.total[0] - best
    left = depth_left(s, progress_here(s, state), after, seat, then, depth)
    _maxn_at(s.itself, s, after, 1, left, limit)


@compiled
def search_root(arrays, root, depth, tried, scores, move_values):
    """Search the moves `tried` in that order; write the mover's score and the values to all seats after each.

    The score is what the mover gets, or how little the TARGET gets. Return the index of the best, or -1 if the budget
    ran out during the first.
    """
    s, state = opened(arrays), pointer(root)
    control, seats, seat = s.control, s.rules[SEATS], turn(s.rules, state)
    best, ties, kept, found = -1, 0, values_at(s, 0), values_at(s, 1)
    s.stage[0] = seat
    for other in range(seats):
        s.bounds[other] = UNBOUNDED
    for i in range(tried.shape[0]):
        _try_root_move(s, state, seat, tried[i], depth, best < 0)
        if control[STOP] != 0:
            return best
        scores[i] = found[seat] if control[TARGET] < 0 else -found[control[TARGET]]
        for other in range(seats):
            move_values[i, other] = found[other]
        ties = ties + 1 if best >= 0 and found[seat] == kept[seat] else ties
        if best < 0 or _is_better_at_root(s, seat, found, kept, ties):
            ties = 0 if best < 0 or found[seat] != kept[seat] else ties
            best = i
            back_up(s, 0, tried[i])
    if control[SLOTS] != 0:
        _complete_pv(s, state, depth)
    return best
