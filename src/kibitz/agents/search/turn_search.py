"""A plain search over whole turns: no transposition table, no iterative deepening, one choice per turn.

Every seat chooses the turn best for itself. For a paranoid root seat, the value of all others is the negative of its
own. A seat's bound is the best it has found at its nearest ancestor; a node may be cut off where it falls below that.
"""

from typing import NamedTuple

from kibitz.agents.search.control import CUTOFFS, LEVELS, ROOT, STOP, WIDTH, spent
from kibitz.agents.search.maxn.leaves import evaluate_end, evaluate_horizon
from kibitz.agents.search.maxn.maxn_arrays import ALL, NOT, PRUNE, UNBOUNDED
from kibitz.agents.search.maxn.maxn_arrays import CONTROL_CELLS as MAXN_CELLS
from kibitz.agents.search.move_picker import SEARCHED_OR_PRUNED, next_choice, place_of
from kibitz.agents.search.search_arrays import Entries, Float64s, Handle, Int64s, opened, struct_type
from kibitz.agents.search.whole_turns import ROW, TurnBuffers, play_turn, write_turns
from kibitz.core.address import CELLS, INT, NOTHING, Native, caller
from kibitz.core.calls import copy, moves, odds, play, total_odds, turn
from kibitz.core.contract import CHANCE, MOST_MOVES, OVER, SEATS
from kibitz.core.native import compiled, helper, offset, pointer

# Parameters: whether all others play against the root seat; whether turns are sorted by their value to the mover; the
# order of moves at a step; how many turns are kept; whether a value equal to a bound causes a cut-off.
AGAINST, SORTED, SEQUENCE, TURNS_KEPT, AT_BOUND = range(MAXN_CELLS, MAXN_CELLS + 5)
CONTROL_CELLS = MAXN_CELLS + 5


class TurnwiseArrays(NamedTuple):
    """What the kernel reads and writes; a level is a turn, or what chance does."""

    rules: Entries
    value_function: Entries
    value_weights: Float64s  # [weight]
    control: Int64s  # [cell]
    total: Float64s  # [2]: no total, and the influence of other seats
    buffers: TurnBuffers
    states: Int64s  # [level, cell]: the position after the turn that is searched
    turns: Int64s  # [level, turn, ROW]
    order: Float64s  # [level, turn]: the highest is searched first
    values: Float64s  # [level, seat]: what the position at a level is worth
    bounds: Float64s  # [level, seat]: what each seat is guaranteed
    scores: Float64s  # [turn of the root, seat]: what it is worth, where it was searched
    chosen: Int64s  # [2]: the best turn of the root, and how many turns it has
    itself: Handle  # of `search_turns`, through which it calls itself


_TURNWISE = struct_type(TurnwiseArrays)
_SEARCH = NOTHING(_TURNWISE, CELLS, INT, INT)
_search_at = caller(_SEARCH)


@helper
def _are_one_side(s, seat, other):
    """Return whether two seats never bound each other: a seat and itself, or two that play against the root seat."""
    return other == seat or (s.control[AGAINST] != 0 and (seat == s.control[ROOT]) == (other == s.control[ROOT]))


@helper
def _is_cut(s, seat, best, level):
    """Return whether the remaining turns can be pruned: all other seats, or any of them, are below their bounds."""
    prune, bounds = s.control[PRUNE], offset(s.bounds, level * s.rules[SEATS])
    if prune == NOT:
        return False
    for other in range(s.rules[SEATS]):
        if _are_one_side(s, seat, other):
            continue
        reached = bounds[other] > UNBOUNDED and (
            best[other] < bounds[other] or (s.control[AT_BOUND] != 0 and best[other] == bounds[other])
        )
        if prune == ALL and not reached:
            return False
        if prune != ALL and reached:
            return True
    return prune == ALL


@helper
def _propagate_bounds(s, level, seat, best, first):
    """Write the bounds of all seats for the level below: the best that each has found at its nearest ancestor."""
    seats = s.rules[SEATS]
    bounds, below = offset(s.bounds, level * seats), offset(s.bounds, (level + 1) * seats)
    for other in range(seats):
        below[other] = bounds[other]
        if not first and _are_one_side(s, seat, other):
            below[other] = max(bounds[other], best[other]) if s.control[AGAINST] != 0 else best[other]


@helper
def _oppose(s, values):
    """Make the value of every other seat the negative of the root seat's."""
    if s.control[AGAINST] != 0:
        for seat in range(s.rules[SEATS]):
            if seat != s.control[ROOT]:
                values[seat] = -values[s.control[ROOT]]


@helper
def _follow(s, after, seat, best, level, depth, first):
    """Write the values of the position after a turn, or after a roll (seat CHANCE), one level below."""
    found = offset(s.values, (level + 1) * s.rules[SEATS])
    if turn(s.rules, after) == OVER:
        evaluate_end(s, after, found)
        _oppose(s, found)
    elif turn(s.rules, after) == CHANCE and seat != CHANCE:
        _search_at(s.itself, s, after, level + 1, depth)  # a turn ends where chance moves, and begins after it
    elif depth == 1:
        evaluate_horizon(s, after, found)
        _oppose(s, found)
    else:
        _propagate_bounds(s, level, seat, best, first)
        _search_at(s.itself, s, after, level + 1, depth - 1)


@helper
def _expect(s, state, level, depth):
    """Write the expected values of a position in which chance moves; no bound holds across it."""
    seats, room = s.rules[SEATS], offset(s.turns, level * s.control[TURNS_KEPT] * ROW)
    values, found = offset(s.values, level * seats), offset(s.values, (level + 1) * seats)
    n = moves(s.rules, state, room)
    weights = offset(room, s.rules[MOST_MOVES])
    n = min(n, odds(s.rules, state, weights))
    total = total_odds(n, weights)
    for seat in range(seats):
        values[seat] = 0.0
    for i in range(n):
        after = place_of(s, level)
        copy(s.rules, state, after)
        play(s.rules, after, room[i])
        for seat in range(seats):
            s.bounds[level * seats + seat] = UNBOUNDED
        if level + 2 < s.control[LEVELS]:
            _follow(s, after, CHANCE, values, level, depth, True)
        else:
            evaluate_horizon(s, after, found)
        if s.control[STOP] != 0:
            return
        for seat in range(seats):
            values[seat] += weights[i] / total * found[seat]


def _search_turns(s, state, level, depth):
    """Write the values of a position at a level, where every seat chooses whole turns."""
    if turn(s.rules, state) == CHANCE:
        _expect(s, state, level, depth)
        return
    control, seats, seat = s.control, s.rules[SEATS], turn(s.rules, state)
    best, found = offset(s.values, level * seats), offset(s.values, (level + 1) * seats)
    turns, order = offset(s.turns, level * control[TURNS_KEPT] * ROW), offset(s.order, level * control[TURNS_KEPT])
    n = write_turns(s.buffers, state, control[WIDTH], control[SEQUENCE], control[TURNS_KEPT], turns, order)
    if level == 0:
        s.chosen[1] = n
    for tried in range(n):
        if spent(s):
            return
        i = next_choice(order, n) if control[SORTED] != 0 else tried
        order[i] = SEARCHED_OR_PRUNED
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
    """Search from the root; the results are in `turns`, `scores` and `chosen`."""
    s = opened(arrays)
    for seat in range(s.rules[SEATS]):
        s.bounds[seat] = UNBOUNDED
    _search_at(s.itself, s, pointer(world), 0, depth)
