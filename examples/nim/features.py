"""features.py of Nim: the input of a network."""

from kibitz.rules import encoding

from .rules import COUNT, MOST_STICKS, SEAT, STICKS


@encoding(length=4 * (MOST_STICKS + 1), most=1)
def sticks(view, seat, out):
    """The remaining sticks and how many seats move before this one: one row per position."""
    turns = (seat - max(view[SEAT], 0)) % view[COUNT]
    out[0] = turns * (MOST_STICKS + 1) + view[STICKS]
    return 1
