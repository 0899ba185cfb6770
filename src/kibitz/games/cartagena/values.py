"""What a Cartagena position seems worth: the utility of Steinmann's thesis (2003), which names no numbers.

There it "encourages the players to move forwards, take cards and win the game".
"""

from kibitz.core.bits import lowest
from kibitz.core.heuristics import value
from kibitz.core.native import helper, offset
from kibitz.games.cartagena.cells import FOURS, HELD, ONES, SEAT_COUNT, TWOS
from kibitz.games.cartagena.passage import SLOOP, pirates_of

USUAL = "utility"

# Everything is counted in spaces. A sign recurs every six spaces, so a card is worth six; in matches of 600 games
# between seats that play `top3`, 5 and 8 are worse. What the sloop is worth beyond the way there hardly matters.
BASE, DISTANCE, CARD, SAVED = 1.0, 1.0, 6.0, 6.0
LEAST = 0.001  # searches divide by utilities, so they stay positive whatever the weights


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


@helper
def _worth(state, weights, seat):
    worth = weights[0] + weights[1] * distance(state, seat) + weights[2] * state[HELD + seat]
    return max(LEAST, worth + weights[3] * pirates_of(state, seat, SLOOP))


@value(positive=True, unit="spaces", base=BASE, distance=DISTANCE, card=CARD, sloop=SAVED)
def utility(state, weights, seat):
    """Spaces covered, cards held and pirates on the sloop, each with its weight, above a base; always positive."""
    return _worth(state, weights, seat)


@value(shares=True, base=BASE, distance=DISTANCE, card=CARD, sloop=SAVED)
def shares(state, weights, seat):
    """The utility of each seat in per cent of all seats': a bounded value, by which max^n can prune."""
    return _worth(state, weights, seat)


@helper
def _influence(worth, other, power):
    """Return how much the utility of another seat counts for a seat: more than 1 if that seat is ahead."""
    return (other / worth) ** power


@value(power=1.0, influence=1.0, base=BASE, distance=DISTANCE, card=CARD, sloop=SAVED)
def relative(state, weights, seat):
    """The utility of a seat less those of the others, each times its influence: the ratio of both, to a power."""
    utilities = offset(weights, 2)
    worth, others = _worth(state, utilities, seat), 0.0
    for k in range(1, state[SEAT_COUNT]):
        other = _worth(state, utilities, (seat + k) % state[SEAT_COUNT])
        others += _influence(worth, other, weights[0]) * other
    return worth - weights[1] * others


@value(base=BASE, distance=DISTANCE, card=CARD, sloop=SAVED)
def ratios(state, weights, seat):
    """One less the influences of all other seats, as the thesis's searches with cut-offs evaluate."""
    worth, others = _worth(state, weights, seat), 0.0
    for k in range(1, state[SEAT_COUNT]):
        others += _influence(worth, _worth(state, weights, (seat + k) % state[SEAT_COUNT]), 1.0)
    return 1.0 - others
