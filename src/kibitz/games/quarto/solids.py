"""The pieces of Quarto as solids of wood, seen from above the table's edge, and the wells they stand in.

Lengths are in radii of a round piece; a solid is drawn around the middle of its foot.
"""

from dataclasses import dataclass
from math import cos, pi, sin, sqrt

from kibitz.core.scene import Paint, Shape, placed
from kibitz.games.quarto.notation import piece_name, piece_words

Point = tuple[float, float]

TILT = 0.74  # how high a circle on the table looks for its width
SHORT, TALL = 0.8, 2.0
HALF_DIAGONAL = 1.24  # of a square piece
TURN = 0.56 * pi  # the angle of the corner of a square piece that is nearest to the viewer
HOLE, DEPTH = 0.56, 0.34
WELL = 1.45


@dataclass(frozen=True)
class Wood:
    """The tones of a piece: its top, its sides in the light and away from it, its edges, its hole."""

    top: str
    light: str
    dark: str
    edge: str
    wall: str
    ground: str


WOODS = (
    Wood("#fdf0d2", "#efd6a4", "#d2ac6c", "#8a6530", "#a87f45", "#5e421d"),
    Wood("#6b4632", "#4b2d1f", "#321c12", "#1d0f08", "#2a160d", "#0d0603"),
)
WELL_EDGE, WELL_GROUND, WELL_SHADE = "#96632f", "#b5803f", "#8f5d2a"


def solid(piece: int, x: float, y: float, radius: float, moves: tuple[int, ...] = ()) -> Shape:
    """Return a piece that stands at a point; its outline comes first, and its key is its name."""
    black, tall, is_round, is_solid = (piece >> k & 1 for k in range(4))
    wood, height = WOODS[black], radius * (TALL if tall else SHORT)
    body = _cylinder(radius, height, wood) if is_round else _box(radius * HALF_DIAGONAL, height, wood)
    hole = () if is_solid else _hole(radius * HOLE, radius * DEPTH, height, wood)
    name = piece_name(piece)
    title = f"{name}: {piece_words(piece)}"
    return Shape("g", placed(x, y), title=title, moves=moves, key=name, parts=(*body, *hole))


def well(x: float, y: float, radius: float) -> tuple[Shape, Shape]:
    """Return the hollow in which a piece of that radius stands; its outline comes first."""
    wide, high = radius * WELL, radius * WELL * TILT
    ground: Paint = {"cx": x, "cy": y, "rx": wide, "ry": high, "fill": WELL_GROUND, "stroke": WELL_EDGE}
    shade = _crescent(x, y, wide, high, 0.2 * high)
    return Shape("ellipse", {**ground, "stroke-width": 1.5}), Shape("path", {"d": shade, "fill": WELL_SHADE})


def _cylinder(radius: float, height: float, wood: Wood) -> tuple[Shape, ...]:
    flat = radius * TILT
    around = f"M{-radius:.2f} 0V{-height:.2f}{_arc(radius, flat, radius, -height)}V0{_arc(radius, flat, -radius, 0)}Z"
    return (
        Shape("path", {"d": around, "fill": wood.light, **_edge(wood)}),
        _shadow(radius, flat),
        Shape("path", {"d": around, "fill": wood.light}),
        Shape("path", {"d": _strip(radius, height, 0.25, 1.0), "fill": wood.dark}),
        Shape("path", {"d": _strip(radius, height, -0.72, -0.4), "fill": wood.top, "opacity": 0.55}),
        Shape("ellipse", {"cx": 0.0, "cy": -height, "rx": radius, "ry": flat, "fill": wood.top, **_edge(wood)}),
    )


def _strip(radius: float, height: float, left: float, right: float) -> str:
    """Return the part of a cylinder's side between two fractions of its radius."""
    flat = radius * TILT
    (x, y), (end, low) = ((radius * at, flat * sqrt(1 - at * at)) for at in (left, right))
    down = f"M{x:.2f} {y - height:.2f}V{y:.2f}{_arc(radius, flat, end, low, 0)}"
    return f"{down}V{low - height:.2f}{_arc(radius, flat, x, y - height)}Z"


def _box(reach: float, height: float, wood: Wood) -> tuple[Shape, ...]:
    near, left, far, right = (_corner(reach, k) for k in range(4))
    around = _points(near, left, _up(left, height), _up(far, height), _up(right, height), right)
    lit = _points(near, left, _up(left, height), _up(near, height))
    unlit = _points(near, right, _up(right, height), _up(near, height))
    top = _points(*(_up(corner, height) for corner in (near, left, far, right)))
    return (
        Shape("polygon", {"points": around, "fill": wood.light, **_edge(wood)}),
        _shadow(reach * 0.9, reach * 0.9 * TILT),
        Shape("polygon", {"points": lit, "fill": wood.light}),
        Shape("polygon", {"points": unlit, "fill": wood.dark}),
        Shape("polygon", {"points": top, "fill": wood.top, **_edge(wood)}),
    )


def _corner(reach: float, quarter: int) -> Point:
    """Return a corner of a square foot, counted clockwise from the nearest."""
    angle = TURN + quarter * pi / 2
    return reach * cos(angle), reach * TILT * sin(angle)


def _hole(radius: float, depth: float, height: float, wood: Wood) -> tuple[Shape, Shape]:
    flat = radius * TILT
    ground: Paint = {"cx": 0.0, "cy": -height, "rx": radius, "ry": flat, "fill": wood.ground, **_edge(wood)}
    return (
        Shape("ellipse", ground),
        Shape("path", {"d": _crescent(0.0, -height, radius, flat, depth), "fill": wood.wall}),
    )


def _crescent(x: float, y: float, wide: float, high: float, depth: float) -> str:
    """Return the visible part of the far wall of a hollow with an elliptic rim."""
    rise = depth / 2
    reach = wide * sqrt(1 - (rise / high) ** 2)
    start = f"M{x - reach:.2f} {y + rise:.2f}"
    return f"{start}{_arc(wide, high, x + reach, y + rise, large=1)}{_arc(wide, high, x - reach, y + rise, 0)}Z"


def _shadow(wide: float, high: float) -> Shape:
    at: Paint = {"cx": wide * 0.22, "cy": high * 0.1, "rx": wide * 1.08, "ry": high * 1.08}
    return Shape("ellipse", {**at, "fill": "#000000", "opacity": 0.24})


def _edge(wood: Wood) -> Paint:
    return {"stroke": wood.edge, "stroke-width": 1.0, "stroke-linejoin": "round"}


def _arc(wide: float, high: float, x: float, y: float, clockwise: int = 1, large: int = 0) -> str:
    return f"A{wide:.2f} {high:.2f} 0 {large} {clockwise} {x:.2f} {y:.2f}"


def _up(point: Point, height: float) -> Point:
    return point[0], point[1] - height


def _points(*points: Point) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
