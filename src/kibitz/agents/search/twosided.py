"""Two sides: the root seat against all others, by alpha-beta: minimax, paranoid, best-reply, opponent-pruning search.

Negamax form: the sign flips only when the side changes, as a turn may be several moves and a side several seats. A
score is that of the root seat on its own nodes, and its negative on the others'. Where no horizon was touched below a
position, its score is final whatever the depth.

Best-reply search (REPLIES) lets one opponent answer for all: every opponent's moves are united in one layer, then the
root seat is on move again. Opponent-pruning search lets WIDE_SEATS opponents a round choose among their best WIDE moves
by their own value, the others among their best NARROW. Seats that are OUT of the game pass, and that costs no depth.
"""

from typing import Any, NamedTuple

from numba import types

from kibitz.agents.search.judge import DECIDED, appraise, judge, settled
from kibitz.agents.search.sifting import sifted
from kibitz.agents.search.transpositions import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    TO_THE_END,
    bound_of,
    choice_of,
    depth_of,
    pack,
    slot_of,
)
from kibitz.core.address import CELLS, DICE, INT, NUMBERS, Native, caller
from kibitz.core.calls import copy, hand_over, key, moves, order_of, play, turn
from kibitz.core.contract import OVER, SEATS, SIZE
from kibitz.core.native import compiled, helper, offset, pointer

# Cells of `control`. What a search counts, then what it is told. TURNS counts turns that came to an end; SHORT is the
# most depth that was left where levels or places ended; USED counts places; FILLED and SLOT_MASK belong to the table.
NODES, STOP, HORIZON, CUTOFFS, LEAVES, TURNS, SHORT, USED, FILLED, SLOT_MASK = range(10)
NODE_LIMIT, MOST_LEVELS, PLACES, MOST_SLOTS, SALT, ROOT, BY_MOVES = range(10, 17)
WIDTH, REPLIES, WIDE_SEATS, WIDE, NARROW, LEAF, RIVAL, OUT = range(17, 25)
CONTROL_CELLS = 25
# Kinds of LEAF: the root seat's worth, or how far it is ahead of the best other seat, or of the seat RIVAL.
OWN, AGAINST_BEST, AGAINST_RIVAL = 0, 1, 2

LINE_SLOTS = 4096
HISTORY_MASK = 1023  # history is kept by seat and the last ten bits of the move
INFINITE = 1e18
_STRUCK = -1e18  # the order of a move that has been searched, or is not to be
_REMEMBERED = 1e17  # the order of the choice remembered from an earlier visit
_KILLER = 1e16  # the order of a move that cut off a sibling
_RANK = 1e10  # how much more a rank weighs than any history
HAIR = 1e-9  # the width of a null window
_NO_ROOM = -1
_WIDE_ALREADY = 8  # added to the quota until the end of a turn in which a wide choice was made


class Search(NamedTuple):
    """Everything a search works on; arrays when Python hands it in, addresses inside."""

    rules: Any
    value: Any
    weights: Any
    control: Any
    # The choices of a level lie side by side, from a base on, behind those of the level above.
    states: Any  # place x cell: the position after each choice; one more at the end for _list_replies
    listed: Any  # place: the move
    movers: Any  # place: the seat that makes it
    order: Any  # place: the greater, the sooner
    ranks: Any  # place: its place by the mover's own value, where that is asked for
    worth: Any  # by seat
    history: Any
    killers: Any  # by level
    keys: Any
    scores: Any
    notes: Any
    lines: Any  # key and note of the last positions whose score was exact; the table forgets them sooner
    ranking: Any  # what says which moves come first, or 0
    sieve: Any  # what leaves out moves, or 0
    dice: Any  # for the sieve
    itself: Any  # the handle of `negamax`, through which it calls itself: numba cannot keep recursion on disk


_SEARCH = types.NamedTuple(
    (CELLS, CELLS, NUMBERS, CELLS, CELLS, CELLS, CELLS, NUMBERS, CELLS, NUMBERS, NUMBERS, CELLS, CELLS, NUMBERS, CELLS,
     CELLS, INT, INT, DICE, INT),
    Search,
)  # fmt: skip
_NEGAMAX = types.float64(_SEARCH, CELLS, INT, INT, INT, types.float64, types.float64)
again = caller(_NEGAMAX)


@helper
def opened(s):
    return Search(
        pointer(s.rules), pointer(s.value), pointer(s.weights), pointer(s.control), pointer(s.states),
        pointer(s.listed),
        pointer(s.movers), pointer(s.order), pointer(s.ranks), pointer(s.worth), pointer(s.history), pointer(s.killers),
        pointer(s.keys), pointer(s.scores), pointer(s.notes), pointer(s.lines), s.ranking, s.sieve,
        pointer(s.dice), s.itself,
    )  # fmt: skip


@helper
def _out_of_budget(control):
    control[NODES] += 1
    if control[NODES] > control[NODE_LIMIT]:
        control[STOP] = 1
    return control[STOP] != 0


@helper
def _score(s, side):
    """Return the score of what is in `worth`, for the side of the root seat (1) or the other (-1)."""
    root = s.control[ROOT]
    score = s.worth[root]
    if s.control[LEAF] == AGAINST_BEST:
        best = -INFINITE
        for seat in range(s.rules[SEATS]):
            if seat != root:
                best = max(best, s.worth[seat])
        score -= best
    if s.control[LEAF] == AGAINST_RIVAL:
        score -= s.worth[s.control[RIVAL]]
    return score * side


@helper
def _horizon(s, state, side):
    s.control[HORIZON] += 1
    s.control[LEAVES] += 1
    appraise(s.rules, s.value, s.weights, state, s.worth)
    return _score(s, side)


@helper
def _short_horizon(s, state, side, depth):
    """Judge a position although some depth may be left."""
    s.control[SHORT] = max(s.control[SHORT], depth)
    return _horizon(s, state, side)


@helper
def _final(s, state, side):
    s.control[LEAVES] += 1
    settled(s.rules, state, s.worth)
    return _score(s, side)


@helper
def position_of(s, state, quota):
    """Return the key of a position in this search: another root seat, world or quota makes it another position."""
    return key(s.rules, state) ^ s.control[SALT] ^ ((quota + 2) << 58)


@helper
def _remember(s, here, best, alpha, beta, choice, depth, horizon):
    bound = EXACT
    if best <= alpha:
        bound = AT_MOST
    elif best >= beta:
        bound = AT_LEAST
    if s.control[HORIZON] == horizon:
        depth = TO_THE_END
    _make_room(s)
    slot = slot_of(here, s.control[SLOT_MASK])
    s.control[FILLED] += 1 if s.notes[slot] == 0 else 0
    s.keys[slot] = here
    s.scores[slot] = best
    s.notes[slot] = pack(choice, bound, depth)
    if bound == EXACT:
        at = 2 * slot_of(here, LINE_SLOTS - 1)
        s.lines[at], s.lines[at + 1] = here, s.notes[slot]


@helper
def _make_room(s):
    """Double the slots in use once half of them are filled: a table that begins small touches little memory."""
    control, slots = s.control, s.control[SLOT_MASK] + 1
    if 2 * control[FILLED] > slots and 2 * slots <= control[MOST_SLOTS]:
        control[SLOT_MASK] = 2 * slots - 1
        for old in range(slots):
            new = slot_of(s.keys[old], control[SLOT_MASK])
            if s.notes[old] != 0 and new != old:
                s.keys[new], s.scores[new], s.notes[new] = s.keys[old], s.scores[old], s.notes[old]
                s.notes[old] = 0


@helper
def _list_moves(s, state, level, at, mover):
    """Add the moves of the seat to move, with the positions after them, from place `at` on; return the next place."""
    size, listed = s.rules[SIZE], offset(s.listed, at)
    n = sifted(s.rules, s.sieve, s.control[ROOT], state, s.dice, listed, moves(s.rules, state, listed))
    if at + n > s.control[PLACES]:
        return _NO_ROOM
    for i in range(n):
        after = offset(s.states, (at + i) * size)
        copy(s.rules, state, after)
        play(s.rules, after, listed[i])
        s.movers[at + i] = mover
        s.order[at + i] = _promise(s, state, level, mover, listed[i])
    return at + n


@helper
def _promise(s, state, level, mover, move):
    """Return how soon a move is to be tried: a killer first, then by its rank, then by its history."""
    if s.killers[level] == _name(mover, move):
        return _KILLER
    promise = s.history[mover * (HISTORY_MASK + 1) + (move & HISTORY_MASK)]
    if s.ranking != 0:
        promise += _RANK * order_of(s.ranking, state, move)
    return promise


@helper
def _name(mover, move):
    """Return a number for a move by a seat; never 0."""
    return (move << 4) + mover + 1


@helper
def _list_replies(s, state, level, base):
    """Unite the moves of all opponents, each as if it were on move; whoever answers, the root seat comes next."""
    seats, size = s.rules[SEATS], s.rules[SIZE]
    root, first = s.control[ROOT], turn(s.rules, state)
    at, asked = base, offset(s.states, s.control[PLACES] * size)
    for step in range(seats):
        seat = (first + step) % seats
        if seat == root or at == _NO_ROOM:
            continue
        copy(s.rules, state, asked)
        if seat != first:
            hand_over(s.rules, asked, seat)
        at = _list_moves(s, asked, level, at, seat)
    return at


@helper
def _return_to_root(s, base, n):
    """After a reply is complete, put the root seat on move."""
    for i in range(n):
        after = offset(s.states, (base + i) * s.rules[SIZE])
        then = turn(s.rules, after)
        if then != OVER and then != s.control[ROOT] and then != s.movers[base + i]:
            hand_over(s.rules, after, s.control[ROOT])


@helper
def _rank(s, base, n, limit):
    """Rank each mover's choices by its own value, strike those beyond the limit, and search the best first."""
    order, ranks = offset(s.order, base), offset(s.ranks, base)
    for i in range(n):
        judge(s.rules, s.value, s.weights, offset(s.states, (base + i) * s.rules[SIZE]), s.worth)
        order[i] = s.worth[s.movers[base + i]]
    for i in range(n):
        rank = 0
        for j in range(n):
            better = order[j] > order[i] or (order[j] == order[i] and j < i)
            rank += 1 if better and s.movers[base + j] == s.movers[base + i] else 0
        ranks[i] = rank
    for i in range(n):
        order[i] = -ranks[i] if ranks[i] < limit else _STRUCK


@helper
def _limit(s, side, quota):
    """Return how many of its best moves the mover may choose from; 0 for all of them, unranked."""
    control = s.control
    limit = control[WIDTH]
    if side < 0 and control[WIDE_SEATS] >= 0:
        wide = quota >= _WIDE_ALREADY or quota < control[WIDE_SEATS]
        mine = control[WIDE] if wide else control[NARROW]
        limit = mine if limit == 0 or mine < limit else limit
    return limit


@helper
def expand(s, state, seat, level, base, quota, remembered):
    """List the choices with the positions after them and the order to search them in; return how many, or _NO_ROOM."""
    side = 1 if seat == s.control[ROOT] else -1
    replying = side < 0 and s.control[REPLIES] != 0
    if replying and quota != seat:
        end = _list_replies(s, state, level, base)
    else:
        end = _list_moves(s, state, level, base, seat)
    if end == _NO_ROOM:
        return _NO_ROOM
    n = end - base
    if replying:
        _return_to_root(s, base, n)
    limit = _limit(s, side, quota)
    if limit > 0:
        _rank(s, base, n, limit)
    if 0 <= remembered < n and s.order[base + remembered] > _STRUCK:
        s.order[base + remembered] = _REMEMBERED
    return n


@helper
def _next(order, n):
    """Return the choice to search next and strike it off; -1 if none is left."""
    best = 0
    for i in range(1, n):
        if order[i] > order[best]:
            best = i
    if order[best] <= _STRUCK:
        return -1
    order[best] = _STRUCK
    return best


@helper
def _winning_choice(s, base, n, side, beta):
    """Return a choice that ends the game well enough to stop at, or -1."""
    for i in range(n):
        after = offset(s.states, (base + i) * s.rules[SIZE])
        if s.order[base + i] > _STRUCK and turn(s.rules, after) == OVER:
            settled(s.rules, after, s.worth)
            if _score(s, side) >= beta:
                s.control[LEAVES] += 1
                return i
    return -1


@helper
def quota_after(s, seat, then, quota, at):
    """Return what the next node must know: the seat in the middle of its reply, or how many opponents chose widely."""
    if s.control[REPLIES] != 0:
        return then if then == s.movers[at] and then != s.control[ROOT] else -1
    if then == s.control[ROOT] or s.control[WIDE_SEATS] < 0:
        return 0
    if seat == s.control[ROOT]:
        return 0
    if quota < _WIDE_ALREADY and s.ranks[at] >= s.control[NARROW]:
        quota += 1 + _WIDE_ALREADY
    return quota if then == seat else quota % _WIDE_ALREADY


@helper
def uses_depth(s, mover, then):
    """Tell whether a move uses up depth."""
    return (s.control[BY_MOVES] != 0 or then != mover) and (s.control[OUT] >> mover) & 1 == 0


@helper
def _follow(s, at, seat, side, level, depth, quota, alpha, beta):
    """Return the score of a choice for the side that makes it."""
    after = offset(s.states, at * s.rules[SIZE])
    then, mover = turn(s.rules, after), s.movers[at]
    s.control[TURNS] += 1 if then != mover else 0
    if then == OVER:
        return _final(s, after, side)
    left = depth - 1 if uses_depth(s, mover, then) else depth
    carried = quota_after(s, seat, then, quota, at)
    if (then == s.control[ROOT]) == (side > 0):
        return again(s.itself, s, after, level + 1, left, carried, alpha, beta)
    return -again(s.itself, s, after, level + 1, left, carried, -beta, -alpha)


@helper
def _search_choice(s, at, seat, side, level, depth, quota, floor, beta, first):
    """Search a choice; all but the first with a null window, and again if it might be better."""
    if first or beta - floor <= HAIR:
        return _follow(s, at, seat, side, level, depth, quota, floor, beta)
    score = _follow(s, at, seat, side, level, depth, quota, floor, floor + HAIR)
    if s.control[STOP] == 0 and floor < score < beta:
        score = _follow(s, at, seat, side, level, depth, quota, floor, beta)
    return score


@helper
def _credit(s, level, at, depth):
    """Note the move that cut off, so that it is tried sooner elsewhere."""
    s.control[CUTOFFS] += 1
    s.killers[level] = _name(s.movers[at], s.listed[at])
    s.history[s.movers[at] * (HISTORY_MASK + 1) + (s.listed[at] & HISTORY_MASK)] += depth * depth + 1


def _negamax(s, state, level, depth, quota, alpha, beta):
    """Return the score of a position for the side to move, exact between alpha and beta."""
    if _out_of_budget(s.control):
        return 0.0
    seat = turn(s.rules, state)
    side = 1 if seat == s.control[ROOT] else -1
    if depth == 0 or level == s.control[MOST_LEVELS]:
        return _short_horizon(s, state, side, depth)
    here = position_of(s, state, quota)
    slot = slot_of(here, s.control[SLOT_MASK])
    remembered = -1
    note, score = s.notes[slot], s.scores[slot]
    if note != 0 and s.keys[slot] == here:
        remembered = choice_of(note)
        if depth_of(note) == depth or depth_of(note) == TO_THE_END:
            bound = bound_of(note)
            if bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha):
                if depth_of(note) != TO_THE_END:
                    s.control[HORIZON] += 1
                return score
    horizon, base = s.control[HORIZON], s.control[USED]
    n = expand(s, state, seat, level, base, quota, remembered)
    if n == _NO_ROOM:
        return _short_horizon(s, state, side, depth)
    won = _winning_choice(s, base, n, side, beta)
    if won >= 0:
        score = _score(s, side)
        _remember(s, here, score, alpha, beta, won, depth, horizon)
        return score
    best, chosen, floor = -INFINITE, 0, alpha
    s.control[USED] = base + n
    while True:
        i = _next(offset(s.order, base), n)
        if i < 0:
            break
        score = _search_choice(s, base + i, seat, side, level, depth, quota, floor, beta, best == -INFINITE)
        if s.control[STOP] != 0:
            return 0.0
        if score > best:
            best, chosen = score, i
            floor = max(floor, best)
            if best >= beta:
                _credit(s, level, base + i, depth)
                break
    s.control[USED] = base
    _remember(s, here, best, alpha, beta, chosen, depth, horizon)
    return best


negamax = Native(_negamax, _NEGAMAX)


@helper
def _sure_win(s):
    """Return a hair less than the best score there can be: a search that has it need not look for another."""
    seats = s.rules[SEATS]
    most = 1.0 - 1.0 / seats if s.control[LEAF] == OWN else 1.0
    return most * DECIDED * (1.0 - HAIR)


@helper
def _winning_move(s, state, tried, won):
    """Return the place of a move that wins at once, or -1; the score is then in `worth`."""
    for i in range(tried.shape[0]):
        copy(s.rules, state, s.states)
        play(s.rules, s.states, tried[i])
        if turn(s.rules, s.states) == OVER:
            settled(s.rules, s.states, s.worth)
            if _score(s, 1) >= won:
                return i
    return -1


@compiled
def search_root(arrays, root, depth, tried, all_exact, scores):
    """Search the moves `tried` in that order; scores[i] is exact for the best, a bound for the others (or all exact).

    Return the place of the best, or -1 if the budget ran out before the first was done. A move that wins for sure ends
    the search. The scores of moves not reached are left as they were.
    """
    s = opened(arrays)
    state = pointer(root)
    seat = turn(s.rules, state)
    s.control[USED] = 1  # the first place is for the position after each move tried
    won = _sure_win(s)
    best = _winning_move(s, state, tried, won)
    if best >= 0 and not all_exact:
        scores[best] = _score(s, 1)
        return best
    best, floor = -1, -won
    for i in range(tried.shape[0]):
        copy(s.rules, state, s.states)
        play(s.rules, s.states, tried[i])
        s.listed[0] = tried[i]
        s.movers[0] = seat
        wanted = -won if all_exact else floor
        score = _search_choice(s, 0, seat, 1, 0, depth, 0, wanted, won, best < 0 or all_exact)
        if s.control[STOP] != 0:
            return best
        scores[i] = score
        if best < 0 or score > scores[best]:
            best, floor = i, max(floor, score)
        if score >= won and not all_exact:
            return best
    return best
