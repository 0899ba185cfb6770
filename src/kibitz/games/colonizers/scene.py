"""Colonizers in words and pictures: the round, the colonies and hands, and what a move changed."""

from collections.abc import Iterable, Sequence

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.scene import Panel, Scene, listed
from kibitz.games.colonizers.board import board, ordinal
from kibitz.games.colonizers.cards import MODULES, unpack
from kibitz.games.colonizers.cells import (
    BUILD,
    BUILT,
    BUNDLE,
    COLONIST,
    COLONIST_NAMES,
    COLONISTS,
    COLONY,
    DRAW,
    FIRST,
    FULL_COLONY,
    HAND,
    HAND_LIMIT,
    HELD,
    KEEP,
    LOG,
    LOGGED,
    NOBODY,
    NONE,
    OMNIUM,
    OPPORTUNIST,
    PHASE,
    PICK,
    POWER,
    REVEALED,
    ROUND,
    RULED_OUT,
    SEAT,
    SEATS_HERE,
    SPY,
    VIEWER,
)
from kibitz.games.colonizers.drawing import CARD_HEIGHT, CHIP_HEIGHT, CHIP_WIDTH, card_back, module_card
from kibitz.games.colonizers.reader import (
    cards_in_deck,
    certain_cards,
    colonist_word,
    headline,
    is_lost,
    known_in_deck,
    outcome,
    packet,
    points,
    possible_colonists,
    two_cards,
)
from kibitz.games.colonizers.rules import NOTHING
from kibitz.games.colonizers.seat_panel import PANEL_WIDTH, seat_panel

PAINT = {
    r"(?m)^> seat \d.*$": "bold",
    **{rf"\b{MODULES[kind].name}\b": ("green", "blue", "red")[kind >> 2] for kind in range(12)},
}


def _counted(kinds: Iterable[int]) -> list[str]:
    """Return modules by name, several of a kind counted."""
    kinds = list(kinds)
    return [
        MODULES[kind].name + (f" x{kinds.count(kind)}" if kinds.count(kind) > 1 else "") for kind in sorted(set(kinds))
    ]


def _priced(kinds: Iterable[int]) -> list[str]:
    return [f"{MODULES[kind].name} (cost {MODULES[kind].cost}, value {MODULES[kind].value})" for kind in kinds]


def _deck(view: np.ndarray) -> str:
    known = [f"{ordinal(n)} {MODULES[kind].name}" for n, kind in reversed(known_in_deck(view))]
    return listed(f"  deck: {cards_in_deck(view)} cards{'; you know, from the bottom: ' if known else ''}", known)


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    sure = certain_cards(view)
    rows = [f"  {headline(view)}", f"  {'':8}{'colonist':13}{'omnium':>6}{'hand':>6}{'points':>8}  colony"]
    for seat in range(SEATS_HERE):
        name = f"seat {seat + 1}{'*' if seat == view[VIEWER] else ''}"
        rows.append(
            f"{'>' if seat == view[SEAT] else ' '} {name:8}{colonist_word(view, seat):13}{view[OMNIUM + seat]:>6}"
            f"{view[HELD + seat]:>6}{points(view, seat):>8}  {view[BUILT + seat]} of {FULL_COLONY}"
        )
    for seat in range(SEATS_HERE):
        if view[BUILT + seat]:
            rows.append(listed(f"  seat {seat + 1} has built ", _counted(unpack(view[COLONY + seat]))))
    for seat in range(SEATS_HERE):
        if possible_colonists(view, seat):
            names = (COLONIST_NAMES[colonist] for colonist in possible_colonists(view, seat))
            rows.append(listed(f"  seat {seat + 1} is ", names, " or "))
    for seat in range(SEATS_HERE):
        if view[HAND + seat] != UNKNOWN and view[HELD + seat]:
            rows.append(listed(f"  seat {seat + 1} holds ", _priced(unpack(view[HAND + seat]))))
        elif sure[seat] and view[HAND + seat] == UNKNOWN:
            rows.append(listed(f"  seat {seat + 1} holds, among others, ", _counted(sure[seat])))
    rows.append(_deck(view))
    if two_cards(view):
        rows.append(listed("  drawn: ", _priced(two_cards(view))))
    if packet(view):
        rows.append(listed("  the packet: ", (COLONIST_NAMES[colonist] for colonist in packet(view))))
    return "\n".join(rows)


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return what a move changed: colonists shown, Omnium stolen, hands swapped, what seats gained and spent."""
    found = [
        f"seat {seat + 1} is the {COLONIST_NAMES[after[COLONIST + seat]]}"
        for seat in range(SEATS_HERE)
        if before[REVEALED] >> seat & 1 < after[REVEALED] >> seat & 1
    ]
    found += [*_power_used(before, after), *_card_lost(before, after), *_counts_changed(before, after)]
    if before[PHASE] == BUILD and (before[BUILT : BUILT + SEATS_HERE] == after[BUILT : BUILT + SEATS_HERE]).all():
        found.append(f"seat {before[SEAT] + 1} builds nothing")
    if before[PHASE] == POWER and not _power_used(before, after):
        found.append(f"seat {before[SEAT] + 1} hits nobody with its power")
    if before[FIRST] == NONE and after[FIRST] not in (NONE, NOBODY):
        found.append(f"seat {after[FIRST] + 1} has a full colony, so this is the last round")
    if after[SEAT] == OVER:
        return [*found, outcome(after)]
    return [*found, f"round {after[ROUND]} begins"] if after[ROUND] != before[ROUND] else found


def _power_used(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return what naming a colonist has done: who lost what to whom."""
    if before[PHASE] != POWER:
        return []
    seat = int(before[SEAT])
    loot = int(after[OMNIUM + seat] - before[OMNIUM + seat])
    if loot:
        losses = [int(before[OMNIUM + other] - after[OMNIUM + other]) for other in range(SEATS_HERE)]
        # A robbed seat whose own turn has begun may already have got more than it lost.
        robbed = losses.index(loot) if loot in losses else seat + 1
        return [f"seat {seat + 1} takes {loot} Omnium from seat {robbed + 1}"]
    swapped = [other for other in range(SEATS_HERE) if before[BUNDLE + other] != after[BUNDLE + other]]
    if swapped:
        other = next(other for other in swapped if other != seat)
        given, got = _hand_passed(before, seat, after, other), _hand_passed(before, other, after, seat)
        return [f"seats {seat + 1} and {other + 1} swap hands: seat {seat + 1} gives {given} for {got}"]
    ruled_out = int(after[RULED_OUT] ^ before[RULED_OUT])
    if ruled_out and after[ROUND] == before[ROUND]:
        named = (ruled_out.bit_length() - 1) % COLONISTS
        return [f"nobody who could be hit is the {COLONIST_NAMES[named]}"]
    return []


def _hand_passed(before: np.ndarray, giver: int, after: np.ndarray, taker: int) -> str:
    """Return a hand that went from seat to seat: by name if the viewer knew it then or knows it now, else by number."""
    n = int(before[HELD + giver])
    number = f"{n or 'no'} card{'s' if n != 1 else ''}"
    known = next((hand for hand in (before[HAND + giver], after[HAND + taker]) if hand != UNKNOWN), 0)
    return f"{number} ({', '.join(_counted(unpack(known)))})" if known else number


def _card_lost(before: np.ndarray, after: np.ndarray) -> list[str]:
    if after[LOGGED] == before[LOGGED] or not is_lost(int(after[LOG + 2 * int(before[LOGGED])])):
        return []
    return [f"the card that seat {before[SEAT] + 1} kept leaves the game, for its hand is full"]


def _counts_changed(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return the Omnium and the cards in hand that are more or fewer than before; a swap of hands tells of its own."""
    found = []
    for seat in range(SEATS_HERE):
        omnium, cards = (int(after[what + seat] - before[what + seat]) for what in (OMNIUM, HELD))
        counts = [f"{after[OMNIUM + seat]} Omnium ({omnium:+})"] if omnium else []
        if cards and before[BUNDLE + seat] == after[BUNDLE + seat]:
            counts.append(f"{after[HELD + seat]} in hand ({cards:+})")
        found += [f"seat {seat + 1} has {' and '.join(counts)}"] if counts else []
    return found


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes: colonists, the deck and the bank on the board, cards to build in the hands."""
    sure = certain_cards(view)
    seats = [seat_panel(view, legal, seat, sure[seat]) for seat in range(SEATS_HERE)]
    offer = [_offer(view, legal)] if view[PHASE] == KEEP and view[SEAT] != OVER else []
    title = outcome(view) if view[SEAT] == OVER else headline(view)
    return Scene(f"Colonizers: {title}", [board(view, legal), *offer, *seats], _prompt(view, legal))


def _offer(view: np.ndarray, legal: Sequence[int]) -> Panel:
    """Draw the two modules of which one is kept."""
    width = (PANEL_WIDTH - 10) / 2
    cards = [
        module_card(kind, 1 + k * (width + 8), 2.0, (4 * kind,) if 4 * kind in legal else (), width)
        for k, kind in enumerate(two_cards(view))
    ]
    backs = [card_back(1 + k * (CHIP_WIDTH + 8), 2.0, "one of the two modules drawn") for k in range(2)]
    height = (CARD_HEIGHT if cards else CHIP_HEIGHT) + 4
    return Panel("offer", PANEL_WIDTH, height, cards or backs, f"Drawn by seat {view[SEAT] + 1}: keep one of the two")


def _prompt(view: np.ndarray, legal: Sequence[int]) -> str:
    """Return what the seat to move is asked."""
    if view[SEAT] == OVER:
        return ""
    seat, phase = int(view[SEAT]), int(view[PHASE])
    asked = {
        PICK: "pick a colonist, in secret",
        DRAW: "take 2 Omnium, or draw two modules to keep one",
        KEEP: "keep one of the two modules; the other goes under the deck",
        POWER: "use the power of the colonist",
        BUILD: "build a module from the hand, or nothing",
    }[phase]
    if phase == KEEP and view[HELD + seat] == HAND_LIMIT:
        asked = "the hand is full: one of the two modules leaves the game; the other goes under the deck"
    if phase == POWER and view[COLONIST + seat] == SPY:
        asked = "use the Spy's power: name a colonist, to swap hands with its holder, or do nothing"
    if phase == POWER and view[COLONIST + seat] == OPPORTUNIST:
        asked = "use the Opportunist's power: name a colonist, to take 2 Omnium from its holder, or do nothing"
    if phase == BUILD and list(legal) == [NOTHING]:
        asked = "no module in the hand can be paid for, so build nothing"
    return f"Seat {seat + 1}: {asked}"
