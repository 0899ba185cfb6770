"""Colonizers as the program of D. Crha's thesis (2020) played it: its dealer, its table, its order of choices.

Colonists are numbered by name, as they lay before they were shuffled. Every choice is asked for, also where there is
only one, except how to go on after taking Omnium. A hand keeps the order in which cards came.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Protocol

from kibitz.games.colonizers.cards import BLUE, DECK, GREEN, MODULES, RED
from kibitz.plugins.documents.programs.subtractive import Subtractive

SEATS = 4
HAND_LIMIT, FULL_COLONY, BONUS, INCOME, LOOT = 5, 8, 4, 2, 2
COLONISTS = 6
ECOLOGIST, GENERAL, MINER, OPPORTUNIST, SPY, VISIONARY = range(COLONISTS)
COLOUR_OF = {ECOLOGIST: GREEN, MINER: BLUE, GENERAL: RED}


class ThesisPlayer(Protocol):
    """What decides for a seat; None is to do nothing."""

    def pick(self, table: "ThesisTable", seat: int) -> int:
        """Return a colonist of the packet."""

    def draws(self, table: "ThesisTable", seat: int) -> bool:
        """Return whether to draw modules instead of taking Omnium."""

    def keep(self, table: "ThesisTable", seat: int, two: Sequence[int]) -> int:
        """Return which of two modules to keep: 0 or 1."""

    def power(self, table: "ThesisTable", seat: int) -> int | None:
        """Return the colonist to name."""

    def build(self, table: "ThesisTable", seat: int) -> int | None:
        """Return the module to build."""


class ThesisTable:
    """One game."""

    def __init__(self, dealer: Subtractive, players: Sequence[ThesisPlayer]):
        self._dealer, self._players = dealer, players
        dealer.shuffle(list(range(SEATS)))  # the program shuffled its players, which moved no seat
        self._shuffled = self._shuffle_colonists()
        self._deck = DECK.tolist()
        dealer.shuffle(self._deck)
        self.hands: list[list[int]] = [[] for _ in range(SEATS)]
        self.colonies: list[list[int]] = [[] for _ in range(SEATS)]
        self.omnium = [0] * SEATS
        self.colonists: list[int] = []  # of the seats, in this round
        self.packets: list[list[int]] = []  # from which they were picked

    def _shuffle_colonists(self) -> list[int]:
        colonists = list(range(COLONISTS))
        self._dealer.shuffle(colonists)
        return colonists

    def ranking(self) -> list[int]:
        """Play to the end; return the seats from the winner on, none if the deck ran out."""
        while not any(len(colony) == FULL_COLONY for colony in self.colonies):
            self._pick()
            if not all(self._take_turn(seat) for seat in range(SEATS)):
                return []
            self._shuffled = self._shuffle_colonists()
        points = [
            sum(MODULES[kind].value for kind in colony) + BONUS * (len(colony) == FULL_COLONY)
            for colony in self.colonies
        ]
        return sorted(range(SEATS), key=lambda seat: (-points[seat], seat))

    def _pick(self) -> None:
        left = self._shuffled[1:]
        self.colonists, self.packets = [], []
        for seat, player in enumerate(self._players):
            self.packets.append(left.copy())
            self.colonists.append(player.pick(self, seat))
            left.remove(self.colonists[seat])

    def _take_turn(self, seat: int) -> bool:
        """Play a turn; return whether the deck had the cards for it."""
        player, draws = self._players[seat], self._players[seat].draws(self, seat)
        self._use_passive(seat)
        if draws and len(self._deck) < 2:
            return False
        if draws:
            self._draw(seat)
        else:
            self.omnium[seat] += INCOME
        self._use_power(seat, player.power(self, seat))
        kind = player.build(self, seat)
        if kind is not None:
            self.hands[seat].remove(kind)
            self.colonies[seat].append(kind)
            self.omnium[seat] -= MODULES[kind].cost
        return True

    def _use_passive(self, seat: int) -> None:
        colonist = self.colonists[seat]
        if colonist in COLOUR_OF:
            self.omnium[seat] += self.built(seat, COLOUR_OF[colonist])
        elif colonist == VISIONARY and len(self.hands[seat]) < HAND_LIMIT and self._deck:
            self.hands[seat].append(self._deck.pop(0))

    def _draw(self, seat: int) -> None:
        two = [self._deck.pop(0), self._deck.pop(0)]
        kept = self._players[seat].keep(self, seat, two)
        self._deck.append(two[1 - kept])
        if len(self.hands[seat]) < HAND_LIMIT:
            self.hands[seat].append(two[kept])

    def _use_power(self, seat: int, named: int | None) -> None:
        if named not in self.colonists:
            return
        other = self.colonists.index(named)
        if self.colonists[seat] == SPY:
            self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        else:
            loot = min(LOOT, self.omnium[other])
            self.omnium[other] -= loot
            self.omnium[seat] += loot

    def built(self, seat: int, colour: int) -> int:
        """Return how many modules of a colour a seat has built."""
        return sum(kind // 4 == colour for kind in self.colonies[seat])

    def affordable(self, seat: int, kinds: Sequence[int]) -> list[int]:
        """Return the places of those modules that a seat can pay for."""
        return [at for at, kind in enumerate(kinds) if MODULES[kind].cost <= self.omnium[seat]]


def play_series(
    dealers: Iterable[Subtractive], player: Callable[[Random], ThesisPlayer], seed: int | None, games: int
) -> Iterator[list[int]]:
    """Play games among four alike, each with the next dealer, and yield their rankings.

    All four begin every game with the same random numbers, as their processes did; without a seed, each with its own.
    """
    own = Random(0)
    for dealer in islice(dealers, games):
        seeds = [own.getrandbits(64) if seed is None else seed for _ in range(SEATS)]
        yield ThesisTable(dealer, [player(Random(each)) for each in seeds]).ranking()
