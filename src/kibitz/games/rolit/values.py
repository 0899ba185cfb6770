"""Values of a Rolit position: what the literature counts, and what is left of today's discs at the end."""

from kibitz.core.bits import popcount
from kibitz.core.heuristics import value
from kibitz.games.rolit.rules import COUNT, DISCS, enclosing, occupied
from kibitz.games.rolit.stability import stable_discs

USUAL = "discs"


@value(unit="discs", total=64.0)
def discs(state, weights, seat):
    """Discs of the seat's colour."""
    return popcount(state[DISCS + seat])




@value(mobility=1, stable=10)
def weighted(state, weights, out):
    """Squares where the seat could enclose discs, were it to move, and discs never to be turned, ten times as much."""
    full, stable = occupied(state), stable_discs(state)
    for seat in range(state[COUNT]):
        own = state[DISCS + seat]
        out[seat] = weights[0] * popcount(enclosing(own, full)) + weights[1] * popcount(own & stable)
