"""The board of Colonizers as a picture: the round and its phase, the colonists, the deck and the bank."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.scene import Panel, Shape
from kibitz.games.colonizers.cards import MODULES
from kibitz.games.colonizers.cells import (
    BUILD,
    COLONIST,
    COLONIST_NAMES,
    COLONISTS,
    DRAW,
    KEEP,
    PHASE,
    PICK,
    POWER,
    ROUND,
    SEAT,
    SEATS_HERE,
)
from kibitz.games.colonizers.drawing import (
    BACK,
    BACK_FRAME,
    CREAM,
    FAINT,
    INK,
    LINE,
    PAPER,
    SMALLEST,
    SOFT,
    THEME_INK,
    Moves,
    box,
    colonist_mark,
    group,
    label,
    middle,
    omnium,
)
from kibitz.games.colonizers.reader import cards_in_deck, known_in_deck, outcome, packet, possible_colonists, viewer
from kibitz.games.colonizers.rules import TAKE_MODULES, TAKE_OMNIUM

WIDTH = 360.0
GAP = 6.0
PHASES_TOP, PHASE_HEIGHT = 30.0, 24.0
PHASE_NAMES = {PICK: "Pick", DRAW: "Draw", KEEP: "Keep", POWER: "Power", BUILD: "Build"}
ASKS = {PICK: "picks a colonist", DRAW: "draws", KEEP: "keeps a module", POWER: "uses power", BUILD: "builds"}
CARDS_TOP = PHASES_TOP + PHASE_HEIGHT + 10
CARD_WIDTH, CARD_HEIGHT = (WIDTH - 2 * GAP - 2) / 3, 112.0
TABLE_TOP = CARDS_TOP + 2 * (CARD_HEIGHT + GAP) + 4
TABLE_HEIGHT = 64.0
HEIGHT = TABLE_TOP + TABLE_HEIGHT + 2
AWAY = 0.4  # opacity of a colonist that is not in the packet

POWERS = (
    ("draws a card", "beforehand"),
    ("+1 Omnium per", "green module"),
    ("+1 Omnium per", "blue module"),
    ("+1 Omnium per", "red module"),
    ("steals up to", "2 Omnium"),
    ("swaps hands", "with another"),
)


def board(view: np.ndarray, legal: Sequence[int]) -> Panel:
    """Return the panel of the board; colonists, the deck and the bank carry the moves that choose them."""
    over, phase = view[SEAT] == OVER, int(view[PHASE])
    stand = outcome(view).capitalize() if over else f"Round {view[ROUND]}: seat {view[SEAT] + 1} {ASKS[phase]}"
    shapes = [label(stand, 1.0, 13.0, 15.0, font_weight="bold")]
    shapes += _phases(None if over else phase)
    picking = legal if phase in (PICK, POWER) else ()
    shapes += [_colonist(view, colonist, picking) for colonist in range(COLONISTS)]
    drawing = legal if phase == DRAW else ()
    return Panel("board", WIDTH, HEIGHT, [*shapes, _bank(drawing), _deck(view, drawing)])


def ordinal(n: int) -> str:
    """Return 1st, 2nd, 3rd and so on."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def _phases(now: int | None) -> list[Shape]:
    """Draw the phases in their order, the present one filled."""
    width = (WIDTH - 2) / len(PHASE_NAMES)
    shapes = []
    for phase, name in PHASE_NAMES.items():
        fill, ink = (THEME_INK, PAPER) if phase == now else ("none", FAINT)
        x = 1 + phase * width
        shapes.append(
            box(x, PHASES_TOP, width - 4, PHASE_HEIGHT, fill, rx=12.0, stroke=THEME_INK if phase == now else LINE)
        )
        shapes.append(middle(name, x + width / 2 - 2, PHASES_TOP + PHASE_HEIGHT / 2, 13.0, ink))
    return shapes


def _colonist(view: np.ndarray, colonist: int, legal: Sequence[int]) -> Shape:
    """Draw a colonist's card with the seats that hold it or may hold it."""
    line, column = divmod(colonist, 3)
    x, y = 1 + column * (CARD_WIDTH + GAP), CARDS_TOP + line * (CARD_HEIGHT + GAP)
    name, power = COLONIST_NAMES[colonist], POWERS[colonist]
    parts = [
        box(0.0, 0.0, CARD_WIDTH, CARD_HEIGHT, CREAM, rx=8.0, stroke=INK),
        *colonist_mark(colonist, 22.0, 22.0, 16.0),
        *_holders(view, colonist),
        label(name.capitalize(), 8.0, 54.0, 15.0, INK, font_weight="bold"),
    ]
    parts += [label(words, 8.0, 74.0 + 17 * k, 12.0, SOFT) for k, words in enumerate(power)]
    title = f"{name}: {' '.join(power)}{_held_in_words(view, colonist)}"
    shape = group(x, y, parts, title, (colonist,) if colonist in legal else (), f"colonist {name}")
    away = packet(view) and colonist not in packet(view)
    return (
        Shape(shape.tag, {**shape.at, "opacity": AWAY}, title=title, key=shape.key, parts=shape.parts)
        if away
        else shape
    )


def _holding(view: np.ndarray, colonist: int) -> tuple[list[int], list[int]]:
    """Return the seats that hold a colonist and those that may hold it, as far as the viewer knows."""
    holders = [seat for seat in range(SEATS_HERE) if view[COLONIST + seat] == colonist]
    if viewer(view) is None:  # the public can hardly rule out anything
        return holders, []
    return holders, [seat for seat in range(SEATS_HERE) if colonist in possible_colonists(view, seat)]


def _held_in_words(view: np.ndarray, colonist: int) -> str:
    holders, possible = _holding(view, colonist)
    words = [f"; held by seat {seat + 1}" for seat in holders]
    return "".join([*words, f"; may be seat {' or '.join(str(seat + 1) for seat in possible)}" if possible else ""])


def _holders(view: np.ndarray, colonist: int) -> list[Shape]:
    """Draw the numbers of the seats that hold a colonist, and with a question mark of those that may."""
    holders, possible = _holding(view, colonist)
    badges = [(f"{seat + 1}?", "none", SOFT, SOFT) for seat in possible]
    badges += [(f"{seat + 1}", INK, INK, CREAM) for seat in holders]
    shapes: list[Shape] = []
    for k, (words, fill, edge, ink) in enumerate(reversed(badges)):
        x = CARD_WIDTH - 16 - 24 * k
        shapes += [box(x - 11, 8.0, 22.0, 22.0, fill, rx=5.0, stroke=edge), middle(words, x, 19.5, SMALLEST, ink)]
    return shapes


def _bank(legal: Sequence[int]) -> Shape:
    """Draw the Omnium to take."""
    width = (WIDTH - 2 - GAP) / 2
    parts = [box(0.0, 0.0, width, TABLE_HEIGHT, "var(--card)", rx=8.0, stroke=LINE)]
    for x, y in ((24.0, 38.0), (42.0, 38.0), (33.0, 24.0)):
        parts += omnium(x, y, "", 12.0)
    parts += [label("Take", 66.0, 22.0, 14.0), label("2 Omnium", 66.0, 42.0, 14.0, font_weight="bold")]
    return group(1.0, TABLE_TOP, parts, "the bank: take 2 Omnium", _offered(legal, TAKE_OMNIUM), "bank")


def _deck(view: np.ndarray, legal: Sequence[int]) -> Shape:
    """Draw the deck with the number of its cards."""
    width, n = (WIDTH - 2 - GAP) / 2, int(cards_in_deck(view))
    parts = [box(0.0, 0.0, width, TABLE_HEIGHT, "var(--card)", rx=8.0, stroke=LINE)]
    for k in range(min(3, n)):
        parts.append(box(12.0 + 3 * k, 6.0 + 2 * k, 36.0, 46.0, BACK, rx=5.0, stroke=INK))
    top = 3.0 * max(0, min(3, n) - 1)
    parts.append(box(16.0 + top, 10.0 + top * 2 / 3, 28.0, 38.0, "none", rx=3.0, stroke=BACK_FRAME))
    parts.append(middle(str(n), 30.0 + top, 29.0 + top * 2 / 3, 16.0, CREAM))
    parts += [label("Draw two", 66.0, 22.0, 14.0), label("modules", 66.0, 42.0, 14.0, font_weight="bold")]
    known = [f"{ordinal(place)} {MODULES[kind].name}" for place, kind in reversed(known_in_deck(view))]
    title = f"the deck: {n} cards{'; you know, from the bottom: ' if known else ''}{', '.join(known)}"
    return group(1 + width + GAP, TABLE_TOP, parts, title, _offered(legal, TAKE_MODULES), "deck")


def _offered(legal: Sequence[int], move: int) -> Moves:
    return (move,) if move in legal else ()
