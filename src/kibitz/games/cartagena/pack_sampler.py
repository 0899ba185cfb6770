"""Samples the source of each card that the others played: the pack it came from, by Metropolis-Hastings.

The weight of all sources together is the number of ways to choose such cards from the hands, times the chance that fair
dealing gave them those signs. They are sampled *spell* by spell; a spell is a time in which a seat's hand was never
empty. A proposal draws the sources of a spell one by one, each given those before it; it is accepted or rejected as a
whole, again and again, so that later plays bear on earlier ones too.
"""

from kibitz.core.dice import unit
from kibitz.core.native import compiled, helper
from kibitz.games.cartagena.belief import count

SLACK = 0.001  # the weight of an impossible sign, so that the chain can pass through impossible sources
ROUNDS = 12  # with 3, an error shows in 40,000 guesses at one position; with 12 none does
ROUNDS_WORK = 20_000  # packs examined, after which there are no more rounds


@compiled
def sample_sources(b, seats, rng):
    """Sample all doubtful sources, then resample each spell until the start is forgotten; return the work."""
    spells, work = _settle_certain(b, seats), 0
    for spell in range(spells):
        first, stop = b.spells[2 * spell], b.spells[2 * spell + 1]
        _walk_spell(b, first, stop, True, rng)
        work += _work(b, first, stop)
    end = work + ROUNDS_WORK
    for k in range(ROUNDS * spells):
        if work < end:
            first, stop = b.spells[2 * (k % spells)], b.spells[2 * (k % spells) + 1]
            _resample(b, first, stop, rng)
            work += _work(b, first, stop)
    return work


@helper
def _work(b, first, stop):
    """Count the packs examined for the plays of a spell."""
    return (stop - first) * (1 + b.pack[b.before[stop - 1] - 1] - b.pack[b.since[first]])


@helper
def _doubtful(b, k):
    """Return whether the card played may have come from more than one pack."""
    return b.pack[b.since[k]] != b.pack[b.before[k] - 1]


@helper
def _settle_certain(b, seats):
    """Count all plays whose source is certain, list the spells with others, and return how many spells those are."""
    spells = 0
    for seat in range(seats):
        for k in range(b.start[seat], b.played[seat]):
            if not _doubtful(b, k):
                b.source[k] = b.pack[b.since[k]]
                count(b, b.source[k], b.sign[k], 1)
                continue
            if k == b.start[seat] or b.since[k] != b.since[k - 1] or not _doubtful(b, k - 1):
                b.spells[2 * spells] = k
                spells += 1
            b.spells[2 * spells - 1] = k + 1
    return spells


@helper
def _weight(b, pack, sign):
    """Return the weight of a pack as the source of a card of a sign."""
    if b.held[pack] == 0:
        return 0.0
    return b.held[pack] * max(SLACK, float(b.free[6 * pack + sign])) / b.left[pack]


@helper
def _draw_source(b, low, high, sign, total, rng):
    x = total * unit(rng)
    source = low
    for pack in range(low, high + 1):
        weight = _weight(b, pack, sign)
        if weight > 0.0:
            source = pack
            x -= weight
            if x < 0.0:
                break
    return source


@compiled
def _walk_spell(b, first, stop, draw, rng):
    """Draw the sources of the doubtful plays first..stop-1 of a spell, or keep them; return their total weight."""
    card = b.since[first]
    low, high = b.pack[card], b.pack[b.before[stop - 1] - 1]
    for pack in range(low, high + 1):
        b.held[pack] = 0
    b.held[low] = card - first  # the plays of the spell before the first doubtful one took cards of this pack
    weight = 1.0
    for k in range(first, stop):
        while card < b.before[k]:
            high = b.pack[card]
            b.held[high] += 1
            card += 1
        total = 0.0
        for pack in range(low, high + 1):
            total += _weight(b, pack, b.sign[k])
        weight *= total
        if draw:
            b.source[k] = _draw_source(b, low, high, b.sign[k], total, rng)
        count(b, b.source[k], b.sign[k], 1)
        b.held[b.source[k]] -= 1
    return weight


@helper
def _recount(b, first, stop, n):
    for k in range(first, stop):
        count(b, b.source[k], b.sign[k], n)


@helper
def _resample(b, first, stop, rng):
    """Propose new sources for a spell, and keep the old or the new ones by the Metropolis-Hastings rule."""
    _recount(b, first, stop, -1)
    old = _walk_spell(b, first, stop, False, rng)
    _recount(b, first, stop, -1)
    for k in range(first, stop):
        b.kept[k] = b.source[k]
    new = _walk_spell(b, first, stop, True, rng)
    if new < old * unit(rng):
        _recount(b, first, stop, -1)
        for k in range(first, stop):
            b.source[k] = b.kept[k]
        _recount(b, first, stop, 1)
