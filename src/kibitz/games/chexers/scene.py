"""Chexers as a picture: the board with its exits, and what each colour has brought out."""

from collections.abc import Sequence
from dataclasses import replace
from math import acos, cos, pi, sin, sqrt

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.scene import Paint, Panel, Scene, Shape, label, placed
from kibitz.games.chexers.notation import hex_name, owner, to_action
from kibitz.games.chexers.rules import (
    EXIT_HEXES,
    EXITS,
    HEXAGON,
    MOST_TURNS,
    NONE,
    OCCURRENCES,
    PIECES,
    SEAT,
    SEAT_NAMES,
    TO_DRAW,
    TO_WIN,
    TURNS,
    WINNER,
    Place,
    bit_of,
    places_in,
)

SIDE = 29.0  # of a hex
WIDTH, HEIGHT = 412.0, 374.0  # of the board
CENTRE = (WIDTH / 2, 178.0)
SMALL = 13.5  # letters
GROUND = 6.75 * SIDE  # from the middle of the board to its corners
SEAT_WIDTH, SEAT_HEIGHT = 320.0, 48.0

PIECE, MARK, PIP, PIN = 15.5, 14.0, 11.5, 10.5  # radii: a piece, a seat's mark, a piece that is out, an exit
THUMB = 17.0  # the radius in which a click hits an exit
THICK = 0.2  # how thick a piece is, in radii
COLOURS = ("#d6453d", "#8fd07a", "#2f55a8")  # of different brightness, for colour-blind readers
DARK = ("#8f231d", "#3f7a2e", "#1b3570")
ON_PIECE = ("#ffffff", "#14300c", "#ffffff")
HEX, HEX_LINE, HEX_NAME, BORDER = "#f1e6cd", "#cdbb97", "#7a6942", "#bd9f69"

# In text: pieces are capitals, and small letters mark the exits of a colour.
PAINT = {
    pattern: style
    for letter, name in zip("RGB", SEAT_NAMES, strict=True)
    for pattern, style in (
        (rf"\b{letter}(?=[rgb ]|$)|\b{name}\b", f"bold {name}"),
        (rf"(?<=[RGB.]){letter.lower()}\b", name),
    )
}

CHOICES = {"MOVE": "move a piece", "JUMP": "jump", "EXIT": "leave the board", "PASS": "pass, as no piece can move"}

# How each colour leaves the board: midway between two directions; and the corner of a hex where those two edges begin.
OUTWARD = ((1.0, -0.5), (-0.5, 1.0), (-0.5, -0.5))
FIRST_CORNER = (5, 1, 3)
OUTWARD_ANGLE = (-pi / 6, pi / 2, -5 * pi / 6)
PIN_CORNERS = ((1.6 * PIN, 0.0), (PIN, acos(1 / 1.6)), (PIN, -acos(1 / 1.6)))  # its tip, and where the round begins
GREEN = 1


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
    """Return in words what a move changed besides its own piece: colours, and pieces brought out."""
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
    """Return the view as shapes: a piece offers its moves, a hex those that lead to it, a pin outside the exit."""
    ends: dict[Place, list[int]] = {}
    leaving: dict[Place, int] = {}
    for move in legal:
        kind, places = to_action(view, move)
        if kind == "EXIT":
            ends.setdefault(places, []).append(int(move))
            leaving[places] = int(move)
        elif kind != "PASS":
            for place in places:
                ends.setdefault(place, []).append(int(move))
    shapes = [_ground(), *(_border(seat) for seat in range(3))]
    shapes += [_exit(seat, place, leaving.get(place)) for seat in range(3) for place in places_in(EXIT_HEXES[seat])]
    shapes += [_hex(view, place, ends.get(place, [])) for place in HEXAGON.places]
    shapes += [_piece(view, place, ends.get(place, [])) for place in HEXAGON.places if owner(view, place) != NONE]
    shapes += _counts(view)
    panels = [Panel("board", WIDTH, HEIGHT, shapes), *(_account(view, seat) for seat in range(3))]
    return Scene(f"Chexers: {status(view)}", panels, _prompt(view, legal))


def _prompt(view: np.ndarray, legal: Sequence[int]) -> str:
    if view[SEAT] == OVER:
        return ""
    colour = str(SEAT_NAMES[view[SEAT]]).capitalize()
    kinds = {to_action(view, move)[0] for move in legal}
    words = [words for kind, words in CHOICES.items() if kind in kinds]
    if not words:
        return f"{colour} is to move"
    again = _occurrence(view)
    choice = f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else words[0]
    return f"{colour}: {choice}" + (f" ({again}; the fourth is a draw)" if again else "")


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
    """Return a corner of a hex; 0 is the upper right one, and numbers run clockwise."""
    x, y = _centre(*place)
    angle = pi / 3 * index - pi / 6
    return x + side * cos(angle), y + side * sin(angle)


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _hex(view: np.ndarray, place: Place, moves: list[int]) -> Shape:
    name, seat, (x, y) = hex_name(place), owner(view, place), _centre(*place)
    title = name if seat == NONE else f"{name}: {SEAT_NAMES[seat]}"
    outline = {"points": _points([_corner(place, k, SIDE - 1.6) for k in range(6)]), "fill": HEX, "stroke": HEX_LINE}
    words = label(name, x, y + 16.0, SMALL, fill=HEX_NAME)
    return Shape("g", {}, title=title, moves=tuple(moves), key=f"hex {name}", parts=(Shape("polygon", outline), words))


def _piece(view: np.ndarray, place: Place, moves: list[int]) -> Shape:
    seat, (x, y) = owner(view, place), _centre(*place)
    title = f"{SEAT_NAMES[seat]} piece on {hex_name(place)}"
    return _disc(seat, x, y - 8.0, PIECE, title, tuple(moves))


def _disc(seat: int, x: float, y: float, radius: float, title: str, moves: tuple[int, ...] = ()) -> Shape:
    """Draw a piece as a flat cylinder of its colour, with its letter."""
    thick = radius * THICK
    half = f"a{radius} {radius} 0 0 0"
    body = f"M{-radius} 0v{thick:.2f}{half} {2 * radius} 0v{-thick:.2f}{half} {-2 * radius} 0z"
    edge: Paint = {"stroke": DARK[seat], "stroke-width": 1.2}
    parts = (
        Shape("path", {"d": body, "fill": DARK[seat], **edge}),
        Shape("circle", {"r": radius, "fill": COLOURS[seat]}),
        Shape("circle", {"r": 0.76 * radius, "fill": "none", **edge, "opacity": 0.6}),
        label("RGB"[seat], 0.0, 0.0, radius, fill=ON_PIECE[seat], **{"font-weight": "bold"}),
    )
    return Shape("g", placed(x, y), title=title, moves=moves, key=f"{SEAT_NAMES[seat]} piece", parts=parts)


def _ground() -> Shape:
    """Draw the wood under the hexes."""
    corners = [(CENTRE[0] + GROUND * cos(pi / 3 * k), CENTRE[1] + GROUND * sin(pi / 3 * k)) for k in range(6)]
    at: Paint = {"points": _points(corners), "fill": BORDER, "stroke": BORDER, "stroke-width": 12.0}
    return Shape("polygon", {**at, "stroke-linejoin": "round"})


def _border(seat: int) -> Shape:
    """Draw the edges by which a colour leaves the board."""
    places = sorted(places_in(EXIT_HEXES[seat]), key=lambda place: (place[1], -place[0]) if seat == GREEN else place)
    corners = [_corner(place, FIRST_CORNER[seat] + k, SIDE) for place in places for k in range(3)]
    at: Paint = {"points": _points(corners), "fill": "none", "stroke": COLOURS[seat], "stroke-width": 8.0}
    return Shape("polyline", {**at, "stroke-linejoin": "round", "stroke-linecap": "round"})


def _exit(seat: int, place: Place, move: int | None) -> Shape:
    """Draw a pin that points out of the board, where a colour leaves it from a hex."""
    (x, y), out = _centre(place[0] + OUTWARD[seat][0], place[1] + OUTWARD[seat][1]), OUTWARD_ANGLE[seat]
    (tip, *sides) = [(reach * cos(out + turn), reach * sin(out + turn)) for reach, turn in PIN_CORNERS]
    round_ = f"A{PIN} {PIN} 0 1 1 {sides[1][0]:.2f} {sides[1][1]:.2f}"
    outline = f"M{tip[0]:.2f} {tip[1]:.2f}L{sides[0][0]:.2f} {sides[0][1]:.2f}{round_}Z"
    parts = (
        Shape("path", {"d": outline, "fill": COLOURS[seat], "stroke": DARK[seat]}),
        label("RGB"[seat], 0.0, 0.0, SMALL, fill=ON_PIECE[seat]),
        Shape("circle", {"r": THUMB, "fill": "transparent"}),
    )
    title = f"{SEAT_NAMES[seat]} leaves from {hex_name(place)}"
    return Shape("g", placed(x, y), title=title, moves=() if move is None else (move,), parts=parts)


def _counts(view: np.ndarray) -> list[Shape]:
    """Draw the counts that may end the game in a draw, in the free corners of the board."""
    shapes = [_small(f"{view[TURNS]} of {MOST_TURNS}", 8.0, -17.0), _small("turns made", 8.0, 0.0)]
    if view[OCCURRENCES] > 1:
        shapes += [
            _small("position", WIDTH - 8.0, -17.0, "end"),
            _small(f"{view[OCCURRENCES]} times", WIDTH - 8.0, 0.0, "end"),
        ]
    return shapes


def _small(words: str, x: float, y: float, anchor: str = "start") -> Shape:
    return label(words, x, HEIGHT - 12.0 + y, SMALL, fill="var(--faint)", **{"text-anchor": anchor})


def _account(view: np.ndarray, seat: int) -> Panel:
    """Draw the pieces that a colour has brought out, and how many it has on the board."""
    colour, out = SEAT_NAMES[seat], int(view[EXITS + seat])
    middle = SEAT_HEIGHT / 2
    shapes = [replace(_disc(seat, 22.0, middle - 2.0, MARK, colour), key="")]
    for k in range(TO_WIN):
        x, title = 66.0 + 27.0 * k, f"{out} of {TO_WIN} out"
        hole: Paint = {"cx": x, "cy": middle, "r": PIP, "fill": "none", "stroke": "var(--faint)"}
        shapes.append(Shape("circle", {**hole, "stroke-dasharray": "3 3"}, title=title))
        if k < out:
            shapes.append(_disc(seat, x, middle - 1.0, PIP, title))
    words = f"{int(view[PIECES + seat]).bit_count()} on the board"
    shapes.append(label(words, 176.0, middle, 15.0, **{"text-anchor": "start"}))
    return Panel(colour, SEAT_WIDTH, SEAT_HEIGHT, shapes, seat=seat)
