"""The board of Colonizers as a picture: the round and its phase, the colonists, the deck and the bank."""

from collections.abc import Sequence
from dataclasses import replace

from kibitz.core.scene import Panel, Shape, box, caption, group
from kibitz.games.colonizers.cards import MODULES
from kibitz.games.colonizers.cells import BUILD, COLONIST_NAMES, COLONISTS, DRAW, KEEP, PICK, POWER
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
    colonist_mark,
    middle,
    omnium,
)
from kibitz.games.colonizers.reader import Reading
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


def board(known: Reading, legal: Sequence[int]) -> Panel:
    """Return the panel of the board; colonists, the deck and the bank carry the moves that choose them."""
    phase = known.phase
    if known.turn is None:
        stand, shapes = known.outcome.capitalize(), _phases(None)
    else:
        stand, shapes = f"Round {known.round}: seat {known.turn + 1} {ASKS[phase]}", _phases(phase)
    shapes.insert(0, caption(stand, 1.0, 13.0, 15.0, font_weight="bold"))
    picking = legal if phase in (PICK, POWER) else ()
    shapes += [_colonist(known, colonist, picking) for colonist in range(COLONISTS)]
    drawing = legal if phase == DRAW else ()
    return Panel("board", WIDTH, HEIGHT, [*shapes, _bank(drawing), _deck(known, drawing)])


def in_deck(known: Reading) -> list[str]:
    """Return the known cards of the deck with their places, counted from the bottom, the lowest first."""
    return [f"{_ordinal(place)} {MODULES[kind].name}" for place, kind in reversed(known.in_deck)]


def _ordinal(n: int) -> str:
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


def _colonist(known: Reading, colonist: int, legal: Sequence[int]) -> Shape:
    """Draw a colonist's card with the seats that hold it or may hold it."""
    line, column = divmod(colonist, 3)
    x, y = 1 + column * (CARD_WIDTH + GAP), CARDS_TOP + line * (CARD_HEIGHT + GAP)
    name, power = COLONIST_NAMES[colonist], POWERS[colonist]
    parts = [
        box(0.0, 0.0, CARD_WIDTH, CARD_HEIGHT, CREAM, rx=8.0, stroke=INK),
        *colonist_mark(colonist, 22.0, 22.0, 16.0),
        *_holders(known, colonist),
        caption(name.capitalize(), 8.0, 54.0, 15.0, INK, font_weight="bold"),
    ]
    parts += [caption(words, 8.0, 74.0 + 17 * k, 12.0, SOFT) for k, words in enumerate(power)]
    title = f"{name}: {' '.join(power)}{_held_in_words(known, colonist)}"
    shape = group(x, y, parts, title, (colonist,) if colonist in legal else (), f"colonist {name}")
    away = known.packet and colonist not in known.packet
    return replace(shape, at={**shape.at, "opacity": AWAY}, moves=()) if away else shape


def _holding(known: Reading, colonist: int) -> tuple[list[int], list[int]]:
    """Return the seats that hold a colonist and those that may hold it, as far as the viewer knows."""
    holders = [seat for seat, its in enumerate(known.seats) if its.colonist == colonist]
    if known.viewer is None:  # the public can hardly rule out anything
        return holders, []
    return holders, [seat for seat, its in enumerate(known.seats) if colonist in its.may_be]


def _held_in_words(known: Reading, colonist: int) -> str:
    holders, possible = _holding(known, colonist)
    words = [f"; held by seat {seat + 1}" for seat in holders]
    return "".join([*words, f"; may be seat {' or '.join(str(seat + 1) for seat in possible)}" if possible else ""])


def _holders(known: Reading, colonist: int) -> list[Shape]:
    """Draw the numbers of the seats that hold a colonist, and with a question mark of those that may."""
    holders, possible = _holding(known, colonist)
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
    parts += [caption("Take", 66.0, 22.0, 14.0), caption("2 Omnium", 66.0, 42.0, 14.0, font_weight="bold")]
    return group(1.0, TABLE_TOP, parts, "the bank: take 2 Omnium", _offered(legal, TAKE_OMNIUM), "bank")


def _deck(known: Reading, legal: Sequence[int]) -> Shape:
    """Draw the deck with the number of its cards."""
    width, n = (WIDTH - 2 - GAP) / 2, known.deck
    parts = [box(0.0, 0.0, width, TABLE_HEIGHT, "var(--card)", rx=8.0, stroke=LINE)]
    for k in range(min(3, n)):
        parts.append(box(12.0 + 3 * k, 6.0 + 2 * k, 36.0, 46.0, BACK, rx=5.0, stroke=INK))
    top = 3.0 * max(0, min(3, n) - 1)
    parts.append(box(16.0 + top, 10.0 + top * 2 / 3, 28.0, 38.0, "none", rx=3.0, stroke=BACK_FRAME))
    parts.append(middle(str(n), 30.0 + top, 29.0 + top * 2 / 3, 16.0, CREAM))
    parts += [caption("Draw two", 66.0, 22.0, 14.0), caption("modules", 66.0, 42.0, 14.0, font_weight="bold")]
    title = f"the deck: {n} cards{'; you know, from the bottom: ' if known.in_deck else ''}{', '.join(in_deck(known))}"
    return group(1 + width + GAP, TABLE_TOP, parts, title, _offered(legal, TAKE_MODULES), "deck")


def _offered(legal: Sequence[int], move: int) -> Moves:
    return (move,) if move in legal else ()
