"""Evaluations of Gamble: nothing, or something above 0 for searches that divide by it."""

from kibitz.rules import value

USUAL = "nothing"


@value
def nothing(state, weights, seat):
    """No opinion."""
    return 0.0


@value(shares=True)
def even(state, weights, seat):
    """The same for every seat."""
    return 1.0
