"""features.py of Nim: what a network is shown of a position."""

from kibitz.rules import encoding

from .rules import COUNT, MOST_STICKS, SEAT, STICKS


@encoding(length=4 * (MOST_STICKS + 1), most=1)
def sticks(view, seat, out):
    """The sticks that are left, together with how many seats move before this one: one row for each position."""
    turns = (seat - max(view[SEAT], 0)) % view[COUNT]
    out[0] = turns * (MOST_STICKS + 1) + view[STICKS]
    return 1
