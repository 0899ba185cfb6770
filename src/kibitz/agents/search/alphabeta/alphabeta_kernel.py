"""Alpha-beta between two sides, the root seat and all others: minimax, paranoid, best-reply, opponent-pruning search.

Negamax form: the sign flips only when the side changes, since a turn may be several moves and a side several seats. A
score is that of the root seat on its own nodes, and its negative on the others'. If no horizon was reached below a
position, its score is final at any depth.

Best-reply search (REPLIES) lets one opponent answer for all: the moves of all opponents form one ply, then the root
seat moves again. Opponent-pruning search lets WIDE_SEATS opponents a round choose among their best WIDE moves
by their own value, the others among their best NARROW. Seats that are OUT of the game pass, which costs no depth.
"""

from numba import types

from kibitz.agents.search.alphabeta.alphabeta_arrays import (
    AFRESH,
    ALPHA_BETA,
    AT_LEAST,
    AT_MOST,
    ENTRY,
    EXACT,
    NO_STAR,
    NORMAL,
    OUT,
    PROBE,
    PV_SLOTS,
    REPLIES,
    RIVAL,
    SALT,
    STAR,
    STAR2,
    TO_THE_END,
    choice_of,
    depth_of,
    holds_at,
    pack,
    settles,
)
from kibitz.agents.search.alphabeta.expansion import (
    child_at,
    count_safe,
    expand,
    history_of,
    mover_in,
    name_of,
    pack_quota,
    quota_after,
    quota_after_roll,
)
from kibitz.agents.search.control import (
    CUTOFFS,
    HORIZON,
    LEAVES,
    LEVELS,
    ROOT,
    SHORT,
    SLOTS,
    STAKES,
    STOP,
    TURNS,
    depth_after,
    spent,
)
from kibitz.agents.search.evaluation import DECIDED, evaluate_static, evaluate_static_for, evaluate_terminal
from kibitz.agents.search.move_picker import SEARCHED_OR_PRUNED, child_of, first_choice, next_choice
from kibitz.agents.search.search_arrays import opened
from kibitz.agents.search.transpositions import DATA, NO_TABLE, NUMBER, entry_of, is_hit, slot_of, store_entry
from kibitz.core.address import CELLS, INT, Native, caller
from kibitz.core.calls import hand_over, key, moves, normal_key, odds, total_odds, turn
from kibitz.core.contract import CHANCE, OVER, SEATS
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.shares import RESOLUTION

INFINITE = 1e18
HAIR = 1e-9  # the width of a null window
_NEGAMAX = types.float64(ALPHA_BETA, CELLS, INT, INT, INT, types.float64, types.float64)
_negamax_at = caller(_NEGAMAX)


@helper
def side_of(s, seat):
    """Return the side of a seat: 1 for the root seat, -1 for all others and for chance."""
    return 1 if seat == s.control[ROOT] else -1


@helper
def _score(s, side):
    """Return the score of `values` for a side."""
    score, rival = s.values[s.control[ROOT]], s.control[RIVAL]
    return (score if rival < 0 else score - s.values[rival]) * side


@helper
def _score_end(s, state, side):
    evaluate_terminal(s, state, s.values)
    return _score(s, side)


@helper
def _score_horizon(s, state, side):
    s.control[HORIZON] += 1
    s.control[LEAVES] += 1
    if s.control[RIVAL] < 0:
        return evaluate_static_for(s, state, s.control[ROOT], s.values) * side
    evaluate_static(s, state, s.values)
    return _score(s, side)


@helper
def _won(s):
    """Return the score of a win, the best possible one."""
    if s.control[STAKES] != 0:
        return s.control[STAKES] * RESOLUTION
    most = 1.0 - 1.0 / s.rules[SEATS] if s.control[RIVAL] < 0 else 1.0
    return most * DECIDED


@helper
def key_of(s, state, quota):
    """Return the key of a position in this search: another root seat, world or quota makes it another position."""
    return key(s.rules, state) ^ s.control[SALT] ^ ((quota + 2) << 58)


@helper
def _table_key(s, state, quota):
    """Return the key of a position in the transposition table, 0 if it is not stored."""
    if s.control[SLOTS] == NO_TABLE:
        return 0
    if s.control[NORMAL] == 0:
        return key_of(s, state, quota)
    shared = normal_key(s.rules, state)
    return shared ^ s.control[SALT] if shared != 0 else 0


@helper
def score_of(s, state, seat, level, depth, quota, alpha, beta):
    """Return the score of an unfinished position for the side of the seat to move, exact between alpha and beta."""
    if depth > 0 and level < s.control[LEVELS]:
        return _negamax_at(s.itself, s, state, level, depth, quota, alpha, beta)
    if spent(s):
        return 0.0
    s.control[SHORT] = max(s.control[SHORT], depth)
    return _score_horizon(s, state, side_of(s, seat))


@helper
def depth_below(s, mover, then, depth):
    """Return the depth that is left after a choice; seats that are out of the game use up none."""
    return depth if (s.control[OUT] >> mover) & 1 else depth_after(s.control, mover, then, depth)


@helper
def _follow(s, after, seat, level, at, depth, quota, alpha, beta):
    """Return the score of a choice for the side that makes it."""
    then, mover, side = turn(s.rules, after), s.movers[at], side_of(s, seat)
    if then == CHANCE:
        packed = pack_quota(quota_after(s, seat, mover, quota, at), mover)
        if side == side_of(s, CHANCE):
            return score_of(s, after, CHANCE, level + 1, depth, packed, alpha, beta)
        return -score_of(s, after, CHANCE, level + 1, depth, packed, -beta, -alpha)
    s.control[TURNS] += 1 if then != mover else 0
    if then == OVER:
        s.control[LEAVES] += 1
        return _score_end(s, after, side)
    left, carried = depth_below(s, mover, then, depth), quota_after(s, seat, then, quota, at)
    changes = side_of(s, then) != side
    low, high = (-beta, -alpha) if changes else (alpha, beta)
    score = score_of(s, after, then, level + 1, left, carried, low, high)
    return -score if changes else score


@helper
def _search_choice(s, after, seat, level, at, depth, quota, floor, beta, first):
    """Search a choice; all but the first with a null window, and again if it might be better."""
    null = not first and beta - floor > HAIR
    while True:
        score = _follow(s, after, seat, level, at, depth, quota, floor, floor + HAIR if null else beta)
        if not null or s.control[STOP] != 0 or not floor < score < beta:
            return score
        null = False


@helper
def _ending_choice(s, state, seat, level, n, beta):
    """Return a choice that ends the game with a score of beta or more, or -1; and the score."""
    base, side = first_choice(s, level), side_of(s, seat)
    for i in range(n):
        if s.order[base + i] > SEARCHED_OR_PRUNED:
            after = child_at(s, state, seat, level, base + i)
            if turn(s.rules, after) == OVER:
                score = _score_end(s, after, side)
                if score >= beta:
                    s.control[LEAVES] += 1
                    return i, score
    return -1, 0.0


@helper
def _store(s, state, quota, here, best, alpha, beta, choice, depth, horizon, afresh):
    """Store the result of a position; `horizon` is how often a horizon had been reached before."""
    bound = EXACT
    if best <= alpha:
        bound = AT_MOST
    elif best >= beta:
        bound = AT_LEAST
    to_the_end = s.control[HORIZON] == horizon
    data = pack(choice, bound, TO_THE_END if to_the_end else depth)
    if here != 0 and (to_the_end or s.control[NORMAL] == 0):  # values of symmetric positions may differ
        s.numbers[store_entry(s, here, data, ENTRY)] = best
    if bound == EXACT or afresh:
        itself = here if here != 0 and s.control[NORMAL] == 0 else key_of(s, state, quota)
        at = 2 * slot_of(itself, PV_SLOTS - 1)
        s.pv_table[at], s.pv_table[at + 1] = itself, data


@helper
def _record_cutoff(s, level, at, depth):
    """Record the move that caused a cut-off as a killer move, and add to its history."""
    mover, move = s.movers[at], s.listed[at]
    s.control[CUTOFFS] += 1
    s.killers[level] = name_of(mover, move)
    s.history[history_of(mover, move)] += depth * depth + 1


@helper
def _search_choices(s, state, seat, level, depth, quota, n, alpha, beta):
    """Return the best score of the choices of a level, and the choice; both are meaningless after a stop."""
    base, best, chosen, floor = first_choice(s, level), -INFINITE, 0, alpha
    order = offset(s.order, base)
    while True:
        i = next_choice(order, n)
        if order[i] <= SEARCHED_OR_PRUNED:
            return best, chosen
        order[i] = SEARCHED_OR_PRUNED
        after = child_at(s, state, seat, level, base + i)
        score = _search_choice(s, after, seat, level, base + i, depth, quota, floor, beta, best == -INFINITE)
        if s.control[STOP] != 0:
            return best, chosen
        if score > best:
            best, chosen = score, i
            floor = max(floor, best)
            if s.control[PROBE] == level:
                return best, chosen
            if best >= beta:
                _record_cutoff(s, level, base + i, depth)
                return best, chosen


@helper
def _search_position(s, state, seat, level, depth, quota, safe, table_move, alpha, beta):
    """Return the best score of a position, and the choice."""
    n, ends = expand(s, state, seat, level, quota, safe, table_move)
    chosen, best = _ending_choice(s, state, seat, level, n, beta) if ends else (-1, 0.0)
    if chosen < 0:
        best, chosen = _search_choices(s, state, seat, level, depth, quota, n, alpha, beta)
    return best, chosen


@helper
def _outcome(s, state, level, at, mover):
    """Return the position after what chance may do; the root seat follows on a reply."""
    after, root = child_of(s, state, level, s.listed[at]), s.control[ROOT]
    then = turn(s.rules, after)
    if s.control[REPLIES] != 0 and mover != root and then >= 0 and then != root and then != mover:
        hand_over(s.rules, after, root)
    return after


@helper
def _score_outcome(s, state, level, at, depth, packed, alpha, beta):
    """Return the score of what chance may do, for the side of chance."""
    mover, side = mover_in(packed), side_of(s, CHANCE)
    after = _outcome(s, state, level, at, mover)
    then = turn(s.rules, after)
    if then == OVER:
        s.control[TURNS] += 1
        s.control[LEAVES] += 1
        return _score_end(s, after, side)
    if then == CHANCE:
        return score_of(s, after, then, level + 1, depth - 1, packed, alpha, beta)
    s.control[TURNS] += 1 if then != mover else 0
    left, carried = depth - 1, quota_after_roll(s, packed, then)  # a roll ends a turn
    if side_of(s, then) == side:
        return score_of(s, after, then, level + 1, left, carried, alpha, beta)
    return -score_of(s, after, then, level + 1, left, carried, -beta, -alpha)


@helper
def _probe_outcomes(s, state, level, n, total, depth, packed, alpha, beta, worst):
    """Limit what each outcome can be worth, by searching one reply to it (Star2); return the limits of them all.

    A reply by the side of chance shows what the outcome is worth at least, one by the root seat what at most.
    """
    base, kept = first_choice(s, level), s.control[PROBE]
    lower, upper = -worst, worst
    for i in range(n):
        share, after = s.movers[base + i] / total, _outcome(s, state, level, base + i, mover_in(packed))
        then = turn(s.rules, after)
        limits = offset(s.limits, 2 * (base + i))
        same = side_of(s, then) == side_of(s, CHANCE)
        hopeless = beta >= worst * (1.0 - HAIR) if same else alpha <= -worst * (1.0 - HAIR)
        if then < 0 or hopeless or depth <= 1:
            continue
        low, high = -worst, worst
        if same:
            high = min(worst, (beta - lower) / share - worst)
        else:
            low = max(-worst, (alpha - upper) / share + worst)
        if low >= high:
            continue
        s.control[PROBE] = level + 1
        score = _score_outcome(s, state, level, base + i, depth, packed, low, high)
        s.control[PROBE] = kept
        if s.control[STOP] != 0:
            return lower, upper
        if same:
            limits[0] = max(limits[0], min(score, worst))
            lower += share * (limits[0] + worst)
        else:
            limits[1] = min(limits[1], max(score, -worst))
            upper -= share * (worst - limits[1])
        if lower >= beta or upper <= alpha:
            return lower, upper
    return lower, upper


@helper
def _search_chance(s, state, level, depth, packed, alpha, beta):
    """Return the expected score where chance moves, for its side, exact between alpha and beta.

    The rest is left out once what is known and the limits of the other outcomes settle it (Star1, Ballard 1983).
    """
    base, worst = first_choice(s, level), _won(s)
    n = moves(s.rules, state, offset(s.listed, base))
    n = min(n, odds(s.rules, state, offset(s.movers, base)))
    total = total_odds(n, offset(s.movers, base))
    for i in range(n):
        s.limits[2 * (base + i)], s.limits[2 * (base + i) + 1] = -worst, worst
    lower, upper, star = -worst, worst, s.control[STAR]
    if star == STAR2 and n > 1:
        lower, upper = _probe_outcomes(s, state, level, n, total, depth, packed, alpha, beta, worst)
        if s.control[STOP] != 0:
            return 0.0
        if lower >= beta or upper <= alpha:
            s.control[CUTOFFS] += 1
            return lower if lower >= beta else upper
    for i in range(n):
        share, least, most = s.movers[base + i] / total, s.limits[2 * (base + i)], s.limits[2 * (base + i) + 1]
        lower -= share * least  # of all outcomes but this one
        upper -= share * most
        if star != NO_STAR and (upper + share * most <= alpha or lower + share * least >= beta):
            s.control[CUTOFFS] += 1
            return upper + share * most if upper + share * most <= alpha else lower + share * least
        low, high = least, most
        if star != NO_STAR:
            low, high = max(least, (alpha - upper) / share), min(most, (beta - lower) / share)
        if low >= high:  # windows may be as narrow as numbers are rounded
            low, high = least, most
        score = most
        if low < high:
            score = _score_outcome(s, state, level, base + i, depth, packed, low, high)
        if s.control[STOP] != 0:
            return 0.0
        lower += share * score
        upper += share * score
        if (score <= low and low > least) or (score >= high and high < most):
            s.control[CUTOFFS] += 1 if i + 1 < n else 0
            return upper if score <= low else lower
    return lower


def _negamax(s, state, level, depth, quota, alpha, beta):
    """Return the score of a position for the side to move, exact between alpha and beta."""
    if spent(s):
        return 0.0
    if turn(s.rules, state) == CHANCE:
        return _search_chance(s, state, level, depth, quota, alpha, beta)
    safe = count_safe(s, state, level, depth)
    afresh = s.control[AFRESH] == level
    if safe == 0 and not afresh:
        return -_won(s)
    seat, here, table_move = turn(s.rules, state), _table_key(s, state, quota), -1
    at = entry_of(s, here, ENTRY)
    if here != 0 and is_hit(s, at, here):
        data, score = s.cells[at + DATA], s.numbers[at + NUMBER]
        table_move = choice_of(data)
        if holds_at(data, depth) and settles(data, score, alpha, beta) and not afresh:
            s.control[HORIZON] += 1 if depth_of(data) != TO_THE_END else 0
            return score
    horizon = s.control[HORIZON]
    best, chosen = _search_position(s, state, seat, level, depth, quota, safe, table_move, alpha, beta)
    if s.control[STOP] != 0:
        return 0.0
    if s.control[PROBE] == level:
        return best
    _store(s, state, quota, here, best, alpha, beta, chosen, depth, horizon, afresh)
    return best


negamax = Native(_negamax, _NEGAMAX)


@helper
def _winning_move(s, state, tried, won):
    """Return the index of a move that wins at once, or -1, and its score."""
    for i in range(tried.shape[0]):
        after = child_of(s, state, 0, tried[i])
        if turn(s.rules, after) == OVER:
            score = _score_end(s, after, 1)
            if score >= won:
                return i, score
    return -1, 0.0


@compiled
def search_root(arrays, root, depth, tried, all_exact, scores):
    """Search the moves `tried` in that order; scores[i] is exact for the best, a bound for the others (or all exact).

    Return the index of the best, or -1 if the budget ran out during the first. A certain win ends the search. Moves
    not reached keep their scores.
    """
    s, state = opened(arrays), pointer(root)
    seat = turn(s.rules, state)
    won = _won(s) * (1.0 - HAIR)  # a search that has it need not look for another
    best, score = _winning_move(s, state, tried, won)
    if best >= 0 and not all_exact:
        scores[best] = score
        return best
    best, floor = -1, -won
    for i in range(tried.shape[0]):
        s.listed[0], s.movers[0] = tried[i], seat
        after = child_of(s, state, 0, tried[i])
        wanted = -won if all_exact else floor
        score = _search_choice(s, after, seat, 0, 0, depth, 0, wanted, won, best < 0 or all_exact)
        if s.control[STOP] != 0:
            return best
        scores[i] = score
        if best < 0 or score > scores[best]:
            best, floor = i, max(floor, score)
        if score >= won and not all_exact:
            return best
    return best
