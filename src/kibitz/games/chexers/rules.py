"""Chexers: three colours cross a board of 37 hexes; a piece jumped over changes colour, and four brought out win.

A mask holds hex (q, r) as bit 8 (r + 3) + (q + 3): 7 rows in a frame of 8 columns. Bits outside the board are never
set, so that one shift takes every piece a step, and none from one edge to the other.

A move is 64 k + the bit of the hex the piece stands on. With k = 0..5 it goes in direction k: a step (MOVE) where the
next hex is empty, else two over the piece there (JUMP). With k = 6 it leaves the board (EXIT). PASS stands by itself.
"""

from collections.abc import Iterable

import numpy as np

from kibitz.core.bits import gather, lowest, nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.grids import HEX_STEPS, Hexagon
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper
from kibitz.core.options import Option

VERSION = 1
SEATS = (3, 3)
MOST_TURNS = 768
MOST_MOVES = 72  # six for each of 12 pieces: one on an exit hex has at most four directions and its exit
PAYOFF_SUM = 1
SEAT_NAMES = ("red", "green", "blue")
OPTIONS: dict[str, Option] = {}

MARK_CELLS = 8  # more cells take longer to copy; with fewer, positions share a mark more often
BLOCK = 8  # positions of the past that stand together, behind a cell with their traits
CELLS = cells(
    PIECES=3,  # the pieces of red, green and blue: masks
    EXITS=3,  # how many pieces each has brought out
    SEAT=1,  # the seat to move, or OVER
    OCCURRENCES=1,  # how often the position has occurred, this time included
    TURNS=1,  # turns taken, passes included
    WINNER=1,  # the seat that won, or NONE
    LENGTH=1,  # how many positions are remembered
    MARKS=MARK_CELLS,  # a bit for each position remembered; several may share one
    PAST=(MOST_TURNS // BLOCK + 1) * (BLOCK + 1),  # those that can still come back, oldest first, in blocks
)
PIECES, EXITS, SEAT, OCCURRENCES, TURNS, WINNER, LENGTH, MARKS, PAST = CELLS
NONE = -1
ALL_PIECES = 12
TO_WIN = 4  # exits
TO_DRAW = 4  # occurrences of a position
LATE = 64  # turns before the last; no search looks further ahead

Place = tuple[int, int]  # (q, r)
HEXAGON = Hexagon(3)
MOST_STEPS = 2 * HEXAGON.radius  # between two hexes


def bit_of(place: Place) -> int:
    """Return the bit of the hex (q, r)."""
    return 8 * (place[1] + 3) + place[0] + 3


def mask_of(places: Iterable[Place]) -> int:
    """Return the mask of several hexes."""
    return sum(1 << bit_of(place) for place in places)


def places_in(mask: int) -> list[Place]:
    """Return the hexes of a mask."""
    return [place for place in HEXAGON.places if int(mask) >> bit_of(place) & 1]


def stepped(place: Place, direction: int, steps: int = 1) -> Place:
    """Return the hex some steps away in a direction, perhaps off the board."""
    return place[0] + steps * HEX_STEPS[direction][0], place[1] + steps * HEX_STEPS[direction][1]


def apart(one: Place, other: Place) -> int:
    """Return how many steps lie between two hexes."""
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def steps_to(targets: Iterable[int]) -> np.ndarray:
    """Return, by seat and bit, the steps to the nearest hex of the seat's targets."""
    table = np.zeros((3, 64), dtype=np.int64)
    for seat, goals in enumerate(map(places_in, targets)):
        for place in HEXAGON.places:
            table[seat, bit_of(place)] = min(apart(place, goal) for goal in goals)
    return table


HEXES = mask_of(HEXAGON.places)
STARTS = np.array([
    mask_of([(-3, 3), (-3, 2), (-3, 1), (-3, 0)]),
    mask_of([(0, -3), (1, -3), (2, -3), (3, -3)]),
    mask_of([(3, 0), (2, 1), (1, 2), (0, 3)]),
])  # fmt: skip
EXIT_HEXES = np.array([
    mask_of([(3, -3), (3, -2), (3, -1), (3, 0)]),
    mask_of([(-3, 3), (-2, 3), (-1, 3), (0, 3)]),
    mask_of([(-3, 0), (-2, -1), (-1, -2), (0, -3)]),
])  # fmt: skip
STEPS_TO_EXIT = steps_to(EXIT_HEXES)
# AT_EXIT[seat, steps] are the hexes at a distance of `steps` from the nearest exit hex of a seat.
AT_EXIT = np.array([
    [mask_of(place for place in HEXAGON.places if STEPS_TO_EXIT[seat, bit_of(place)] == steps)
     for steps in range(MOST_STEPS + 1)]
    for seat in range(3)
])  # fmt: skip
STEPS = np.array([8 * dr + dq for dq, dr in HEX_STEPS])  # the offset of each direction in bits: -1 -8 -7 1 8 7
EXIT = 64 * len(STEPS)
PASS = EXIT + 64
MOVES_BELOW = PASS + 1


@helper
def occupied(state):
    """Return the occupied hexes."""
    return state[PIECES] | state[PIECES + 1] | state[PIECES + 2]


@helper
def _going_up(own, full, empty, step):
    return own & ((empty >> step) | ((full >> step) & (empty >> 2 * step)))


@helper
def _going_down(own, full, empty, step):
    return own & ((empty << step) | ((full << step) & (empty << 2 * step)))


@helper
def choices(state):
    """Return the pieces of the seat to move that can go in each of the six directions, and those that can exit."""
    own, full = state[PIECES + state[SEAT]], occupied(state)
    empty = HEXES & ~full
    return (
        _going_down(own, full, empty, 1),
        _going_down(own, full, empty, 8),
        _going_down(own, full, empty, 7),
        _going_up(own, full, empty, 1),
        _going_up(own, full, empty, 8),
        _going_up(own, full, empty, 7),
        own & EXIT_HEXES[state[SEAT]],
    )


@helper
def one_of(found, rng):
    """Draw a move from the pieces found for each direction and for exits; PASS if there are none."""
    n = 0
    for movers in found:
        n += popcount(movers)
    i = below(rng, max(n, 1))
    kind = 0
    for movers in found:
        if i < popcount(movers):
            return kind + nth(movers, i)
        i -= popcount(movers)
        kind += 64
    return PASS


@helper
def _position(state):
    """Return board and seat in one number: 37 bits of hexes, 12 of red among the pieces, 12 of green, 2 of the seat."""
    full = occupied(state)
    colours = (gather(state[PIECES], full) << 12) | gather(state[PIECES + 1], full)
    return (gather(full, HEXES) << 26) | (colours << 2) | state[SEAT]


@helper
def _mixed(position):
    """Return a number from which the mark and the traits of a position are taken."""
    position ^= position >> 29
    position ^= position >> 17
    return position ^ (position >> 9)


@helper
def _traits(mixed):
    return (1 << (mixed & 63)) | (1 << ((mixed >> 15) & 63))


@helper
def past_cell(n):
    """Return the cell of position n of the past; where it is the first of a block, the cell before has its traits."""
    return PAST + n + (n >> 3) + 1


@helper
def occurrences(state, position):
    """Count how often a position occurs in the past; only blocks in which its traits occur are looked through."""
    traits, length, times = _traits(_mixed(position)), state[LENGTH], 0
    for first in range(0, length, BLOCK):
        cell = past_cell(first)
        if state[cell - 1] & traits == traits:
            for i in range(min(BLOCK, length - first)):
                times += state[cell + i] == position
    return times


@helper
def append(state, position):
    """Append a position to the past."""
    n, traits = state[LENGTH], _traits(_mixed(position))
    cell = past_cell(n)
    block = cell - (n & (BLOCK - 1)) - 1
    state[block] = state[block] | traits if n & (BLOCK - 1) else traits
    state[cell] = position
    state[LENGTH] = n + 1


@helper
def remember(state):
    """Append the present position to the past and count how often it has occurred."""
    here = _position(state)
    mark = _mixed(here) & (64 * MARK_CELLS - 1)
    cell, bit = MARKS + (mark >> 6), 1 << (mark & 63)
    times = 1
    if state[cell] & bit:
        times += occurrences(state, here)
    state[cell] |= bit
    append(state, here)
    state[OCCURRENCES] = times


@helper
def forget(state):
    """Drop the past: no position of it can come back."""
    state[LENGTH] = 0
    for i in range(MARK_CELLS):
        state[MARKS + i] = 0


@helper
def _go(state, seat, start, step):
    """Move or jump. Conversions can be undone, but a colour that loses its last piece never has one again."""
    jumped = (occupied(state) >> (start + step)) & 1
    over = jumped << (start + step)
    if over != 0 and (state[PIECES] == over or state[PIECES + 1] == over or state[PIECES + 2] == over):
        forget(state)
    for other in range(3):
        state[PIECES + other] &= ~over
    state[PIECES + seat] ^= over | (1 << start) | (1 << (start + step + jumped * step))


@helper
def _exit(state, seat, start):
    """Leave the board, which never has as many pieces again."""
    state[PIECES + seat] ^= 1 << start
    state[EXITS + seat] += 1
    forget(state)


@rule
def deal(state, options, rng):
    for seat in range(3):
        state[PIECES + seat] = STARTS[seat]
    state[WINNER] = NONE
    remember(state)


@rule
def moves(state, out):
    n = 0
    kind = 0
    for movers in choices(state):
        left = movers
        while left:
            out[n] = kind + lowest(left)
            left &= left - 1
            n += 1
        kind += 64
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def sample(state, rng):
    return one_of(choices(state), rng)


@rule
def play(state, move):
    seat = state[SEAT]
    if move < EXIT:
        _go(state, seat, move & 63, STEPS[move >> 6])
    elif move != PASS:
        _exit(state, seat, move & 63)
    state[TURNS] += 1
    if state[EXITS + seat] == TO_WIN:
        state[WINNER] = seat
        state[SEAT] = OVER
        return
    state[SEAT] = seat + 1 if seat < 2 else 0
    remember(state)
    if state[OCCURRENCES] == TO_DRAW or state[TURNS] >= MOST_TURNS:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    winner = state[WINNER]
    for seat in range(3):
        out[seat] = 1 / 3 if winner == NONE else 0.0
    if winner != NONE:
        out[winner] = 1.0


@rule
def progress(state):
    return state[TURNS]


@rule
def extent(state):
    return past_cell(state[LENGTH] - 1) + 1


@rule
def key(state):
    # Pieces, exits, seat and occurrences, and the turns left once they are few. The rest of the past is left out, so a
    # search treats transpositions as equal, although they differ in which positions may yet be repeated.
    late = max(state[TURNS] - (MOST_TURNS - LATE), 0)
    return hash_cells(state, OCCURRENCES + 1) ^ late
