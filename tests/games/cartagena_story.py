"""What happened in a game of Cartagena, told from outside: who drew what from which pack, and who played what.

From a story follows what a seat can know. `accepts` checks a guessed world against it; `posterior` counts all worlds.
Neither reads what the game itself remembers of its past, but for the claims of the world that is checked.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import comb

import numpy as np

from kibitz.core.table import Table
from kibitz.games.cartagena.cells import (
    ACTIONS,
    DEALT,
    DISCARDS,
    HAND,
    HIDDEN,
    HISTORY,
    LEFT,
    SEAT_COUNT,
    STOCK,
    TURNS,
)
from kibitz.games.cartagena.opponent_model import UNIT, other_moves
from kibitz.games.cartagena.rules import BACK


def pile(cell):
    """A pile as a tuple of six counts."""
    return tuple(int(cell) >> 8 * sign & 0xFF for sign in range(6))


def packed(counts):
    """A tuple of six counts as a pile."""
    return sum(n << 8 * sign for sign, n in enumerate(counts))


def line(cell):
    """A line of cards as a list of signs."""
    cell = int(cell)
    return [(cell >> 4 * k & 15) - 1 for k in range((cell.bit_length() + 3) // 4)]


def stock(state):
    """The stock as a list of signs, the next card first."""
    cards = [sign for k in range(8) for sign in line(state[STOCK + k])]
    assert len(cards) == state[LEFT]
    return cards[::-1]


@dataclass
class Story:
    """The events in order, and the resulting state.

    Events are ("deal", seat, counts), ("draw", seat, sign, pack), ("play", seat, sign, pack of the time), and before
    each move ("choose", seat, actions taken in the turn).
    """

    seats: int
    packs: list
    state: np.ndarray
    events: list = field(default_factory=list)


class Narrator:
    """Plays at a table of Jamaica and keeps its story."""

    def __init__(self, table: Table):
        state = table._state
        assert state[HIDDEN]
        self.table = table
        cards = table.game.options["cards"]
        self.story = Story(int(state[SEAT_COUNT]), [Counter(dict.fromkeys(range(6), cards))], state)
        for seat in range(self.story.seats):
            self.story.events.append(("deal", seat, pile(state[HAND + seat])))

    def play(self, move):
        """Play a move and tell of it."""
        state, seat = self.table._state, self.table.turn
        self.story.events.append(("choose", seat, int(state[ACTIONS])))
        before, top, discards = Counter(dict(enumerate(pile(state[HAND + seat])))), stock(state), state[DISCARDS]
        self.table.play(move)
        gained = Counter(dict(enumerate(pile(state[HAND + seat])))) - before
        if move < BACK:
            self.story.events.append(("play", seat, move & 7, len(self.story.packs) - 1))
        drawn = claims(state, seat)[1][-gained.total() :] if gained else []
        assert Counter(drawn) == gained
        for sign in drawn:
            if top:
                assert sign == top.pop(0)
            elif discards:
                self.story.packs.append(Counter(dict(enumerate(pile(discards)))))
                discards = 0
            self.story.events.append(("draw", seat, sign, len(self.story.packs) - 1))


def claims(world, seat):
    """What a world says a seat was dealt, and what it drew, in order."""
    drawn = []
    for turn in range(int(world[TURNS]) + 1):
        block = HISTORY + 5 * (turn // 4)
        if (int(world[block]) >> 15 * (turn % 4) & 7) - 1 == seat:
            drawn += line(world[block + 1 + turn % 4])
    return pile(world[DEALT + seat]), drawn


def accepts(story, me, world):
    """Return whether seat `me`, which saw the story unfold, must hold a world for possible, given its past."""
    left = [Counter(pack) for pack in story.packs]
    hands = [Counter() for _ in range(story.seats)]
    told = [claims(world, seat) for seat in range(story.seats)]
    drawn = [iter(cards) for _, cards in told]
    for what, seat, card, *pack in story.events:
        if what == "deal":
            if seat == me and told[seat][0] != card:
                return False
            hands[seat] = Counter(dict(enumerate(told[seat][0])))
            left[0].subtract(hands[seat])
        elif what == "choose":
            continue
        elif what == "draw":
            sign = next(drawn[seat], None)
            if sign is None or (seat == me and sign != card):
                return False
            hands[seat][sign] += 1
            left[pack[0]][sign] -= 1
        else:
            hands[seat][card] -= 1
            if hands[seat][card] < 0:
                return False
    told_all = all(next(cards, None) is None for cards in drawn)
    held = all(tuple(hands[seat][sign] for sign in range(6)) == pile(world[HAND + seat]) for seat in range(story.seats))
    left[-1].subtract(stock(world))
    return told_all and held and not any(any(pack.values()) for pack in left)


def _hands(pool, n):
    """Yield all hands of n cards from a pool, as counts."""
    if not pool:
        if n == 0:
            yield ()
        return
    for first in range(min(pool[0], n) + 1):
        for rest in _hands(pool[1:], n - first):
            yield (first, *rest)


def _with(counts, sign, n):
    return (*counts[:sign], counts[sign] + n, *counts[sign + 1 :])


def posterior(story, me):
    """Return the chance of every combination of the others' hands, by following all that can have happened.

    Every order of every shuffle is equally likely, and a seat plays any of its legal moves with equal chance. How many
    those are apart from the cards is taken as guesses take it.
    """
    choices = Counter()
    rivals = [seat for seat in range(story.seats) if seat != me]
    odds = {((), tuple(story.packs[0][sign] for sign in range(6))): 1.0}  # (the others' hands, the stock)
    pack = 0
    for what, seat, card, *of in sorted(story.events, key=lambda event: event[:2] != ("deal", me)):
        if what == "draw" and of[0] > pack:
            pack = of[0]
            fresh = tuple(story.packs[pack][sign] for sign in range(6))
            odds = {(hands, fresh): chance for (hands, _), chance in odds.items()}
        if what == "choose":
            if seat != me:
                others = other_moves(story.state, seat, choices[seat], card) / UNIT
                odds = {way: chance / (_kinds(way, rivals.index(seat)) + others or 1) for way, chance in odds.items()}
            choices[seat] += 1
            continue
        after = defaultdict(float)
        for (hands, left), chance in odds.items():
            for way, more in _ways(what, seat, card, me, rivals, hands, left):
                after[way] += chance * more
        total = sum(after.values())
        odds = {way: chance / total for way, chance in after.items()}
    return {tuple(packed(hand) for hand in hands): chance for (hands, _), chance in odds.items()}


def _kinds(way, at):
    return sum(n > 0 for n in way[0][at])


def _ways(what, seat, card, me, rivals, hands, left):
    """Yield what an event can have led to, and in how many ways."""
    if seat == me:
        if what == "deal":
            yield (hands, tuple(a - b for a, b in zip(left, card, strict=True))), 1
        elif what == "draw" and left[card]:
            yield (hands, _with(left, card, -1)), left[card]
        elif what == "play":
            yield (hands, left), 1
        return
    if what == "deal":
        for hand in _hands(left, sum(card)):
            ways = 1
            for held, had in zip(hand, left, strict=True):
                ways *= comb(had, held)
            yield ((*hands, hand), tuple(a - b for a, b in zip(left, hand, strict=True))), ways
        return
    at = rivals.index(seat)
    for sign in range(6) if what == "draw" else (card,):
        ways = left[sign] if what == "draw" else hands[at][sign] > 0
        if ways:
            hand = _with(hands[at], sign, 1 if what == "draw" else -1)
            rest = _with(left, sign, -1) if what == "draw" else left
            yield ((*hands[:at], hand, *hands[at + 1 :]), rest), ways
