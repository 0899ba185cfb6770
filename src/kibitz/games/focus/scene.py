"""Focus as a picture: the board with its stacks, and beside each seat its reserve and what it has captured."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.scene import Paint, Panel, Scene, Shape, box, caption, group, label
from kibitz.games.focus.board import LETTERS
from kibitz.games.focus.notation import NAMES, ends_of, letters_on, pieces_on
from kibitz.games.focus.rules import (
    CAPTURED,
    COUNT,
    IN_ALL,
    MOST_TURNS,
    NONE,
    OF_EACH,
    PASS,
    PLACE,
    RESERVE,
    SEAT,
    SEAT_NAMES,
    TOPS,
    TURNS,
    WAITING,
    WINNER,
)

FIELD, EDGE = 54.0, 21.0  # the side of a field, and the border of the board with its letters
SIDE = 8 * FIELD + 2 * EDGE
SEAT_WIDTH, SEAT_HEIGHT = 340.0, 84.0
WIDE, FLAT, THICK = 20.0, 11.5, 5.2  # half the width and depth of a piece, and how thick it is
CHIP = 0.62  # the size of a piece beside the board
MOST_CHIPS = 6  # more in reserve are written as a number
COLOURS = ("#d6453d", "#8fd07a", "#2f55a8", "#f4cf4b")  # of different brightness, for colour-blind readers
DARK = ("#8f231d", "#3f7a2e", "#1b3570", "#9a7510")
ON_PIECE = ("#ffffff", "#14300c", "#ffffff", "#3d2d00")
GROUND, LIGHT, SHADE, HOLLOW, INK = "#bd9f69", "#f1e6cd", "#e7d8b6", "#cdbb97", "#5d4f2c"

# In text: the letters of pieces have their colours.
PAINT = {
    pattern: f"bold {name}" if letter == top else name
    for letter, name in zip(LETTERS, SEAT_NAMES, strict=True)
    for top, pattern in ((letter, rf"{letter}(?![A-Z])|\b{name}\b"), ("", rf"{letter}(?=[RGBY])"))
}


def status(view: np.ndarray) -> str:
    """Return in words whose turn it is, or how the game ended."""
    if view[SEAT] != OVER:
        return f"{SEAT_NAMES[view[SEAT]]} to move"
    if view[WINNER] != NONE:
        return f"{SEAT_NAMES[view[WINNER]]} wins"
    return f"draw: {MOST_TURNS} turns"


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    rows = []
    for row in reversed(range(8)):
        signs = [_sign(view, 8 * row + column) for column in range(8)]
        rows.append(f"  {row + 1}  {''.join(f'{sign:6}' for sign in signs)}".rstrip())
    rows.append("     " + "     ".join("abcdefgh"))
    rows.append("  stacks from the bottom up: the last letter controls")
    for seat in range(int(view[COUNT])):
        held = f"{view[RESERVE + seat]} in reserve"
        rows.append(f"  {SEAT_NAMES[seat]:6}  {held}, captured {_prey_in_words(view, seat)}")
    rows.append(f"  {view[TURNS]} of {MOST_TURNS} turns made; {status(view)}")
    return "\n".join(rows)


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return in words what a move captured or put in reserve, and who is passed over."""
    seat, found = int(before[SEAT]), []
    if seat < 0:
        return []
    colour, gained = SEAT_NAMES[seat], int(after[CAPTURED + seat]) - int(before[CAPTURED + seat])
    taken = [f"{gained >> 8 * k & 255} {SEAT_NAMES[k]}" for k in range(int(after[COUNT])) if gained >> 8 * k & 255]
    if taken:
        found.append(f"{colour} captures {' and '.join(taken)}")
    if after[RESERVE + seat] > before[RESERVE + seat]:
        found.append(f"{colour} has {after[RESERVE + seat]} in reserve")
    for other in range(int(after[COUNT])):
        if _can_move(before, other) and not _can_move(after, other):
            found.append(f"{SEAT_NAMES[other]} cannot move")
    return found


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as shapes: a move begins at a stack or in the reserve, and ends on a field."""
    touching: dict[int, list[int]] = {}
    for move in legal:
        for at in ends_of(int(move)):
            touching.setdefault(at, []).append(int(move))
    shapes = [box(0.0, 0.0, SIDE, SIDE, GROUND, rx=12.0), *_names()]
    shapes += [_field(view, at, tuple(touching.get(at, ()))) for at in NAMES]
    for at in sorted(NAMES, key=lambda at: (-(at // 8), at % 8)):  # the nearer row covers the one behind
        if pieces_on(view, at):
            shapes.append(_stack(view, at, tuple(touching.get(at, ()))))
    placing = tuple(int(move) for move in legal if PLACE <= move < PASS)
    panels = [Panel("board", SIDE, SIDE, shapes)]
    panels += [_account(view, seat, placing) for seat in range(int(view[COUNT]))]
    return Scene(f"Focus: {status(view)}", panels, _prompt(view, legal))


def _prompt(view: np.ndarray, legal: Sequence[int]) -> str:
    if view[SEAT] == OVER:
        return ""
    seat = int(view[SEAT])
    colour = str(SEAT_NAMES[seat]).capitalize()
    if view[WAITING] >> seat & 1:
        return f"{colour}: place your reserve piece on a free field"
    words = ["move pieces"] if any(move < PLACE for move in legal) else []
    words += ["place a reserve piece"] if any(PLACE <= move < PASS for move in legal) else []
    return f"{colour}: {' or '.join(words)}" if words else f"{colour} is to move"


def _can_move(view: np.ndarray, seat: int) -> bool:
    return bool(view[TOPS + seat] or view[RESERVE + seat])


def _sign(view: np.ndarray, at: int) -> str:
    return (letters_on(view, at) or ".") if at in NAMES else ""


def _prey(view: np.ndarray, seat: int) -> dict[int, int]:
    """Return how many pieces of each other seat a seat has captured."""
    lanes = int(view[CAPTURED + seat])
    return {other: lanes >> 8 * other & 255 for other in range(int(view[COUNT])) if other != seat}


def _prey_in_words(view: np.ndarray, seat: int) -> str:
    prey = _prey(view, seat)
    return ", ".join(f"{count} {SEAT_NAMES[other]}" for other, count in prey.items())


def _corner(at: int) -> tuple[float, float]:
    """Return the upper left corner of a field."""
    return EDGE + FIELD * (at % 8), EDGE + FIELD * (7 - at // 8)


def _names() -> list[Shape]:
    """Draw the letters of the columns and the numbers of the rows."""
    shapes = []
    for k in range(8):
        along, low = EDGE + FIELD * (k + 0.5), SIDE - EDGE / 2
        shapes.append(label("abcdefgh"[k], along, low, 16.0, fill=INK))
        shapes.append(label(str(8 - k), EDGE / 2, along, 16.0, fill=INK))
    return shapes


def _field(view: np.ndarray, at: int, moves: tuple[int, ...]) -> Shape:
    x, y = _corner(at)
    pieces = [SEAT_NAMES[owner] for owner in pieces_on(view, at)]
    title = f"{NAMES[at]}: {', '.join(pieces)}" if pieces else NAMES[at]
    fill = LIGHT if (at + at // 8) % 2 else SHADE
    outline = box(1.0, 1.0, FIELD - 2.0, FIELD - 2.0, fill, rx=6.0)
    dent: Paint = {"cx": FIELD / 2, "cy": FIELD - FLAT - 5.0, "rx": 0.8 * WIDE, "ry": 0.8 * FLAT}
    hollow = Shape("ellipse", {**dent, "fill": HOLLOW, "opacity": 0.45})
    return group(x, y, (outline, hollow), title, moves, key=f"field {NAMES[at]}")


def _stack(view: np.ndarray, at: int, moves: tuple[int, ...]) -> Shape:
    """Draw the pieces of a field on top of each other, the bottom one on the field."""
    x, y = _corner(at)
    owners = pieces_on(view, at)
    title = f"stack on {NAMES[at]}: {', '.join(SEAT_NAMES[owner] for owner in owners)}"
    parts = [_silhouette(len(owners)), *(_piece(owner, -THICK * k) for k, owner in enumerate(owners))]
    top = -THICK * len(owners)
    parts.append(label(LETTERS[owners[-1]], 0.0, top, 17.0, fill=ON_PIECE[owners[-1]], **{"font-weight": "bold"}))
    if len(owners) > 1:
        parts += _height(len(owners), top)
    key = f"{SEAT_NAMES[owners[-1]]} stack"
    return group(x + FIELD / 2, y + FIELD - FLAT - 3.0, parts, title, moves, key=key)


def _outline(height: float, low: float) -> str:
    """Return the path of a flat cylinder whose lower ellipse is centred at a height."""
    arc = f"a{WIDE:g} {FLAT:g} 0 0 0"
    return f"M{-WIDE:g} {low - height:.2f}v{height:.2f}{arc} {2 * WIDE:g} 0v{-height:.2f}{arc} {-2 * WIDE:g} 0z"


def _silhouette(pieces: int) -> Shape:
    return Shape("path", {"d": _outline(THICK * pieces, 0.0), "fill": "#000000"})


def _piece(owner: int, low: float) -> Shape:
    """Draw one piece as a flat cylinder of its colour."""
    edge: Paint = {"stroke": DARK[owner], "stroke-width": 1.1}
    parts = (
        Shape("path", {"d": _outline(THICK, low), "fill": COLOURS[owner], **edge}),
        Shape("ellipse", {"cy": low - THICK, "rx": WIDE, "ry": FLAT, "fill": COLOURS[owner], **edge}),
        Shape("ellipse", {"cy": low - THICK, "rx": 0.78 * WIDE, "ry": 0.76 * FLAT, "fill": "none", **edge,
                          "opacity": 0.55}),
    )  # fmt: skip
    return Shape("g", {}, parts=parts)


def _height(pieces: int, top: float) -> list[Shape]:
    """Draw the number of pieces beside a stack."""
    x, y = WIDE - 3.0, top + FLAT + 2.5
    return [
        Shape("circle", {"cx": x, "cy": y, "r": 9.0, "fill": "var(--card)", "stroke": INK, "stroke-width": 0.8}),
        label(str(pieces), x, y, 15.5),
    ]


def _chip(owner: int, x: float, y: float, title: str, moves: tuple[int, ...] = ()) -> Shape:
    """Draw a small piece with its letter."""
    radius = WIDE * CHIP
    parts = (
        Shape("circle", {"r": radius, "fill": COLOURS[owner], "stroke": DARK[owner], "stroke-width": 1.2}),
        label(LETTERS[owner], 0.0, 0.0, 14.0, fill=ON_PIECE[owner], **{"font-weight": "bold"}),
    )
    return group(x, y, parts, title, moves)


def _faint(words: str, x: float, y: float) -> Shape:
    return caption(words, x, y, 14.0, fill="var(--faint)")


def _account(view: np.ndarray, seat: int, placing: tuple[int, ...]) -> Panel:
    """Draw what a seat has in reserve, and what it has captured of what it needs."""
    colour, held = SEAT_NAMES[seat], int(view[RESERVE + seat])
    mine = placing if seat == view[SEAT] else ()
    shapes = [_chip(seat, 18.0, 42.0, str(colour)), _faint("reserve", 38.0, 22.0), _faint("captured", 38.0, 60.0)]
    title = f"{colour} reserve: {held}"
    for k in range(min(held, MOST_CHIPS)):
        shapes.append(_chip(seat, 123.0 + 28.0 * k, 22.0, title, mine))
    if held == 0:
        shapes.append(_faint("–", 113.0, 22.0))
    if held > MOST_CHIPS:
        shapes.append(caption(f"{held}", 113.0 + 28.0 * MOST_CHIPS, 22.0, 15.0))
    prey = _prey(view, seat)
    for k, (other, count) in enumerate(prey.items()):
        x = 123.0 + 57.0 * k
        shapes.append(_chip(other, x, 60.0, f"{colour} has captured {count} {SEAT_NAMES[other]}"))
        shapes.append(caption(f"{count}/{view[OF_EACH]}", x + 15.0, 60.0, 14.0))
    if len(prey) > 1:
        shapes.append(_faint(f"{sum(prey.values())}/{view[IN_ALL]}", 298.0, 60.0))
    return Panel(str(colour), SEAT_WIDTH, SEAT_HEIGHT, shapes, seat=seat)
