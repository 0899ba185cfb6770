"""Pieces: what stands on a board, on a track or in a pile, with the colours and forms of seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from kibitz.core.contract import UNKNOWN
from kibitz.core.errors import BadGame, UnknownName
from kibitz.core.scene import Paint, Shape, label, placed

# The marks of seats in the browser (web/static/js/table/seat_mark.js); a test compares them.
SEAT_COLOURS = ("#0072b2", "#c2590a", "#00785a", "#a3478a", "#6b6200", "#4a4a9c")
SEAT_FORMS = ("disc", "square", "triangle", "diamond", "pentagon", "hexagon")
NAMED_COLOURS = {
    "red": "#c23b3b", "green": "#2f7d3f", "blue": "#2f64b5", "yellow": "#8a6d00", "white": "#7a7366",
    "black": "#3a3a3a", "orange": "#b85c00", "purple": "#7b4aa8", "violet": "#7b4aa8", "brown": "#7a4f2b",
    "pink": "#b8447f",
}  # fmt: skip
FORMS = (*SEAT_FORMS, "bar", "bare")
NEUTRAL, RIM, ON_COLOUR = "#7a6a55", "#2b2620", "#ffffff"
_POLYGONS = {"triangle": (3, 1.12), "diamond": (4, 1.08), "pentagon": (5, 1.0), "hexagon": (6, 1.0)}
_MIDDLE = {"triangle": 0.18}  # how far below the centre the words of a form stand, in radii
THICKNESS = 0.34  # of a piece in a stack, in radii
MOST_STACKED = 5  # pieces of a stack that are drawn


@dataclass(frozen=True)
class Piece:
    """A piece: its name, the letters or symbol on it, whose it is, its form and its colour; all have defaults.

    At a table with fewer seats, a piece of a seat that nobody has belongs to nobody.
    """

    name: str = ""
    words: str = ""
    seat: int | None = None
    form: str = ""
    colour: str = ""

    def __post_init__(self) -> None:
        if self.form and self.form not in FORMS:
            raise UnknownName("form of a piece", self.form, FORMS)

    def called(self, seat_names: Sequence[str]) -> str:
        """Return what the piece is called."""
        seat = self.owner(seat_names)
        if seat is None:
            return self.name or self.words or "piece"
        whose = seat_names[seat]
        if self.name:
            return f"{self.name} of {whose}"
        return f"{whose} piece" if whose.lower() in NAMED_COLOURS else f"piece of {whose}"

    def sign(self, seat_names: Sequence[str]) -> str:
        """Return a letter or two for the piece, in text."""
        if self.words:
            return self.words
        seat = self.owner(seat_names)
        return letter(seat_names, seat) if seat is not None else (self.name or "o")[0]

    def owner(self, seat_names: Sequence[str]) -> int | None:
        """Return whose piece it is at a table with these seats."""
        return self.seat if self.seat is not None and self.seat < len(seat_names) else None


Standing = Piece | str | Sequence[Piece] | None  # a word is a piece without a form; several are a stack, bottom first
HIDDEN_PIECE = Piece("a hidden piece", "?", form="square")


def seat_colour(seat_names: Sequence[str], seat: int) -> str:
    """Return the colour of a seat: that of its name, where the name is a colour."""
    return NAMED_COLOURS.get(seat_names[seat].lower(), SEAT_COLOURS[seat % len(SEAT_COLOURS)])


def letter(seat_names: Sequence[str], seat: int) -> str:
    """Return the letter of a seat: the first of its name, or its number where names begin alike."""
    firsts = [name[:1].upper() for name in seat_names]
    return firsts[seat] if len(set(firsts)) == len(firsts) else str(seat + 1)


def as_stack(standing: Standing) -> tuple[Piece, ...]:
    """Return what stands somewhere as a stack, bottom first."""
    if standing is None or standing == "":
        return ()
    if isinstance(standing, str):
        return (Piece(standing, standing, form="bare"),)
    stack = (standing,) if isinstance(standing, Piece) else standing
    if not isinstance(stack, Sequence) or not all(isinstance(piece, Piece) for piece in stack):
        raise BadGame(f"{standing!r:.60} stands on a board; write Piece(…), a word, or several pieces in brackets")
    return tuple(stack)


def stack_of(value: int, pieces: object) -> tuple[Piece, ...]:
    """Return what a value of a cell stands for: as declared, else nothing for 0 and the number for any other."""
    if value == UNKNOWN:
        return (HIDDEN_PIECE,)
    if callable(pieces):
        return as_stack(pieces(value))
    if isinstance(pieces, dict) and value in pieces:
        return as_stack(pieces[value])
    return as_stack(str(value)) if value else ()


def drawn_stack(
    stack: Sequence[Piece], x: float, y: float, radius: float, seat_names: Sequence[str], title: str = "",
    moves: tuple[int, ...] = (), key: str = "",
) -> Shape:  # fmt: skip
    """Return a stack as one thing around a point, the top piece last; of a high one the topmost and the height."""
    shown = stack[-MOST_STACKED:]
    size = radius if len(shown) == 1 else 0.86 * radius
    lift = THICKNESS * size
    parts: list[Shape] = []
    for level, piece in enumerate(shown):
        height = (len(shown) - 1) * lift / 2 - level * lift
        parts += _at(piece, height, size, seat_names, level == len(shown) - 1)
    if len(stack) > MOST_STACKED:
        parts.append(label(f"×{len(stack)}", 0.75 * radius, 0.8 * radius, max(13.0, 0.4 * radius)))
    return Shape("g", placed(x, y), title=title, moves=moves, key=key, parts=tuple(parts))


def _at(piece: Piece, y: float, radius: float, seat_names: Sequence[str], top: bool) -> list[Shape]:
    """Return the outline of a piece and what is on it."""
    seat = piece.owner(seat_names)
    form = piece.form or (SEAT_FORMS[seat % 6] if seat is not None and piece.words else "disc")
    mine = seat_colour(seat_names, seat) if seat is not None else NEUTRAL
    fill = piece.colour or mine
    outline = form_shape(form, y, radius, fill)
    if not top:
        return [outline]
    size = min(1.05, 1.75 / max(len(piece.words), 1)) * radius
    ink = (piece.colour or (mine if seat is not None else "var(--ink)")) if form == "bare" else ON_COLOUR
    if piece.words:
        at = y + _MIDDLE.get(form, 0.03) * radius
        return [outline, label(piece.words, 0.0, at, size, fill=ink, **{"font-weight": "bold"})]
    if seat is not None and form == "disc":  # the form of the seat, so that colour is not all that tells
        mark = form_shape(SEAT_FORMS[seat % 6], y, 0.45 * radius, "none")
        return [outline, Shape(mark.tag, {**mark.at, "stroke": ON_COLOUR, "stroke-width": max(1.5, 0.12 * radius)})]
    return [outline]


def form_shape(form: str, y: float, radius: float, fill: str) -> Shape:
    """Return a form around a point below the origin."""
    paint: Paint = {"fill": fill, "stroke": RIM, "stroke-width": 1.0}
    if form == "disc":
        return Shape("circle", {"cx": 0.0, "cy": y, "r": radius, **paint})
    if form == "bare":
        return Shape("circle", {"cx": 0.0, "cy": y, "r": radius, "fill": "transparent"})
    if form == "square":
        side = 0.9 * radius
        return Shape("rect", {
            "x": -side, "y": y - side, "width": 2 * side, "height": 2 * side, "rx": 0.2 * radius, **paint,
        })  # fmt: skip
    if form == "bar":
        wide = 0.32 * radius
        return Shape(
            "rect", {"x": -wide, "y": y - radius, "width": 2 * wide, "height": 2 * radius, "rx": wide, **paint}
        )
    corners, reach = _POLYGONS[form]
    return Shape("polygon", {"points": polygon(0.0, y, reach * radius, corners), "stroke-linejoin": "round", **paint})


def polygon(x: float, y: float, radius: float, corners: int) -> str:
    """Return the corners of a regular polygon that stands on a side or a tip, its first corner on top."""
    turns = [2 * pi * k / corners - pi / 2 for k in range(corners)]
    return " ".join(f"{x + radius * cos(turn):.2f},{y + radius * sin(turn):.2f}" for turn in turns)
