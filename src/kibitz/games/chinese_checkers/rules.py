"""Chinese Checkers: step or jump from one point of a star to the opposite one; the first to fill it wins.

star.py says which bits of four words are the fields. A step is the move 256 d + the field where it starts: d = 0, 1, 2
goes up an axis, d = 3, 4, 5 down. A chain of jumps is JUMPS + 64 times that field + the bit where it ends, in the same
word. PASS stands by itself. Fields that the board lacks are never empty, so no piece goes there.
"""

from typing import Any

import numpy as np

from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.core.scratch import scratch
from kibitz.games.chinese_checkers.star import (
    AXES,
    FIELDS,
    JUMP,
    LARGE,
    LATTICES,
    POINTS,
    SMALL,
    STEP,
    field_of,
    points,
    star,
    words,
)

VERSION = 1
SEATS = (2, 6)
USUAL_SEATS = 3
SEAT_NAMES = ("red", "green", "blue", "yellow", "violet", "white")
OPTIONS = {"fields": Option("73", "the board, with 6 pieces a seat, or 10 with 121", choices=("73", "121"))}
PAYOFF_SUM = 1
TURNS_EACH = 200  # before the game ends without a winner
MOST_MOVES = 400  # ten pieces, each with fewer than 40 fields to step or jump to
DIRECTIONS = 2 * len(AXES)
JUMPS = FIELDS * DIRECTIONS
MOST_SETS = 40  # of moves alike: steps by direction and lattice, and the jumps of each of ten pieces
PASS = JUMPS + 64 * FIELDS
MOVES_BELOW = PASS + 1
NONE = -1
LATE = 64  # turns before the last; no search looks further ahead

CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    PIECES=24,  # the pieces of each seat: masks of four words
    EMPTY=4,  # the fields of the board without a piece: a mask of four words
    TURNS=1,  # turns taken, passes included
    WINNER=1,  # the seat that won, or NONE
    COUNT=1,  # the number of seats
    BOARD=1,  # the small star or the large one: 0 or 1
)
SEAT, PIECES, EMPTY, TURNS, WINNER, COUNT, BOARD = CELLS

DEPTHS = (SMALL, LARGE)  # by board
SEATED = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # the point of each seat, by seats
POINT = np.array([[*SEATED.get(count, ()), *[NONE] * POINTS][:POINTS] for count in range(POINTS + 1)])  # [seats, seat]
OPPOSITE = POINTS // 2  # points further on

STARS = np.array([words(star(depth)) for depth in DEPTHS])  # [board, word]
POINT_WORDS = np.array([[words(places) for places in points(depth)] for depth in DEPTHS])  # [board, point, word]


def _aiming() -> np.ndarray:
    """Return, by board, seats and field, the seat whose goal the field is in, or NONE."""
    table = np.full((len(DEPTHS), POINTS + 1, FIELDS), NONE)
    for board, depth in enumerate(DEPTHS):
        for count, seated in SEATED.items():
            for seat, point in enumerate(seated):
                for place in points(depth)[(point + OPPOSITE) % POINTS]:
                    table[board, count, field_of(place)] = seat
    return table


AIMING = _aiming()


def _step_ends() -> np.ndarray:
    """Return the field where each step ends, by the number of the move."""
    ends = np.zeros(JUMPS, dtype=np.int64)
    for move in range(JUMPS):
        direction, start = divmod(move, FIELDS)
        axis = direction % 3
        beside = (start >> 6) ^ (axis + 1)
        bits = STEP[start >> 6, axis] if direction < 3 else -STEP[beside, axis]
        ends[move] = 64 * beside + (start & 63) + bits
    return ends


STEP_END = _step_ends()


def refuse(options: dict[str, Any]) -> str | None:
    """Return why a number of seats cannot be played."""
    return None if options["seats"] in SEATED else "the star has room for 2, 3, 4 or 6 seats"


@helper
def _steppers(state, lattice, direction):
    """Return the fields of a lattice from which a step in a direction leads to an empty field."""
    axis = direction % 3
    beside = lattice ^ (axis + 1)
    if direction < 3:
        return state[EMPTY + beside] >> STEP[lattice, axis]
    return state[EMPTY + beside] << STEP[beside, axis]


@helper
def _jumpers(state, lattice):
    """Return, for each direction, the fields of a lattice from which there is a jump."""
    empty = state[EMPTY + lattice]
    return (
        ~_steppers(state, lattice, 0) & (empty >> JUMP[0]),
        ~_steppers(state, lattice, 1) & (empty >> JUMP[1]),
        ~_steppers(state, lattice, 2) & (empty >> JUMP[2]),
        ~_steppers(state, lattice, 3) & (empty << JUMP[0]),
        ~_steppers(state, lattice, 4) & (empty << JUMP[1]),
        ~_steppers(state, lattice, 5) & (empty << JUMP[2]),
    )


@helper
def _any_of(found):
    """Return the fields from which there is a jump in some direction."""
    return found[0] | found[1] | found[2] | found[3] | found[4] | found[5]


@helper
def _jumped(found, fields):
    """Return the fields one jump away from some fields."""
    up = ((fields & found[0]) << JUMP[0]) | ((fields & found[1]) << JUMP[1]) | ((fields & found[2]) << JUMP[2])
    down = ((fields & found[3]) >> JUMP[0]) | ((fields & found[4]) >> JUMP[1]) | ((fields & found[5]) >> JUMP[2])
    return up | down


@helper
def _chains(found, start):
    """Return the fields at which a piece can end a chain of jumps."""
    reached = _jumped(found, start)
    more = _jumped(found, reached) & ~reached
    while more:
        reached |= more
        more = _jumped(found, more) & ~reached
    return reached


@rule
def deal(state, options, rng):
    state[COUNT] = options[0]
    state[BOARD] = options[1]
    state[WINNER] = NONE
    for lattice in range(LATTICES):
        state[EMPTY + lattice] = STARS[state[BOARD], lattice]
        for seat in range(state[COUNT]):
            home = POINT_WORDS[state[BOARD], POINT[state[COUNT], seat], lattice]
            state[PIECES + LATTICES * seat + lattice] = home
            state[EMPTY + lattice] ^= home


@helper
def _find(state, firsts, ends):
    """Write moves as ascending sets, each a number and bits to add; return how many sets and how many moves."""
    own, n, total = PIECES + LATTICES * state[SEAT], 0, 0
    for direction in range(DIRECTIONS):
        for lattice in range(LATTICES):
            firsts[n] = FIELDS * direction + 64 * lattice
            ends[n] = state[own + lattice] & _steppers(state, lattice, direction)
            total += popcount(ends[n])
            n += 1
    for lattice in range(LATTICES):
        found = _jumpers(state, lattice)
        starts = state[own + lattice] & _any_of(found)
        while starts:
            start = starts & -starts
            starts ^= start
            firsts[n], ends[n] = JUMPS + 64 * (64 * lattice + lowest(start)), _chains(found, start)
            total += popcount(ends[n])
            n += 1
    return n, total


@helper
def list_moves(state, out):
    """Write the legal moves, ascending; return how many there are."""
    firsts, ends, n = scratch(MOST_SETS), scratch(MOST_SETS), 0
    sets, _ = _find(state, firsts, ends)
    for k in range(sets):
        left = ends[k]
        while left:
            out[n] = firsts[k] + lowest(left)
            left &= left - 1
            n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def moves(state, out):
    return list_moves(state, out)


@rule
def sample(state, rng):
    firsts, ends = scratch(MOST_SETS), scratch(MOST_SETS)
    sets, total = _find(state, firsts, ends)
    i = below(rng, max(total, 1))
    for k in range(sets):
        here = popcount(ends[k])
        if i < here:
            return firsts[k] + nth(ends[k], i)
        i -= here
    return PASS


@helper
def start_of(move):
    """Return the field where a move starts; not for PASS."""
    return (move - JUMPS) >> 6 if move >= JUMPS else move & (FIELDS - 1)


@helper
def end_of(move):
    """Return the field where a move ends; not for PASS."""
    if move >= JUMPS:
        return ((move - JUMPS) >> 12 << 6) + (move & 63)
    return STEP_END[move]


@helper
def goal_of(state, seat):
    """Return the point opposite the one where a seat starts."""
    home = POINT[state[COUNT], seat]
    return home + OPPOSITE if home < OPPOSITE else home - OPPOSITE


@helper
def filled(state, seat):
    """Return whether a seat's goal is full, with a piece of its own in it."""
    goal, empty, own = goal_of(state, seat), 0, 0
    for lattice in range(LATTICES):
        fields = POINT_WORDS[state[BOARD], goal, lattice]
        empty |= fields & state[EMPTY + lattice]
        own |= fields & state[PIECES + LATTICES * seat + lattice]
    return empty == 0 and own != 0


@helper
def _go(state, seat, start, end):
    """Move a piece; whoever's goal it filled has won."""
    for field in (start, end):
        state[PIECES + LATTICES * seat + (field >> 6)] ^= 1 << (field & 63)
        state[EMPTY + (field >> 6)] ^= 1 << (field & 63)
    aimed = AIMING[state[BOARD], state[COUNT], end]
    if aimed != NONE and filled(state, aimed):
        state[WINNER] = aimed
        state[SEAT] = OVER


@rule
def play(state, move):
    seat = state[SEAT]
    state[SEAT] = seat + 1 if seat + 1 < state[COUNT] else 0
    state[TURNS] += 1
    if move != PASS:
        _go(state, seat, start_of(move), end_of(move))
    if state[TURNS] >= TURNS_EACH * state[COUNT]:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    winner = state[WINNER]
    for seat in range(state[COUNT]):
        out[seat] = 1.0 / state[COUNT] if winner == NONE else 0.0
    if winner != NONE:
        out[winner] = 1.0


@rule
def progress(state):
    return state[TURNS]


@rule
def key(state):
    # The seat to move, all pieces, and the turns left once they are few.
    late = max(state[TURNS] - (TURNS_EACH * state[COUNT] - LATE), 0)
    return hash_cells(state, PIECES + LATTICES * state[COUNT]) ^ late
