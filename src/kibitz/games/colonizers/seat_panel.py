"""A seat of Colonizers as a picture: colonist, Omnium and points, the colony, and the hand as far as it is known."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.contract import UNKNOWN
from kibitz.core.scene import Panel, Shape
from kibitz.games.colonizers.cards import unpack
from kibitz.games.colonizers.cells import (
    BUILD,
    BUILT,
    COLONIST,
    COLONIST_NAMES,
    COLONY,
    FULL_COLONY,
    HAND,
    HELD,
    NONE,
    OMNIUM,
    PHASE,
    SEAT,
)
from kibitz.games.colonizers.drawing import (
    BUILT_HEIGHT,
    CARD_HEIGHT,
    CHIP_HEIGHT,
    FAINT,
    INK,
    LINE,
    Paint,
    box,
    built_module,
    card_back,
    colonist_mark,
    group,
    label,
    middle,
    module_card,
    module_chip,
    no_module,
    omnium,
    worth,
)
from kibitz.games.colonizers.reader import points, possible_colonists, viewer

PANEL_WIDTH = 320.0
HEAD = 32.0  # the height of the line above the colony
CHIP_STEP = 39.5
CARD_STEP = 108.5
CARDS_A_LINE = 3
GAP = 6.0


def seat_panel(view: np.ndarray, legal: Sequence[int], seat: int, sure: list[int]) -> Panel:
    """Return the panel of a seat; modules in the hand carry the moves that build them."""
    shapes = _head(view, seat)
    colony = unpack(view[COLONY + seat])
    for slot in range(FULL_COLONY):
        x = 1 + slot * CHIP_STEP
        shapes.append(built_module(colony[slot], x, HEAD) if slot < len(colony) else no_module(x, HEAD))
    top = HEAD + BUILT_HEIGHT + GAP
    hand, height = _hand(view, legal, seat, sure, top + GAP)
    if hand:
        shapes.append(Shape("path", {"d": f"M0 {top:g}h{PANEL_WIDTH:g}", "stroke": LINE}))
    mine = " (you)" if seat == viewer(view) else ""
    title = f"Seat {seat + 1}{mine}: {points(view, seat)} points, {view[BUILT + seat]} of {FULL_COLONY} modules"
    return Panel(
        f"seat {seat + 1}", PANEL_WIDTH, top + (GAP + height + 2 if hand else 0), [*shapes, *hand], title, seat
    )


def _head(view: np.ndarray, seat: int) -> list[Shape]:
    """Draw the colonist, and Omnium, points and cards in hand as numbers."""
    mid, name = HEAD / 2 - 3, f"seat {seat + 1}"
    rich, best, held = int(view[OMNIUM + seat]), int(points(view, seat)), int(view[HELD + seat])
    back = box(-7.0, -9.0, 14.0, 18.0, "#7a3b26", rx=3.0, stroke=INK)
    things = (
        (omnium(0.0, 0.0, "", 9.0), rich, f"{name} has {rich} Omnium"),
        (worth(0.0, 1.0, "", 18.0), best, f"{name} has {best} points"),
        ([back], held, f"{name} holds {held} card{'s' if held != 1 else ''}"),
    )
    counts = [
        group(164.0 + 58 * k, mid, [*icon, label(str(n), 15.0, 0.0, 15.0, font_weight="bold")], title)
        for k, (icon, n, title) in enumerate(things)
    ]
    return [_colonist(view, seat, mid), *counts]


def _colonist(view: np.ndarray, seat: int, y: float) -> Shape:
    """Draw a seat's colonist, or the few it may be."""
    colonist, possible = int(view[COLONIST + seat]), possible_colonists(view, seat)
    if colonist not in (NONE, UNKNOWN):
        name = COLONIST_NAMES[colonist]
        parts = [*colonist_mark(colonist, 12.0, 0.0, 12.0), label(name.capitalize(), 30.0, 0.0)]
        return group(0.0, y, parts, f"seat {seat + 1} is the {name}")
    ring: Paint = {"cx": 12.0, "cy": 0.0, "r": 11.0, "fill": "none", "stroke": FAINT, "stroke-dasharray": "3 3"}
    parts = [Shape("circle", ring)]
    if colonist == NONE:
        return group(0.0, y, [*parts, label("no colonist yet", 30.0, 0.0, 12.0, FAINT)], "no colonist yet")
    parts.append(middle("?", 12.0, 0.0, 14.0, FAINT))
    for k, one in enumerate(possible):
        parts += colonist_mark(one, 36.0 + 21.5 * k, 0.0, 9.5)
    return group(0.0, y, parts, f"seat {seat + 1} is {' or '.join(COLONIST_NAMES[one] for one in possible)}")


def _hand(view: np.ndarray, legal: Sequence[int], seat: int, sure: list[int], y: float) -> tuple[list[Shape], float]:
    """Draw a hand, large if it is the viewer's or, where everything is seen, of the seat to move; return its height.

    Of a hidden hand of which no card is known, the number in the head tells all.
    """
    moving, own, held = seat == view[SEAT], viewer(view), int(view[HELD + seat])
    hidden = view[HAND + seat] == UNKNOWN
    known = sure if hidden else unpack(view[HAND + seat])
    moves = [(4 * kind,) if moving and view[PHASE] == BUILD and 4 * kind in legal else () for kind in known]
    if not hidden and held and (seat == own or (own is None and moving)):
        places = [divmod(k, CARDS_A_LINE) for k in range(held)]
        cards = [
            module_card(kind, 1 + column * CARD_STEP, y + line * (CARD_HEIGHT + GAP), move)
            for kind, move, (line, column) in zip(known, moves, places, strict=True)
        ]
        return cards, CARD_HEIGHT + places[-1][0] * (CARD_HEIGHT + GAP)
    chips = [module_chip(known[k], 1 + k * CHIP_STEP, y, moves[k]) for k in range(len(known))]
    backs = [card_back(1 + k * CHIP_STEP, y) for k in range(len(known), held)] if known else []
    return [*chips, *backs], CHIP_HEIGHT if known else 0.0
