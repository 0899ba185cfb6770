"""The opponent model of guesses: each legal move is equally likely, so what counts is how many there were.

From every space where a seat has pirates it has one move for each kind of card in its hand; and it has *others* that
need no card: moves back, and to stop. A view tells where pirates stand, but not where they stood. So spaces and moves
back are estimated by their means in random games.
"""

from math import sqrt

from kibitz.core.bits import popcount
from kibitz.core.native import helper
from kibitz.games.cartagena.cells import SEAT_COUNT, SLOOP_BACK
from kibitz.games.cartagena.passage import SLOOP, standing

UNIT = 1024  # a kind of card, in fixed-point numbers
GROWTH = 0.95  # a seat begins on one space; after n choices it stands on about one and this times the root of n
FIRST_BACK, LATER_BACK, MORE_BACK, MOST_BACK = 0.17, 0.5, 0.008, 0.8  # moves back for each space
NOT_ABOARD, ABOARD = 60, 290  # choices of all seats until the first pirates reach the sloop, until every seat has one


@helper
def other_moves(view, seat, choices, action):
    """Return how many moves without a card a seat had per space, times UNIT, after `choices` choices in all."""
    spaces = min(popcount(standing(view, seat) & ((1 << SLOOP) - 1)), 1 + GROWTH * sqrt(choices))
    back = min(FIRST_BACK * choices, LATER_BACK + MORE_BACK * choices, MOST_BACK)
    return int(UNIT * (back + ((action > 0) + _from_sloop(view, seat, choices)) / max(spaces, 1)))


@helper
def _from_sloop(view, seat, choices):
    """Return how many moves back from the sloop a seat had on average: none, unless it may and has a pirate there."""
    if not view[SLOOP_BACK] or standing(view, seat) >> SLOOP & 1 == 0:
        return 0.0
    return min(max((choices * view[SEAT_COUNT] - NOT_ABOARD) / (ABOARD - NOT_ABOARD), 0.0), 1.0)
