"""The things that a picture of Chinese Checkers is made of: the star with its points, holes and marbles."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from kibitz.core.scene import Paint, Panel, Shape, box, caption, label, placed
from kibitz.games.chinese_checkers.measures import AT_START, STEPS_LEFT
from kibitz.games.chinese_checkers.notation import NAMES, owners
from kibitz.games.chinese_checkers.rules import (
    AIMING,
    BOARD,
    COUNT,
    DEPTHS,
    NONE,
    PASS,
    POINT,
    SEAT_NAMES,
    end_of,
    start_of,
)
from kibitz.games.chinese_checkers.star import POINTS, Place, field_of, star, turned

LETTERS = tuple(name[0].upper() for name in SEAT_NAMES)
STYLES = ("red", "green", "blue", "yellow", "magenta", "white")  # of the seats, in text
COLOURS = ("#cf3b32", "#3f9a4c", "#2f6fc4", "#f0c62e", "#8a4fb5", "#fbf9f4")
RIMS = ("#86211b", "#1f5c2a", "#1a4380", "#8f7109", "#552c75", "#7d7668")
TINTS = ("#eeb5a6", "#b9d6a5", "#b1c8e6", "#f8e6a0", "#d3bce2", "#ffffff")  # of the points where they start
ON_COLOURS = ("#ffffff", "#ffffff", "#ffffff", "#3a2c00", "#ffffff", "#3a352c")
WOOD, EDGE, INLAY, HOLE, HOLE_EDGE, NAME = "#dcb878", "#a57c3f", "#ecd3a0", "#fbf2dc", "#b99f6c", "#705a2e"

WIDTH, HEIGHT = 412.0, 478.0  # of the board
MIDDLE = (WIDTH / 2, HEIGHT / 2)
GAPS = (37.0, 28.0)  # between neighbours, by board
HOLE_RADIUS, MARBLE, THUMB = 0.4, 0.42, 0.5  # radii in gaps; a click hits within the last
SMALL = 13.4  # letters
BORDER, BORDER_LETTER = 50.0, 19.0  # how broad the line around the star is; how far west of its row a letter is
SIDE_WIDTH, SIDE_HEIGHT = 320.0, 44.0
BAR_LEFT, BAR_WIDTH, BAR = 44.0, 128.0, 12.0


def board(view: np.ndarray, legal: Sequence[int], turns: str) -> Panel:
    """Draw the star; a marble carries its moves, a hole those that end there."""
    ends: dict[int, list[int]] = {}
    for move in map(int, legal):
        for field in () if move == PASS else (start_of(move), end_of(move)):
            ends.setdefault(int(field), []).append(move)
    owner, names = owners(view), NAMES[view[BOARD]]
    shapes = [*_ground(view), label(turns, WIDTH - 6.0, 12.0, SMALL, fill="var(--faint)", **{"text-anchor": "end"})]
    shapes += [
        _row_letter(view, field, name[0]) for field, name in names.items() if name[1:] == "1" and _is_large(view)
    ]
    shapes += [_hole(view, field, name, ends.get(field, [])) for field, name in names.items()]
    for field, name in names.items():
        if field in owner:
            title = f"{SEAT_NAMES[owner[field]]} piece on {name}"
            shapes.append(_marble(owner[field], *_at(view, field), _gap(view), title, tuple(ends.get(field, []))))
    return Panel("board", WIDTH, HEIGHT, shapes)


def race(view: np.ndarray, seat: int, arrived: int, pieces: int) -> Panel:
    """Draw how far a seat has come: the steps that its pieces have covered, and how many are in its goal."""
    left = STEPS_LEFT[view[BOARD], POINT[view[COUNT], seat]]
    whole = int(AT_START[view[BOARD]]) - sum(sorted(left[list(NAMES[view[BOARD]])].tolist())[:pieces])
    done = int(AT_START[view[BOARD]]) - sum(int(left[field]) for field, owner in owners(view).items() if owner == seat)
    share, middle, title = min(max(done / whole, 0.0), 1.0), SIDE_HEIGHT / 2, f"{done} of {whole} steps forward"
    shapes = [
        replace(_marble(seat, 20.0, middle, 32.0, SEAT_NAMES[seat]), key=""),
        _bar(BAR_WIDTH, "none", title, stroke="var(--faint)"),
        _bar(share * BAR_WIDTH, COLOURS[seat], title, stroke=RIMS[seat]),
        caption(f"{arrived} of {pieces} in goal", BAR_LEFT + BAR_WIDTH + 12.0, middle, SMALL),
    ]
    return Panel(SEAT_NAMES[seat], SIDE_WIDTH, SIDE_HEIGHT, shapes, seat=seat)


def _bar(width: float, fill: str, title: str, stroke: str) -> Shape:
    bar = box(BAR_LEFT, SIDE_HEIGHT / 2 - BAR / 2, width, BAR, fill, rx=min(BAR, width) / 2, stroke=stroke)
    return replace(bar, title=title)


def _is_large(view: np.ndarray) -> bool:
    return bool(view[BOARD] == 1)


def _gap(view: np.ndarray) -> float:
    return GAPS[view[BOARD]]


def _point(place: tuple[float, float], gap: float) -> tuple[float, float]:
    """Return where a place is drawn."""
    q, r = place
    return MIDDLE[0] + gap * (q + r / 2), MIDDLE[1] - gap * sqrt(3) / 2 * r


def _places() -> dict[int, Place]:
    return {field_of(place): place for place in star(max(DEPTHS))}


_PLACE = _places()


def _at(view: np.ndarray, field: int) -> tuple[float, float]:
    return _point(_PLACE[field], _gap(view))


def _ground(view: np.ndarray) -> Iterator[Shape]:
    """Draw the wood: the whole star, its middle, and each point in the colour of the seat that starts there."""
    depth, gap = DEPTHS[view[BOARD]], _gap(view)
    tip, valley = (depth, -2 * depth), (0, -depth)
    outline = [turned(corner, point) for point in range(POINTS) for corner in ((depth, -depth), tip, valley)]
    yield _polygon(outline, gap, WOOD, BORDER + 4.0, EDGE)
    yield _polygon(outline, gap, WOOD, BORDER, WOOD)
    homes = {int(POINT[view[COUNT], seat]): seat for seat in range(view[COUNT])}
    for point in range(POINTS):
        tint = TINTS[homes[point]] if point in homes else INLAY
        corners = [turned(corner, point) for corner in ((depth, -depth - 1), (1, -depth - 1), tip)]
        yield _polygon(corners, gap, tint, 0.9 * gap, tint)
    yield _polygon([turned((depth, -depth), point) for point in range(POINTS)], gap, INLAY, 0.9 * gap, INLAY)


def _polygon(places: Sequence[Place], gap: float, fill: str, width: float, stroke: str) -> Shape:
    corners = [_point(place, gap) for place in places]
    at: Paint = {"points": " ".join(f"{x:.1f},{y:.1f}" for x, y in corners), "fill": fill, "stroke": stroke}
    return Shape("polygon", {**at, "stroke-width": width, "stroke-linejoin": "round"})


def _hole(view: np.ndarray, field: int, name: str, moves: list[int]) -> Shape:
    """Draw a field; in a goal it has a ring in the colour of the seat that goes there."""
    (x, y), gap, aiming = _at(view, field), _gap(view), int(AIMING[view[BOARD], view[COUNT], field])
    ring, width = (HOLE_EDGE, 1.0) if aiming == NONE else (COLOURS[aiming], 2.5)
    hole = Shape("circle", {"r": HOLE_RADIUS * gap, "fill": HOLE, "stroke": ring, "stroke-width": width})
    parts = [hole, Shape("circle", {"r": THUMB * gap, "fill": "transparent"})]
    if not _is_large(view):
        parts.insert(1, label(name, 0.0, 0.0, SMALL, fill=NAME))
    title = name if aiming == NONE else f"{name}: goal of {SEAT_NAMES[aiming]}"
    return Shape("g", placed(x, y), title=title, moves=tuple(moves), key=f"field {name}", parts=tuple(parts))


def _row_letter(view: np.ndarray, field: int, letter: str) -> Shape:
    """Draw the letter of a row beside its first field, where fields have no room for their names."""
    x, y = _at(view, field)
    return label(letter, x - BORDER_LETTER, y, SMALL, fill=NAME)


def _marble(seat: int, x: float, y: float, gap: float, title: str, moves: tuple[int, ...] = ()) -> Shape:
    """Draw a marble of a seat's colour, with its letter."""
    radius = MARBLE * gap
    parts = (
        Shape("circle", {"r": radius, "fill": COLOURS[seat], "stroke": RIMS[seat], "stroke-width": 1.4}),
        Shape("ellipse", {"cx": -0.3 * radius, "cy": -0.52 * radius, "rx": 0.38 * radius, "ry": 0.24 * radius,
                          "fill": "#ffffff", "opacity": 0.45}),
        label(LETTERS[seat], 0.0, 0.5, max(SMALL, 1.05 * radius), fill=ON_COLOURS[seat], **{"font-weight": "bold"}),
    )  # fmt: skip
    return Shape("g", placed(x, y), title=title, moves=moves, key=f"{SEAT_NAMES[seat]} piece", parts=parts)
