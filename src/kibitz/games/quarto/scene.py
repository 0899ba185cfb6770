"""Quarto as a picture: the board, the piece in hand, and the pool."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.scene import Paint, Panel, Scene, Shape, label
from kibitz.games.quarto.notation import WORDS, piece_name, piece_on, piece_words
from kibitz.games.quarto.rules import (
    ATTRIBUTES,
    BOARD,
    CLEAR,
    FREE,
    HAND,
    LINES,
    NONE,
    POOL,
    SEAT,
    SET,
    SQUARES,
    STANDARD_LINES,
    WINNER,
)
from kibitz.games.quarto.solids import solid, well

PAINT = {r"\*[WB][ST][QR][HS]\*": "bold green", r"\bW[ST][QR][HS]\b": "yellow", r"\bB[ST][QR][HS]\b": "magenta"}

WIDTH, HEIGHT = 400.0, 358.0  # of the board
TRAY = (200.0, 172.0, 194.0, 166.0)  # centre and radii
THICK = 14.0
COLUMN, ROW = 70.0, 60.0  # from well to well
RADIUS = 19.5  # of a round piece on the board
LABELS = 15.0
GRAIN = (-149.0, -141.0, -124.0, -97.0, -61.0, -34.0, -28.0, 3.0, 27.0, 58.0, 65.0, 94.0, 118.0, 127.0, 148.0)

SIDE_WIDTH, HAND_HEIGHT, POOL_HEIGHT = 320.0, 104.0, 158.0
HAND_RADIUS, POOL_RADIUS = 20.0, 13.2
POOL_COLUMN, POOL_ROW = 38.6, 66.0

WOOD, WOOD_LIGHT, WOOD_SIDE, ENGRAVED = "#cf9f62", "#dbb27a", "#8d5b2a", "#5d3a14"
WON = "#fff7d6"


def completed(view: np.ndarray) -> list[tuple[int, str]]:
    """Return every completed line: its cells, and what its pieces have in common."""
    lines = LINES if view[SQUARES] else LINES[:STANDARD_LINES]
    return [
        (line, WORDS[k][has])
        for line in map(int, lines)
        for k in range(ATTRIBUTES)
        for has, lanes in enumerate((CLEAR, SET))
        if (int(view[lanes]) >> 16 * k & line) == line
    ]


def winning_line(view: np.ndarray) -> int:
    """Return the cells of all completed lines."""
    cells = 0
    for line, _ in completed(view):
        cells |= line
    return cells


def status(view: np.ndarray) -> str:
    """Return in words who is to do what, or how the game ended."""
    if view[SEAT] != OVER:
        return f"seat {view[SEAT] + 1} to {'hand over a piece' if view[HAND] == NONE else 'place a piece'}"
    if view[WINNER] == NONE:
        return "draw: the board is full"
    lines: dict[int, list[str]] = {}
    for line, word in completed(view):
        lines.setdefault(line, []).append(word)
    reasons = [f"four {' and '.join(alike)} in {line_name(line)}" for line, alike in lines.items()]
    return f"seat {view[WINNER] + 1} wins: {', '.join(reasons)}"


def line_name(line: int) -> str:
    """Return the name of a line of four cells: its row, its column, or its ends."""
    names = [BOARD.name(cell) for cell in BOARD.cells if line >> cell & 1]
    letters, numbers = {name[0] for name in names}, {name[1] for name in names}
    if len(letters) == 1:
        return f"column {names[0][0]}"
    if len(numbers) == 1:
        return f"row {names[0][1]}"
    return f"the {'square' if len(letters) == 2 else 'diagonal'} {names[0]} to {names[-1]}"


def changes(before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return in words which piece a move handed over or placed, and how the game ended."""
    if before[HAND] == NONE:
        return [f"seat {before[SEAT] + 1} hands over the {piece_words(int(after[HAND]))} piece"]
    placed = int(before[FREE] & ~after[FREE]).bit_length() - 1
    found = [f"the {piece_words(int(before[HAND]))} piece goes to {BOARD.name(placed)}"]
    return [*found, status(after)] if after[SEAT] == OVER else found


def text(view: np.ndarray) -> str:
    """Return the view as lines of text."""
    won = winning_line(view)
    rows = ["    ┌──────┬──────┬──────┬──────┐"]
    for row in reversed(range(4)):
        cells = [_cell_text(view, 4 * row + column, won) for column in range(4)]
        rows.append(f"  {row + 1} │{'│'.join(cells)}│")
        rows.append("    ├──────┼──────┼──────┼──────┤" if row else "    └──────┴──────┴──────┴──────┘")
    rows.append("       a      b      c      d")
    pool = [piece_name(piece) for piece in range(16) if view[POOL] >> piece & 1]
    rows.append(f"  pool: {' '.join(pool[:8]) or 'empty'}")
    if pool[8:]:
        rows.append(f"        {' '.join(pool[8:])}")
    if view[HAND] != NONE:
        held = int(view[HAND])
        rows.append(f"  in hand: {piece_name(held)} ({piece_words(held)}), to be placed on a free cell")
    elif view[SEAT] != OVER:
        rows.append("  a piece of the pool is to be handed over")
    return "\n".join(rows)


def _cell_text(view: np.ndarray, cell: int, won: int) -> str:
    piece = piece_on(view, cell)
    if piece == NONE:
        return "      "
    return f"*{piece_name(piece)}*" if won >> cell & 1 else f" {piece_name(piece)} "


def picture(view: np.ndarray, legal: Sequence[int]) -> Scene:
    """Return the view as panels; a click on a free well places the piece in hand, one on a piece hands it over."""
    placing = view[HAND] != NONE
    panels = [_board(view, legal if placing else ()), _hand(int(view[HAND])), _pool(view, () if placing else legal)]
    return Scene(f"Quarto: {status(view)}", panels, _prompt(view))


def _prompt(view: np.ndarray) -> str:
    if view[SEAT] == OVER:
        return ""
    if view[HAND] == NONE:
        return "Choose a piece for your rival to place"
    return f"Place the {piece_words(int(view[HAND]))} piece on a free cell"


def _board(view: np.ndarray, legal: Sequence[int]) -> Panel:
    shapes = [*_tray(), *(_well(view, cell, legal) for cell in BOARD.cells)]
    won = winning_line(view)
    shapes += [_ring(cell) for cell in BOARD.cells if won >> cell & 1]
    for cell in sorted(BOARD.cells, key=lambda cell: -(cell // 4)):  # near pieces stand before far ones
        piece = piece_on(view, cell)
        if piece != NONE:
            shapes.append(_clicked_through(solid(piece, *_middle(cell), RADIUS)))
    return Panel("board", WIDTH, HEIGHT, shapes)


def _clicked_through(piece: Shape) -> Shape:
    """Return a piece that lets clicks through to the wells, which a tall piece half hides."""
    return replace(piece, at={**piece.at, "pointer-events": "none"})


def _middle(cell: int) -> tuple[float, float]:
    return TRAY[0] + (cell % 4 - 1.5) * COLUMN, TRAY[1] + (1.5 - cell // 4) * ROW


def _tray() -> list[Shape]:
    x, y, wide, high = TRAY
    shapes = [
        Shape("ellipse", {"cx": x, "cy": y + THICK, "rx": wide, "ry": high, "fill": WOOD_SIDE}),
        Shape("ellipse", {"cx": x, "cy": y, "rx": wide, "ry": high, "fill": WOOD_LIGHT}),
        Shape("ellipse", {"cx": x, "cy": y + 1.5, "rx": wide - 4, "ry": high - 4, "fill": WOOD}),
    ]
    shapes += [_grain(offset) for offset in GRAIN]
    left, first = _middle(0)
    for k in range(4):
        shapes.append(_engraved(str(k + 1), left - 0.61 * COLUMN, first - k * ROW))
        shapes.append(_engraved("abcd"[k], left + k * COLUMN, first + 0.59 * ROW))
    return shapes


def _grain(offset: float) -> Shape:
    """Draw a vein of the wood across the tray, at a distance from its middle."""
    x, y, wide, high = TRAY
    reach = (wide - 5) * sqrt(1 - (offset / (high - 5)) ** 2)
    vein = f"M{x - reach:.1f} {y + offset:.1f}q{reach:.1f} {-offset * 0.12:.1f} {2 * reach:.1f} 0"
    return Shape("path", {"d": vein, "fill": "none", "stroke": WOOD_SIDE, "opacity": 0.22})


def _engraved(words: str, x: float, y: float) -> Shape:
    return label(words, x, y, LABELS, fill=ENGRAVED)


def _well(view: np.ndarray, cell: int, legal: Sequence[int]) -> Shape:
    piece = piece_on(view, cell)
    title = BOARD.name(cell) if piece == NONE else f"{BOARD.name(cell)}: {piece_words(piece)}"
    moves = (int(cell),) if cell in legal else ()
    return Shape("g", {}, title=title, moves=moves, key=f"cell {BOARD.name(cell)}", parts=well(*_middle(cell), RADIUS))


def _ring(cell: int) -> Shape:
    outline, _ = well(*_middle(cell), RADIUS)
    return Shape("ellipse", {**outline.at, "fill": WON, "stroke": "#d22f27", "stroke-width": 4.0})


def _hand(piece: int) -> Panel:
    middle, floor = 58.0, 70.0
    shapes = [Shape("g", {}, parts=(*_plate(middle, floor), *well(middle, floor, HAND_RADIUS)))]
    if piece == NONE:
        shapes.append(_words("nothing", 60.0, fill="var(--faint)"))
        return Panel("hand", SIDE_WIDTH, HAND_HEIGHT, shapes, "In hand")
    colour, size, form, core = piece_words(piece).split()
    return Panel("hand", SIDE_WIDTH, HAND_HEIGHT, [
        *shapes,
        solid(piece, middle, floor, HAND_RADIUS),
        _words(f"{colour}, {size},", 34.0),
        _words(f"{form}, {core}", 58.0),
        _words(piece_name(piece), 84.0, 14.0, "var(--faint)"),
    ], "In hand")  # fmt: skip


def _words(words: str, y: float, size: float = 19.0, fill: str = "var(--ink)") -> Shape:
    return label(words, 130.0, y, size, fill=fill, **{"text-anchor": "start"})


def _plate(x: float, y: float) -> tuple[Shape, Shape]:
    return (
        Shape("ellipse", {"cx": x, "cy": y + 5.0, "rx": 40.0, "ry": 28.0, "fill": WOOD_SIDE}),
        Shape("ellipse", {"cx": x, "cy": y, "rx": 40.0, "ry": 28.0, "fill": WOOD}),
    )


def _pool(view: np.ndarray, legal: Sequence[int]) -> Panel:
    """Draw the pieces left: white ones behind black ones, from short to tall, square to round and hollow to solid."""
    box: Paint = {"x": 2.0, "width": SIDE_WIDTH - 4.0, "height": POOL_HEIGHT - 10.0, "rx": 14.0}
    shapes = [
        Shape("rect", {**box, "y": 8.0, "fill": WOOD_SIDE}),
        Shape("rect", {**box, "y": 0.0, "fill": WOOD_LIGHT}),
        Shape("rect", {**box, "y": 1.5, "fill": WOOD}),
    ]
    places = [_in_pool(piece) for piece in range(16)]
    shapes += [Shape("g", {}, parts=well(x, y, 0.9 * POOL_RADIUS)) for x, y in places]
    for piece, place in enumerate(places):
        if view[POOL] >> piece & 1:
            shapes.append(_to_hand(solid(piece, *place, POOL_RADIUS, (piece,) if piece in legal else ())))
    return Panel("pool", SIDE_WIDTH, POOL_HEIGHT, shapes, "Pool")


def _to_hand(piece: Shape) -> Shape:
    """Return a piece with a transparent margin, so that a thumb can hit it."""
    room: Paint = {"x": -POOL_COLUMN / 2, "y": 18.0 - POOL_ROW, "width": POOL_COLUMN, "height": POOL_ROW}
    return replace(piece, parts=(*piece.parts, Shape("rect", {**room, "fill": "transparent"})))


def _in_pool(piece: int) -> tuple[float, float]:
    black, tall, is_round, is_solid = (piece >> k & 1 for k in range(4))
    column = 4 * tall + 2 * is_round + is_solid
    return SIDE_WIDTH / 2 + (column - 3.5) * POOL_COLUMN, 60.0 + black * POOL_ROW
