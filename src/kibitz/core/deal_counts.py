"""Counts the deals that fit a demand, and draws one of them in proportion to its weight.

Places that may hold the same cards, and have no weights, are of one *sort*: they are dealt to as one, and their cards
are divided at the end. Cards that are barred from the same sorts, and are in the same group, are of one *kind*: what
matters is how many of a kind each sort gets, its *split*, which stands for n! / (product of the counts!) deals. The
last kind takes the places that are left. Splits of the others are combined one kind after another in tables: how many
ways lead to each number of cards in each sort, one cell for each combination (the *box*). Going back through the tables
draws how many, and then which cards.

Counts are floating-point numbers without the factor n!: with at most 64 cards they neither overflow nor vanish, and are
exact but for rounding, some 1e-15 of each. With weights each table is scaled by its largest entry.
"""

from math import factorial

import numpy as np

from kibitz.core.bits import nth, popcount
from kibitz.core.dice import below, unit
from kibitz.core.native import compiled, helper
from kibitz.core.scratch import numbers_in

DEALT, NO_DEAL, NO_ROOM = 1, 0, -1

MOST_PLACES = 16
MOST_SORTS = 8
MOST_GROUPS = 8
MOST_KINDS = 64
NONE = -1

# The head of the room; tables follow it.
SIZE, TOP, CARDS, GROUPS, REFUSED, _KINDS, _SORTS, _LAST_SORT, _LAST_KIND, _PARTS, _BOX, _CAPACITY, _FREE = range(13)
_TOTAL = 13  # of all weights, a floating-point number
HOLDS = 16
BARRED = HOLDS + MOST_PLACES
HANDS = BARRED + MOST_PLACES
KEPT = HANDS + MOST_PLACES
_SORT_OF = KEPT + MOST_PLACES  # a place: its sort, or NONE
GROUP = _SORT_OF + MOST_PLACES  # a group: its cards
GROUP_SIZE = GROUP + MOST_GROUPS
_WEIGHED = GROUP_SIZE + MOST_GROUPS  # a group: whether any place has weights for it
WEIGHT_AT = _WEIGHED + MOST_GROUPS  # a place and a group: where its weights begin, or 0
_LEFT = WEIGHT_AT + MOST_PLACES * MOST_GROUPS  # a sort: how many cards it still takes
_NOT_FOR = _LEFT + MOST_SORTS  # a sort: the cards barred
_FIRST_PLACE = _NOT_FOR + MOST_SORTS  # a sort: its first place; the only one if it has weights
_CERTAIN = _FIRST_PLACE + MOST_SORTS  # a sort: the cards that can lie nowhere else
_DRAWN = _CERTAIN + MOST_SORTS  # a sort: its cards in this draw
_STRIDE = _DRAWN + MOST_SORTS  # a sort: how far apart in a table positions are that differ by one of its cards
_SHIFT = _STRIDE + MOST_SORTS  # a sort: the place of its count among packed counts, or NONE
_KIND = _SHIFT + MOST_SORTS  # a kind: its cards
_ALLOWED = _KIND + MOST_KINDS  # a kind: the sorts that may hold it, a mask
_IN_GROUP = _ALLOWED + MOST_KINDS  # a kind: its group, or NONE
_PART_SPLITS = _IN_GROUP + MOST_KINDS  # a part: where its splits begin
_PART_END = _PART_SPLITS + MOST_KINDS  # a part: one past its last split
_PART_KIND = _PART_END + MOST_KINDS  # a part: the last kind in it
_PART_TABLE = _PART_KIND + MOST_KINDS  # a part: the table of what comes before it
_COUNT = _PART_TABLE + MOST_KINDS  # a sort: its count in the split that is being made
HEAD = _COUNT + MOST_SORTS

# A split: packed counts of all sorts but the last (eight bits each); its weight; the split of the part's kind before
# it, or 0, beside the change of position in a table.
_COUNTS, _WEIGHT, _LINK = range(3)
SPLIT_CELLS = 3
_LOW = (1 << 32) - 1
_FIELD = 8
_FULL_FIELD = (1 << _FIELD) - 1
_SPARE = 1 << (_FIELD - 1)  # the highest bit of a field, which no count reaches
_SPARES = sum(_SPARE << _FIELD * sort for sort in range(MOST_SORTS - 1))

_SHARE = np.array([1.0 / factorial(n) for n in range(65)])  # 1 / n!
_TINY = 2.0**-32


@compiled
def count_deals(room):
    """Count the deals that fit; return DEALT if there are any, NO_DEAL or NO_ROOM."""
    for place in range(MOST_PLACES):
        room[HANDS + place] = 0
    if room[REFUSED]:
        return NO_ROOM
    found = _sort_places(room)
    if found != DEALT:
        return found
    _sort_cards(room)
    if not _place_certain(room) or not _may_lack(room):
        return NO_DEAL
    _lay_out(room)
    _choose_last(room)
    return _count_parts(room)


@compiled
def _sort_places(room):
    """Find the sorts of places; return DEALT, or why there is no deal."""
    total, sorts = 0, 0
    for group in range(room[GROUPS]):
        room[_WEIGHED + group] = 0
    for place in range(MOST_PLACES):
        room[_SORT_OF + place] = NONE
        n = room[HOLDS + place]
        total += max(n, 0)
        if n < 0 or total > 64:
            return NO_DEAL
        if n == 0:
            continue
        sort = _find_sort(room, place, sorts)
        if sort == MOST_SORTS:
            return NO_ROOM
        if sort == sorts:
            room[_LEFT + sort], room[_NOT_FOR + sort] = 0, room[BARRED + place] & room[CARDS]
            room[_FIRST_PLACE + sort], room[_CERTAIN + sort] = place, 0
            sorts += 1
        room[_LEFT + sort] += n
        room[_SORT_OF + place] = sort
    room[_SORTS] = sorts
    return DEALT if total == popcount(room[CARDS]) else NO_DEAL


@helper
def _has_weights(room, place):
    found = False
    for group in range(room[GROUPS]):
        if room[WEIGHT_AT + MOST_GROUPS * place + group] > 0:
            room[_WEIGHED + group] = 1
            found = True
    return found


@helper
def _find_sort(room, place, sorts):
    """Return the sort of a place, a new one if necessary."""
    if not _has_weights(room, place):
        for sort in range(sorts):
            alike = room[_NOT_FOR + sort] == room[BARRED + place] & room[CARDS]
            if alike and not _has_weights(room, room[_FIRST_PLACE + sort]):
                return sort
    return sorts


@compiled
def _sort_cards(room):
    """Find the kinds of cards."""
    room[_KIND], room[_KINDS] = room[CARDS], 1
    for group in range(room[GROUPS]):
        if room[_WEIGHED + group]:
            _split_kinds(room, room[GROUP + group])
    for sort in range(room[_SORTS]):
        _split_kinds(room, room[_NOT_FOR + sort])
    for kind in range(room[_KINDS]):
        room[_ALLOWED + kind], room[_IN_GROUP + kind] = 0, NONE
        for sort in range(room[_SORTS]):
            if room[_KIND + kind] & room[_NOT_FOR + sort] == 0:
                room[_ALLOWED + kind] |= 1 << sort
        for group in range(room[GROUPS]):
            if room[_WEIGHED + group] and room[_KIND + kind] & room[GROUP + group]:
                room[_IN_GROUP + kind] = group


@helper
def _split_kinds(room, cards):
    """Part the cards of each kind that are among these from those that are not."""
    for kind in range(room[_KINDS]):
        inside, outside = room[_KIND + kind] & cards, room[_KIND + kind] & ~cards
        if inside != 0 and outside != 0:
            room[_KIND + kind] = inside
            room[_KIND + room[_KINDS]] = outside
            room[_KINDS] += 1


@compiled
def _place_certain(room):
    """Put kinds that may lie in one sort only there; return whether that is possible."""
    taking = (1 << room[_SORTS]) - 1
    kind = 0
    while kind < room[_KINDS]:
        allowed, n = room[_ALLOWED + kind] & taking, popcount(room[_KIND + kind])
        room[_ALLOWED + kind] = allowed
        if n > 0 and allowed == 0:
            return False
        if n > 0 and allowed & (allowed - 1) == 0 and room[_IN_GROUP + kind] == NONE:
            sort = nth(allowed, 0)
            room[_LEFT + sort] -= n
            room[_CERTAIN + sort] |= room[_KIND + kind]
            room[_KIND + kind] = 0
            if room[_LEFT + sort] < 0:
                return False
            if room[_LEFT + sort] == 0:
                taking ^= allowed
                kind = -1  # others may have become certain
        kind += 1
    return True


@compiled
def _may_lack(room):
    """Return whether no weight rules out a deal because a place has no card of a group, where it can have none."""
    for place in range(MOST_PLACES):
        sort = room[_SORT_OF + place]
        filled = sort == NONE or room[_LEFT + sort] == 0
        for group in range(room[GROUPS]):
            at = room[WEIGHT_AT + MOST_GROUPS * place + group]
            if at > 0 and (filled or room[GROUP_SIZE + group] == 0) and not numbers_in(room, at)[0] > 0.0:
                return False
    return True


@compiled
def _lay_out(room):
    """Give each sort but the largest its stride in the tables and its place among packed counts."""
    last = 0
    for sort in range(room[_SORTS]):
        if room[_LEFT + sort] > room[_LEFT + last]:
            last = sort
    box, shift, capacity = 1, 0, 0
    for sort in range(room[_SORTS]):
        room[_SHIFT + sort], room[_STRIDE + sort] = NONE, 0
        if sort != last and room[_LEFT + sort] > 0:
            room[_SHIFT + sort], room[_STRIDE + sort] = shift, box
            capacity |= (room[_LEFT + sort] | _SPARE) << shift
            box *= room[_LEFT + sort] + 1
            shift += _FIELD
    room[_LAST_SORT], room[_BOX], room[_CAPACITY] = last, box, capacity


@compiled
def _choose_last(room):
    """Choose the kind that takes the places left at the end: one with many splits, alone in its group if it has one."""
    most, room[_LAST_KIND] = 0, NONE
    for kind in range(room[_KINDS]):
        alone = True
        for other in range(room[_KINDS]):
            same = room[_IN_GROUP + kind] != NONE and room[_IN_GROUP + other] == room[_IN_GROUP + kind]
            if other != kind and same and room[_KIND + other] != 0:
                alone = False
        score = popcount(room[_KIND + kind]) + 64 * popcount(room[_ALLOWED + kind])
        if alone and room[_KIND + kind] != 0 and score > most:
            most, room[_LAST_KIND] = score, kind


@compiled
def _count_parts(room):
    """Fill the tables, part by part: a part is a kind without weights, or all kinds of a group."""
    room[_FREE], room[_PARTS] = room[TOP], 0
    table = _new_table(room)
    if table == 0:
        return NO_ROOM
    numbers_in(room, table)[0] = 1.0
    for kind in range(room[_KINDS]):
        if room[_KIND + kind] == 0 or kind == room[_LAST_KIND] or not _is_first_in_part(room, kind):
            continue
        part = room[_PARTS]
        room[_PART_TABLE + part] = table
        table = 0 if not _list_splits(room, kind) else _new_table(room)
        if table == 0:
            return NO_ROOM
        _combine(room, part, table)
        room[_PARTS] += 1
    return DEALT if _close(room, table) else NO_DEAL


@helper
def _is_first_in_part(room, kind):
    if room[_IN_GROUP + kind] != NONE:
        for other in range(kind):
            if room[_KIND + other] != 0 and room[_IN_GROUP + other] == room[_IN_GROUP + kind]:
                return False
    return True


@helper
def _new_table(room):
    """Return where a new table of zeros begins; 0 if there is no room."""
    begin, end = room[_FREE], room[_FREE] + room[_BOX]
    if end > room[SIZE]:
        return 0
    for cell in range(begin, end):
        room[cell] = 0
    room[_FREE] = end
    return begin


@compiled
def _list_splits(room, first):
    """List the splits of the part that begins with a kind; return whether there was room."""
    part, group = room[_PARTS], room[_IN_GROUP + first]
    begin = room[_FREE]
    if begin + SPLIT_CELLS > room[SIZE]:
        return False
    room[begin + _COUNTS], room[begin + _LINK], numbers_in(room, begin + _WEIGHT)[0] = 0, 0, 1.0
    end = begin + SPLIT_CELLS
    for kind in range(first, room[_KINDS]):
        if room[_KIND + kind] != 0 and (kind == first or (group != NONE and room[_IN_GROUP + kind] == group)):
            room[_FREE] = end
            if not _extend(room, kind, begin, end):
                return False
            begin, end = end, room[_FREE]
            room[_PART_KIND + part] = kind
    if group != NONE:
        _weigh(room, group, begin, end)
    room[_PART_SPLITS + part], room[_PART_END + part] = begin, end
    return True


@compiled
def _extend(room, kind, begin, end):
    """Append every split of a kind to every split listed before; return whether there was room."""
    allowed, n = room[_ALLOWED + kind], popcount(room[_KIND + kind])
    taker = _taker(room, allowed)
    for sort in range(MOST_SORTS):
        room[_COUNT + sort] = 0
    given, more = 0, True
    while more:
        if n - given <= room[_LEFT + taker]:
            room[_COUNT + taker] = n - given
            if not _append(room, begin, end):
                return False
        more = False
        for sort in range(room[_SORTS]):
            if sort == taker or (allowed >> sort) & 1 == 0:
                continue
            if room[_COUNT + sort] < room[_LEFT + sort] and given < n:
                room[_COUNT + sort] += 1
                given += 1
                more = True
                break
            given -= room[_COUNT + sort]
            room[_COUNT + sort] = 0
    return True


@helper
def _taker(room, allowed):
    """Return the sort that takes the rest of a split: the largest."""
    taker = nth(allowed, 0)
    for sort in range(room[_SORTS]):
        if (allowed >> sort) & 1 and room[_LEFT + sort] > room[_LEFT + taker]:
            taker = sort
    return taker


@helper
def _append(room, begin, end):
    """Append the split in _COUNT to those listed before; return whether there was room."""
    counts, steps, weight = 0, 0, 1.0
    for sort in range(room[_SORTS]):
        weight *= _SHARE[room[_COUNT + sort]]
        if room[_SHIFT + sort] != NONE:
            counts |= room[_COUNT + sort] << room[_SHIFT + sort]
            steps += room[_COUNT + sort] * room[_STRIDE + sort]
    for before in range(begin, end, SPLIT_CELLS):
        if _exceeds(room[_CAPACITY], room[before + _COUNTS] + counts):
            continue
        at = room[_FREE]
        if at + SPLIT_CELLS > room[SIZE]:
            return False
        room[at + _COUNTS] = room[before + _COUNTS] + counts
        room[at + _LINK] = before << 32 | (room[before + _LINK] & _LOW) + steps
        numbers_in(room, at + _WEIGHT)[0] = numbers_in(room, before + _WEIGHT)[0] * weight
        room[_FREE] = at + SPLIT_CELLS
    return True


@helper
def _exceeds(capacity, counts):
    """Return whether any packed count is above its capacity, whose highest bits are set."""
    spare = capacity & _SPARES
    return (capacity - counts) & spare != spare


@helper
def _weight_of(room, group, sort, n):
    """Return the weight of n cards of a group in a sort."""
    at = room[WEIGHT_AT + MOST_GROUPS * room[_FIRST_PLACE + sort] + group]
    return numbers_in(room, at)[n] if at > 0 else 1.0


@helper
def _weigh(room, group, begin, end):
    """Multiply splits by the weights of a group."""
    for split in range(begin, end, SPLIT_CELLS):
        left, weight = room[GROUP_SIZE + group], 1.0
        for sort in range(room[_SORTS]):
            if room[_SHIFT + sort] != NONE:
                n = (room[split + _COUNTS] >> room[_SHIFT + sort]) & _FULL_FIELD
                weight *= _weight_of(room, group, sort, n)
                left -= n
        weight *= _weight_of(room, group, room[_LAST_SORT], left)
        numbers_in(room, split + _WEIGHT)[0] *= weight


@compiled
def _combine(room, part, table):
    """Fill a table: for each position, the weight of all ways to it by the splits of a part and of those before it."""
    old, new = numbers_in(room, room[_PART_TABLE + part]), numbers_in(room, table)
    begin, end, counts, most = room[_PART_SPLITS + part], room[_PART_END + part], 0, 0.0
    for at in range(room[_BOX]):
        here = old[at]
        if here > 0.0:
            for split in range(begin, end, SPLIT_CELLS):
                if not _exceeds(room[_CAPACITY], counts + room[split + _COUNTS]):
                    to = at + (room[split + _LINK] & _LOW)
                    new[to] += here * numbers_in(room, split + _WEIGHT)[0]
                    most = max(most, new[to])
        counts = _next_counts(room, counts)
    for at in range(room[_BOX] if room[GROUPS] and most > 0.0 else 0):
        new[at] /= most


@helper
def _next_counts(room, counts):
    """Return the packed counts of the next position in a table."""
    counts += 1
    shift, capacity = 0, room[_CAPACITY]
    while (counts >> shift) & _FULL_FIELD > (capacity >> shift) & (_SPARE - 1) and capacity >> shift > 0:
        counts += (1 << shift + _FIELD) - ((((capacity >> shift) & (_SPARE - 1)) + 1) << shift)
        shift += _FIELD
    return counts


@compiled
def _close(room, table):
    """Multiply each position by the weight of the last kind in the places left; return whether any deal fits."""
    total, counts, found = 0.0, 0, numbers_in(room, table)
    for at in range(room[_BOX]):
        if found[at] > 0.0:
            found[at] *= _weight_of_rest(room, counts)
            total += found[at]
        counts = _next_counts(room, counts)
    room[_PART_TABLE + room[_PARTS]] = table
    numbers_in(room, _TOTAL)[0] = total
    return total > 0.0


@helper
def _weight_of_rest(room, counts):
    """Return the weight of the only split of the last kind that fills all places, beside these counts; 0 if none."""
    kind = room[_LAST_KIND]
    if kind == NONE:
        return 1.0 if counts == room[_CAPACITY] & ~_SPARES else 0.0
    group, allowed = room[_IN_GROUP + kind], room[_ALLOWED + kind]
    left, weight = popcount(room[_KIND + kind]), 1.0
    for each in range(room[_SORTS] + 1):
        sort, n = room[_LAST_SORT], left
        if each < room[_SORTS]:
            if room[_SHIFT + each] == NONE:
                continue
            sort, n = each, room[_LEFT + each] - ((counts >> room[_SHIFT + each]) & _FULL_FIELD)
        if n < 0 or (n > 0 and (allowed >> sort) & 1 == 0):
            return 0.0
        left -= n
        weight *= _SHARE[n]
        if group != NONE:
            weight *= _weight_of(room, group, sort, n)
    return weight


@compiled
def draw_counted(room, rng):
    """Draw one of the deals that `count_deals` has counted."""
    for sort in range(room[_SORTS]):
        room[_DRAWN + sort] = room[_CERTAIN + sort]
    at, counts = _draw_end(room, rng)
    if room[_LAST_KIND] != NONE:
        _hand_out(room, room[_LAST_KIND], (room[_CAPACITY] & ~_SPARES) - counts, rng)
    for part in range(room[_PARTS] - 1, -1, -1):
        split = _draw_split(room, part, at, counts, rng)
        at -= room[split + _LINK] & _LOW
        counts -= room[split + _COUNTS]
        kind = room[_PART_KIND + part]
        while kind >= 0 and room[split + _LINK] >> 32 > 0:
            before = room[split + _LINK] >> 32
            _hand_out(room, kind, room[split + _COUNTS] - room[before + _COUNTS], rng)
            split = before
            kind = _kind_before(room, kind)
    _divide(room, rng)


@helper
def _fraction(rng):
    """Return a number from 0 to 1 with all the digits of a floating-point number."""
    return unit(rng) + unit(rng) * _TINY


@helper
def _draw_end(room, rng):
    """Draw what the last kind finds: return a position and its packed counts."""
    table = numbers_in(room, room[_PART_TABLE + room[_PARTS]])
    x = numbers_in(room, _TOTAL)[0] * _fraction(rng)
    counts, chosen, found = 0, 0, 0
    for at in range(room[_BOX]):
        if table[at] > 0.0:
            chosen, found = at, counts
            x -= table[at]
            if x < 0.0:
                break
        counts = _next_counts(room, counts)
    return chosen, found


@helper
def _draw_split(room, part, at, counts, rng):
    """Draw the split of a part that leads to a position."""
    table, total, chosen = numbers_in(room, room[_PART_TABLE + part]), 0.0, 0
    begin, end, capacity = room[_PART_SPLITS + part], room[_PART_END + part], counts | room[_CAPACITY] & _SPARES
    for split in range(begin, end, SPLIT_CELLS):
        if not _exceeds(capacity, room[split + _COUNTS]):
            total += table[at - (room[split + _LINK] & _LOW)] * numbers_in(room, split + _WEIGHT)[0]
    x = total * _fraction(rng)
    for split in range(begin, end, SPLIT_CELLS):
        if not _exceeds(capacity, room[split + _COUNTS]):
            weight = table[at - (room[split + _LINK] & _LOW)] * numbers_in(room, split + _WEIGHT)[0]
            if weight > 0.0:
                chosen = split
                x -= weight
                if x < 0.0:
                    break
    return chosen


@helper
def _kind_before(room, kind):
    """Return the kind before one in its group, or NONE."""
    group = room[_IN_GROUP + kind]
    kind -= 1
    while kind >= 0 and (group == NONE or room[_IN_GROUP + kind] != group or room[_KIND + kind] == 0):
        kind -= 1
    return kind


@compiled
def _hand_out(room, kind, counts, rng):
    """Give each sort its number of cards of a kind."""
    left = room[_KIND + kind]
    for sort in range(room[_SORTS]):
        if room[_SHIFT + sort] != NONE:
            n = (counts >> room[_SHIFT + sort]) & _FULL_FIELD
            if n > 0:
                cards = _pick(left, n, rng)
                room[_DRAWN + sort] |= cards
                left ^= cards
    room[_DRAWN + room[_LAST_SORT]] |= left


@compiled
def _pick(cards, n, rng):
    """Return n random cards of a mask."""
    size = popcount(cards)
    few, left = min(n, size - n), cards
    for k in range(few):
        left ^= np.int64(1) << nth(left, below(rng, size - k))
    return left if few < n else cards ^ left


@compiled
def _divide(room, rng):
    """Divide the cards of each sort among its places."""
    for place in range(MOST_PLACES):
        room[HANDS + place] = 0
        sort = room[_SORT_OF + place]
        if sort != NONE:
            hand = _pick(room[_DRAWN + sort], room[HOLDS + place], rng)
            room[_DRAWN + sort] ^= hand
            room[HANDS + place] = hand
