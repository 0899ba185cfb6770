"""The choices of a position in alpha-beta: the moves, who makes them, and the order in which to search them."""

from math import floor

from kibitz.agents.search.alphabeta.alphabeta_arrays import (
    BY_NET,
    END_ORDER,
    HISTORY_CELLS,
    HISTORY_MASK,
    NARROW,
    REPLIES,
    SAFE,
    WIDE,
    WIDE_SEATS,
)
from kibitz.agents.search.control import LEVELS, ROOT, WIDTH
from kibitz.agents.search.evaluation import evaluate_move, evaluate_node_for
from kibitz.agents.search.move_picker import SEARCHED_OR_PRUNED, first_choice, list_moves, place_of
from kibitz.core.calls import copy, end_order, hand_over, may_end, order_of, play, safe_moves, turn
from kibitz.core.contract import CHANCE, OVER, SEATS
from kibitz.core.native import helper, offset
from kibitz.networks.inference import weigh_moves

TABLE_MOVE = 1e17  # the order of the move from the transposition table
KILLER = 1e16  # the order of a killer move
_RANK = 1e10  # the weight of a rank; it outweighs any history
_RANKS = 1000  # that a network can give; the last is certainty
WIDE_ALREADY = 8  # added to the quota until the end of a turn in which a wide choice was made


@helper
def name_of(mover, move):
    """Return a number for a move by a seat; never 0."""
    return (move << 4) + mover + 1


@helper
def history_of(mover, move):
    """Return the history slot of a move by a seat."""
    return mover * HISTORY_CELLS + (move & HISTORY_MASK)


@helper
def child_at(s, state, seat, level, at):
    """Return the position after a choice; after a reply on behalf of all opponents, the root seat is to move."""
    after, mover, root = place_of(s, level), s.movers[at], s.control[ROOT]
    copy(s.rules, state, after)
    if mover != seat:
        hand_over(s.rules, after, mover)
    play(s.rules, after, s.listed[at])
    if s.control[REPLIES] != 0 and seat != root:
        then = turn(s.rules, after)
        if then >= 0 and then != root and then != mover:
            hand_over(s.rules, after, root)
    return after


@helper
def _order_of(s, state, level, mover, move):
    """Return the order of a move: a killer move first, then by its rank, then by its history.

    In a search to the end of the game, the game's own rank for such searches comes first.
    """
    order = s.history[history_of(mover, move)]
    if s.control[END_ORDER] != 0:
        return order + _RANK * end_order(s.rules, state, move)
    if s.killers[level] == name_of(mover, move):
        return KILLER
    if s.move_order != 0:
        order += _RANK * order_of(s.move_order, state, move)
    return order


@helper
def _add_moves(s, state, level, at, mover):
    """Add the moves of the seat to move from index `at` on; return the next free index."""
    listed = offset(s.listed, at)
    n = list_moves(s, state, listed)
    by_net = s.control[BY_NET] != 0
    if by_net:
        weigh_moves(s.net, state, mover, listed, n, s.prior)
    for i in range(n):
        s.movers[at + i] = mover
        s.order[at + i] = _order_of(s, state, level, mover, listed[i])
        if by_net and s.order[at + i] < KILLER:
            s.order[at + i] += _RANK * floor(_RANKS * s.prior[i])
    return at + n


@helper
def _add_replies(s, state, first, level, base):
    """List all opponents' moves, each as if it were to move; return the next free index, and whether one may end."""
    seats, root, at, ends = s.rules[SEATS], s.control[ROOT], base, False
    asked = place_of(s, s.control[LEVELS])
    for step in range(seats):
        seat = (first + step) % seats
        if seat == root:
            continue
        copy(s.rules, state, asked)
        if seat != first:
            hand_over(s.rules, asked, seat)
        ends = ends or may_end(s.rules, asked) != 0
        at = _add_moves(s, asked, level, at, seat)
    return at, ends


@helper
def _limit(s, seat, quota):
    """Return how many of its best moves the mover may choose from; 0 for all of them, unranked."""
    control = s.control
    limit = control[WIDTH]
    if seat != control[ROOT] and control[WIDE_SEATS] >= 0:
        wide = quota >= WIDE_ALREADY or quota < control[WIDE_SEATS]
        mine = control[WIDE] if wide else control[NARROW]
        limit = mine if limit == 0 or mine < limit else limit
    return limit


@helper
def _rank_choices(s, state, seat, level, base, n, limit):
    """Order each mover's choices by its value and strike those beyond the limit; return whether one ends the game."""
    order, ranks, ends = offset(s.order, base), offset(s.ranks, base), False
    for i in range(n):
        after = child_at(s, state, seat, level, base + i)
        ends = ends or turn(s.rules, after) == OVER
        if turn(s.rules, after) == CHANCE:
            evaluate_move(s.rules, s.value_function, s.value_weights, s.expectation, state, after, s.values)
            order[i] = s.values[s.movers[base + i]]
        else:
            order[i] = evaluate_node_for(s, after, s.movers[base + i], s.values)
    for i in range(n):
        ranks[i] = 0
        for j in range(n):
            better = order[j] > order[i] or (order[j] == order[i] and j < i)
            ranks[i] += 1 if better and s.movers[base + j] == s.movers[base + i] else 0
    for i in range(n):
        order[i] = -ranks[i] if ranks[i] < limit else SEARCHED_OR_PRUNED
    return ends


@helper
def count_safe(s, state, level, depth):
    """List in `safe` the moves that do not lose at once; return how many, -1 where the next move is not searched."""
    if s.control[SAFE] == 0 or depth < 2 or level + 1 >= s.control[LEVELS]:
        return -1
    return safe_moves(s.rules, state, s.safe)


@helper
def _strike_unsafe(s, base, n, safe):
    """Strike the choices that are not among the first `safe` moves of `s.safe`; both lists ascend."""
    kept = 0
    for i in range(base, base + n):
        if kept < safe and s.listed[i] == s.safe[kept]:
            kept += 1
        else:
            s.order[i] = SEARCHED_OR_PRUNED


@helper
def expand(s, state, seat, level, quota, safe, table_move):
    """List the choices and their search order; return how many, and whether one may end the game."""
    base = first_choice(s, level)
    if s.control[REPLIES] != 0 and seat != s.control[ROOT] and quota != seat:
        end, ends = _add_replies(s, state, seat, level, base)
    else:
        end, ends = _add_moves(s, state, level, base, seat), may_end(s.rules, state) != 0
    n, limit = end - base, _limit(s, seat, quota)
    if limit > 0:
        ends = _rank_choices(s, state, seat, level, base, n, limit)
    if 0 <= safe < n:
        _strike_unsafe(s, base, n, safe)
    if 0 <= table_move < n and s.order[base + table_move] > SEARCHED_OR_PRUNED:
        s.order[base + table_move] = TABLE_MOVE
    return n, ends


@helper
def pack_quota(quota, mover):
    """Return a quota together with the seat whose turn it is, for a position in which chance moves."""
    return ((quota + 1) << 4) | mover


@helper
def mover_in(packed):
    """Return the seat whose turn it was when chance moved."""
    return packed & 15


@helper
def quota_after_roll(s, packed, then):
    """Return what the node after what chance did must know."""
    mover, quota = packed & 15, (packed >> 4) - 1
    if s.control[REPLIES] != 0:
        return then if then == mover and then != s.control[ROOT] else -1
    if then == s.control[ROOT] or s.control[WIDE_SEATS] < 0 or mover == s.control[ROOT]:
        return 0
    return quota if then == mover else quota % WIDE_ALREADY


@helper
def quota_after(s, seat, then, quota, at):
    """Return what the next node must know: the seat in the middle of its reply, or how many opponents chose widely."""
    if s.control[REPLIES] != 0:
        return then if then == s.movers[at] and then != s.control[ROOT] else -1
    if then == s.control[ROOT] or s.control[WIDE_SEATS] < 0:
        return 0
    if seat == s.control[ROOT]:
        return 0
    if quota < WIDE_ALREADY and s.ranks[at] >= s.control[NARROW]:
        quota += 1 + WIDE_ALREADY
    return quota if then == seat else quota % WIDE_ALREADY
