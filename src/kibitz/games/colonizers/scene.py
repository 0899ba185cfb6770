"""Colonizers in words and pictures: the round, the colonies and hands, and what a move changed."""

from collections.abc import Iterable, Sequence

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.scene import Panel, Scene, listed
from kibitz.games.colonizers.board import board, in_deck
from kibitz.games.colonizers.cards import MODULES
from kibitz.games.colonizers.cells import (
    BUILD,
    COLONIST_NAMES,
    COLONISTS,
    DRAW,
    FULL_COLONY,
    HAND_LIMIT,
    KEEP,
    NOBODY,
    NONE,
    OPPORTUNIST,
    PICK,
    POWER,
    SEATS_HERE,
    SPY,
)
from kibitz.games.colonizers.drawing import CARD_HEIGHT, CHIP_HEIGHT, CHIP_WIDTH, card_back, module_card
from kibitz.games.colonizers.reader import Reading, SeatReading, read
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


def _colonist(colonist: int) -> str:
    return {UNKNOWN: "hidden", NONE: "none yet"}.get(colonist) or COLONIST_NAMES[colonist]


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    known = read(view)
    rows = [f"  {known.headline}", f"  {'':8}{'colonist':13}{'omnium':>6}{'hand':>6}{'points':>8}  colony"]
    for seat, its in enumerate(known.seats):
        name = f"seat {seat + 1}{'*' if seat == known.viewer else ''}"
        rows.append(
            f"{'>' if seat == known.turn else ' '} {name:8}{_colonist(its.colonist):13}{its.omnium:>6}"
            f"{its.held:>6}{its.points:>8}  {len(its.colony)} of {FULL_COLONY}"
        )
    seats = [(f"  seat {seat + 1}", its) for seat, its in enumerate(known.seats)]
    rows += [listed(f"{name} has built ", _counted(its.colony)) for name, its in seats if its.colony]
    rows += [listed(f"{name} is ", map(_colonist, its.may_be), " or ") for name, its in seats if its.may_be]
    for name, its in seats:
        if its.hand:
            rows.append(listed(f"{name} holds ", _priced(its.hand)))
        elif its.hand is None and its.sure:
            rows.append(listed(f"{name} holds, among others, ", _counted(its.sure)))
    deck = f"  deck: {known.deck} cards{'; you know, from the bottom: ' if known.in_deck else ''}"
    rows.append(listed(deck, in_deck(known)))
    if known.drawn:
        rows.append(listed("  drawn: ", _priced(known.drawn)))
    if known.packet:
        rows.append(listed("  the packet: ", map(_colonist, known.packet)))
    return "\n".join(rows)


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return what a move changed: colonists shown, Omnium stolen, hands swapped, what seats gained and spent."""
    old, new = read(before), read(after)
    assert old.turn is not None
    name, full = f"seat {old.turn + 1}", old.seats[old.turn].held == HAND_LIMIT
    seats = list(zip(old.seats, new.seats, strict=True))
    found = [
        f"seat {seat + 1} is the {COLONIST_NAMES[now.colonist]}"
        for seat, (then, now) in enumerate(seats)
        if now.revealed and not then.revealed
    ]
    used = _power_used(old, new, old.turn) if old.phase == POWER else []
    lost = [f"the card that {name} kept leaves the game, for its hand is full"] if old.phase == KEEP and full else []
    found += [*used, *lost, *_counts_changed(old, new)]
    if old.phase == BUILD and all(len(then.colony) == len(now.colony) for then, now in seats):
        found.append(f"{name} builds nothing")
    if old.phase == POWER and not used:
        found.append(f"{name} hits nobody with its power")
    if old.first == NONE and new.first not in (NONE, NOBODY):
        found.append(f"seat {new.first + 1} has a full colony, so this is the last round")
    if new.turn is None:
        return [*found, new.outcome]
    return [*found, f"round {new.round} begins"] if new.round != old.round else found


def _power_used(old: Reading, new: Reading, seat: int) -> list[str]:
    """Return what naming a colonist has done: who lost what to whom."""
    gains = [now.omnium - then.omnium for then, now in zip(old.seats, new.seats, strict=True)]
    loot = gains[seat]
    if loot:
        # A robbed seat whose own turn has begun may already have got more than it lost.
        robbed = gains.index(-loot) if -loot in gains else seat + 1
        return [f"seat {seat + 1} takes {loot} Omnium from seat {robbed + 1}"]
    other = next((at for at, its in enumerate(old.seats) if its.bundle == new.seats[seat].bundle), seat)
    if other != seat:
        given = _hand_passed(old.seats[seat], new.seats[other])
        got = _hand_passed(old.seats[other], new.seats[seat])
        return [f"seats {seat + 1} and {other + 1} swap hands: seat {seat + 1} gives {given} for {got}"]
    ruled_out = new.ruled_out ^ old.ruled_out
    if ruled_out and new.round == old.round:
        named = (ruled_out.bit_length() - 1) % COLONISTS
        return [f"nobody who could be hit is the {COLONIST_NAMES[named]}"]
    return []


def _hand_passed(giver: SeatReading, taker: SeatReading) -> str:
    """Return a hand that went from seat to seat: by name if the viewer knew it then or knows it now, else by number."""
    number = f"{giver.held or 'no'} card{'s' if giver.held != 1 else ''}"
    known = taker.hand if giver.hand is None else giver.hand
    return f"{number} ({', '.join(_counted(known))})" if known else number


def _counts_changed(old: Reading, new: Reading) -> list[str]:
    """Return the Omnium and the cards in hand that have changed, but for hands that were swapped."""
    found = []
    for seat, (then, now) in enumerate(zip(old.seats, new.seats, strict=True)):
        omnium, cards = now.omnium - then.omnium, now.held - then.held
        counts = [f"{now.omnium} Omnium ({omnium:+})"] if omnium else []
        if cards and now.bundle == then.bundle:
            counts.append(f"{now.held} in hand ({cards:+})")
        found += [f"seat {seat + 1} has {' and '.join(counts)}"] if counts else []
    return found


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes: colonists, the deck and the bank on the board, cards to build in the hands."""
    known = read(view)
    seats = [seat_panel(known, legal, seat) for seat in range(SEATS_HERE)]
    offer = [_offer(known, legal)] if known.phase == KEEP and known.turn is not None else []
    title = known.outcome if known.turn is None else known.headline
    return Scene(f"Colonizers: {title}", [board(known, legal), *offer, *seats], _prompt(known, legal))


def _offer(known: Reading, legal: Sequence[int]) -> Panel:
    """Draw the two modules of which one is kept."""
    width = (PANEL_WIDTH - 10) / 2
    cards = [
        module_card(kind, 1 + k * (width + 8), 2.0, (4 * kind,) if 4 * kind in legal else (), width)
        for k, kind in enumerate(known.drawn)
    ]
    backs = [card_back(1 + k * (CHIP_WIDTH + 8), 2.0, "one of the two modules drawn") for k in range(2)]
    height = (CARD_HEIGHT if cards else CHIP_HEIGHT) + 4
    title = f"Drawn by seat {(known.turn or 0) + 1}: keep one of the two"
    return Panel("offer", PANEL_WIDTH, height, cards or backs, title)


def _prompt(known: Reading, legal: Sequence[int]) -> str:
    """Return what the seat to move is asked."""
    if known.turn is None:
        return ""
    phase, mover = known.phase, known.seats[known.turn]
    asked = {
        PICK: "pick a colonist, in secret",
        DRAW: "take 2 Omnium, or draw two modules to keep one",
        KEEP: "keep one of the two modules; the other goes under the deck",
        POWER: "use the power of the colonist",
        BUILD: "build a module from the hand, or nothing",
    }[phase]
    if phase == KEEP and mover.held == HAND_LIMIT:
        asked = "the hand is full: one of the two modules leaves the game; the other goes under the deck"
    if phase == POWER and mover.colonist == SPY:
        asked = "use the Spy's power: name a colonist, to swap hands with its holder, or do nothing"
    if phase == POWER and mover.colonist == OPPORTUNIST:
        asked = "use the Opportunist's power: name a colonist, to take 2 Omnium from its holder, or do nothing"
    if phase == BUILD and list(legal) == [NOTHING]:
        asked = "no module in the hand can be paid for, so build nothing"
    return f"Seat {known.turn + 1}: {asked}"
