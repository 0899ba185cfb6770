"""Speed of guessing hands of cards: one demand and one draw, as a rule `guess` makes them."""

from collections.abc import Iterator
from time import thread_time

import numpy as np

from kibitz.core.deal_demand import deal_begin, deal_choice, deal_group, deal_out, deal_place, deal_room
from kibitz.core.dice import dice, shuffle_array
from kibitz.core.native import compiled, helper, pointer
from kibitz.core.scratch import scratch

SUITS, RANKS, HANDS = 4, 13, 3
ROOM = deal_room([RANKS] * HANDS, [RANKS] * SUITS)
DRAWS, DEMANDS, ROUNDS = 500, 20, 5
KINDS = (  # the name of a row, cards in a hand, hands with a void, whether every suit is weighed
    ("three-hands-of-13", 13, 0, False),
    ("three-hands-of-13-two-voids", 13, 2, False),
    ("three-hands-of-8-three-voids", 8, 3, False),
    ("three-hands-of-13-weighed", 13, 0, True),
    ("three-hands-of-8-two-voids-weighed", 8, 2, True),
)


def measure() -> Iterator[tuple[str, float]]:
    """Yield for each kind of demand its name and the microseconds of a draw."""
    for name, each, voids, weighed in KINDS:
        yield name, min(_round(each, voids, weighed) for _ in range(ROUNDS))


def _round(each: int, voids: int, weighed: bool) -> float:
    seconds = 0.0
    for seed in range(DEMANDS):
        pack, rng = np.arange(SUITS * RANKS), dice(seed)
        shuffle_array(rng, pack)
        cards = sum(1 << int(card) for card in pack[: HANDS * each])
        _draw(cards, each, voids, weighed, 1, rng)  # compiles, if necessary
        begun = thread_time()
        _draw(cards, each, voids, weighed, DRAWS, rng)
        seconds += thread_time() - begun
    return 1e6 * seconds / (DEMANDS * DRAWS)


@helper
def _suit(suit):
    return ((1 << RANKS) - 1) << RANKS * suit


@compiled
def _draw(cards, each, voids, weighed, times, rng_):
    """Draw from a demand many times, each time as if it were new; return how many deals there were."""
    room, rng, found = scratch(ROOM), pointer(rng_), 0
    for _ in range(times):
        deal_begin(room, ROOM, cards)
        for place in range(HANDS):
            deal_place(room, place, each, _suit(place) if place < voids else 0)
        for suit in range(SUITS if weighed else 0):
            deal_group(room, suit, _suit(suit))
            for place in range(HANDS):
                if place != suit or place >= voids:
                    deal_choice(room, place, suit, 2)
        found += deal_out(room, rng)
    return found
