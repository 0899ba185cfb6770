"""A seat of Colonizers as a picture: colonist, Omnium and points, the colony, and the hand as far as it is known."""

from collections.abc import Sequence

from kibitz.core.contract import UNKNOWN
from kibitz.core.scene import Paint, Panel, Shape, box, caption, group
from kibitz.games.colonizers.cells import BUILD, COLONIST_NAMES, FULL_COLONY, NONE
from kibitz.games.colonizers.drawing import (
    BUILT_HEIGHT,
    CARD_HEIGHT,
    CHIP_HEIGHT,
    FAINT,
    INK,
    LINE,
    built_module,
    card_back,
    colonist_mark,
    middle,
    module_card,
    module_chip,
    no_module,
    omnium,
    worth,
)
from kibitz.games.colonizers.reader import Reading, SeatReading

PANEL_WIDTH = 320.0
HEAD = 32.0  # the height of the line above the colony
CHIP_STEP = 39.5
CARD_STEP = 108.5
CARDS_A_LINE = 3
GAP = 6.0


def seat_panel(known: Reading, legal: Sequence[int], seat: int) -> Panel:
    """Return the panel of a seat; modules in the hand carry the moves that build them."""
    its = known.seats[seat]
    shapes = _head(its, f"seat {seat + 1}")
    for slot in range(FULL_COLONY):
        x = 1 + slot * CHIP_STEP
        shapes.append(built_module(its.colony[slot], x, HEAD) if slot < len(its.colony) else no_module(x, HEAD))
    top = HEAD + BUILT_HEIGHT + GAP
    hand, height = _hand(known, legal, seat, top + GAP)
    if hand:
        shapes.append(Shape("path", {"d": f"M0 {top:g}h{PANEL_WIDTH:g}", "stroke": LINE}))
    mine = " (you)" if seat == known.viewer else ""
    title = f"Seat {seat + 1}{mine}: {its.points} points, {len(its.colony)} of {FULL_COLONY} modules"
    return Panel(
        f"seat {seat + 1}", PANEL_WIDTH, top + (GAP + height + 2 if hand else 0), [*shapes, *hand], title, seat
    )


def _head(its: SeatReading, name: str) -> list[Shape]:
    """Draw the colonist, and Omnium, points and cards in hand as numbers."""
    mid = HEAD / 2 - 3
    back = box(-7.0, -9.0, 14.0, 18.0, "#7a3b26", rx=3.0, stroke=INK)
    things = (
        (omnium(0.0, 0.0, "", 9.0), its.omnium, f"{name} has {its.omnium} Omnium"),
        (worth(0.0, 1.0, "", 18.0), its.points, f"{name} has {its.points} points"),
        ([back], its.held, f"{name} holds {its.held} card{'s' if its.held != 1 else ''}"),
    )
    counts = [
        group(164.0 + 58 * k, mid, [*icon, caption(str(n), 15.0, 0.0, 15.0, font_weight="bold")], title)
        for k, (icon, n, title) in enumerate(things)
    ]
    return [_colonist(its, name, mid), *counts]


def _colonist(its: SeatReading, name: str, y: float) -> Shape:
    """Draw a seat's colonist, or the few it may be."""
    if its.colonist not in (NONE, UNKNOWN):
        word = COLONIST_NAMES[its.colonist]
        parts = [*colonist_mark(its.colonist, 12.0, 0.0, 12.0), caption(word.capitalize(), 30.0, 0.0)]
        return group(0.0, y, parts, f"{name} is the {word}")
    ring: Paint = {"cx": 12.0, "cy": 0.0, "r": 11.0, "fill": "none", "stroke": FAINT, "stroke-dasharray": "3 3"}
    parts = [Shape("circle", ring)]
    if its.colonist == NONE:
        return group(0.0, y, [*parts, caption("no colonist yet", 30.0, 0.0, 12.0, FAINT)], "no colonist yet")
    parts.append(middle("?", 12.0, 0.0, 14.0, FAINT))
    for k, one in enumerate(its.may_be):
        parts += colonist_mark(one, 36.0 + 21.5 * k, 0.0, 9.5)
    return group(0.0, y, parts, f"{name} is {' or '.join(COLONIST_NAMES[one] for one in its.may_be)}")


def _hand(known: Reading, legal: Sequence[int], seat: int, y: float) -> tuple[list[Shape], float]:
    """Draw a hand, large if it is the viewer's or, where everything is seen, of the seat to move; return its height.

    A hidden hand of which no card is known is only the number in the head.
    """
    its, moving = known.seats[seat], seat == known.turn
    shown = its.sure if its.hand is None else its.hand
    moves = [(4 * kind,) if moving and known.phase == BUILD and 4 * kind in legal else () for kind in shown]
    if its.hand and (seat == known.viewer or (known.viewer is None and moving)):
        places = [divmod(k, CARDS_A_LINE) for k in range(its.held)]
        cards = [
            module_card(kind, 1 + column * CARD_STEP, y + line * (CARD_HEIGHT + GAP), move)
            for kind, move, (line, column) in zip(shown, moves, places, strict=True)
        ]
        return cards, CARD_HEIGHT + places[-1][0] * (CARD_HEIGHT + GAP)
    chips = [module_chip(kind, 1 + k * CHIP_STEP, y, moves[k]) for k, kind in enumerate(shown)]
    backs = [card_back(1 + k * CHIP_STEP, y) for k in range(len(shown), its.held)] if shown else []
    return [*chips, *backs], CHIP_HEIGHT if shown else 0.0
