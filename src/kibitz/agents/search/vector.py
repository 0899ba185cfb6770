"""Every seat for itself: max^n and its relatives, which back up what a position is worth to each seat.

Each seat chooses the move best for itself. At its own nodes the root seat may instead aim at a TARGET. What a horizon
or an end is worth can be turned into the evaluations of Not-So-Paranoid (LEAF), and moves can be cut off (PRUNE).
"""

from typing import Any, NamedTuple

from numba import types

from kibitz.agents.search.judge import DECIDED, appraise, judge, settled
from kibitz.agents.search.sifting import sifted
from kibitz.core.dice import below
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.rules import (
    CELLS,
    DICE,
    INT,
    NOTHING,
    NUMBERS,
    OVER,
    SEATS,
    SIZE,
    Native,
    caller,
    copy,
    moves,
    payoff,
    play,
    turn,
)

# Cells of `control`. What a search counts, then what it is told.
NODES, STOP, HORIZON, CUTOFFS, LEAVES = range(5)
NODE_LIMIT, MOST_LEVELS, ROOT, BY_MOVES, WIDTH, CHOICES, TIES, TARGET, LEAF, PRUNE, LEXICOGRAPHIC = range(5, 16)
CONTROL_CELLS = 16

LEFTMOST, PARANOID, RANDOM = 0, 1, 2  # TIES: the first of equal moves, that worst for the root seat, or any
PLAIN, SQUARES, RATIOS = 0, 1, 2  # LEAF: as it is; u_i - sum u_j^2 / u_i; 1 - sum u_j / u_i
NOT, SHALLOW, ALL, ANY = 0, 1, 2, 3  # PRUNE: never; Korf's; below all other seats' bounds; below any

INFINITE = 1e18
UNBOUNDED = -1e18  # a seat that is sure of nothing yet
_STRUCK = -1e18  # the order of a move that is not to be searched


class Search(NamedTuple):
    """Everything a search works on; arrays when Python hands it in, addresses inside."""

    rules: Any
    value: Any
    weights: Any
    control: Any
    total: Any  # one number: the most that all seats' worths can sum up to, where the value declares it
    states: Any  # level x choice x cell: the position after each move
    listed: Any  # level x choice
    order: Any  # level x choice: the greater, the sooner
    worth: Any  # level x seat: what the position at a level is worth
    sure: Any  # level x seat: what each seat is sure of at its nearest node above
    line: Any  # level x level: the play expected from a level on; -1 ends it
    rng: Any
    sieve: Any  # what leaves out moves, or 0
    dice: Any  # for the sieve
    itself: Any  # the handle of `maxn`, through which it calls itself


_SEARCH = types.NamedTuple(
    (CELLS, INT, NUMBERS, CELLS, NUMBERS, CELLS, CELLS, NUMBERS, NUMBERS, NUMBERS, CELLS, DICE, INT, DICE, INT), Search
)
_MAXN = NOTHING(_SEARCH, CELLS, INT, INT, types.float64)
_again = caller(_MAXN)


@helper
def _opened(s):
    return Search(
        pointer(s.rules), s.value, pointer(s.weights), pointer(s.control), pointer(s.total), pointer(s.states),
        pointer(s.listed), pointer(s.order), pointer(s.worth), pointer(s.sure), pointer(s.line), pointer(s.rng),
        s.sieve, pointer(s.dice), s.itself,
    )  # fmt: skip


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
def _horizon(s, state, worth):
    s.control[HORIZON] += 1
    s.control[LEAVES] += 1
    appraise(s.rules, s.value, s.weights, state, worth)
    if s.control[LEAF] != PLAIN:
        _weigh(s, worth)


@helper
def _final(s, state, worth):
    """Write what a finished game is worth, on the scale that the leaves are on."""
    s.control[LEAVES] += 1
    if s.control[LEAF] == PLAIN and s.total[0] == 0.0:
        settled(s.rules, state, worth)
        return
    payoff(s.rules, state, worth)
    for seat in range(s.rules[SEATS]):
        worth[seat] = worth[seat] * s.total[0] if s.control[LEAF] == PLAIN else 1.0 + worth[seat] * DECIDED
    if s.control[LEAF] != PLAIN:
        _weigh(s, worth)


@helper
def _list_moves(s, state, seat, level):
    """List the moves with the positions after them; with a width, the best by the mover's value, best first."""
    base, size = level * s.control[CHOICES], s.rules[SIZE]
    listed, order, worth = offset(s.listed, base), offset(s.order, base), offset(s.worth, (level + 1) * s.rules[SEATS])
    n = sifted(s.rules, s.sieve, s.control[ROOT], state, s.dice, listed, moves(s.rules, state, listed))
    for i in range(n):
        after = offset(s.states, (base + i) * size)
        copy(s.rules, state, after)
        play(s.rules, after, listed[i])
        order[i] = -i
        if s.control[WIDTH] != 0:
            judge(s.rules, s.value, s.weights, after, worth)
            order[i] = worth[seat]
    return n


@helper
def _next(order, n):
    """Return the move to search next and strike it off."""
    best = 0
    for i in range(1, n):
        if order[i] > order[best]:
            best = i
    order[best] = _STRUCK
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
def _keep(s, level, move):
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
    if control[PRUNE] == SHALLOW:
        return best[seat] > bound or (control[TIES] == LEFTMOST and best[seat] == bound)
    if control[PRUNE] == NOT:
        return False
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
def _pass_on(s, level, seat, sure):
    """Tell the level below what each seat is sure of."""
    seats = s.rules[SEATS]
    for other in range(seats):
        s.sure[(level + 1) * seats + other] = s.sure[level * seats + other]
    s.sure[(level + 1) * seats + seat] = sure


def _maxn(s, state, level, depth, bound):
    """Write what a position is worth to each seat, and the play expected, at a level."""
    control, seats = s.control, s.rules[SEATS]
    span = control[MOST_LEVELS] + 1
    s.line[level * span] = -1
    control[NODES] += 1
    if control[NODES] > control[NODE_LIMIT]:
        control[STOP] = 1
    if control[STOP] != 0:
        return
    best, found = offset(s.worth, level * seats), offset(s.worth, (level + 1) * seats)
    if depth == 0 or level == control[MOST_LEVELS]:
        _horizon(s, state, best)
        return
    seat = turn(s.rules, state)
    n = _list_moves(s, state, seat, level)
    kept = n if control[WIDTH] == 0 else min(n, control[WIDTH])
    base, ties = level * control[CHOICES], 0
    for tried in range(kept):
        i = _next(offset(s.order, base), n)
        after = offset(s.states, (base + i) * s.rules[SIZE])
        then = turn(s.rules, after)
        if then == OVER:
            s.line[(level + 1) * span] = -1
            _final(s, after, found)
        else:
            _pass_on(s, level, seat, best[seat] if tried else s.sure[level * seats + seat])
            left = depth - 1 if control[BY_MOVES] != 0 or then != seat else depth
            limit = bound if then == seat else (s.total[0] - best[seat] if tried else INFINITE)
            _again(s.itself, s, after, level + 1, left, limit)
        if control[STOP] != 0:
            return
        ties = ties + 1 if tried and found[seat] == best[seat] else ties
        if tried == 0 or _better(s, seat, found, best, ties):
            ties = 0 if tried == 0 or found[seat] != best[seat] else ties
            _keep(s, level, s.listed[base + i])
            if tried + 1 < kept and _cut(s, seat, best, level, bound):
                control[CUTOFFS] += 1
                return


maxn = Native(_maxn, _MAXN)


@compiled
def search_root(arrays, root, depth, tried, scores, worths):
    """Search the moves `tried` in that order; write the mover's score and all seats' worths after each.

    Return the place of the best, or -1 if the budget ran out before the first was done.
    """
    s = _opened(arrays)
    state, control, seats = pointer(root), s.control, s.rules[SEATS]
    seat = turn(s.rules, state)
    span = control[MOST_LEVELS] + 1
    best, ties = -1, 0
    kept, found = s.worth, offset(s.worth, seats)
    for other in range(seats):
        s.sure[other] = UNBOUNDED
    for i in range(tried.shape[0]):
        copy(s.rules, state, s.states)
        play(s.rules, s.states, tried[i])
        then = turn(s.rules, s.states)
        if then == OVER:
            s.line[span] = -1
            _final(s, s.states, found)
        else:
            _pass_on(s, 0, seat, kept[seat] if best >= 0 else UNBOUNDED)
            left = depth - 1 if control[BY_MOVES] != 0 or then != seat else depth
            limit = INFINITE if then == seat or best < 0 else s.total[0] - kept[seat]
            _again(s.itself, s, s.states, 1, left, limit)
        if control[STOP] != 0:
            return best
        scores[i] = found[seat]
        for other in range(seats):
            worths[i, other] = found[other]
        ties = ties + 1 if best >= 0 and found[seat] == kept[seat] else ties
        if best < 0 or _better_at_root(s, seat, found, kept, ties):
            ties = 0 if best < 0 or found[seat] != kept[seat] else ties
            best = i
            _keep(s, 0, tried[i])
    return best


# Speculative pruning (Sturtevant 2003), for three seats that move in turn: a node is given up as soon as what its
# seat, the seat before and the seat before that are sure of fill the total; whether that was right is found out later,
# if not, the node is searched again. An unsearched seat's bound is no bound, and ties stay with the leftmost.
_TODO, _DONE, _PUT_OFF = 0.0, 1.0, 2.0
_SPECULATE = INT(_SEARCH, CELLS, INT, INT, types.float64, types.float64, INT)
_speculate_again = caller(_SPECULATE)
_TIE = 1e-7  # a child left of the best so far must be cut off only where it is worse


@helper
def _first(marks, n):
    """Return the first child still to be searched, or -1."""
    for i in range(n):
        if marks[i] == _TODO:
            return i
    return -1


@helper
def _recall(marks, n):
    """Put the children that were put off back on the list."""
    for i in range(n):
        if marks[i] == _PUT_OFF:
            marks[i] = _TODO


def _speculate(s, state, level, depth, parent, grand, before):
    """Write what a position is worth at a level; return 1 if it was given up instead.

    `parent` and `grand` are what the seat before and the one before that are sure of, UNBOUNDED where that may not be
    used; `before` is the seat that moved here.
    """
    control, seats = s.control, s.rules[SEATS]
    span = control[MOST_LEVELS] + 1
    s.line[level * span] = -1
    control[NODES] += 1
    if control[NODES] > control[NODE_LIMIT]:
        control[STOP] = 1
    best, found = offset(s.worth, level * seats), offset(s.worth, (level + 1) * seats)
    if control[STOP] != 0:
        return 0
    if depth == 0 or level == control[MOST_LEVELS]:
        _horizon(s, state, best)
        return 0
    seat = turn(s.rules, state)
    n = _list_moves(s, state, seat, level)
    base, chosen = level * control[CHOICES], -1
    marks = offset(s.order, base)
    for i in range(n):
        marks[i] = _TODO
    while True:
        i = _first(marks, n)
        if i < 0:
            break
        marks[i] = _DONE
        after = offset(s.states, (base + i) * s.rules[SIZE])
        then = turn(s.rules, after)
        if then == OVER:
            s.line[(level + 1) * span] = -1
            _final(s, after, found)
        else:
            sure = UNBOUNDED if chosen < 0 or then == seat else best[seat] - (_TIE if i < chosen else 0.0)
            usable = then != seat and then != before and (chosen < 0 or best[before] <= parent)
            left = depth - 1 if control[BY_MOVES] != 0 or then != seat else depth
            passed = parent if usable else UNBOUNDED
            given_up = _speculate_again(s.itself, s, after, level + 1, left, sure, passed, seat)
            if given_up != 0:
                marks[i] = _PUT_OFF
                continue
        if control[STOP] != 0:
            return 0
        if chosen < 0 or found[seat] > best[seat] or (found[seat] == best[seat] and i < chosen):
            chosen = i
            _keep(s, level, s.listed[base + i])
            if parent == UNBOUNDED or best[before] > parent:
                _recall(marks, n)
        if parent > UNBOUNDED and grand > UNBOUNDED and grand + parent + best[seat] >= s.total[0]:
            control[CUTOFFS] += 1
            return 1
        if parent > UNBOUNDED and parent + best[seat] >= s.total[0]:
            control[CUTOFFS] += 1
            return 0
    if chosen < 0:
        return _speculate_again(s.itself, s, state, level, depth, UNBOUNDED, UNBOUNDED, before)
    return 0


speculate = Native(_speculate, _SPECULATE)


@compiled
def search_speculatively(arrays, root, depth):
    """Search from the root; its worths and line are at level 0. Tell whether the budget was enough."""
    s = _opened(arrays)
    _speculate_again(s.itself, s, pointer(root), 0, depth, UNBOUNDED, UNBOUNDED, 0)
    return s.control[STOP] == 0
