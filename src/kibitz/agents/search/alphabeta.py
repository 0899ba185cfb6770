"""Alpha-beta for two seats: negamax whose sign flips only when the seat changes, as a turn may be several moves.

Depth counts turns. A score is the difference between the mover's worth and the other seat's. Where no horizon was
touched below a position, its score is final whatever the depth.
"""

from typing import Any, NamedTuple

from numba import types

from kibitz.agents.search.judge import settled
from kibitz.agents.search.transpositions import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    TO_THE_END,
    bound_of,
    depth_of,
    move_of,
    pack,
    slot_of,
)
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.rules import (
    CELLS,
    INT,
    MOST_MOVES,
    NUMBERS,
    OVER,
    SIZE,
    Native,
    caller,
    copy,
    evaluate,
    key,
    moves,
    play,
    turn,
)

# Cells of `control`.
NODES, NODE_LIMIT, STOP, HORIZON, CUTOFFS, MOST_LEVELS, SLOT_MASK = range(7)
CONTROL_CELLS = 8
HISTORY_MASK = 1023  # history is kept by seat and the last ten bits of the move
HISTORY_CELLS = 2 * (HISTORY_MASK + 1)
INFINITE = 1e18
_FIRST_OF_ALL = 1e17  # the order of the move remembered from an earlier visit
_DONE = -1e18  # the order of a move already searched


class Search(NamedTuple):
    """Everything a search works on; arrays when Python hands it in, addresses inside."""

    rules: Any
    value: Any
    weights: Any
    control: Any
    states: Any  # level x move x cell: the position after each move
    listed: Any  # level x move
    order: Any  # level x move: the greater, the sooner
    worth: Any  # two cells
    history: Any
    keys: Any
    scores: Any
    notes: Any
    itself: Any  # the handle of `negamax`, through which it calls itself: numba cannot keep recursion on disk


_SEARCH = types.NamedTuple(
    (CELLS, INT, NUMBERS, CELLS, CELLS, CELLS, NUMBERS, NUMBERS, NUMBERS, CELLS, NUMBERS, CELLS, INT), Search
)
_NEGAMAX = types.float64(_SEARCH, CELLS, INT, INT, types.float64, types.float64)
_again = caller(_NEGAMAX)


@helper
def _opened(s):
    return Search(
        pointer(s.rules), s.value, pointer(s.weights), pointer(s.control), pointer(s.states), pointer(s.listed),
        pointer(s.order), pointer(s.worth), pointer(s.history), pointer(s.keys), pointer(s.scores), pointer(s.notes),
        s.itself,
    )  # fmt: skip


@helper
def _out_of_budget(control):
    control[NODES] += 1
    if control[NODES] > control[NODE_LIMIT]:
        control[STOP] = 1
    return control[STOP] != 0


@helper
def _horizon(s, state, seat):
    s.control[HORIZON] += 1
    evaluate(s.value, state, s.weights, s.worth)
    return s.worth[seat] - s.worth[1 - seat]


@helper
def _remember(s, slot, key, best, alpha, beta, move, depth, horizon):
    bound = EXACT
    if best <= alpha:
        bound = AT_MOST
    elif best >= beta:
        bound = AT_LEAST
    if s.control[HORIZON] == horizon:
        depth = TO_THE_END
    s.keys[slot] = key
    s.scores[slot] = best
    s.notes[slot] = pack(move, bound, depth)


@helper
def _expand(s, state, seat, level, remembered, beta):
    """Play every move; order them; return how many, or -1 if the first in order ends the game well enough."""
    most, size = s.rules[MOST_MOVES], s.rules[SIZE]
    listed, order = offset(s.listed, level * most), offset(s.order, level * most)
    n = moves(s.rules, state, listed)
    for i in range(n):
        after = offset(s.states, (level * most + i) * size)
        copy(s.rules, state, after)
        play(s.rules, after, listed[i])
        order[i] = s.history[seat * (HISTORY_MASK + 1) + (listed[i] & HISTORY_MASK)]
        if listed[i] == remembered:
            order[i] = _FIRST_OF_ALL
        if turn(s.rules, after) == OVER:
            settled(s.rules, after, s.worth)
            if s.worth[seat] - s.worth[1 - seat] >= beta:
                listed[0] = listed[i]
                return -1
    return n


@helper
def _next(order, n):
    """Return the place of the move to search next, and strike it off."""
    best = 0
    for i in range(1, n):
        if order[i] > order[best]:
            best = i
    order[best] = _DONE
    return best


def _negamax(s, state, level, depth, alpha, beta):
    """Return the score of a position for the seat to move, exact between alpha and beta."""
    if _out_of_budget(s.control):
        return 0.0
    seat = turn(s.rules, state)
    if depth == 0 or level == s.control[MOST_LEVELS]:
        return _horizon(s, state, seat)
    most, size = s.rules[MOST_MOVES], s.rules[SIZE]
    here = key(s.rules, state)
    slot = slot_of(here, s.control[SLOT_MASK])
    remembered = -1
    note, score = s.notes[slot], s.scores[slot]
    if note != 0 and s.keys[slot] == here:
        remembered = move_of(note)
        if depth_of(note) == depth or depth_of(note) == TO_THE_END:
            bound = bound_of(note)
            if bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha):
                if depth_of(note) != TO_THE_END:
                    s.control[HORIZON] += 1
                return score
    horizon = s.control[HORIZON]
    n = _expand(s, state, seat, level, remembered, beta)
    if n < 0:
        won = s.worth[seat] - s.worth[1 - seat]
        _remember(s, slot, here, won, alpha, beta, s.listed[level * most], depth, horizon)
        return won
    best, best_move = -INFINITE, -1
    floor = alpha
    for _ in range(n):
        i = _next(offset(s.order, level * most), n)
        after = offset(s.states, (level * most + i) * size)
        then = turn(s.rules, after)
        if then == OVER:
            settled(s.rules, after, s.worth)
            score = s.worth[seat] - s.worth[1 - seat]
        elif then == seat:
            score = _again(s.itself, s, after, level + 1, depth, floor, beta)
        else:
            score = -_again(s.itself, s, after, level + 1, depth - 1, -beta, -floor)
        if s.control[STOP] != 0:
            return 0.0
        if score > best:
            best, best_move = score, s.listed[level * most + i]
            floor = max(floor, best)
            if best >= beta:
                s.control[CUTOFFS] += 1
                s.history[seat * (HISTORY_MASK + 1) + (best_move & HISTORY_MASK)] += depth * depth + 1
                break
    _remember(s, slot, here, best, alpha, beta, best_move, depth, horizon)
    return best


negamax = Native(_negamax, _NEGAMAX)


@compiled
def search_root(arrays, root, depth, tried, scores):
    """Search the moves `tried` in that order; scores[i] is exact for the best, a bound for the others.

    Return the place of the best, or -1 if the budget ran out before the first was done; a budget that runs out later
    leaves `scores` of the moves not reached untouched.
    """
    s = _opened(arrays)
    state = pointer(root)
    seat = turn(s.rules, state)
    best = -1
    floor = -INFINITE
    for i in range(tried.shape[0]):
        after = s.states
        copy(s.rules, state, after)
        play(s.rules, after, tried[i])
        then = turn(s.rules, after)
        if then == OVER:
            settled(s.rules, after, s.worth)
            score = s.worth[seat] - s.worth[1 - seat]
        elif then == seat:
            score = _again(s.itself, s, after, 1, depth, floor, INFINITE)
        else:
            score = -_again(s.itself, s, after, 1, depth - 1, -INFINITE, -floor)
        if s.control[STOP] != 0:
            return best
        scores[i] = score
        if best < 0 or score > floor:
            best, floor = i, score
    return best
