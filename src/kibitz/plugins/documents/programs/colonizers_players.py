"""The players of the thesis's Colonizers program: one that plays anything, and one by rules of thumb."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from kibitz.games.colonizers.cards import BLUE, GREEN, MODULES, RED
from kibitz.plugins.documents.programs.colonizers import (
    COLONISTS,
    ECOLOGIST,
    FULL_COLONY,
    GENERAL,
    HAND_LIMIT,
    MINER,
    OPPORTUNIST,
    SEATS,
    SPY,
    VISIONARY,
    ThesisPlayer,
    ThesisTable,
)

MANY_OF_A_COLOUR, FEW_CARDS, MANY_CARDS = 3, 1, 4
COLONIST_OF = {RED: GENERAL, GREEN: ECOLOGIST, BLUE: MINER}  # the first of equally frequent colours counts
Entry = TypeVar("Entry")


class Blind:
    """Plays anything."""

    def __init__(self, luck: Random):
        self.luck = luck

    def any_of(self, entries: Sequence[Entry]) -> Entry:
        """Return a random entry; a single one takes random numbers too."""
        return entries[self.luck.randint(0, len(entries) - 1)]

    def pick(self, table: ThesisTable, seat: int) -> int:
        """Return any colonist."""
        return self.any_of(table.packets[seat])

    def draws(self, table: ThesisTable, seat: int) -> bool:
        """Return anything possible."""
        return self.any_of([False, True] if len(table.hands[seat]) < HAND_LIMIT else [False])

    def keep(self, table: ThesisTable, seat: int, two: Sequence[int]) -> int:
        """Return either."""
        return self.any_of([0, 1])

    def power(self, table: ThesisTable, seat: int) -> int | None:
        """Return any other colonist, or nothing."""
        own = table.colonists[seat]
        targeted = own in (OPPORTUNIST, SPY)
        return self.any_of([*(other for other in range(COLONISTS) if targeted and other != own), None])

    def build(self, table: ThesisTable, seat: int) -> int | None:
        """Return any card that can be paid for, or nothing."""
        hand = table.hands[seat]
        return self.any_of([*(hand[at] for at in table.affordable(seat, hand)), None])


class ByRules(Blind):
    """Plays by the rules of thumb of figure 4.2 as they were programmed."""

    def pick(self, table: ThesisTable, seat: int) -> int:
        """Return the colonist of a colour with many modules, or Visionary with few cards."""
        colour, packet = _most_built(table, seat), table.packets[seat]
        if table.built(seat, colour) >= MANY_OF_A_COLOUR and COLONIST_OF[colour] in packet:
            return COLONIST_OF[colour]
        if len(table.hands[seat]) <= FEW_CARDS and VISIONARY in packet:
            return VISIONARY
        return super().pick(table, seat)

    def draws(self, table: ThesisTable, seat: int) -> bool:
        """Draw with an empty hand; take Omnium without any, or with many modules."""
        if table.omnium[seat] == 0 or len(table.hands[seat]) >= MANY_CARDS:
            return False
        return not table.hands[seat] or super().draws(table, seat)

    def keep(self, table: ThesisTable, seat: int, two: Sequence[int]) -> int:
        """Return the better one by the rules, or either."""
        best = _best(table, seat, two)
        return super().keep(table, seat, two) if best is None else best

    def power(self, table: ThesisTable, seat: int) -> int | None:
        """Rob the seat with most to take, or swap with one that holds more cards, less the doubt about its colonist."""
        own = table.colonists[seat]
        if own not in (OPPORTUNIST, SPY):
            return super().power(table, seat)
        passed_on = [colonist for colonist in table.packets[seat] if colonist != own]
        possible = {
            other: [table.colonists[other]] if other < seat else passed_on for other in range(SEATS) if other != seat
        }

        def worth(other: int) -> int:
            more = 2 * (len(table.hands[other]) - len(table.hands[seat]))
            return (table.omnium[other] if own == OPPORTUNIST else more) - len(possible[other]) + 1

        best = max(possible, key=worth)
        return self.luck.choice(possible[best]) if own == OPPORTUNIST or worth(best) > 0 else None

    def build(self, table: ThesisTable, seat: int) -> int | None:
        """Return the best card by the rules, or any, or nothing."""
        best = _best(table, seat, table.hands[seat])
        return super().build(table, seat) if best is None else table.hands[seat][best]


def _most_built(table: ThesisTable, seat: int) -> int:
    return max(COLONIST_OF, key=lambda colour: table.built(seat, colour))


def _best(table: ThesisTable, seat: int, kinds: Sequence[int]) -> int | None:
    """Return the place of the module that a rule calls for; the first of equals."""
    affordable = table.affordable(seat, kinds)
    if any(len(colony) >= FULL_COLONY - 1 for colony in table.colonies):
        return max(affordable, key=lambda at: MODULES[kinds[at]].value, default=None)
    if len(table.hands[seat]) < HAND_LIMIT:
        affordable = [at for at in affordable if kinds[at] // 4 == _most_built(table, seat)]
    return max(affordable, key=lambda at: MODULES[kinds[at]].value - MODULES[kinds[at]].cost, default=None)


PLAYERS: dict[str, Callable[[Random], ThesisPlayer]] = {"random": Blind, "heuristic": ByRules}
