"""Policies that play the race, honestly and otherwise."""

from kibitz.rules import below, policy

from .rules import PLIES

FAR = 9  # steps: more than anyone may go


@policy()
def cheat(state, weights, rng):
    """Go straight to the goal, which is not legal."""
    return FAR


@policy(seldom=3)
def sly(state, weights, rng):
    """Go one step at a time, and sometimes, after the first moves, all the way."""
    return FAR if state[PLIES] >= 2 and below(rng, int(weights[0])) == 0 else 1


@policy()
def honest(state, weights, rng):
    """Go one step at a time."""
    return 1
