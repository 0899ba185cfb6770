"""Pig for two seats solved by value iteration, written from the rules alone."""

from functools import cache


@cache
def chances(target: int, sides: int = 6, precision: float = 1e-12) -> dict[tuple[int, int, int], float]:
    """Return how likely the seat to move wins, by its score, the other's, and the points of the turn."""
    states = [
        (own, other, points) for own in range(target) for other in range(target) for points in range(target - own)
    ]
    wins = dict.fromkeys(states, 0.5)
    while True:
        largest = 0.0
        for state in states:
            found = max(after(wins, target, sides, state))
            largest, wins[state] = max(largest, abs(found - wins[state])), found
        if largest < precision:
            return wins


def after(
    wins: dict[tuple[int, int, int], float], target: int, sides: int, state: tuple[int, int, int]
) -> tuple[float, float]:
    """Return how likely the seat to move wins if it holds, and if it rolls."""
    own, other, points = state
    roll = 1 - wins[other, own, 0]
    for side in range(2, sides + 1):
        roll += 1.0 if own + points + side >= target else wins[own, other, points + side]
    return 1 - wins[other, own + points, 0], roll / sides
