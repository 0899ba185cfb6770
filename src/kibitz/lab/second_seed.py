"""A second seed: what one run contradicts, games of another must contradict as well."""

from collections.abc import Sequence

from kibitz.arena.results.statistics.interval import LEAST_BLOCKS, LEVEL
from kibitz.lab.assumption import LEAST
from kibitz.lab.fact import Fact

UNCONFIRMED = "not confirmed by a second seed"
ONE_SEED = "no second seed was played"
NEEDED = 2  # seeds that show a difference, each alone


def shown_by_two_seeds(alone: Sequence[Sequence[Fact]], fact: Fact) -> bool:
    """Return whether two seeds show the same difference as a fact does, each alone with an uncorrected p below 0.05."""
    same = [next((one for one in facts if one.what == fact.what), None) for facts in alone]
    return sum(one is not None and _points_as(one, fact) for one in same) >= NEEDED


def _points_as(one: Fact, fact: Fact) -> bool:
    """Return whether the games of one seed show a difference in the same direction."""
    if one.gap is None or fact.gap is None or (one.gap.blocks is not None and one.gap.blocks < LEAST_BLOCKS):
        return False
    gap = one.gap
    if one.assumed_games and one.of_games is not None:
        gap, _ = one.of_games(min(LEAST, one.assumed_games))
    return gap.p < 1 - LEVEL and gap.value * fact.gap.value > 0
