"""A plain search over whole turns: no table, no deepening, one choice a turn.

Every seat chooses the turn best for itself. For a paranoid root seat, all others are worth the negative of what it is
worth. Seats are sure of what they have found above; a node may be cut off where it falls below that.
"""

from typing import Any, NamedTuple

from numba import types

from kibitz.agents.search.control import CUTOFFS, ROOT, STOP, WIDTH, spent
from kibitz.agents.search.maxn.leaves import judge_end, judge_horizon
from kibitz.agents.search.maxn.maxn_arrays import ALL, NOT, PRUNE, UNBOUNDED
from kibitz.agents.search.maxn.maxn_arrays import CONTROL_CELLS as MAXN_CELLS
from kibitz.agents.search.move_picker import STRUCK, next_choice, place_of
from kibitz.agents.search.whole_turns import ROW, TurnBuffers, opened_room, play_turn, write_turns
from kibitz.core.address import CELLS, INT, NOTHING, NUMBERS, Native, caller
from kibitz.core.calls import copy, turn
from kibitz.core.contract import OVER, SEATS
from kibitz.core.native import compiled, helper, offset, pointer

# Told: whether all others play against the root seat; whether turns are sorted by their worth to the mover; the order
# of moves at a step; how many turns there is room for; whether a bound that is just reached cuts off.
AGAINST, SORTED, SEQUENCE, TURNS_KEPT, AT_BOUND = range(MAXN_CELLS, MAXN_CELLS + 5)
CONTROL_CELLS = MAXN_CELLS + 5


class TurnwiseArrays(NamedTuple):
    """Arrays when Python hands them in, addresses inside; a level is a turn."""

    rules: Any
    value: Any
    weights: Any
    control: Any
    total: Any  # two numbers: no total, and the influence of other seats
    room: Any  # for the list of turns
    states: Any  # level x cell: the position after the turn that is searched
    turns: Any  # level x turn x ROW
    order: Any  # level x turn: the greater, the sooner
    worth: Any  # level x seat: what the position at a level is worth
    sure: Any  # level x seat: what each seat is sure of
    scores: Any  # by turn of the root: what it is worth to each seat, where it was searched
    chosen: Any  # two numbers: the best turn of the root, and how many turns it has
    itself: Any  # the handle of `search_turns`, through which it calls itself


_ROOM = types.NamedTuple((CELLS, CELLS, NUMBERS, CELLS, CELLS, NUMBERS, CELLS, CELLS, NUMBERS), TurnBuffers)
_TURNWISE = types.NamedTuple(
    (CELLS, CELLS, NUMBERS, CELLS, NUMBERS, _ROOM, CELLS, CELLS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, CELLS, INT),
    TurnwiseArrays,
)
_SEARCH = NOTHING(_TURNWISE, CELLS, INT, INT)
_search_at = caller(_SEARCH)


@helper
def _opened(s):
    return TurnwiseArrays(
        pointer(s.rules), pointer(s.value), pointer(s.weights), pointer(s.control), pointer(s.total),
        opened_room(s.room), pointer(s.states), pointer(s.turns), pointer(s.order), pointer(s.worth), pointer(s.sure),
        pointer(s.scores), pointer(s.chosen), s.itself,
    )  # fmt: skip


@helper
def _are_one_side(s, seat, other):
    """Return whether two seats never bound each other: a seat and itself, or two that play against the root seat."""
    return other == seat or (s.control[AGAINST] != 0 and (seat == s.control[ROOT]) == (other == s.control[ROOT]))


@helper
def _is_cut(s, seat, best, level):
    """Return whether the rest of the turns can be left out: all, or any, others are below what they are sure of."""
    prune, sure = s.control[PRUNE], offset(s.sure, level * s.rules[SEATS])
    if prune == NOT:
        return False
    for other in range(s.rules[SEATS]):
        if _are_one_side(s, seat, other):
            continue
        reached = sure[other] > UNBOUNDED and (
            best[other] < sure[other] or (s.control[AT_BOUND] != 0 and best[other] == sure[other])
        )
        if prune == ALL and not reached:
            return False
        if prune != ALL and reached:
            return True
    return prune == ALL


@helper
def _pass_bounds_on(s, level, seat, best, first):
    """Write for the level below what each seat is sure of: what its nearest node above has found."""
    seats = s.rules[SEATS]
    sure, below = offset(s.sure, level * seats), offset(s.sure, (level + 1) * seats)
    for other in range(seats):
        below[other] = sure[other]
        if not first and _are_one_side(s, seat, other):
            below[other] = max(sure[other], best[other]) if s.control[AGAINST] != 0 else best[other]


@helper
def _oppose(s, worth):
    """Make every other seat's worth the negative of the root seat's."""
    if s.control[AGAINST] != 0:
        for seat in range(s.rules[SEATS]):
            if seat != s.control[ROOT]:
                worth[seat] = -worth[s.control[ROOT]]


@helper
def _follow(s, after, seat, best, level, depth, first):
    """Write what a position after a turn is worth, one level below."""
    found = offset(s.worth, (level + 1) * s.rules[SEATS])
    if turn(s.rules, after) == OVER:
        judge_end(s, after, found)
        _oppose(s, found)
    elif depth == 1:
        judge_horizon(s, after, found)
        _oppose(s, found)
    else:
        _pass_bounds_on(s, level, seat, best, first)
        _search_at(s.itself, s, after, level + 1, depth - 1)


def _search_turns(s, state, level, depth):
    """Write what a position is worth to each seat at a level, if its seat and all others choose whole turns."""
    control, seats, seat = s.control, s.rules[SEATS], turn(s.rules, state)
    best, found = offset(s.worth, level * seats), offset(s.worth, (level + 1) * seats)
    turns, order = offset(s.turns, level * control[TURNS_KEPT] * ROW), offset(s.order, level * control[TURNS_KEPT])
    n = write_turns(s.room, state, control[WIDTH], control[SEQUENCE], control[TURNS_KEPT], turns, order)
    if level == 0:
        s.chosen[1] = n
    for tried in range(n):
        if spent(s):
            return
        i = next_choice(order, n) if control[SORTED] != 0 else tried
        order[i] = STRUCK
        after = place_of(s, level)
        copy(s.rules, state, after)
        play_turn(s.rules, after, offset(turns, i * ROW))
        _follow(s, after, seat, best, level, depth, tried == 0)
        if control[STOP] != 0:
            return
        if level == 0:
            for other in range(seats):
                s.scores[i * seats + other] = found[other]
        if tried == 0 or found[seat] > best[seat]:
            if level == 0:
                s.chosen[0] = i
            for other in range(seats):
                best[other] = found[other]
            if tried + 1 < n and _is_cut(s, seat, best, level):
                control[CUTOFFS] += 1
                return


search_turns = Native(_search_turns, _SEARCH)


@compiled
def search_root(arrays, world, depth):
    """Search from the root; what was found of its turns is then in `turns`, `scores` and `chosen`."""
    s = _opened(arrays)
    for seat in range(s.rules[SEATS]):
        s.sure[seat] = UNBOUNDED
    _search_at(s.itself, s, pointer(world), 0, depth)
