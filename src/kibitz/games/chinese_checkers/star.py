"""The star: its fields as bits of four words, its six points, and where steps and jumps lead.

A place has axial coordinates (q, r): q runs east along a row, r north, and a row begins half a field to the west of the
one above, so that q + r / 2 is how far east a place is. The small star lies inside the large one.

Jumps change q and r by even numbers. So a piece jumps within its *lattice*, the fields with the same q and r modulo 2,
and over pieces of the other three. Each lattice is a word with rows of 8 bits, and field 64 k + i is bit i of lattice
k. The six directions are the axes east, north and northwest, up or down. A shift takes all fields of a lattice a jump
along an axis, or a step, which leads into lattice k ^ (axis + 1). No shift takes a field to another edge of the star.
"""

import numpy as np

SMALL, LARGE = 3, 4  # rows in a point of the star
POINTS = 6
LATTICES = 4
AXES = ((1, 0), (0, 1), (-1, 1))
FIELDS = 64 * LATTICES  # numbers of fields; many stand for none
ROW = 8
SOUTH_TIP = 30  # how far bit 0 of the first lattice is from the middle
SHIFTED = (0, 0, 1, 1)  # bits by which a lattice is shifted, so that no step up shifts to the right

Place = tuple[int, int]  # (q, r)


def star(depth: int) -> list[Place]:
    """Return the places of a star whose points have `depth` rows, from the southern tip, each row from the west."""
    span = range(-2 * depth, 2 * depth + 1)
    places = [(q, r) for r in span for q in span]
    return [(q, r) for q, r in places if min(q, r, -q - r) >= -depth or max(q, r, -q - r) <= depth]


def point_of(place: Place, depth: int) -> int:
    """Return the point of the star that a place is in, clockwise from the south, or -1 for the middle."""
    q, r = place
    beyond = (r < -depth, q + r < -depth, q < -depth, r > depth, q + r > depth, q > depth)
    return beyond.index(True) if True in beyond else -1


def points(depth: int) -> list[list[Place]]:
    """Return the places of every point of a star."""
    return [[place for place in star(depth) if point_of(place, depth) == point] for point in range(POINTS)]


def turned(place: Place, times: int = 1) -> Place:
    """Return where a place goes when the board is turned so that every point takes the place of the next."""
    q, r = place
    for _ in range(times % POINTS):
        q, r = q + r, -q
    return q, r


def apart(one: Place, other: Place) -> int:
    """Return how many steps lie between two places."""
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def field_of(place: Place) -> int:
    """Return the number of the field at a place."""
    q, r = place
    lattice = (q & 1) + 2 * (r & 1)
    return 64 * lattice + (q >> 1) + ROW * (r >> 1) + SHIFTED[lattice] + SOUTH_TIP


def words(places: list[Place]) -> list[int]:
    """Return places as a mask of four words."""
    fields = [field_of(place) for place in places]
    return [sum(1 << (field & 63) for field in fields if field >> 6 == lattice) for lattice in range(LATTICES)]


def _steps_up() -> np.ndarray:
    """Return, by lattice and axis, by how many bits a step up shifts to the left."""
    table = np.zeros((LATTICES, len(AXES)), dtype=np.int64)
    for q, r in ((0, 0), (1, 0), (0, 1), (1, 1)):
        for axis, (dq, dr) in enumerate(AXES):
            start, end = field_of((q, r)), field_of((q + dq, r + dr))
            table[start >> 6, axis] = (end & 63) - (start & 63)
    return table


STEP = _steps_up()
JUMP = np.array([dq + ROW * dr for dq, dr in AXES])  # by how many bits a jump up an axis shifts to the left
