"""Judging a position: by a value while the game goes on, by the payoffs once it is over."""

from kibitz.core.calls import evaluate, evaluate_for, has_seat_form, payoff, turn
from kibitz.core.contract import OVER, SEATS
from kibitz.core.native import compiled, helper, pointer

DECIDED = 1e6  # how much more than any value a finished game weighs
MOST_VALUE = DECIDED / 10  # values beyond this count as this
WON = DECIDED / 4  # scores beyond this are decided games: with many seats a win is nearly DECIDED, a loss a share of it


@helper
def settled(rules, state, out):
    """Write the payoffs of a finished game, as differences from their mean, so that they outweigh any value."""
    payoff(rules, state, out)
    mean = 0.0
    for seat in range(rules[SEATS]):
        mean += out[seat] / rules[SEATS]
    for seat in range(rules[SEATS]):
        out[seat] = (out[seat] - mean) * DECIDED


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
def judge(rules, value, weights, state, out):
    """Write what a position is worth to each seat."""
    if turn(rules, state) == OVER:
        settled(rules, state, out)
    else:
        appraise(rules, value, weights, state, out)


@helper
def judge_for(s, state, seat, room):
    """Return what a position is worth to one seat; `room` may be written to."""
    if turn(s.rules, state) == OVER:
        settled(s.rules, state, room)
        return room[seat]
    return appraise_for(s, state, seat, room)


@compiled
def judge_position(rules, value, weights, state, out):
    """Write what a position is worth to each seat, for callers in Python."""
    judge(pointer(rules), pointer(value), pointer(weights), pointer(state), pointer(out))
