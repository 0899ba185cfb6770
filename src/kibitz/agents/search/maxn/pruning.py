"""What max^n may leave out: bounds that seats are sure of, and the total that all share."""

from kibitz.agents.search.maxn.maxn_arrays import ALL, ANY, LAST_BRANCH, LEFTMOST, NOT, PRUNE, SHALLOW, TIES, UNBOUNDED
from kibitz.core.contract import SEATS
from kibitz.core.native import helper, offset

FRESH, BEGUN, LAST = 0, 1, 2  # how far a level has come: no move searched, some, only the last is left


@helper
def is_cut(s, seat, best, level, bound):
    """Return whether the rest of the moves can be left out."""
    control = s.control
    if control[PRUNE] == NOT:
        return False
    if control[PRUNE] == SHALLOW or control[PRUNE] == LAST_BRANCH:
        if best[seat] > bound or (control[TIES] == LEFTMOST and best[seat] == bound):
            return True
        return control[PRUNE] == LAST_BRANCH and _is_shared_out(s, seat, best, level)
    sure = offset(s.sure, level * s.rules[SEATS])
    for other in range(s.rules[SEATS]):
        if other != seat:
            below_bound = sure[other] > UNBOUNDED and best[other] < sure[other]
            if control[PRUNE] == ANY and below_bound:
                return True
            if control[PRUNE] == ALL and not below_bound:
                return False
    return control[PRUNE] == ALL


@helper
def _is_shared_out(s, seat, best, level):
    """Return whether this seat and all others, one at each level above, are together sure of the whole total.

    The first of them then gets no more than it has, whatever is found here, if those between are at their last move and
    have nothing better for it yet (Sturtevant 2003).
    """
    seats = s.rules[SEATS]
    top = level - seats + 1
    if top < 0 or s.stage[2 * top + 1] == FRESH:
        return False
    first, met, sum_ = s.stage[2 * top], 1 << seat, best[seat]
    for above in range(top, level):
        mover, worth = s.stage[2 * above], offset(s.worth, above * seats)
        if above > top and (s.stage[2 * above + 1] != LAST or worth[first] > s.worth[top * seats + first]):
            return False
        met |= 1 << mover
        sum_ += worth[mover]
    return met == (1 << seats) - 1 and sum_ >= s.total[0]


@helper
def pass_bounds_on(s, level, seat, sure):
    """Write for the level below what each seat is sure of."""
    seats = s.rules[SEATS]
    if s.control[PRUNE] == ALL or s.control[PRUNE] == ANY:
        for other in range(seats):
            s.sure[(level + 1) * seats + other] = s.sure[level * seats + other]
        s.sure[(level + 1) * seats + seat] = sure
