"""Rolit as a picture: the board with its discs, and how many each colour has."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.bits import popcount
from kibitz.core.contract import OVER
from kibitz.core.scene import Panel, Scene, Shape, box, caption, group, label
from kibitz.games.rolit.notation import SQUARES, colour_on
from kibitz.games.rolit.rules import (
    BOARD,
    COLOURS,
    COUNT,
    DISCS,
    SEAT,
    SEAT_NAMES,
    choices,
    enclosing,
    occupied,
    turned_by,
)

PAINT = {rf"\b{name[0].upper()}\b|\b{name}\b": f"bold {name}" for name in SEAT_NAMES}  # of the text

SIDE = 46.0  # of a square
MARGIN = 25.0  # around the squares
WIDTH = 8 * SIDE + 2 * MARGIN
WELL, BALL, MARK = 19.5, 18.0, 14.0  # radii: a hollow, a disc in it, a seat's mark
LETTERS = 14.0
FRAME, PLATE, HOLLOW, LINE, ENGRAVED = "#414b5c", "#4d586b", "#353e4d", "#2a313d", "#dbe2ee"

# Of different brightness, for colour-blind readers.
PAINTS = ("#d8392f", "#f6c92e", "#58b368", "#2b5fb8")
DARK = ("#8d1c16", "#b08309", "#2f7440", "#173a78")
ON_DISC = ("#ffffff", "#4a3600", "#0d2c15", "#ffffff")
NEUTRAL = ("#b9bfc9", "#7d8592", "#39404c")  # the same three of a colour without a seat

SEAT_WIDTH, SEAT_HEIGHT = 320.0, 46.0
BAR_LEFT, BAR_WIDTH, BAR_HEIGHT = 108.0, 200.0, 14.0
BAR_SHARES = 2  # even shares of the board that fill the bar of a seat


def status(view: np.ndarray) -> str:
    """Return in words whose turn it is, or how the game ended."""
    if view[SEAT] != OVER:
        return f"{SEAT_NAMES[view[SEAT]]} to move"
    counts = [discs_of(view, seat) for seat in range(int(view[COUNT]))]
    best = [SEAT_NAMES[seat] for seat, discs in enumerate(counts) if discs == max(counts)]
    if len(best) == 1:
        return f"{best[0]} wins with {max(counts)} discs"
    return f"{', '.join(best[:-1])} and {best[-1]} share the win with {max(counts)} discs each"


def discs_of(view: np.ndarray, colour: int) -> int:
    """Return how many discs of a colour lie on the board."""
    return popcount(int(view[DISCS + colour]))


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    free = 0 if view[SEAT] == OVER else int(choices(view))
    rows = []
    for row in reversed(range(8)):
        signs = [_sign(view, 8 * row + column, free) for column in range(8)]
        rows.append(f"  {row + 1}  {' '.join(signs)}")
    rows.append("     a b c d e f g h")
    counts = [f"{_named(view, colour)} {discs_of(view, colour)}" for colour in range(COLOURS)]
    rows.append(f"  discs: {', '.join(counts)}")
    rows.append(f"  {status(view)}" + ("" if view[SEAT] == OVER else "; + may be taken"))
    return "\n".join(rows)


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return in words which discs a move turned, and how the game ended."""
    owners = [(square, colour_on(before, square), colour_on(after, square)) for square in BOARD.cells]
    turned = [SQUARES[square] for square, old, new in owners if old is not None and old != new]
    told = [f"{_listed(turned)} {'turns' if len(turned) == 1 else 'turn'} {SEAT_NAMES[before[SEAT]]}"] if turned else []
    return [*told, status(after)] if after[SEAT] == OVER else told


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes: a click on a hollow places a disc there."""
    shapes = [*_ground(), *(_hollow(view, square, square in legal) for square in BOARD.cells)]
    shapes += [_disc_on(view, square) for square in BOARD.cells if colour_on(view, square) is not None]
    panels = [Panel("board", WIDTH, WIDTH, shapes), *(_account(view, seat) for seat in range(int(view[COUNT])))]
    if view[COUNT] < COLOURS:
        panels.append(_neutral(view))
    return Scene(f"Rolit: {status(view)}", panels, _prompt(view))


def _prompt(view: np.ndarray) -> str:
    if view[SEAT] == OVER:
        return ""
    colour = SEAT_NAMES[view[SEAT]].capitalize()
    if enclosing(view[DISCS + view[SEAT]], occupied(view)) != 0:
        return f"{colour}: enclose discs to turn them"
    return f"{colour}: nothing can be enclosed, so place a disc beside any other"


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]


def _named(view: np.ndarray, colour: int) -> str:
    return SEAT_NAMES[colour] if colour < view[COUNT] else f"neutral {SEAT_NAMES[colour]}"


def _sign(view: np.ndarray, square: int, free: int) -> str:
    colour = colour_on(view, square)
    if colour is None:
        return "+" if free >> square & 1 else "."
    return SEAT_NAMES[colour][0].upper() if colour < view[COUNT] else SEAT_NAMES[colour][0]


def _middle(square: int) -> tuple[float, float]:
    return MARGIN + (square % 8 + 0.5) * SIDE, MARGIN + (7.5 - square // 8) * SIDE


def _ground() -> list[Shape]:
    """Draw the frame, the plate that holds the hollows, and the names of columns and rows."""
    shapes = [
        box(1.0, 1.0, WIDTH - 2.0, WIDTH - 2.0, FRAME, rx=16.0, stroke=LINE, stroke_width=2.0),
        box(MARGIN - 3.0, MARGIN - 3.0, 8 * SIDE + 6.0, 8 * SIDE + 6.0, PLATE, rx=9.0, stroke=LINE),
    ]
    for k in range(8):
        x, y = _middle(9 * k)
        shapes.append(label("abcdefgh"[k], x, WIDTH - MARGIN / 2 + 1.0, LETTERS, fill=ENGRAVED))
        shapes.append(label(str(k + 1), MARGIN / 2 - 1.0, y, LETTERS, fill=ENGRAVED))
    return shapes


def _hollow(view: np.ndarray, square: int, free: bool) -> Shape:
    (x, y), name, colour = _middle(square), SQUARES[square], colour_on(view, square)
    title = name if colour is None else f"{name}: {_named(view, colour)}"
    if free:
        turned = int(turned_by(view[DISCS + view[SEAT]], occupied(view), square)).bit_count()
        title = f"{name}, turns {turned or 'nothing'}"
    parts = (
        box(-SIDE / 2 + 1.0, -SIDE / 2 + 1.0, SIDE - 2.0, SIDE - 2.0, PLATE, rx=7.0),
        Shape("circle", {"r": WELL, "fill": HOLLOW, "stroke": LINE, "stroke-width": 1.2}),
    )
    return group(x, y, parts, title, (square,) if free else (), f"square {name}")


def _disc_on(view: np.ndarray, square: int) -> Shape:
    colour = colour_on(view, square)
    assert colour is not None
    title = f"{_named(view, colour)} disc on {SQUARES[square]}"
    return group(*_middle(square), _ball(view, colour, BALL), title, key=f"disc {SQUARES[square]}")


def _ball(view: np.ndarray, colour: int, radius: float) -> tuple[Shape, ...]:
    """Draw a disc as a ball of its colour, with its letter; a neutral one is grey."""
    fill, dark, ink = NEUTRAL
    if colour < view[COUNT]:
        fill, dark, ink = PAINTS[colour], DARK[colour], ON_DISC[colour]
    return (
        Shape("circle", {"r": radius, "fill": dark}),
        Shape("circle", {"cy": -0.07 * radius, "r": 0.92 * radius, "fill": fill}),
        Shape("ellipse", {"cx": -0.3 * radius, "cy": -0.52 * radius, "rx": 0.42 * radius, "ry": 0.24 * radius,
                          "fill": "#ffffff", "opacity": 0.4, "transform": "rotate(-28)"}),
        label(SEAT_NAMES[colour][0].upper(), 0.0, 0.06 * radius, 0.92 * radius, fill=ink, **{"font-weight": "bold"}),
    )  # fmt: skip


def _account(view: np.ndarray, seat: int) -> Panel:
    """Draw how many discs a colour has, as a number and as a bar."""
    colour, discs, middle = SEAT_NAMES[seat], discs_of(view, seat), SEAT_HEIGHT / 2
    top, even = middle - BAR_HEIGHT / 2, len(BOARD.cells) / int(view[COUNT])
    long = BAR_WIDTH * min(discs / (BAR_SHARES * even), 1.0)
    shapes = [
        group(24.0, middle, _ball(view, seat, MARK), colour),
        label(str(discs), 72.0, middle, 26.0, **{"font-weight": "bold"}),
        box(BAR_LEFT, top, BAR_WIDTH, BAR_HEIGHT, "none", rx=7.0, stroke="var(--line)"),
        box(BAR_LEFT, top, max(long, BAR_HEIGHT), BAR_HEIGHT, PAINTS[seat], rx=7.0, stroke=DARK[seat]),
    ]
    return Panel(colour, SEAT_WIDTH, SEAT_HEIGHT, shapes if discs else shapes[:-1], seat=seat)


def _neutral(view: np.ndarray) -> Panel:
    """Draw how many discs the colours without a seat have."""
    shapes = []
    for place, colour in enumerate(range(int(view[COUNT]), COLOURS)):
        x, middle = 24.0 + 150.0 * place, SEAT_HEIGHT / 2
        shapes.append(group(x, middle, _ball(view, colour, MARK), f"neutral {SEAT_NAMES[colour]}"))
        shapes.append(caption(str(discs_of(view, colour)), x + 26.0, middle, 20.0))
    return Panel("neutral", SEAT_WIDTH, SEAT_HEIGHT, shapes, "Neutral")
