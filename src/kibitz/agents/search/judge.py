"""Judging a position: by a value while the game goes on, by the payoffs once it is over."""

from kibitz.core.native import helper
from kibitz.core.rules import OVER, SEATS, evaluate, evaluate_for, payoff, turn

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
    evaluate(value, state, weights, out)
    for seat in range(rules[SEATS]):
        out[seat] = min(max(out[seat], -MOST_VALUE), MOST_VALUE)


@helper
def appraise_for(part, weights, state, seat):
    """Return what `appraise` writes for one seat."""
    return min(max(evaluate_for(part, state, weights, seat), -MOST_VALUE), MOST_VALUE)


@helper
def judge(rules, value, weights, state, out):
    """Write what a position is worth to each seat."""
    if turn(rules, state) == OVER:
        settled(rules, state, out)
    else:
        appraise(rules, value, weights, state, out)
