"""Every seat for itself: max^n and its relatives, which back up what a position is worth to each seat.

Each seat chooses the move best for itself. At its own nodes the root seat may instead aim at a TARGET. What a horizon
or an end is worth can be turned into the evaluations of Not-So-Paranoid (LEAF), and moves can be cut off (PRUNE).
"""

from typing import Any, NamedTuple

from numba import types

from kibitz.agents.search.judge import DECIDED, appraise, appraise_for, settled
from kibitz.agents.search.sifting import sifted
from kibitz.agents.search.transpositions import slot_of
from kibitz.core.address import CELLS, DICE, INT, NOTHING, NUMBERS, Native, caller
from kibitz.core.calls import copy, has_seat_form, key, moves, payoff, play, turn
from kibitz.core.contract import OVER, SEATS, SIZE
from kibitz.core.dice import below
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.shares import share_out

# Cells of `control`. What a search counts, then what it is told. JUDGED counts worths of single seats, TURNS turns that
# came to an end; SHORT is the most depth that was left where levels ended; FILLED and SLOT_MASK belong to the table.
NODES, STOP, HORIZON, CUTOFFS, LEAVES, JUDGED, TURNS, SHORT, FILLED, SLOT_MASK = range(10)
NODE_LIMIT, MOST_LEVELS, ROOT, BY_MOVES, WIDTH, CHOICES, TIES, TARGET, LEAF, PRUNE = range(10, 20)
LEXICOGRAPHIC, LAZY, MOST_SLOTS = range(20, 23)
CONTROL_CELLS = 23

LEFTMOST, PARANOID, RANDOM = 0, 1, 2  # TIES: the first of equal moves, that worst for the root seat, or any
PLAIN, SQUARES, RATIOS = 0, 1, 2  # LEAF: as it is; u_i - sum u_j^2 / u_i; 1 - sum u_j / u_i
# PRUNE: never; Korf's; below all other seats' bounds; below any; Korf's and Sturtevant's on the last branch
NOT, SHALLOW, ALL, ANY, LAST_BRANCH = 0, 1, 2, 3, 4

INFINITE = 1e18
UNBOUNDED = -1e18  # a seat that is sure of nothing yet
_STRUCK = -1e18  # the order of a move that is not to be searched
_FRESH, _BEGUN, _LAST = 0, 1, 2  # how far a level has come: no move searched, some, only the last is left


class Search(NamedTuple):
    """Everything a search works on; arrays when Python hands it in, addresses inside."""

    rules: Any
    value: Any
    weights: Any
    control: Any
    total: Any  # one number: the most that all seats' worths can sum up to, where the value declares it
    states: Any  # level x cell: the position after the move that is searched
    listed: Any  # level x choice
    order: Any  # level x choice: the greater, the sooner
    nexts: Any  # level x choice: who is to move after it, where the order is by value
    worth: Any  # level x seat: what the position at a level is worth
    sure: Any  # level x seat: what each seat is sure of at its nearest node above
    stage: Any  # level x 2: the seat to move, and how far the level has come
    line: Any  # level x level: the play expected from a level on; -1 ends it
    keys: Any  # by slot: a position, with level and depth
    notes: Any  # by slot: 0 if empty; else bit 0 is set, bit 1 tells whether a horizon was touched, above is the move
    shares: Any  # slot x seat: what it is worth
    rng: Any
    sieve: Any  # what leaves out moves, or 0
    dice: Any  # for the sieve
    itself: Any  # the handle of `maxn`, through which it calls itself


SEARCH = types.NamedTuple(
    (CELLS, CELLS, NUMBERS, CELLS, NUMBERS, CELLS, CELLS, NUMBERS, CELLS, NUMBERS, NUMBERS, CELLS, CELLS, CELLS,
     CELLS, NUMBERS, DICE, INT, DICE, INT),
    Search,
)  # fmt: skip
_MAXN = NOTHING(SEARCH, CELLS, INT, INT, types.float64)
_again = caller(_MAXN)


@helper
def opened(s):
    return Search(
        pointer(s.rules), pointer(s.value), pointer(s.weights), pointer(s.control), pointer(s.total), pointer(s.states),
        pointer(s.listed), pointer(s.order), pointer(s.nexts), pointer(s.worth), pointer(s.sure), pointer(s.stage),
        pointer(s.line), pointer(s.keys), pointer(s.notes), pointer(s.shares), pointer(s.rng), s.sieve,
        pointer(s.dice), s.itself,
    )  # fmt: skip


@helper
def spent(control):
    """Count a position and tell whether the search has to stop."""
    control[NODES] += 1
    if control[NODES] > control[NODE_LIMIT]:
        control[STOP] = 1
    return control[STOP] != 0


@helper
def _weigh(s, worth):
    """Turn utilities, which are positive, into Not-So-Paranoid evaluations in place."""
    seats = s.rules[SEATS]
    total, squares = 0.0, 0.0
    for seat in range(seats):
        total += worth[seat]
        squares += worth[seat] * worth[seat]
    for seat in range(seats):
        own = worth[seat]
        if s.control[LEAF] == SQUARES:
            worth[seat] = own - (squares - own * own) / own
        else:
            worth[seat] = 1.0 - (total - own) / own


@helper
def _judge_all(s, state, worth):
    s.control[JUDGED] += s.rules[SEATS]
    appraise(s.rules, s.value, s.weights, state, worth)


@helper
def _judge_one(s, state, seat, worth):
    """Write what an unfinished position is worth to one seat; the others' worths may be written too."""
    if not has_seat_form(s.value):
        _judge_all(s, state, worth)
        return
    s.control[JUDGED] += 1
    worth[seat] = appraise_for(s.value, s.weights, state, seat)


@helper
def judge_horizon(s, state, worth):
    s.control[HORIZON] += 1
    s.control[LEAVES] += 1
    _judge_all(s, state, worth)
    if s.control[LEAF] != PLAIN:
        _weigh(s, worth)


@helper
def judge_end(s, state, worth):
    """Write what a finished game is worth, on the scale that the leaves are on."""
    s.control[LEAVES] += 1
    if s.control[LEAF] == PLAIN and s.total[0] == 0.0:
        settled(s.rules, state, worth)
        return
    payoff(s.rules, state, worth)
    if s.control[LEAF] == PLAIN:
        share_out(s.rules[SEATS], s.total[0], worth)
        return
    for seat in range(s.rules[SEATS]):
        worth[seat] = 1.0 + worth[seat] * DECIDED
    _weigh(s, worth)


@helper
def child_of(s, state, level, move):
    """Return the position after a move; it lies in the one place that a level has."""
    after = offset(s.states, level * s.rules[SIZE])
    copy(s.rules, state, after)
    play(s.rules, after, move)
    return after


@helper
def list_moves(s, state, seat, level):
    """List the moves and their order; with a width, by the value of the mover, else as they come."""
    base = level * s.control[CHOICES]
    listed, order, worth = offset(s.listed, base), offset(s.order, base), offset(s.worth, (level + 1) * s.rules[SEATS])
    n = sifted(s.rules, s.sieve, s.control[ROOT], state, s.dice, listed, moves(s.rules, state, listed))
    for i in range(n):
        order[i] = -i
        if s.control[WIDTH] != 0:
            after = child_of(s, state, level, listed[i])
            s.nexts[base + i] = turn(s.rules, after)
            if s.nexts[base + i] == OVER:
                settled(s.rules, after, worth)
            else:
                _judge_one(s, after, seat, worth)
            order[i] = worth[seat]
    return n


@helper
def _next(order, n):
    """Return the move to search next."""
    best = 0
    for i in range(1, n):
        if order[i] > order[best]:
            best = i
    return best


@helper
def _better(s, seat, found, best, ties):
    """Tell whether the seat prefers the worths `found` to `best`; `ties` have been equal so far."""
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
def _better_at_root(s, seat, found, best, ties):
    """Tell whether the root seat prefers the worths `found`; LEXICOGRAPHIC compares all seats' from the first on."""
    if s.control[LEXICOGRAPHIC] == 0:
        return _better(s, seat, found, best, ties)
    for other in range(s.rules[SEATS]):
        if found[other] != best[other]:
            return found[other] > best[other]
    return False


@helper
def keep(s, level, move):
    """Take over the worths and the line of the level below."""
    seats, span = s.rules[SEATS], s.control[MOST_LEVELS] + 1
    for seat in range(seats):
        s.worth[level * seats + seat] = s.worth[(level + 1) * seats + seat]
    s.line[level * span] = move
    i = 0
    while i < span - 1:
        s.line[level * span + i + 1] = s.line[(level + 1) * span + i]
        if s.line[(level + 1) * span + i] < 0:
            break
        i += 1


@helper
def _cut(s, seat, best, level, bound):
    """Tell whether the rest of the moves can be left out."""
    control = s.control
    if control[PRUNE] == NOT:
        return False
    if control[PRUNE] == SHALLOW or control[PRUNE] == LAST_BRANCH:
        if best[seat] > bound or (control[TIES] == LEFTMOST and best[seat] == bound):
            return True
        return control[PRUNE] == LAST_BRANCH and _is_shared_out(s, seat, best, level)
    sure = offset(s.sure, level * s.rules[SEATS])
    for other in range(s.rules[SEATS]):
        if other != seat:
            below_bound = sure[other] > UNBOUNDED and best[other] < sure[other]
            if control[PRUNE] == ANY and below_bound:
                return True
            if control[PRUNE] == ALL and not below_bound:
                return False
    return control[PRUNE] == ALL


@helper
def _is_shared_out(s, seat, best, level):
    """Tell whether this seat and all others, one at each level above, are together sure of the whole total.

    The first of them then gets no more than it has, whatever is found here, if those between are at their last move and
    have nothing better for it yet (Sturtevant 2003).
    """
    seats = s.rules[SEATS]
    top = level - seats + 1
    if top < 0 or s.stage[2 * top + 1] == _FRESH:
        return False
    first, met, sum_ = s.stage[2 * top], 1 << seat, best[seat]
    for above in range(top, level):
        mover, worth = s.stage[2 * above], offset(s.worth, above * seats)
        if above > top and (s.stage[2 * above + 1] != _LAST or worth[first] > s.worth[top * seats + first]):
            return False
        met |= 1 << mover
        sum_ += worth[mover]
    return met == (1 << seats) - 1 and sum_ >= s.total[0]


@helper
def _pass_on(s, level, seat, sure):
    """Tell the level below what each seat is sure of."""
    seats = s.rules[SEATS]
    if s.control[PRUNE] == ALL or s.control[PRUNE] == ANY:
        for other in range(seats):
            s.sure[(level + 1) * seats + other] = s.sure[level * seats + other]
        s.sure[(level + 1) * seats + seat] = sure


@helper
def _position(s, state, level, depth):
    """Return the key of a position in this search: what is found there also depends on how deep the search goes on."""
    return key(s.rules, state) ^ ((depth << 10 | level) << 40)


@helper
def _recall(s, slot, level):
    """Take what the table knows about the position at a level."""
    seats, span = s.rules[SEATS], s.control[MOST_LEVELS] + 1
    for seat in range(seats):
        s.worth[level * seats + seat] = s.shares[slot * seats + seat]
    s.line[level * span] = s.notes[slot] >> 2
    s.line[level * span + 1] = -1
    s.control[HORIZON] += (s.notes[slot] >> 1) & 1


@helper
def _move_entry(s, old, new):
    seats = s.rules[SEATS]
    s.keys[new], s.notes[new], s.notes[old] = s.keys[old], s.notes[old], 0
    for seat in range(seats):
        s.shares[new * seats + seat] = s.shares[old * seats + seat]


@helper
def _make_room(s):
    """Double the slots in use once half of them are filled."""
    control, slots = s.control, s.control[SLOT_MASK] + 1
    if 2 * control[FILLED] > slots and 2 * slots <= control[MOST_SLOTS]:
        control[SLOT_MASK] = 2 * slots - 1
        for old in range(slots):
            new = slot_of(s.keys[old], control[SLOT_MASK])
            if s.notes[old] != 0 and new != old:
                _move_entry(s, old, new)


@helper
def _remember(s, here, level, touched):
    """Note what was found at a level."""
    seats, span = s.rules[SEATS], s.control[MOST_LEVELS] + 1
    _make_room(s)
    slot = slot_of(here, s.control[SLOT_MASK])
    s.control[FILLED] += 1 if s.notes[slot] == 0 else 0
    s.keys[slot] = here
    s.notes[slot] = s.line[level * span] << 2 | touched << 1 | 1
    for seat in range(seats):
        s.shares[slot * seats + seat] = s.worth[level * seats + seat]


@helper
def depth_left(s, seat, then, depth):
    """Return the depth left after a move of a seat."""
    return depth - 1 if s.control[BY_MOVES] != 0 or then != seat else depth


@helper
def _follow(s, state, level, depth, bound, seat, i, promise, first):
    """Write what a move is worth one level below; return 1 if that is known for the mover only, else 0."""
    control, seats = s.control, s.rules[SEATS]
    at, below_ = level * control[CHOICES] + i, level + 1
    best, found = offset(s.worth, level * seats), offset(s.worth, below_ * seats)
    s.line[below_ * (control[MOST_LEVELS] + 1)] = -1
    if control[WIDTH] != 0 and control[LAZY] != 0:
        then = s.nexts[at]
        if then != OVER and depth_left(s, seat, then, depth) == 0:
            found[seat] = promise
            control[TURNS] += 1 if then != seat else 0
            return 0 if spent(control) else 1
    after = child_of(s, state, level, s.listed[at])
    then = turn(s.rules, after)
    control[TURNS] += 1 if then != seat else 0
    if then == OVER:
        judge_end(s, after, found)
        return 0
    left = depth_left(s, seat, then, depth)
    if left == 0 and control[LAZY] != 0 and has_seat_form(s.value):
        _judge_one(s, after, seat, found)
        return 0 if spent(control) else 1
    sure = s.sure[level * seats + seat]
    if not first:  # what an earlier move of the same turn has found is sure still
        sure = max(sure, best[seat]) if s.stage[2 * (level - 1)] == seat else best[seat]
    _pass_on(s, level, seat, sure)
    limit = bound if then == seat else (INFINITE if first else s.total[0] - best[seat])
    _again(s.itself, s, after, below_, left, limit)
    return 0


@helper
def _search_moves(s, state, seat, level, depth, bound):
    """Search the moves of a position; the best worths and line are then at the level."""
    control, seats = s.control, s.rules[SEATS]
    best, found = offset(s.worth, level * seats), offset(s.worth, (level + 1) * seats)
    n = list_moves(s, state, seat, level)
    kept = n if control[WIDTH] == 0 else min(n, control[WIDTH])
    base, ties, unjudged = level * control[CHOICES], 0, -1
    for tried in range(kept):
        i = _next(offset(s.order, base), n)
        promise = s.order[base + i]
        s.order[base + i] = _STRUCK
        s.stage[2 * level + 1] = _FRESH if tried == 0 else (_LAST if tried + 1 == kept else _BEGUN)
        own_only = _follow(s, state, level, depth, bound, seat, i, promise, tried == 0)
        if control[STOP] != 0:
            return
        ties = ties + 1 if tried and found[seat] == best[seat] else ties
        if tried == 0 or _better(s, seat, found, best, ties):
            ties = 0 if tried == 0 or found[seat] != best[seat] else ties
            unjudged = i if own_only else -1
            keep(s, level, s.listed[base + i])
            if tried + 1 < kept and _cut(s, seat, best, level, bound):
                control[CUTOFFS] += 1
                break
    if unjudged >= 0:
        judge_horizon(s, child_of(s, state, level, s.listed[base + unjudged]), best)


def _maxn(s, state, level, depth, bound):
    """Write what a position is worth to each seat, and the play expected, at a level."""
    control = s.control
    s.line[level * (control[MOST_LEVELS] + 1)] = -1
    if spent(control):
        return
    best = offset(s.worth, level * s.rules[SEATS])
    if depth == 0 or level == control[MOST_LEVELS]:
        control[SHORT] = max(control[SHORT], depth)
        judge_horizon(s, state, best)
        return
    here = 0
    if control[MOST_SLOTS] != 0:
        here = _position(s, state, level, depth)
        slot = slot_of(here, control[SLOT_MASK])
        if s.keys[slot] == here and s.notes[slot] != 0:
            _recall(s, slot, level)
            return
    seat, horizon = turn(s.rules, state), control[HORIZON]
    s.stage[2 * level] = seat
    _search_moves(s, state, seat, level, depth, bound)
    # Where a bound was reached, moves may have been left out, here or at a later move of the same turn.
    if control[MOST_SLOTS] != 0 and control[STOP] == 0 and (control[PRUNE] == NOT or best[seat] < bound):
        _remember(s, here, level, 1 if control[HORIZON] != horizon else 0)


maxn = Native(_maxn, _MAXN)


@helper
def _complete_line(s, root, depth):
    """Search on where the line ends because the table knew the rest: it keeps one move of each position."""
    control, span = s.control, s.control[MOST_LEVELS] + 1
    state, level = offset(s.states, control[MOST_LEVELS] * s.rules[SIZE]), 0
    copy(s.rules, root, state)
    while depth > 0 and level < control[MOST_LEVELS] and turn(s.rules, state) != OVER:
        if s.line[level] < 0:
            _again(s.itself, s, state, level, depth, INFINITE)
            for i in range(span - level):
                s.line[level + i] = s.line[level * span + i]
            if control[STOP] != 0:
                return
        seat = turn(s.rules, state)
        play(s.rules, state, s.line[level])
        depth = depth_left(s, seat, turn(s.rules, state), depth)
        level += 1


@compiled
def search_root(arrays, root, depth, tried, scores, worths):
    """Search the moves `tried` in that order; write the mover's score and all seats' worths after each.

    The score is what the mover gets, or how little the TARGET gets.

    Return the place of the best, or -1 if the budget ran out before the first was done.
    """
    s = opened(arrays)
    state, control, seats = pointer(root), s.control, s.rules[SEATS]
    seat = turn(s.rules, state)
    best, ties = -1, 0
    kept, found = s.worth, offset(s.worth, seats)
    s.stage[0] = seat
    for other in range(seats):
        s.sure[other] = UNBOUNDED
    for i in range(tried.shape[0]):
        s.stage[1] = _FRESH if best < 0 else _BEGUN
        s.line[control[MOST_LEVELS] + 1] = -1
        after = child_of(s, state, 0, tried[i])
        then = turn(s.rules, after)
        control[TURNS] += 1 if then != seat else 0
        if then == OVER:
            judge_end(s, after, found)
        else:
            _pass_on(s, 0, seat, kept[seat] if best >= 0 else UNBOUNDED)
            limit = INFINITE if then == seat or best < 0 else s.total[0] - kept[seat]
            _again(s.itself, s, after, 1, depth_left(s, seat, then, depth), limit)
        if control[STOP] != 0:
            return best
        scores[i] = found[seat] if control[TARGET] < 0 else -found[control[TARGET]]
        for other in range(seats):
            worths[i, other] = found[other]
        ties = ties + 1 if best >= 0 and found[seat] == kept[seat] else ties
        if best < 0 or _better_at_root(s, seat, found, kept, ties):
            ties = 0 if best < 0 or found[seat] != kept[seat] else ties
            best = i
            keep(s, 0, tried[i])
    if control[MOST_SLOTS] != 0:
        _complete_line(s, state, depth)
    return best
