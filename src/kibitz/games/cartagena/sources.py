"""Sources: from which pack each card came that the others played.

The odds of all the sources together are the number of ways to choose such cards from the hands, times the chance that
fair dealing gave them those signs. They are drawn *spell* by spell; a spell is a time in which a seat's hand was never
empty. Going through a spell, each source is drawn by the odds given those before it, and the whole is kept or dropped
by Metropolis' rule, again and again, so that later plays have their say about earlier ones.
"""

from kibitz.core.dice import unit
from kibitz.core.native import compiled, helper
from kibitz.games.cartagena.account import count

SLACK = 0.001  # the odds of an impossible sign, so that sources can pass through the impossible
ROUNDS = 12  # with 3, an error shows in 40,000 guesses at one position; with 12 none does
ROUNDS_WORK = 20_000  # packs looked at; then there are no more rounds


@compiled
def guess_sources(a, seats, rng):
    """Draw all doubtful sources, then each spell's again, so often that the beginning is forgotten; return the work."""
    spells, work = _settle_the_certain(a, seats), 0
    for spell in range(spells):
        first, stop = a.spells[2 * spell], a.spells[2 * spell + 1]
        _go_through(a, first, stop, True, rng)
        work += _work(a, first, stop)
    end = work + ROUNDS_WORK
    for k in range(ROUNDS * spells):
        if work < end:
            first, stop = a.spells[2 * (k % spells)], a.spells[2 * (k % spells) + 1]
            _draw_again(a, first, stop, rng)
            work += _work(a, first, stop)
    return work


@helper
def _work(a, first, stop):
    """Count the packs that are looked at for the plays of a spell."""
    return (stop - first) * (1 + a.pack[a.before[stop - 1] - 1] - a.pack[a.since[first]])


@helper
def _doubtful(a, k):
    """Return whether the card played may have come from more than one pack."""
    return a.pack[a.since[k]] != a.pack[a.before[k] - 1]


@helper
def _settle_the_certain(a, seats):
    """Count all plays whose source is certain, and list the spells with others; return how many those are."""
    spells = 0
    for seat in range(seats):
        for k in range(a.start[seat], a.played[seat]):
            if not _doubtful(a, k):
                a.source[k] = a.pack[a.since[k]]
                count(a, a.source[k], a.sign[k], 1)
                continue
            if k == a.start[seat] or a.since[k] != a.since[k - 1] or not _doubtful(a, k - 1):
                a.spells[2 * spells] = k
                spells += 1
            a.spells[2 * spells - 1] = k + 1
    return spells


@helper
def _odds(a, pack, sign):
    """Return the odds that a card of a sign came from a pack."""
    if a.held[pack] == 0:
        return 0.0
    return a.held[pack] * max(SLACK, float(a.free[6 * pack + sign])) / a.left[pack]


@helper
def _draw_source(a, low, high, sign, total, rng):
    x = total * unit(rng)
    source = low
    for pack in range(low, high + 1):
        odds = _odds(a, pack, sign)
        if odds > 0.0:
            source = pack
            x -= odds
            if x < 0.0:
                break
    return source


@compiled
def _go_through(a, first, stop, draw, rng):
    """Draw the sources of the doubtful plays first..stop-1 of a spell, or keep them; count them; return their odds."""
    card = a.since[first]
    low, high = a.pack[card], a.pack[a.before[stop - 1] - 1]
    for pack in range(low, high + 1):
        a.held[pack] = 0
    a.held[low] = card - first  # the plays of the spell before the first doubtful one took cards of this pack
    odds = 1.0
    for k in range(first, stop):
        while card < a.before[k]:
            high = a.pack[card]
            a.held[high] += 1
            card += 1
        total = 0.0
        for pack in range(low, high + 1):
            total += _odds(a, pack, a.sign[k])
        odds *= total
        if draw:
            a.source[k] = _draw_source(a, low, high, a.sign[k], total, rng)
        count(a, a.source[k], a.sign[k], 1)
        a.held[a.source[k]] -= 1
    return odds


@helper
def _recount(a, first, stop, n):
    for k in range(first, stop):
        count(a, a.source[k], a.sign[k], n)


@helper
def _draw_again(a, first, stop, rng):
    """Draw the sources of a spell anew, and keep the old or the new ones by Metropolis' rule."""
    _recount(a, first, stop, -1)
    old = _go_through(a, first, stop, False, rng)
    _recount(a, first, stop, -1)
    for k in range(first, stop):
        a.kept[k] = a.source[k]
    new = _go_through(a, first, stop, True, rng)
    if new < old * unit(rng):
        _recount(a, first, stop, -1)
        for k in range(first, stop):
            a.source[k] = a.kept[k]
        _recount(a, first, stop, 1)
