"""Many draws of a deal in compiled code; `python -m tests.core.deal_draws` prints some, to compare with interpreted."""

import json
import random
from collections import Counter

import numpy as np
from scipy import stats

from kibitz.core.bits import popcount
from kibitz.core.deal_demand import (
    deal_begin,
    deal_choice,
    deal_group,
    deal_hand,
    deal_likely,
    deal_out,
    deal_place,
    deal_weight,
)
from kibitz.core.dice import dice
from kibitz.core.native import compiled, helper, pointer

ROOM = 1 << 14
LEAST_EXPECTED = 5  # draws of what is counted in a chi-square test


@helper
def odd_likelihood(view, hands):
    """Depend on what two places hold together, which no weights can say, and rule out some deals."""
    both = popcount((hands[0] | hands[1]) & view[0])
    return 0.0 if both == 0 else 1.0 + both * both + 2 * (popcount(hands[0] & view[1]) == 1)


@helper
def _demand(room, cards, holds, barred, groups, weights, choices):
    deal_begin(room, ROOM, cards)
    for group in range(groups.shape[0]):
        deal_group(room, group, groups[group])
    for place in range(holds.shape[0]):
        deal_place(room, place, holds[place], barred[place])
        for group in range(groups.shape[0]):
            for n in range(weights.shape[2]):
                if weights[place, group, n] != 1.0:
                    deal_weight(room, place, group, n, weights[place, group, n])
            if choices[place, group] >= 0:
                deal_choice(room, place, group, choices[place, group])


@compiled
def draw_many(cards, holds, barred, groups, weights, choices, steps, view, room_, rng_, out):
    """Write as many deals as there are rows, by likelihood if there are steps; return what the last draw returned."""
    room, rng, found = pointer(room_), pointer(rng_), 0
    for row in range(out.shape[0]):
        _demand(room, cards, holds, barred, groups, weights, choices)
        if steps > 0:
            found = deal_likely(room, steps, odd_likelihood, pointer(view), rng)
        else:
            found = deal_out(room, rng)
        for place in range(out.shape[1]):
            out[row, place] = deal_hand(room, place)
    return found


def signed(masks):
    """Return masks of up to 64 bits as cells."""
    return np.array([mask - 2**64 if mask >= 2**63 else mask for mask in masks], dtype=np.int64)


class Case:
    """A random small demand, with weights for groups if there are any."""

    def __init__(self, number: int, groups: int = 0):
        chosen = random.Random(number)
        places, n = chosen.randint(2, 4) if groups else chosen.randint(1, 5), chosen.randint(0, 7)
        cards = chosen.sample(range(64), n)
        self.cards = sum(1 << card for card in cards)
        self.holds = [0] * places
        for _ in range(n):
            self.holds[chosen.randrange(places)] += 1
        often = chosen.choice([0.0, 0.1, 0.3, 0.6])
        self.barred = [sum(1 << card for card in range(64) if chosen.random() < often) for _ in range(places)]
        self.groups = [0] * groups
        for card in cards if groups else ():
            if chosen.random() < 0.8:
                self.groups[chosen.randrange(groups)] |= 1 << card
        self.weights = np.ones((places, groups, 8))
        self.choices = np.full((places, groups), -1)
        for place in range(places):
            for group in range(groups):
                if chosen.random() < 0.5:
                    self.weights[place, group] = [chosen.choice([0.0, 0.5, 0.7, 1.0, 1.0, 3.0, 20.0]) for _ in range(8)]
                if chosen.random() < 0.3:
                    self.choices[place, group] = chosen.randint(0, 2)

    def deals(self) -> dict[tuple[int, ...], float]:
        """Return the weight of every deal that fits, by trying all."""
        found: dict[tuple[int, ...], float] = {}
        cards = [card for card in range(64) if self.cards >> card & 1]

        def place_all(done, left, hands):
            if done == len(cards):
                found[tuple(hands)] = self._weight(hands)
                return
            for place, free in enumerate(left):
                bit = 1 << cards[done]
                if free and not self.barred[place] & bit:
                    more = [held | bit if at == place else held for at, held in enumerate(hands)]
                    place_all(done + 1, [free - (at == place) for at, free in enumerate(left)], more)

        place_all(0, self.holds, [0] * len(self.holds))
        return {hands: weight for hands, weight in found.items() if weight > 0}

    def _weight(self, hands):
        weight = 1.0
        for place, hand in enumerate(hands):
            for group, cards in enumerate(self.groups):
                n, known = (hand & cards).bit_count(), self.choices[place, group]
                weight *= self.weights[place, group, n]
                if known >= 0:
                    weight *= 1 / (n + known) if n + known else 0.0
        return weight

    def draw(self, times, seed, steps=0, view=(0, 0)):
        """Return what compiled code answers, and that many deals."""
        out = np.zeros((times, len(self.holds)), dtype=np.int64)
        given = (np.array(self.holds), signed(self.barred), signed(self.groups), self.weights, self.choices)
        room, cards = np.full(ROOM, 7, dtype=np.int64), signed([self.cards])[0]
        found = draw_many(cards, *given, steps, signed(view), room, dice(seed), out)
        return int(found), [tuple(mask & (2**64 - 1) for mask in row) for row in out.tolist()]


def p_value(weights, drawn):
    """Return the p value of outcomes drawn in proportion to weights; 1 if there is only one, an error for others."""
    counts, total = Counter(drawn), sum(weights.values())
    assert set(counts) <= set(weights)
    sums = [[0.0, 0]]
    for outcome in sorted(weights, key=weights.__getitem__):  # rare ones are counted together
        if sums[-1][0] >= LEAST_EXPECTED:
            sums.append([0.0, 0])
        sums[-1][0] += counts.total() * weights[outcome] / total
        sums[-1][1] += counts[outcome]
    if len(sums) > 1 and sums[-1][0] < LEAST_EXPECTED:
        expected, found = sums.pop()
        sums[-1][0] += expected
        sums[-1][1] += found
    expected, found = zip(*sums, strict=True)
    return float(stats.chisquare(found, expected).pvalue) if len(sums) > 1 else 1.0


def some_draws():
    """Return a few draws from each of many demands."""
    plain = [Case(number, number % 3).draw(3, number) for number in range(60)]
    return plain + [Case(number, 1).draw(2, number, 6, (2**63 + 2**20 - 1, 2**40 - 1)) for number in range(20)]


if __name__ == "__main__":
    print(json.dumps(some_draws()))
