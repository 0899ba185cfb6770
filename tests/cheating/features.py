"""What a network is shown of the race."""

from kibitz.rules import encoding

from .rules import GOAL, SEATS, STEPS


@encoding(length=SEATS * (GOAL + 1), most=SEATS)
def steps(view, seat, out):
    """How far each seat has come, one's own first."""
    for k in range(SEATS):
        out[k] = k * (GOAL + 1) + min(view[STEPS + (seat + k) % SEATS], GOAL)
    return SEATS
