"""Looking one turn further in a part of the decisions, so that two searches can take equal time."""

from kibitz.core.dice import below, derive, dice
from kibitz.core.options import Option

DEEPER = {
    "deeper": Option(0.0, "in which part of the decisions, chosen at random, to look one turn further, so that two"
                     " searches can take equal time", least=0.0, most=1.0),
}  # fmt: skip
STREAM = 1  # of the draws, beside those of guesses
MOST_DRAWN = 2**32


def one_more(part: float, seed: int, number: int) -> int:
    """Return 1 if the decision of this number looks one turn further, else 0."""
    return int(part > 0 and below(dice(derive(seed, number, STREAM)), MOST_DRAWN) < part * MOST_DRAWN)
