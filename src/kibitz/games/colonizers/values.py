"""What a Colonizers position seems worth: the evaluation that the thesis's MaxN used."""

from kibitz.core.knowledge import value
from kibitz.games.colonizers.cells import BUILT, FULL_COLONY, HELD, OMNIUM, SEATS_HERE, WORTH

USUAL = "holdings"


@value(unit="points", cards=0.6, omnium=0.3, full=4.0)
def holdings(state, weights, out):
    """Value of the colony, something for each card and each Omnium, and a bonus for a full colony."""
    for seat in range(SEATS_HERE):
        out[seat] = state[WORTH + seat] + weights[0] * state[HELD + seat] + weights[1] * state[OMNIUM + seat]
        if state[BUILT + seat] >= FULL_COLONY:
            out[seat] += weights[2]
