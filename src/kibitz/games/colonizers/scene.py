"""Colonizers as a picture: four colonies with their hands, the deck, and what the seat on move may choose from."""

from collections.abc import Iterable, Sequence

import numpy as np

from kibitz.core.contract import OVER, UNKNOWN
from kibitz.core.scene import Panel, Scene, Shape, listed
from kibitz.games.colonizers.cards import COLOUR_NAMES, MODULES, unpack
from kibitz.games.colonizers.cells import (
    BUILD,
    BUILDING,
    BUILT,
    BUNDLE,
    COLONIST,
    COLONIST_NAMES,
    COLONISTS,
    COLONY,
    DRAW,
    FORESAW,
    FULL_COLONY,
    HAND,
    HAND_LIMIT,
    HEAD,
    HELD,
    KEEP,
    LOG,
    LOGGED,
    NONE,
    OMNIUM,
    PACKET,
    PHASE,
    PICK,
    POWER,
    REVEALED,
    ROUND,
    SEAT,
    SEATS_HERE,
    TAIL,
    TAPE,
    VIEWER,
    bundle_of,
    cards_in_deck,
    could_hold,
    is_lost,
    what_of,
)
from kibitz.games.colonizers.rules import NOTHING, TAKE_MODULES, TAKE_OMNIUM, points

Paint = dict[str, float | str]

CARD = 70.0
GAP = 6.0
STEP = CARD + GAP
LEFT = 158.0
ROW = CARD + 26
WIDTH = LEFT + (FULL_COLONY + HAND_LIMIT) * STEP + 46
HEIGHT = SEATS_HERE * ROW + 160

SAND, INK, PALE, GOLD = "#f4e9dc", "#33241c", "#8d7a6b", "#e0a100"
COLOURS = ("#3d8b4e", "#3a6ea8", "#b4453a", "#857b70")
BACK = "#5b4a40"
PAINT = {
    r"(?m)^> seat \d.*$": "bold",
    **{rf"\b{MODULES[kind].name}\b": ("green", "blue", "red")[kind >> 2] for kind in range(12)},
}
VERBS = {PICK: "to pick a colonist", DRAW: "to draw", KEEP: "to keep a card", POWER: "to use power", BUILD: "to build"}


def certain_cards(view: np.ndarray) -> list[list[int]]:
    """Return for each seat the cards that the viewer is sure it holds."""
    sure: list[list[int]] = [[] for _ in range(SEATS_HERE)]
    head = 0
    for at in range(LOG, LOG + 2 * int(view[LOGGED]), 2):
        logged, cards = int(view[at]), int(view[at + 1])
        held = sure[bundle_of(logged)]
        if what_of(logged) == BUILDING:
            if cards in held:
                held.remove(cards)
            continue
        drawn = [int(view[TAPE + head + i]) for i in range(1 if what_of(logged) == FORESAW else 2)]
        head += len(drawn)
        if cards != UNKNOWN:
            held[:] = unpack(cards)
        elif UNKNOWN not in drawn and len(set(drawn)) == 1 and not is_lost(logged):
            held.append(drawn[0])
    return [sure[int(view[BUNDLE + seat])] for seat in range(SEATS_HERE)]


def known_in_deck(view: np.ndarray) -> list[tuple[int, int]]:
    """Return the cards of the deck that the viewer knows, each with its place counted from the bottom, 1 the lowest."""
    top = int(view[HEAD]) + (2 if view[PHASE] == KEEP else 0)
    places = range(top, int(view[TAIL]))
    return [(int(view[TAIL]) - place, int(view[TAPE + place])) for place in places if view[TAPE + place] != UNKNOWN]


def two_cards(view: np.ndarray) -> list[int]:
    """Return the two cards to choose from, if it is the viewer who chooses."""
    top = TAPE + int(view[HEAD])
    shown = view[PHASE] == KEEP and view[SEAT] != OVER and view[top] != UNKNOWN and view[VIEWER] in (view[SEAT], NONE)
    return [int(view[top]), int(view[top + 1])] if shown else []


def packet(view: np.ndarray) -> list[int]:
    """Return the colonists to pick from, if it is the viewer who picks."""
    if view[PHASE] != PICK or view[SEAT] == OVER or view[PACKET + view[SEAT]] == UNKNOWN:
        return []
    return [colonist for colonist in range(COLONISTS) if int(view[PACKET + view[SEAT]]) >> colonist & 1]


def headline(view: np.ndarray) -> str:
    """Return in a few words how the game stands."""
    if view[SEAT] == OVER:
        return f"the game is over after {view[ROUND]} rounds"
    return f"round {view[ROUND]}, seat {view[SEAT] + 1} {VERBS[int(view[PHASE])]}"


def colonist_word(view: np.ndarray, seat: int) -> str:
    """Return the colonist of a seat, if the viewer knows it."""
    colonist = int(view[COLONIST + seat])
    if colonist == UNKNOWN:
        return "hidden"
    return "none yet" if colonist == NONE else COLONIST_NAMES[colonist]


def possible_colonists(view: np.ndarray, seat: int) -> list[str]:
    """Return the colonists that a seat may hold, if the viewer does not know."""
    if view[COLONIST + seat] != UNKNOWN:
        return []
    held = int(could_hold(view, int(view[VIEWER]), seat))
    return [COLONIST_NAMES[colonist] for colonist in range(COLONISTS) if held >> colonist & 1]


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def _counted(kinds: Iterable[int]) -> list[str]:
    """Return modules by name, several of a kind counted."""
    kinds = list(kinds)
    return [
        MODULES[kind].name + (f" x{kinds.count(kind)}" if kinds.count(kind) > 1 else "") for kind in sorted(set(kinds))
    ]


def _priced(kinds: Iterable[int]) -> list[str]:
    return [f"{MODULES[kind].name} (cost {MODULES[kind].cost}, value {MODULES[kind].value})" for kind in kinds]


def _deck(view: np.ndarray) -> str:
    known = [f"{_ordinal(n)} {MODULES[kind].name}" for n, kind in reversed(known_in_deck(view))]
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
            rows.append(listed(f"  seat {seat + 1} is ", possible_colonists(view, seat), " or "))
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
    """Return what a move changed: colonists shown, Omnium taken, hands swapped, what seats gained and spent."""
    seats, found = range(SEATS_HERE), []
    for seat in seats:
        if before[REVEALED] >> seat & 1 < after[REVEALED] >> seat & 1:
            found.append(f"seat {seat + 1} is the {COLONIST_NAMES[after[COLONIST + seat]]}")
    swapped = [seat for seat in seats if before[BUNDLE + seat] != after[BUNDLE + seat]]
    if swapped:
        found.append(f"seats {swapped[0] + 1} and {swapped[1] + 1} swap hands")
    omnium, cards = ([int(after[what + seat] - before[what + seat]) for seat in seats] for what in (OMNIUM, HELD))
    robbed = next((seat for seat in seats if omnium[seat] < 0 and -omnium[seat] in omnium), None)
    if robbed is not None:
        found.append(f"seat {omnium.index(-omnium[robbed]) + 1} takes {-omnium[robbed]} Omnium from seat {robbed + 1}")
    for seat in seats:
        counts = [f"{after[OMNIUM + seat]} Omnium ({omnium[seat]:+})"] if omnium[seat] else []
        counts += [f"{after[HELD + seat]} in hand ({cards[seat]:+})"] if cards[seat] and seat not in swapped else []
        found += [f"seat {seat + 1} has {' and '.join(counts)}"] if counts else []
    return [*found, f"round {after[ROUND]} begins"] if after[ROUND] != before[ROUND] else found


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes; what may be chosen lies in the bottom row, modules to build in the hand."""
    shapes = [Shape("rect", {"x": 0.0, "y": 0.0, "width": WIDTH, "height": HEIGHT, "fill": SAND})]
    for words, x in (("colony", LEFT), ("hand", LEFT + FULL_COLONY * STEP + 20)):
        shapes.append(_label(words, x, 16.0, 12.0, PALE))
    sure = certain_cards(view)
    for seat in range(SEATS_HERE):
        shapes += _seat_row(view, seat, sure[seat], legal, 26.0 + seat * ROW)
    shapes += _choices(view, legal, 26.0 + SEATS_HERE * ROW + 8)
    return Scene(f"Colonizers: {headline(view)}", [Panel("board", WIDTH, HEIGHT, shapes)])


def _seat_row(view: np.ndarray, seat: int, sure: list[int], legal: Sequence[int], y: float) -> list[Shape]:
    """Draw a seat's name, colonist, Omnium, colony and hand."""
    moving = seat == view[SEAT]
    panel: Paint = {"x": 8.0, "y": y, "width": WIDTH - 16, "height": ROW - 8, "rx": 10.0}
    edge: Paint = {"fill": "#fbf5ee", "stroke": GOLD if moving else "#d9c7b5", "stroke-width": 3.0 if moving else 1.0}
    shapes = [Shape("rect", {**panel, **edge})]
    name = f"Seat {seat + 1}" + (" (you)" if seat == view[VIEWER] else "")
    shapes.append(_label(name, 20.0, y + 18, 14.0, INK, bold=True))
    shapes.append(_colonist(view, seat, 20.0, y + 39))
    shapes.append(Shape("circle", {"cx": 28.0, "cy": y + 65, "r": 9.0, "fill": GOLD, "stroke": INK}, title="Omnium"))
    shapes.append(_label(f"{view[OMNIUM + seat]}", 44.0, y + 65, 14.0, INK, bold=True))
    shapes.append(_label(f"{points(view, seat)} points", 78.0, y + 65, 13.0, INK))
    colony = unpack(view[COLONY + seat])
    for slot in range(FULL_COLONY):
        x = LEFT + slot * STEP
        shapes += _module(colony[slot], x, y + 9, ()) if slot < len(colony) else [_empty(x, y + 9)]
    building = view[PHASE] == BUILD and moving
    known = sure if view[HAND + seat] == UNKNOWN else unpack(view[HAND + seat])
    for slot in range(int(view[HELD + seat])):
        x = LEFT + FULL_COLONY * STEP + 20 + slot * STEP
        if slot < len(known):
            move = 4 * known[slot]
            shapes += _module(known[slot], x, y + 9, (move,) if building and move in legal else ())
        else:
            shapes.append(_back(x, y + 9))
    return shapes


def _colonist(view: np.ndarray, seat: int, x: float, y: float) -> Shape:
    """Draw a colonist's name, or the beginnings of those it may be."""
    possible = possible_colonists(view, seat)
    if not possible:
        return _label(colonist_word(view, seat), x, y, 13.0, INK)
    short = _label(" / ".join(name[:3] for name in possible) + " ?", x, y, 11.0, PALE)
    return Shape(short.tag, short.at, short.words, f"hidden: {', '.join(possible)}")


def _choices(view: np.ndarray, legal: Sequence[int], y: float) -> list[Shape]:
    """Draw the deck, the headline and what may be chosen."""
    shapes = [_back(20.0, y + 30), _label(f"{cards_in_deck(view)}", 55.0, y + 65, 18.0, "#ffffff", "middle", bold=True)]
    shapes.append(_label("deck", 20.0, y + 16, 12.0, PALE))
    shapes.append(_label(headline(view), LEFT, y + 16, 15.0, INK, bold=True))
    for i, (n, kind) in enumerate(known_in_deck(view)[-4:]):
        shapes.append(_label(f"{_ordinal(n)} from the bottom: {MODULES[kind].name}", WIDTH - 20, y + 34 + 16 * i, 11.0,
                             PALE, "end"))  # fmt: skip
    phase, at = view[PHASE], y + 30
    if phase == KEEP:
        for i, kind in enumerate(two_cards(view)):
            shapes += _module(kind, LEFT + i * STEP, at, (4 * kind,) if 4 * kind in legal else ())
    elif phase in (PICK, POWER):
        offered = packet(view) if phase == PICK else [move for move in legal if move != NOTHING]
        for i, colonist in enumerate(offered):
            clickable = (colonist,) if colonist in legal else ()
            shapes += _button(COLONIST_NAMES[colonist], LEFT + i * 124, at, clickable)
    elif phase == DRAW and legal:
        shapes += _button("2 Omnium", LEFT, at, (TAKE_OMNIUM,) if TAKE_OMNIUM in legal else ())
        shapes += _button("draw modules", LEFT + 124, at, (TAKE_MODULES,) if TAKE_MODULES in legal else ())
    if NOTHING in legal:
        shapes += _button("nothing", LEFT + (len(legal) - 1 if phase == POWER else 0) * 124, at, (NOTHING,))
    return shapes


def _label(
    words: str, x: float, y: float, size: float, fill: str, anchor: str = "start", bold: bool = False
) -> Shape:  # fmt: skip
    at: Paint = {"x": x, "y": y, "font-size": size, "fill": fill, "text-anchor": anchor, "dominant-baseline": "middle"}
    if bold:
        at["font-weight"] = "bold"
    return Shape("text", at, words=words)


def _button(words: str, x: float, y: float, moves: tuple[int, ...]) -> list[Shape]:
    box: Paint = {"x": x, "y": y, "width": 116.0, "height": 40.0, "rx": 8.0, "fill": "#ffffff"}
    edge: Paint = {"stroke": GOLD if moves else "#d9c7b5", "stroke-width": 3.0 if moves else 1.0}
    middle = _label(words, x + 58, y + 21, 14.0, INK, "middle")
    return [
        Shape("rect", {**box, **edge}, title=words, moves=moves),
        Shape(middle.tag, middle.at, middle.words, moves=moves),
    ]


def _empty(x: float, y: float) -> Shape:
    square: Paint = {"x": x, "y": y, "width": CARD, "height": CARD, "rx": 6.0, "fill": "none", "stroke": "#d9c7b5"}
    return Shape("rect", {**square, "stroke-dasharray": "4 4"})


def _back(x: float, y: float) -> Shape:
    square: Paint = {"x": x, "y": y, "width": CARD, "height": CARD, "rx": 6.0, "fill": BACK, "stroke": INK}
    return Shape("rect", square, title="a card face down")


def _module(kind: int, x: float, y: float, moves: tuple[int, ...]) -> list[Shape]:
    """A card: its colour, its name, and below it cost and value."""
    module = MODULES[kind]
    square: Paint = {"x": x, "y": y, "width": CARD, "height": CARD, "rx": 6.0, "fill": COLOURS[kind // 4]}
    edge: Paint = {"stroke": GOLD if moves else INK, "stroke-width": 4.0 if moves else 1.0}
    title = f"{module.name}: {COLOUR_NAMES[kind // 4]}, cost {module.cost}, value {module.value}"
    shapes = [Shape("rect", {**square, **edge}, title=title, moves=moves)]
    for i, word in enumerate(module.name.split()):
        line = _label(word, x + CARD / 2, y + 12 + 13 * i, 10.5 if len(word) <= 10 else 9.0, "#ffffff", "middle")
        shapes.append(Shape(line.tag, line.at, line.words, title, moves))
    price = _label(f"{module.cost}", x + 12, y + CARD - 13, 13.0, "#ffe9a8", "middle", bold=True)
    worth = _label(f"{module.value}", x + CARD - 13, y + CARD - 13, 16.0, "#ffffff", "middle", bold=True)
    return [*shapes, *(Shape(part.tag, part.at, part.words, title, moves) for part in (price, worth))]
