"""A demand on a deal: which cards go to places, how many each place holds, and which it may not hold.

A demand lies in *room*, cells that the caller gives; `deal_room` tells how many. `deal_out` draws one of all deals that
fit, each equally likely, or as likely as weights say (core/deal_counts.py counts them). `deal_likely` draws in
proportion to any likelihood, approximately. Cards are bit masks. Only arithmetic on cells, so it also runs interpreted.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb, prod

import numpy as np

from kibitz.core.arrays import UInt64s
from kibitz.core.bits import nth, popcount
from kibitz.core.deal_counts import (
    BARRED,
    CARDS,
    DEALT,
    GROUP,
    GROUP_SIZE,
    GROUPS,
    HANDS,
    HEAD,
    HOLDS,
    KEPT,
    MOST_GROUPS,
    MOST_PLACES,
    MOST_SORTS,
    NO_DEAL,
    NO_ROOM,
    REFUSED,
    SIZE,
    SPLIT_CELLS,
    TOP,
    WEIGHT_AT,
    count_deals,
    draw_counted,
)
from kibitz.core.dice import below, dice, unit
from kibitz.core.errors import BadValue
from kibitz.core.native import compiled, helper, offset, pointer
from kibitz.core.scratch import numbers_in

BAD_PLACE, BAD_GROUP, SHARED_CARDS, NO_GROUP, WEIGHTS_TOO_LONG = range(1, 6)  # why a demand is refused
FRESH_EVERY = 4  # steps of `deal_likely`, of which one proposes another deal, the others an exchange of two cards
_LARGEST_ROOM = 1 << 24  # cells, for callers in Python


def deal_room(holds: Sequence[int], suits: Sequence[int] = ()) -> int:
    """Return how many cells of room a demand needs.

    `holds` says how many cards each hidden place holds at most; `suits` how many cards there are of each kind that is
    barred from a place or weighed as a whole. Without suits, every card may be barred from other places.
    """
    kinds = list(suits) or [1] * sum(holds)
    box = prod(n + 1 for n in sorted(holds)[:-1])
    splits = [min(box, comb(n + len(holds) - 1, len(holds) - 1)) for n in kinds]
    weights = len(holds) * sum(n + 1 for n in kinds) if suits else 0
    return HEAD + weights + SPLIT_CELLS * (sum(splits) + len(splits)) + box * (len(splits) + 1)


@helper
def refuse_demand(room, why, number):
    """Note that a demand names something wrong, and what; checked play (core/laws/checked.py) tells the author."""
    room[REFUSED] = why


@helper
def deal_begin(room, size, cards):
    """Begin a demand on a deal of all these cards, in room of `size` cells; no place holds any yet."""
    for cell in range(HEAD):
        room[cell] = 0
    room[SIZE], room[TOP], room[CARDS] = size, HEAD, cards


@helper
def deal_place(room, place, n, barred):
    """Demand that a place, 0 to 15, holds n cards and none of those barred."""
    if 0 <= place < MOST_PLACES:
        room[HOLDS + place], room[BARRED + place] = n, barred
    else:
        refuse_demand(room, BAD_PLACE, place)


@helper
def deal_group(room, group, cards):
    """Say which cards are group number 0, 1, … up to 7, that weights are about; a card belongs to one group."""
    if group != room[GROUPS] or group >= MOST_GROUPS:
        refuse_demand(room, BAD_GROUP, group)
        return
    cards &= room[CARDS]
    for other in range(group):
        if room[GROUP + other] & cards != 0:
            refuse_demand(room, SHARED_CARDS, group)
    room[GROUP + group], room[GROUP_SIZE + group], room[GROUPS] = cards, popcount(cards), group + 1


@compiled
def weights_at(room, place, group):
    """Return where the weights of a place and a group begin, all 1 at first; 0 if there are none."""
    if not 0 <= place < MOST_PLACES:
        refuse_demand(room, BAD_PLACE, place)
        return 0
    if not 0 <= group < room[GROUPS]:
        refuse_demand(room, NO_GROUP, group)
        return 0
    at = WEIGHT_AT + MOST_GROUPS * place + group
    if room[at] == 0:
        begin, end = room[TOP], room[TOP] + room[GROUP_SIZE + group] + 1
        if end > room[SIZE]:
            refuse_demand(room, WEIGHTS_TOO_LONG, end)
            return 0
        for cell in range(begin, end):
            numbers_in(room, cell)[0] = 1.0
        room[at], room[TOP] = begin, end
    return room[at]


@helper
def deal_weight(room, place, group, n, factor):
    """Make deals that give a place n cards of a group as many times as likely as the factor, 0 or more, says."""
    at = weights_at(room, place, group)
    if at > 0 and 0 <= n <= room[GROUP_SIZE + group]:
        numbers_in(room, at)[n] *= factor if factor > 0.0 else 0.0


@helper
def deal_choice(room, place, group, known):
    """Weigh deals by a random choice that a seat made among all its cards of a group: 1 / (how many it had).

    It had those that the place holds, which are still unseen, and `known` others, which it has played since, the one
    that it chose included.
    """
    at = weights_at(room, place, group)
    for n in range(room[GROUP_SIZE + group] + 1 if at > 0 else 0):
        numbers_in(room, at)[n] *= 1.0 / (n + known) if n + known > 0 else 0.0


@helper
def deal_out(room, rng):
    """Draw a deal: return 1; 0 if no deal fits; or -1 if the room is too small or the demand names something wrong."""
    found = count_deals(room)
    if found == DEALT:
        draw_counted(room, rng)
    return found


@helper
def deal_hand(room, place):
    """Return the cards that a place was dealt, as a mask."""
    return room[HANDS + place]


@helper
def deal_likely(room, steps, likelihood, view, rng):
    """Draw a deal in proportion to its weight and a likelihood, approximately; return what `deal_out` returns.

    `likelihood(view, hands)` is a helper that returns 0 or more, of any scale; hands[place] is a mask. A Metropolis
    chain takes `steps` steps from a deal drawn by the weights alone. If all deals that it met are impossible, the
    result is 0.
    """
    found = deal_out(room, rng)
    if found != DEALT:
        return found
    now = likelihood(view, offset(room, HANDS))
    for step in range(steps):
        for place in range(MOST_PLACES):
            room[KEPT + place] = room[HANDS + place]
        if now <= 0.0 or step % FRESH_EVERY == 0:
            draw_counted(room, rng)
            ratio = 1.0
        else:
            ratio = exchange_cards(room, rng)
        new = likelihood(view, offset(room, HANDS)) if ratio > 0.0 else 0.0
        if new * ratio > 0.0 and new * ratio >= now * unit(rng):
            now = new
        else:
            for place in range(MOST_PLACES):
                room[HANDS + place] = room[KEPT + place]
    return DEALT if now > 0.0 else NO_DEAL


@helper
def _holder(room, bit):
    """Return the place that was dealt a card."""
    place = 0
    while room[HANDS + place] & bit == 0:
        place += 1
    return place


@compiled
def exchange_cards(room, rng):
    """Exchange two random cards; return the ratio of the weights after and before, 0 if that is not allowed."""
    n = popcount(room[CARDS])
    one = np.int64(1) << nth(room[CARDS], below(rng, n))
    other = np.int64(1) << nth(room[CARDS], below(rng, n))
    here, there = _holder(room, one), _holder(room, other)
    if here == there or room[BARRED + here] & other != 0 or room[BARRED + there] & one != 0:
        return 0.0
    before = _weight(room, here) * _weight(room, there)
    room[HANDS + here] ^= one | other
    room[HANDS + there] ^= one | other
    return _weight(room, here) * _weight(room, there) / before


@helper
def _weight(room, place):
    """Return the product of the weights of what a place holds."""
    weight = 1.0
    for group in range(room[GROUPS]):
        at = room[WEIGHT_AT + MOST_GROUPS * place + group]
        if at > 0:
            weight *= numbers_in(room, at)[popcount(room[HANDS + place] & room[GROUP + group])]
    return weight


@compiled
def _draw(cards, holds_, barred_, room_, rng_):
    holds, barred, room = pointer(holds_), pointer(barred_), pointer(room_)
    deal_begin(room, room_.shape[0], cards)
    for place in range(holds_.shape[0]):
        deal_place(room, place, holds[place], barred[place])
    return deal_out(room, pointer(rng_))


def draw_hands(
    cards: int, holds: Sequence[int], barred: Sequence[int] | None = None, rng: UInt64s | int = 0
) -> list[int]:
    """Return the hands, as masks, of a random deal of all the cards that gives each place as many as it holds.

    `barred` says which cards each place may not hold. Each deal that fits is equally likely. For callers in Python.
    """
    barred = [0] * len(holds) if barred is None else barred
    if len(barred) != len(holds) or len(holds) > MOST_PLACES:
        raise BadValue(f"{len(holds)} places and {len(barred)} masks of barred cards; it takes a mask for each place, "
                       f"and at most {MOST_PLACES} places")  # fmt: skip
    given = [np.array([_signed(mask) for mask in masks], dtype=np.int64) for masks in (holds, barred)]
    source = dice(rng) if isinstance(rng, int) else rng
    size, found = 1 << 12, NO_ROOM
    while found == NO_ROOM and size <= _LARGEST_ROOM:
        size *= 4
        room = np.zeros(size, dtype=np.int64)
        found = _draw(np.int64(_signed(cards)), *given, room, source)
    if found != DEALT:
        raise BadValue(_why_not(cards, holds, barred) or "so many ways to deal these cards cannot be counted")
    return [int(mask) & (2**64 - 1) for mask in room[HANDS : HANDS + len(holds)]]


def _signed(mask: int) -> int:
    return mask - 2**64 if mask >= 2**63 else mask


def _why_not(cards: int, holds: Sequence[int], barred: Sequence[int]) -> str:
    """Return why no deal fits, by Hall's theorem; empty if one does."""
    if min(holds, default=0) < 0:
        return f"place {list(holds).index(min(holds))} cannot hold {min(holds)} cards"
    if sum(holds) != popcount(cards):
        over = "; cards that lie elsewhere, such as a stock, need a place too" if sum(holds) < popcount(cards) else ""
        return f"{popcount(cards)} cards cannot be dealt to places that hold {sum(holds)}{over}"
    used = [place for place, n in enumerate(holds) if n > 0]
    for n in range(1, len(used) + 1):
        for places in combinations(used, n):
            wanted = sum(holds[place] for place in places)
            open_to = popcount(cards & ~_in_all(barred, places))
            if wanted > open_to:
                named = ("place " if n == 1 else "places ") + " and ".join(map(str, places))
                least = f"only {open_to}" if open_to else "none"
                held = f"hold{'s' if n == 1 else ''} {wanted} card{'s' if wanted != 1 else ''}"
                return f"{named} {held}, but {least} of the cards may lie there"
    return ""


def why_refused(room: Sequence[int], why: int, number: int) -> str:
    """Return what a demand names that cannot be."""
    named = int(room[GROUPS])
    groups = f"{named} group{'s are' if named != 1 else ' is'} named so far"
    return {
        BAD_PLACE: f"there is no place {number}; places are 0 to {MOST_PLACES - 1}",
        BAD_GROUP: f"group {number} cannot be named; {groups}, and they are named in order, 0 to {MOST_GROUPS - 1}",
        SHARED_CARDS: f"group {number} has cards that an earlier group has too; a card belongs to one group",
        NO_GROUP: f"there is no group {number}; {groups} by deal_group",
        WEIGHTS_TOO_LONG: f"the room of {int(room[SIZE])} cells is too small for the weights: {_LARGER_ROOM}",
    }[why]


def why_no_deal(room: Sequence[int], found: int) -> str:
    """Return why a demand that `deal_out` answered with 0 or -1 has no deal."""
    holds = [int(room[HOLDS + place]) for place in range(MOST_PLACES)]
    barred = [int(room[BARRED + place]) for place in range(MOST_PLACES)]
    if found == NO_ROOM:
        sorts = {(_weighed_place(room, place), barred[place] & int(room[CARDS])) for place in range(MOST_PLACES)
                 if holds[place] > 0}  # fmt: skip
        if len(sorts) > MOST_SORTS:
            return f"{len(sorts)} places differ in what they may hold; at most {MOST_SORTS} may"
        return f"the room of {int(room[SIZE])} cells is too small: {_LARGER_ROOM}"
    return _why_not(int(room[CARDS]), holds, barred) or "every deal that fits has the weight 0"


def _weighed_place(room: Sequence[int], place: int) -> int | None:
    """Return the place if it has weights; else None."""
    weighed = any(room[WEIGHT_AT + MOST_GROUPS * place + group] > 0 for group in range(MOST_GROUPS))
    return place if weighed else None


_LARGER_ROOM = "let deal_room know the most cards of each place and the size of each suit or group"


def _in_all(masks: Sequence[int], places: Sequence[int]) -> int:
    found = -1
    for place in places:
        found &= masks[place]
    return found
