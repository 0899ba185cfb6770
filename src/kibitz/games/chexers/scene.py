"""Chexers as a picture: the board with its exits, and what each colour has brought out."""

from collections.abc import Sequence
from math import cos, pi, sin, sqrt

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.scene import Panel, Scene, Shape
from kibitz.games.chexers.notation import Place, hex_name, to_action, write
from kibitz.games.chexers.rules import (
    EXIT_HEXES,
    EXITS,
    HEXAGON,
    MOST_TURNS,
    NONE,
    OCCURRENCES,
    PASS,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TO_DRAW,
    TO_WIN,
    TURNS,
    WINNER,
    bit_of,
)

Paint = dict[str, float | str]

SIDE = 36.0  # of a hex
MARGIN = 46.0
PANEL = 210.0
CENTRE = (MARGIN + 3.5 * sqrt(3) * SIDE, MARGIN + 5.5 * SIDE)
WIDTH = 2 * CENTRE[0] + PANEL
HEIGHT = 2 * CENTRE[1]

COLOURS = ("#d6453d", "#86c96f", "#2f55a8")  # of different brightness too, for those who do not see hues
DARK = ("#8f231d", "#2c5e1e", "#1b3570")
ON_PIECE = ("#ffffff", "#14300c", "#ffffff")
PAPER, HEX, REACHABLE, LINE = "#fbf8f1", "#ece3d0", "#fdf0b8", "#bcae92"
INK, FAINT = "#3b352b", "#8d8068"

# In text: pieces are capitals, and small letters mark the exits of a colour.
PAINT = {
    pattern: style
    for letter, name in zip("RGB", SEAT_NAMES, strict=True)
    for pattern, style in (
        (rf"\b{letter}(?=[rgb ]|$)|\b{name}\b", f"bold {name}"),
        (rf"(?<=[RGB.]){letter.lower()}\b", name),
    )
}

# How each colour leaves the board: midway between two directions; and the corner of a hex where those two edges begin.
OUTWARD = ((1.0, -0.5), (-0.5, 1.0), (-0.5, -0.5))
FIRST_CORNER = (5, 1, 3)


def owner(view: np.ndarray, place: Place) -> int:
    """Return the seat whose piece stands on a hex, or NONE."""
    return next((seat for seat in range(3) if int(view[PIECES + seat]) >> bit_of(place) & 1), NONE)


def status(view: np.ndarray) -> str:
    """Return in words whose turn it is, or how the game ended."""
    if view[SEAT] != OVER:
        return f"{SEAT_NAMES[view[SEAT]]} to move"
    if view[WINNER] != NONE:
        return f"{SEAT_NAMES[view[WINNER]]} wins"
    if view[OCCURRENCES] == TO_DRAW:
        return "draw: the same position four times"
    return f"draw: {MOST_TURNS} turns"


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    rows = []
    for r in range(-3, 4):
        signs = ["RGB."[owner(view, place)] + _exit_mark(place) for place in HEXAGON.places if place[1] == r]
        column = f"  {'gfe'[r - 1]}" if r > 0 else ""  # columns a to d end below the board, the others at its side
        rows.append(f"  {r + 4} {' ' * 2 * abs(r)} {'  '.join(signs)}{column}".rstrip())
    rows.append(" " * 13 + "   ".join("abcd"))
    rows.append("  RGB: pieces; r, g, b: where red, green and blue leave the board")
    for seat, colour in enumerate(SEAT_NAMES):
        pieces = int(view[PIECES + seat]).bit_count()
        rows.append(f"  {colour:5}  {view[EXITS + seat]} out, {pieces} on the board")
    rows.append(f"  {'; '.join(filter(None, [_turns(view), _occurrence(view), status(view)]))}")
    return "\n".join(rows)


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return what a move changed for others than the piece that moved: colours, and pieces brought out."""
    found = []
    for place in HEXAGON.places:
        old, new = owner(before, place), owner(after, place)
        if NONE not in (old, new) and old != new:
            found.append(f"the piece on {hex_name(place)} was {SEAT_NAMES[old]} and is {SEAT_NAMES[new]} now")
    for seat, colour in enumerate(SEAT_NAMES):
        if after[EXITS + seat] != before[EXITS + seat]:
            found.append(f"{colour} has {after[EXITS + seat]} of {TO_WIN} out")
    return found


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes; a piece carries all its moves, a hex those that lead to it, an arrow the exit."""
    by_hex: dict[Place, list[int]] = {}
    leaving: dict[Place, int] = {}
    for move in legal:
        kind, places = to_action(view, move)
        if kind == "EXIT":
            by_hex.setdefault(places, []).append(move)
            leaving[places] = move
        elif kind != "PASS":
            for place in places:
                by_hex.setdefault(place, []).append(move)
    shapes = [Shape("rect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "rx": 14.0, "fill": PAPER})]
    for place in HEXAGON.places:
        shapes += _hex(view, place, tuple(by_hex.get(place, ())))
    shapes += [_border(seat, place) for seat in range(3) for place in _exit_places(seat)]
    for place, move in leaving.items():
        shapes += _arrow(int(view[SEAT]), place, move, write(view, move))
    shapes += _panel(view, PASS in legal)
    return Scene(f"Chexers: {status(view)}", [Panel("board", WIDTH, HEIGHT, shapes)])


def _exit_mark(place: Place) -> str:
    """Return the small letter of the colour that leaves the board from a hex; a space for other hexes."""
    return next(("rgb"[seat] for seat in range(3) if int(EXIT_HEXES[seat]) >> bit_of(place) & 1), " ")


def _turns(view: np.ndarray) -> str:
    return f"{view[TURNS]} of {MOST_TURNS} turns made"


def _occurrence(view: np.ndarray) -> str:
    if view[OCCURRENCES] == 1:
        return ""
    return f"this position for the {('second', 'third', 'fourth')[view[OCCURRENCES] - 2]} time"


def _centre(q: float, r: float) -> tuple[float, float]:
    return CENTRE[0] + sqrt(3) * SIDE * (q + r / 2), CENTRE[1] + 1.5 * SIDE * r


def _corner(place: Place, index: int, side: float) -> tuple[float, float]:
    """Return a corner of a hex; 0 is the upper right one, and they go round with the clock."""
    x, y = _centre(*place)
    angle = pi / 3 * index - pi / 6
    return x + side * cos(angle), y + side * sin(angle)


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _middle(x: float, y: float, size: float) -> Paint:
    return {"x": x, "y": y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central"}


def _hex(view: np.ndarray, place: Place, moves: tuple[int, ...]) -> list[Shape]:
    seat = owner(view, place)
    reachable = moves and seat == NONE
    name = hex_name(place)
    title = f"{name} {place}" if seat == NONE else f"{name} {place}: {SEAT_NAMES[seat]}"
    outline = _points([_corner(place, k, SIDE - 1.2) for k in range(6)])
    fill = REACHABLE if reachable else HEX
    shapes = [Shape("polygon", {"points": outline, "fill": fill, "stroke": LINE}, title=title, moves=moves)]
    x, y = _centre(*place)
    if seat == NONE:
        shapes.append(Shape("text", {**_middle(x, y, 11.0), "fill": FAINT}, words=name, title=title, moves=moves))
        return shapes
    rim: Paint = {"stroke": "#fff6cf" if moves else DARK[seat], "stroke-width": 3.0 if moves else 1.5}
    shapes.append(Shape("circle", {"cx": x, "cy": y, "r": SIDE * 0.62, "fill": COLOURS[seat], **rim}, "", title, moves))
    shapes.append(Shape("text", {**_middle(x, y, 12.0), "fill": ON_PIECE[seat]}, words=name, title=title, moves=moves))
    return shapes


def _exit_places(seat: int) -> list[Place]:
    return [place for place in HEXAGON.places if int(EXIT_HEXES[seat]) >> bit_of(place) & 1]


def _border(seat: int, place: Place) -> Shape:
    """Draw the two edges by which a colour leaves the board at a hex."""
    corners = [_corner(place, FIRST_CORNER[seat] + k, SIDE) for k in range(3)]
    at: Paint = {"points": _points(corners), "fill": "none", "stroke": COLOURS[seat], "stroke-width": 5.0,
          "stroke-linecap": "round", "stroke-linejoin": "round"}  # fmt: skip
    return Shape("polyline", at, title=f"{SEAT_NAMES[seat]} leaves here")


def _arrow(seat: int, place: Place, move: int, words: str) -> list[Shape]:
    x, y = _centre(place[0] + OUTWARD[seat][0], place[1] + OUTWARD[seat][1])
    disc: Paint = {"cx": x, "cy": y, "r": 14.0, "fill": REACHABLE, "stroke": COLOURS[seat], "stroke-width": 3.0}
    return [
        Shape("circle", disc, title=words, moves=(move,)),
        Shape("text", {**_middle(x, y, 10.0), "fill": INK}, words="out", title=words, moves=(move,)),
    ]


def _panel(view: np.ndarray, may_pass: bool) -> list[Shape]:
    left, middle = WIDTH - PANEL, WIDTH - PANEL / 2 - MARGIN / 4
    headline, _, reason = status(view).partition(": ")
    shapes = [
        Shape("text", {**_middle(middle, MARGIN + 6, 20.0), "fill": INK}, words=headline),
        Shape("text", {**_middle(middle, MARGIN + 32, 12.0), "fill": FAINT}, words=_turns(view)),
        Shape("text", {**_middle(middle, MARGIN + 50, 12.0), "fill": FAINT}, words=reason or _occurrence(view)),
    ]
    for seat in range(3):
        shapes += _account(view, seat, left, HEIGHT / 2 + (seat - 1) * 84 + 12)
    if may_pass:
        y = HEIGHT - MARGIN - 18
        button = {**_box(left, y, 36.0), "fill": REACHABLE, "stroke": COLOURS[view[SEAT]]}
        shapes.append(Shape("rect", button, title="pass", moves=(PASS,)))
        shapes.append(Shape("text", {**_middle(middle, y, 15.0), "fill": INK}, "pass", "pass", (PASS,)))
    return shapes


def _box(left: float, y: float, height: float) -> Paint:
    return {"x": left, "y": y - height / 2, "width": PANEL - MARGIN / 2, "height": height, "rx": 10.0}


def _account(view: np.ndarray, seat: int, left: float, y: float) -> list[Shape]:
    """Draw what a colour has on the board and has brought out."""
    pieces, out = int(view[PIECES + seat]).bit_count(), int(view[EXITS + seat])
    marked = seat in (view[SEAT], view[WINNER])
    edge: Paint = {"stroke": COLOURS[seat] if marked else "#e4dac4", "stroke-width": 3.0 if marked else 1.0}
    words: Paint = {"dominant-baseline": "central", "font-size": 14.0, "fill": DARK[seat]}
    shapes = [
        Shape("rect", {**_box(left, y, 68.0), "fill": "#ffffff", **edge}),
        Shape("text", {"x": left + 14, "y": y - 14, **words}, words=f"{SEAT_NAMES[seat]}: {pieces} on the board"),
        Shape("text", {"x": left + 126, "y": y + 14, **words}, words=f"{out} out"),
    ]
    for k in range(TO_WIN):
        pip: Paint = {"cx": left + 24 + 26 * k, "cy": y + 14, "r": 9.0, "fill": COLOURS[seat] if k < out else "none"}
        shapes.append(Shape("circle", {**pip, "stroke": COLOURS[seat], "stroke-width": 1.5}))
    return shapes
