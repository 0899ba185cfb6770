"""The star: its fields as numbers, its six points, and what a piece can step to and jump over from each field.

A place has axial coordinates (q, r): q runs east along a row, r north, and a row lies half a field to the east of the
one below, so that q + r / 2 is how far east a place is. The small star lies inside the large one, and fields have the
same numbers on both. Jumps change q and r by even numbers, so that no piece jumps out of its class of fields, those
with the same q and r modulo 2. Numbers run through one class after the other, and so do the bits of two words.
"""

import numpy as np

from kibitz.core.grids import HEX_STEPS

SMALL, LARGE = 3, 4  # rows in a point of the star
POINTS = 6
CLASSES = 4
WORD = 61  # fields in a word: half of them, so that no mask is negative

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


def turned(place: Place) -> Place:
    """Return where a place goes when the board is turned by a sixth, so that every point takes the place of the next."""
    return place[0] + place[1], -place[0]


def tips(depth: int) -> list[Place]:
    """Return the outermost place of every point."""
    found = [(depth, -2 * depth)]
    while len(found) < POINTS:
        found.append(turned(found[-1]))
    return found


def apart(one: Place, other: Place) -> int:
    """Return how many steps lie between two places."""
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def _class_of(place: Place) -> int:
    return (place[0] & 1) + 2 * (place[1] & 1)


PLACES = sorted(star(LARGE), key=lambda place: (_class_of(place), place[1], place[0]))  # by their numbers
FIELDS = len(PLACES)
FIELD_AT = {place: field for field, place in enumerate(PLACES)}


def words(places: list[Place]) -> list[int]:
    """Return places as the masks of two words."""
    fields = [FIELD_AT[place] for place in places]
    return [sum(1 << field % WORD for field in fields if field // WORD == word) for word in range(2)]


def _beside(place: Place, steps: int) -> list[Place | None]:
    """Return the places some steps away in each direction, or None where the large star ends."""
    found = [(place[0] + steps * dq, place[1] + steps * dr) for dq, dr in HEX_STEPS]
    return [there if there in FIELD_AT else None for there in found]


def _jumps() -> tuple[np.ndarray, np.ndarray]:
    """Return the neighbours of each field that can be jumped over and, by which are taken, where jumps may end."""
    crossed = np.zeros((FIELDS, 2), dtype=np.int64)
    landings = np.zeros((FIELDS, 1 << len(HEX_STEPS)), dtype=np.int64)
    for field, place in enumerate(PLACES):
        ways = zip(_beside(place, 1), _beside(place, 2), strict=True)
        open_ways = sorted((FIELD_AT[near], FIELD_AT[far]) for near, far in ways if near and far)
        crossed[field] = words([PLACES[near] for near, _ in open_ways])
        for taken in range(1 << len(open_ways)):
            ends = [far - int(FIRST[CLASS[far]]) for k, (_, far) in enumerate(open_ways) if taken >> k & 1]
            landings[field, taken] = sum(1 << end for end in ends)
    return crossed, landings


def _in_first_word(masks: np.ndarray) -> np.ndarray:
    """Return how many fields of each mask are in the first of its words."""
    return np.array([int(first).bit_count() for first, _ in masks])


CLASS = np.array([_class_of(place) for place in PLACES])
FIRST = np.array([list(CLASS).index(kind) for kind in range(CLASSES)])  # the first field of each class
MEMBERS = np.array([words([place for place in PLACES if _class_of(place) == kind]) for kind in range(CLASSES)])
STEPS = np.array([words([there for there in _beside(place, 1) if there]) for place in PLACES])
# CROSSED[field] are the neighbours that a piece can jump over from a field. LANDINGS[field, taken] is where those jumps
# end, as bits of the class, if `taken` says which of these neighbours, in the order of their numbers, are taken.
CROSSED, LANDINGS = _jumps()
MEMBERS_SPLIT, CROSSED_SPLIT = _in_first_word(MEMBERS), _in_first_word(CROSSED)
