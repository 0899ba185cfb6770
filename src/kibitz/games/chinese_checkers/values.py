"""What a Chinese Checkers position seems worth."""

from kibitz.core.heuristics import value
from kibitz.games.chinese_checkers.measures import ASTRAY, covered, farthest, summed

USUAL = "formation"


@value(unit="steps")
def distance(state, weights, seat):
    """The steps that a seat's pieces have come closer to the tip of its goal, in place of the literature's 28 - m."""
    return covered(state, seat)


@value(unit="steps", last=0.5, astray=0.1)
def formation(state, weights, seat):
    """The distance covered, less for the steps that the last piece has left and for pieces off the straight way."""
    return covered(state, seat) - weights[0] * farthest(state, seat) - weights[1] * summed(state, seat, ASTRAY)


@value(shares=True)
def shares(state, weights, seat):
    """The distance covered in per cent of all seats': a bounded value, by which max^n can prune."""
    return max(covered(state, seat), 0) + 1.0
