"""What a Cartagena position seems worth: the utility of Steinmann's thesis (2003), which describes it but names no numbers.

It "encourages the players to move forwards, take cards and win the game".
"""

from kibitz.core.knowledge import value
from kibitz.core.native import helper
from kibitz.games.cartagena.cells import FOURS, HELD, ONES, SEATS, TWOS
from kibitz.games.cartagena.passage import SLOOP, pirates_of
from kibitz.core.bits import lowest

USUAL = "utility"
LEAST = 0.001  # utilities are divided by, so they stay positive whatever the weights


@helper
def _sum_of_spaces(spaces):
    total = 0
    while spaces:
        total += lowest(spaces)
        spaces &= spaces - 1
    return total


@helper
def distance(state, seat):
    """Return how many spaces a seat's pirates have covered together."""
    ones, twos, fours = state[ONES + seat], state[TWOS + seat], state[FOURS + seat]
    return _sum_of_spaces(ones) + 2 * _sum_of_spaces(twos) + 4 * _sum_of_spaces(fours)


@value(base=1.0, distance=1.0, card=4.0, sloop=5.0)
def utility(state, weights, out):
    """Spaces covered, cards held and pirates on the sloop, each with its weight, above a base; always positive."""
    for seat in range(state[SEATS]):
        worth = weights[0] + weights[1] * distance(state, seat) + weights[2] * state[HELD + seat]
        out[seat] = max(LEAST, worth + weights[3] * pirates_of(state, seat, SLOOP))
