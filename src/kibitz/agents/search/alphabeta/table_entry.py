"""What alpha-beta keeps of a position in its transposition table, packed into one number.

Bits 0..31 hold the best choice (its place in the list), 32..33 the bound, 34.. the depth.
"""

from kibitz.core.native import helper

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
TO_THE_END = 1 << 20  # the depth of a score that no horizon touched
_CHOICE_BITS = (1 << 32) - 1


@helper
def pack(choice, bound, depth):
    """Return choice, bound and depth in one number."""
    return choice | (bound << 32) | (depth << 34)


@helper
def choice_of(note):
    """Return the choice in a note."""
    return note & _CHOICE_BITS


@helper
def bound_of(note):
    """Return the bound in a note."""
    return (note >> 32) & 3


@helper
def depth_of(note):
    """Return the depth in a note."""
    return note >> 34


@helper
def holds_at(note, depth):
    """Return whether a score with this note is that of a search to a depth."""
    return depth_of(note) == depth or depth_of(note) == TO_THE_END


@helper
def settles(note, score, alpha, beta):
    """Return whether a score with this note is all that a search between alpha and beta needs."""
    bound = bound_of(note)
    return bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)
