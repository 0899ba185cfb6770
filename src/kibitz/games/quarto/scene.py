"""Quarto as a picture: the board, the piece in hand, and the pool."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.contract import OVER
from kibitz.core.scene import Panel, Scene, Shape
from kibitz.games.quarto.notation import piece_name, piece_words
from kibitz.games.quarto.rules import BOARD, CLEAR, FREE, HAND, LINES, NONE, POOL, SEAT, SET, SQUARES, STANDARD_LINES

Paint = dict[str, float | str]

CELL = 64
MARGIN = 24
PIECE_CELL = 44
COLOURS = ("#e8d3a8", "#6b3f22")
INK = "#3a2a1c"
WOOD = "#c79a63"
PAINT = {r"\*[WB][ST][QR][HS]\*": "bold green", r"\bW[ST][QR][HS]\b": "yellow", r"\bB[ST][QR][HS]\b": "magenta"}


def piece_on(view: np.ndarray, cell: int) -> int:
    """Return the piece on a cell, or NONE."""
    if view[FREE] >> cell & 1:
        return NONE
    return sum(int(view[SET] >> (16 * k + cell) & 1) << k for k in range(4))


def winning_line(view: np.ndarray) -> int:
    """Return the cells of the lines that have been completed."""
    lines = LINES if view[SQUARES] else LINES[:STANDARD_LINES]
    cells = 0
    for line in map(int, lines):
        for lane in range(4):
            if any((int(view[lanes]) >> 16 * lane & line) == line for lanes in (SET, CLEAR)):
                cells |= line
    return cells


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
    """Return the view as shapes; cells may be clicked to place, pieces of the pool to hand over."""
    placing = view[HAND] != NONE
    won = winning_line(view)
    side = 4 * CELL + 2 * MARGIN
    width = side + 4 * PIECE_CELL + 2 * MARGIN
    board: Paint = {"x": MARGIN / 2, "y": MARGIN / 2, "width": side - MARGIN, "height": side - MARGIN, "rx": 12.0}
    shapes = [Shape("rect", {**board, "fill": WOOD, "stroke": INK})]
    for cell in BOARD.cells:
        x = MARGIN + (cell % 4 + 0.5) * CELL
        y = MARGIN + (3.5 - cell // 4) * CELL
        clickable = (cell,) if placing and cell in legal else ()
        mark: Paint = (
            {"stroke": "#d62f2f", "stroke-width": 4.0} if won >> cell & 1 else {"stroke": INK, "stroke-width": 1.0}
        )
        at: Paint = {"cx": x, "cy": y, "r": CELL * 0.46, "fill": "#dbb682" if clickable else "#b98a54", **mark}
        shapes.append(Shape("circle", at, title=BOARD.name(cell), moves=clickable))
        piece = piece_on(view, cell)
        if piece != NONE:
            shapes += _piece(piece, x, y, CELL * 0.36, clickable)
    for row in range(4):
        shapes.append(_label(str(row + 1), MARGIN * 0.75, MARGIN + (3.5 - row) * CELL))
        shapes.append(_label("abcd"[row], MARGIN + (row + 0.5) * CELL, side - MARGIN * 0.7))
    left = side + MARGIN / 2
    shapes.append(_label("in hand", left + PIECE_CELL, MARGIN, 14.0))
    if placing:
        shapes += _piece(int(view[HAND]), left + 2.6 * PIECE_CELL, MARGIN, PIECE_CELL * 0.4, ())
    shapes.append(_label("pool", left + PIECE_CELL, MARGIN + PIECE_CELL, 14.0))
    for piece in range(16):
        if view[POOL] >> piece & 1:
            x = left + (piece % 4 + 0.5) * PIECE_CELL
            y = MARGIN + (piece // 4 + 2) * PIECE_CELL
            shapes += _piece(piece, x, y, PIECE_CELL * 0.4, (piece,) if not placing and piece in legal else ())
    seat = int(view[SEAT])
    who = f"seat {seat + 1} to {'place' if placing else 'hand over'}" if seat >= 0 else "the game is over"
    return Scene(f"Quarto: {who}", [Panel("board", width, side, shapes)])


def _label(words: str, x: float, y: float, size: float = 12.0) -> Shape:
    at: Paint = {"x": x, "y": y, "font-size": size, "fill": INK, "text-anchor": "middle", "dominant-baseline": "middle"}
    return Shape("text", at, words=words)


def _piece(piece: int, x: float, y: float, radius: float, moves: tuple[int, ...]) -> list[Shape]:
    """Colour is the fill, tall is large, round is a circle, hollow has a hole."""
    black, tall, round_, solid = (piece >> k & 1 for k in range(4))
    reach = radius if tall else radius * 0.68
    paint: Paint = {"fill": COLOURS[black], "stroke": INK, "stroke-width": 1.5}
    name = f"{piece_name(piece)}: {piece_words(piece)}"
    if round_:
        shapes = [Shape("circle", {"cx": x, "cy": y, "r": reach, **paint}, title=name, moves=moves)]
    else:
        half = reach * 0.86
        square: Paint = {"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half, "rx": 2.0}
        shapes = [Shape("rect", {**square, **paint}, title=name, moves=moves)]
    if not solid:
        hole: Paint = {"cx": x, "cy": y, "r": reach * 0.42, "fill": INK if not black else "#1d120a", "stroke": INK}
        shapes.append(Shape("circle", hole, title=name, moves=moves))
    return shapes
