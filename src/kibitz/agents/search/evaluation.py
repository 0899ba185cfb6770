"""Evaluating a position: by a value while the game goes on, by the payoffs once it is over.

A win outweighs any value, and any value a loss. A draw is worth what the position in which the search begins is worth
to an average seat, or to each seat itself, so that it lies on the value's own scale; to the seat that searches it is
worth less by contempt.
"""

from kibitz.agents.search.control import CONTEMPT, DRAWS, OWN_DRAW, ROOT
from kibitz.core.calls import evaluate, evaluate_for, has_seat_form, payoff, turn
from kibitz.core.contract import OVER, SEATS
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.shares import GRAIN

DECIDED = 1e6  # how much more than any value a finished game weighs
MOST_VALUE = DECIDED / 10  # values beyond this count as this
WON = DECIDED / 4  # scores beyond this are decided games: with many seats a win is nearly DECIDED, a loss a share of it


@helper
def _average(rules, worths):
    mean = 0.0
    for seat in range(rules[SEATS]):
        mean += worths[seat] / rules[SEATS]
    return mean


@helper
def is_draw(rules, earned):
    """Return whether all seats earned the same."""
    for seat in range(1, rules[SEATS]):
        if earned[seat] != earned[0]:
            return False
    return True


@helper
def _settle(rules, state, even, out):
    """Write what a finished game is worth to each seat, `even` in a draw."""
    payoff(rules, state, out)
    drawn, mean = is_draw(rules, out), _average(rules, out)
    for seat in range(rules[SEATS]):
        out[seat] = even if drawn else (out[seat] - mean) * DECIDED
    return drawn


@helper
def has_own_draws(control):
    """Return whether a draw is worth to each seat what the position in which the search begins is worth to it."""
    return control[OWN_DRAW] != 0


@helper
def write_draw(rules, control, out):
    """Write what a draw is worth to each seat."""
    draws = offset(control, control[DRAWS])
    for seat in range(rules[SEATS]):
        out[seat] = draws[seat] * GRAIN


@helper
def scorn(control, out):
    """Make a draw worth less to the seat that searches, by its contempt."""
    out[control[ROOT]] -= control[CONTEMPT] * GRAIN


@helper
def _settle_in_search(rules, control, state, out):
    if _settle(rules, state, 0.0, out):
        write_draw(rules, control, out)
        scorn(control, out)


@helper
def settle(s, state, out):
    """Write what a finished game is worth to each seat."""
    _settle_in_search(s.rules, s.control, state, out)


@helper
def appraise(rules, value, weights, state, out):
    """Write the value of an unfinished position, held within what a finished game would outweigh."""
    evaluate(rules, value, weights, state, out)
    for seat in range(rules[SEATS]):
        out[seat] = min(max(out[seat], -MOST_VALUE), MOST_VALUE)


@helper
def appraise_for(s, state, seat, room):
    """Return the value of an unfinished position for one seat; `room` may be written to."""
    if not has_seat_form(s.value):
        appraise(s.rules, s.value, s.weights, state, room)
        return room[seat]
    return min(max(evaluate_for(s.value, s.weights, state, seat), -MOST_VALUE), MOST_VALUE)


@helper
def even_worth(rules, value, weights, state, room):
    """Return what an unfinished position is worth to an average seat; `room` is written to."""
    appraise(rules, value, weights, state, room)
    return _average(rules, room)


@helper
def judge(rules, value, weights, state, even, out):
    """Write what a position is worth to each seat; a draw is worth `even`."""
    if turn(rules, state) == OVER:
        _settle(rules, state, even, out)
    else:
        appraise(rules, value, weights, state, out)


@helper
def judge_for(s, state, seat, room):
    """Return what a position is worth to one seat; `room` may be written to."""
    if turn(s.rules, state) == OVER:
        settle(s, state, room)
        return room[seat]
    return appraise_for(s, state, seat, room)


@compiled
def judge_position(rules_, value, weights, control, state_, out_):
    """Write what a position is worth to each seat in a search, for callers in Python."""
    rules, state, out = pointer(rules_), pointer(state_), pointer(out_)
    if turn(rules, state) == OVER:
        _settle_in_search(rules, pointer(control), state, out)
    else:
        appraise(rules, pointer(value), pointer(weights), state, out)
