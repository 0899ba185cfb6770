"""Two ways to speak that do not understand each other."""

from kibitz.rules import policy

from .rules import COUNT, HIGH, HINT, LOW, NAMED, NUMBER, NUMBERS, SEAT, TURN


@policy(turned=0.0)
def spoken(view, weights, rng):
    """Say whether the next seat's number is in the upper half, or `turned` whether it is not; believe the same."""
    seat, turned = view[SEAT], weights[0] != 0
    if view[TURN] < view[COUNT]:
        upper = view[NUMBER + (seat + 1) % view[COUNT]] > NUMBERS // 2
        return HIGH if upper != turned else LOW
    upper = (view[HINT + seat] == 1 + HIGH) != turned
    return NAMED + (2 if upper else 1)


AGENTS = {"plain": "policy(spoken)", "contrary": "policy(spoken(turned=1))"}
