"""What a Colonizers position seems worth: the evaluation that the thesis's MaxN used, as it is and as shares."""

from kibitz.core.heuristics import value
from kibitz.core.native import helper
from kibitz.games.colonizers.cells import BUILT, FULL_COLONY, HELD, OMNIUM, WORTH

USUAL = "holdings"
BASE = 1.0  # of the shares: all seats begin with nothing
LEAST = 0.001  # shares stay positive whatever the weights


@helper
def _holdings(state, seat, cards, omnium, full):
    bonus = full if state[BUILT + seat] >= FULL_COLONY else 0.0
    return state[WORTH + seat] + cards * state[HELD + seat] + omnium * state[OMNIUM + seat] + bonus


@value(unit="points", cards=0.6, omnium=0.3, full=4.0)
def holdings(state, weights, seat):
    """Value of the colony, something for each card and each Omnium, and a bonus for a full colony."""
    return _holdings(state, seat, weights[0], weights[1], weights[2])


@value(shares=True, base=BASE, cards=0.6, omnium=0.3, full=4.0)
def shares(state, weights, seat):
    """Holdings above a base, in per cent of all seats': a bounded value, by which max^n can prune."""
    return max(LEAST, weights[0] + _holdings(state, seat, weights[1], weights[2], weights[3]))
