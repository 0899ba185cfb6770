"""How several equal dice may fall: each multiset of faces, with the number of ways in which it comes up."""

from itertools import combinations_with_replacement
from math import factorial, prod


def dice_ways(dice: int, faces: int = 6) -> list[tuple[tuple[int, ...], int]]:
    """Return each roll of equal dice, its faces ascending, with its number of ways of faces ** dice, in order.

    Plain Python, for tables that rules read: call it once, outside rules.
    """
    rolls = combinations_with_replacement(range(1, faces + 1), dice)
    return [(roll, factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll))) for roll in rolls]
