"""Max^n and its relatives: every seat for itself, and what is backed up is the worth of a position to each seat.

Each seat chooses the move best for itself. At its own nodes the root seat may instead aim at a TARGET. What a horizon
or an end is worth can be turned into the evaluations of Not-So-Paranoid (LEAF), and moves can be cut off (PRUNE).
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
    depth_left,
    progress_here,
    spent,
)
from kibitz.agents.search.evaluation import settle
from kibitz.agents.search.maxn.leaves import judge_end, judge_horizon, judge_one
from kibitz.agents.search.maxn.maxn_arrays import (
    LAZY,
    LEXICOGRAPHIC,
    MAXN,
    NOT,
    PARANOID,
    PRUNE,
    RANDOM,
    TARGET,
    TIES,
    UNBOUNDED,
    opened,
)
from kibitz.agents.search.maxn.pruning import BEGUN, FRESH, LAST, is_cut, pass_bounds_on
from kibitz.agents.search.move_picker import STRUCK, child_of, first_choice, list_moves, next_choice, place_of
from kibitz.agents.search.transpositions import NOTE, NUMBER, entry_of, is_known, put_entry
from kibitz.core.address import CELLS, INT, NOTHING, Native, caller
from kibitz.core.calls import copy, has_seat_form, key, play, turn
from kibitz.core.contract import OVER, SEATS
from kibitz.core.dice import below
from kibitz.core.native import compiled, helper, offset, pointer

INFINITE = 1e18
_MAXN = NOTHING(MAXN, CELLS, INT, INT, types.float64)
_maxn_at = caller(_MAXN)


@helper
def worth_at(s, level):
    """Return the worths of the position at a level."""
    return offset(s.worth, level * s.rules[SEATS])


@helper
def line_at(s, level):
    """Return the line that begins at a level."""
    return offset(s.line, level * (s.control[LEVELS] + 1))


@helper
def keep(s, level, move):
    """Take over the worths and the line of the level below."""
    worth, found = worth_at(s, level), worth_at(s, level + 1)
    for seat in range(s.rules[SEATS]):
        worth[seat] = found[seat]
    line, rest = line_at(s, level), line_at(s, level + 1)
    line[0] = move
    for i in range(s.control[LEVELS]):
        line[i + 1] = rest[i]
        if rest[i] < 0:
            break


@helper
def _list_choices(s, state, seat, level):
    """List the moves, with a width also their order by the value of the mover; return how many there are."""
    base, worth = first_choice(s, level), worth_at(s, level + 1)
    n = list_moves(s, state, offset(s.listed, base))
    if s.control[WIDTH] == 0:
        return n
    for i in range(base, base + n):
        after = child_of(s, state, level, s.listed[i])
        s.nexts[i] = turn(s.rules, after)
        if s.nexts[i] == OVER:
            settle(s, after, worth)
        else:
            judge_one(s, after, seat, worth)
        s.order[i] = worth[seat]
    return n


@helper
def _is_better(s, seat, found, best, ties):
    """Return whether the seat prefers the worths `found` to `best`; `ties` have been equal so far."""
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
    """Return whether the root seat prefers the worths `found`; LEXICOGRAPHIC compares all seats' from the first on."""
    if s.control[LEXICOGRAPHIC] == 0:
        return _is_better(s, seat, found, best, ties)
    for other in range(s.rules[SEATS]):
        if found[other] != best[other]:
            return found[other] > best[other]
    return False


@helper
def _position(s, state, level, depth):
    """Return the key of a position in this search: what is found there also depends on how deep the search goes on."""
    return key(s.rules, state) ^ ((depth << 10 | level) << 40)


@helper
def _recall(s, at, level):
    """Take what the table knows about the position at a level."""
    worth, line, note = worth_at(s, level), line_at(s, level), s.cells[at + NOTE]
    for seat in range(s.rules[SEATS]):
        worth[seat] = s.numbers[at + NUMBER + seat]
    line[0], line[1] = note >> 2, -1
    s.control[HORIZON] += (note >> 1) & 1


@helper
def _remember(s, here, level, touched):
    """Note what was found at a level: the move, whether a horizon was touched, and that the entry is not empty."""
    worth, note = worth_at(s, level), line_at(s, level)[0] << 2 | touched << 1 | 1
    at = put_entry(s, here, note, NUMBER + s.rules[SEATS])
    for seat in range(s.rules[SEATS]):
        s.numbers[at + seat] = worth[seat]


@helper
def _sure_of(s, level, seat, first):
    """Return what a seat is sure of at a level; what an earlier move of the same turn has found is sure still."""
    sure = s.sure[level * s.rules[SEATS] + seat]
    if first:
        return sure
    found = worth_at(s, level)[seat]
    return max(sure, found) if s.stage[2 * (level - 1)] == seat else found


@helper
def _follow(s, state, level, depth, bound, seat, at, promise, first):
    """Write what a choice is worth one level below; return whether that is known for the mover only."""
    control, found = s.control, worth_at(s, level + 1)
    line_at(s, level + 1)[0] = -1
    if control[WIDTH] != 0 and control[LAZY] != 0 and control[UNIT] != PROGRESS:
        then = s.nexts[at]
        if then != OVER and depth_after(control, seat, then, depth) == 0:
            found[seat] = promise
            control[TURNS] += 1 if then != seat else 0
            control[HORIZON] += 1
            return not spent(s)
    after = child_of(s, state, level, s.listed[at])
    then = turn(s.rules, after)
    control[TURNS] += 1 if then != seat else 0
    if then == OVER:
        judge_end(s, after, found)
        return False
    left = depth_left(s, progress_here(s, state), after, seat, then, depth)
    if left == 0 and control[LAZY] != 0 and has_seat_form(s.value):
        judge_one(s, after, seat, found)
        control[HORIZON] += 1
        return not spent(s)
    pass_bounds_on(s, level, seat, _sure_of(s, level, seat, first))
    limit = bound if then == seat else (INFINITE if first else s.total[0] - worth_at(s, level)[seat])
    _maxn_at(s.itself, s, after, level + 1, left, limit)
    return False


@helper
def _search_choices(s, state, seat, level, depth, bound):
    """Search the moves of a position; the best worths and line are then at the level."""
    control, best, found = s.control, worth_at(s, level), worth_at(s, level + 1)
    n = _list_choices(s, state, seat, level)
    kept = n if control[WIDTH] == 0 else min(n, control[WIDTH])
    base, ties, unjudged = first_choice(s, level), 0, -1
    for tried in range(kept):
        i = base + (next_choice(offset(s.order, base), n) if control[WIDTH] != 0 else tried)
        promise = s.order[i]
        s.order[i] = STRUCK
        s.stage[2 * level + 1] = FRESH if tried == 0 else (LAST if tried + 1 == kept else BEGUN)
        own_only = _follow(s, state, level, depth, bound, seat, i, promise, tried == 0)
        if control[STOP] != 0:
            return
        ties = ties + 1 if tried and found[seat] == best[seat] else ties
        if tried == 0 or _is_better(s, seat, found, best, ties):
            ties = 0 if tried == 0 or found[seat] != best[seat] else ties
            unjudged = i if own_only else -1
            keep(s, level, s.listed[i])
            if tried + 1 < kept and is_cut(s, seat, best, level, bound):
                control[CUTOFFS] += 1
                break
    if unjudged >= 0:
        judge_horizon(s, child_of(s, state, level, s.listed[unjudged]), best)


def _maxn(s, state, level, depth, bound):
    """Write what a position is worth to each seat, and the play expected, at a level."""
    control = s.control
    line_at(s, level)[0] = -1
    if spent(s):
        return
    best = worth_at(s, level)
    if depth == 0 or level == control[LEVELS]:
        control[SHORT] = max(control[SHORT], depth)
        judge_horizon(s, state, best)
        return
    here = 0
    if control[SLOTS] != 0:
        here = _position(s, state, level, depth)
        at = entry_of(s, here, NUMBER + s.rules[SEATS])
        if is_known(s, at, here):
            _recall(s, at, level)
            return
    seat, horizon = turn(s.rules, state), control[HORIZON]
    s.stage[2 * level] = seat
    _search_choices(s, state, seat, level, depth, bound)
    # Where a bound was reached, moves may have been left out, here or at a later move of the same turn.
    if control[SLOTS] != 0 and control[STOP] == 0 and (control[PRUNE] == NOT or best[seat] < bound):
        _remember(s, here, level, 1 if control[HORIZON] != horizon else 0)


maxn = Native(_maxn, _MAXN)


@helper
def _complete_line(s, root, depth):
    """Search on where the line ends because the table knew the rest: it keeps one move of each position."""
    control, line = s.control, s.line
    state, level = place_of(s, control[LEVELS]), 0
    copy(s.rules, root, state)
    while depth > 0 and level < control[LEVELS] and turn(s.rules, state) != OVER:
        if line[level] < 0:
            _maxn_at(s.itself, s, state, level, depth, INFINITE)
            found = line_at(s, level)
            for i in range(control[LEVELS] + 1 - level):
                line[level + i] = found[i]
            if control[STOP] != 0:
                return
        seat, before = turn(s.rules, state), progress_here(s, state)
        play(s.rules, state, line[level])
        depth = depth_left(s, before, state, seat, turn(s.rules, state), depth)
        level += 1


@helper
def _try_root_move(s, state, seat, move, depth, first):
    """Write what a move of the root seat is worth at level 1."""
    control, best = s.control, worth_at(s, 0)[seat]
    s.stage[1] = FRESH if first else BEGUN
    line_at(s, 1)[0] = -1
    after = child_of(s, state, 0, move)
    then = turn(s.rules, after)
    control[TURNS] += 1 if then != seat else 0
    if then == OVER:
        judge_end(s, after, worth_at(s, 1))
        return
    pass_bounds_on(s, 0, seat, UNBOUNDED if first else best)
    limit = INFINITE if then == seat or first else s.total[0] - best
    left = depth_left(s, progress_here(s, state), after, seat, then, depth)
    _maxn_at(s.itself, s, after, 1, left, limit)


@compiled
def search_root(arrays, root, depth, tried, scores, worths):
    """Search the moves `tried` in that order; write the mover's score and all seats' worths after each.

    The score is what the mover gets, or how little the TARGET gets. Return the place of the best, or -1 if the budget
    ran out before the first was done.
    """
    s, state = opened(arrays), pointer(root)
    control, seats, seat = s.control, s.rules[SEATS], turn(s.rules, state)
    best, ties, kept, found = -1, 0, worth_at(s, 0), worth_at(s, 1)
    s.stage[0] = seat
    for other in range(seats):
        s.sure[other] = UNBOUNDED
    for i in range(tried.shape[0]):
        _try_root_move(s, state, seat, tried[i], depth, best < 0)
        if control[STOP] != 0:
            return best
        scores[i] = found[seat] if control[TARGET] < 0 else -found[control[TARGET]]
        for other in range(seats):
            worths[i, other] = found[other]
        ties = ties + 1 if best >= 0 and found[seat] == kept[seat] else ties
        if best < 0 or _is_better_at_root(s, seat, found, kept, ties):
            ties = 0 if best < 0 or found[seat] != kept[seat] else ties
            best = i
            keep(s, 0, tried[i])
    if control[SLOTS] != 0:
        _complete_line(s, state, depth)
    return best
