"""What helps a search in Colonizers."""

from kibitz.core.contract import hint
from kibitz.games.colonizers.cells import (
    BUILT,
    FIRST,
    FULL_COLONY,
    HEAD,
    MAX_ROUNDS,
    NONE,
    ROUND,
    SEAT,
    SEATS_HERE,
    TAIL,
)

DECK_FOR_A_MOVE = 4  # cards; no move takes more


@hint
def may_end(state):
    # The deck runs out, or the last seat ends its turn in the last round or with a colony that is full.
    seat = state[SEAT]
    if state[TAIL] - state[HEAD] < DECK_FOR_A_MOVE:
        return 1
    last_round = state[FIRST] != NONE or state[ROUND] >= state[MAX_ROUNDS] or state[BUILT + seat] >= FULL_COLONY - 1
    return 1 if seat == SEATS_HERE - 1 and last_round else 0
