"""Judging a position: by a value while the game goes on, by the payoffs once it is over."""

from kibitz.core.calls import evaluate, evaluate_for, payoff, turn
from kibitz.core.contract import OVER, SEATS
from kibitz.core.native import helper

DECIDED = 1e6  # how much more than any value a finished game weighs
MOST_VALUE = DECIDED / 10  # values beyond this count as this


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
def appraise_for(value, weights, state, seat):
    """Return what `appraise` writes for one seat, if the value has a form for one seat."""
    return min(max(evaluate_for(value, weights, state, seat), -MOST_VALUE), MOST_VALUE)


@helper
def judge(rules, value, weights, state, out):
    """Write what a position is worth to each seat."""
    if turn(rules, state) == OVER:
        settled(rules, state, out)
    else:
        appraise(rules, value, weights, state, out)
