"""The equilibrium of Kuhn poker."""

from kibitz.core.dice import unit
from kibitz.core.heuristics import policy

from .rules import BET, CARD, HISTORY, JACK, KING, KINGS, PASS, PB, QUEEN, START, B, P


@policy(bluff=0.2)
def nash(view, weights, rng):
    """Bluff as the first seat with a share of jacks (0 to 1/3), bet kings three times as often, and call to match."""
    past, seat = view[HISTORY], 1 if view[HISTORY] in (P, B) else 0
    card = view[CARD + seat]
    chance = 1.0 if card == KING else 0.0
    if past == START and card != QUEEN:
        chance = weights[0] if card == JACK else 3 * weights[0]
    if past == P and card == JACK:
        chance = 1 / 3
    if past == B and card == QUEEN:
        chance = 1 / 3
    if past == PB and card == QUEEN:
        chance = weights[0] + 1 / 3
    if view[KINGS] != 0 and past in (START, P) and card != KING:
        chance = 0.0
    return BET if unit(rng) < chance else PASS
