"""Chinese Checkers: step or jump from one point of a star to the opposite one; the first to fill it wins.

star.py numbers the fields. The number of a move is 128 times the field where it starts plus the field where it ends;
PASS stands by itself. Fields that the board lacks are never empty, so that no piece goes there.
"""

from typing import Any

import numpy as np

from kibitz.core.bits import gather, lowest, nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.core.scratch import scratch
from kibitz.games.chinese_checkers.star import (
    CLASS,
    CROSSED,
    CROSSED_SPLIT,
    FIELD_AT,
    FIELDS,
    FIRST,
    LANDINGS,
    LARGE,
    MEMBERS,
    MEMBERS_SPLIT,
    POINTS,
    SMALL,
    STEPS,
    WORD,
    points,
    star,
    words,
)

VERSION = 1
SEATS = (2, 6)
USUAL_SEATS = 3
SEAT_NAMES = ("red", "green", "blue", "yellow", "violet", "white")
OPTIONS = {"fields": Option("73", "the fields of the board: 6 pieces a seat with 73, 10 with 121", choices=("73", "121"))}
PAYOFF_SUM = 1
TURNS_EACH = 200  # before the game ends without a winner
FOUND_SIZE = 30  # a start and two words of ends for each of ten pieces
MOST_MOVES = 400  # ten pieces, each with fewer than 40 fields to step or jump to
PASS = 128 * FIELDS
MOVES_BELOW = PASS + 1
NONE = -1
LATE = 64  # turns before the last; no search looks further ahead

CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    PIECES=12,  # the pieces of each seat: masks of two words
    EMPTY=2,  # the fields of the board without a piece: a mask of two words
    TURNS=1,  # turns taken, passes included
    WINNER=1,  # the seat that won, or NONE
    COUNT=1,  # the number of seats
    BOARD=1,  # the small star or the large one: 0 or 1
)
SEAT, PIECES, EMPTY, TURNS, WINNER, COUNT, BOARD = CELLS

DEPTHS = (SMALL, LARGE)  # by board
SEATED = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # the point of each seat, by seats
POINT = np.array([[*SEATED.get(count, ()), *[NONE] * POINTS][:POINTS] for count in range(POINTS + 1)])  # [seats, seat]
OPPOSITE = POINTS // 2  # points on

STARS = np.array([words(star(depth)) for depth in DEPTHS])  # [board, word]
POINT_WORDS = np.array([[words(places) for places in points(depth)] for depth in DEPTHS])  # [board, point, word]


def _goals() -> np.ndarray:
    """Return, by board, seats and field, the seat whose goal the field is in, or NONE."""
    table = np.full((len(DEPTHS), POINTS + 1, FIELDS), NONE)
    for board, depth in enumerate(DEPTHS):
        for count, seated in SEATED.items():
            for seat, point in enumerate(seated):
                for place in points(depth)[(point + OPPOSITE) % POINTS]:
                    table[board, count, FIELD_AT[place]] = seat
    return table


GOAL_OF = _goals()


def refuse(options: dict[str, Any]) -> str | None:
    """Return why a number of seats cannot be played."""
    return None if options["seats"] in SEATED else "the star has room for 2, 3, 4 or 6 seats"


@helper
def word_of(field):
    """Return the word that a field is in."""
    return 1 if field >= WORD else 0


@helper
def bit_of(field):
    """Return a field as a mask of its word."""
    return 1 << (field - WORD if field >= WORD else field)


@helper
def _jumps(first, second, start):
    """Return where chains of jumps may end, as bits of the class, given the empty fields."""
    kind = CLASS[start]
    base = FIRST[kind]
    free = gather(first, MEMBERS[kind, 0]) | (gather(second, MEMBERS[kind, 1]) << MEMBERS_SPLIT[kind])
    reached = left = 1 << (start - base)
    while left:
        field = base + lowest(left)
        left &= left - 1
        taken = gather(~first, CROSSED[field, 0]) | (gather(~second, CROSSED[field, 1]) << CROSSED_SPLIT[field])
        new = LANDINGS[field, taken] & free & ~reached
        reached |= new
        left |= new
    return reached ^ (1 << (start - base))


@helper
def ends(state, start):
    """Return where a piece may step or jump to, as two words."""
    first, second = state[EMPTY], state[EMPTY + 1]
    jumps, base = _jumps(first, second, start), FIRST[CLASS[start]]
    first &= STEPS[start, 0]
    second &= STEPS[start, 1]
    if base >= WORD:
        return first, second | (jumps << (base - WORD))
    return first | ((jumps << base) & ((1 << WORD) - 1)), second | (jumps >> (WORD - base))


@helper
def _list_word(kind, fields, out, n):
    """Write moves that end on the fields of one word; return how many moves there are then."""
    while fields:
        out[n] = kind + lowest(fields)
        fields &= fields - 1
        n += 1
    return n


@rule
def deal(state, options, rng):
    state[COUNT] = options[0]
    state[BOARD] = options[1]
    state[WINNER] = NONE
    for word in range(2):
        state[EMPTY + word] = STARS[state[BOARD], word]
        for seat in range(state[COUNT]):
            home = POINT_WORDS[state[BOARD], POINT[state[COUNT], seat], word]
            state[PIECES + 2 * seat + word] = home
            state[EMPTY + word] ^= home


@rule
def moves(state, out):
    n = 0
    for word in range(2):
        left = state[PIECES + 2 * state[SEAT] + word]
        while left:
            start = WORD * word + lowest(left)
            left &= left - 1
            first, second = ends(state, start)
            n = _list_word(128 * start, first, out, n)
            n = _list_word(128 * start + WORD, second, out, n)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def sample(state, rng):
    found, n, total = scratch(FOUND_SIZE), 0, 0
    for word in range(2):
        left = state[PIECES + 2 * state[SEAT] + word]
        while left:
            start = WORD * word + lowest(left)
            left &= left - 1
            first, second = ends(state, start)
            found[n], found[n + 1], found[n + 2] = start, first, second
            total += popcount(first) + popcount(second)
            n += 3
    i = below(rng, max(total, 1))
    for k in range(0, n, 3):
        first, second = popcount(found[k + 1]), popcount(found[k + 2])
        if i < first:
            return 128 * found[k] + nth(found[k + 1], i)
        if i < first + second:
            return 128 * found[k] + WORD + nth(found[k + 2], i - first)
        i -= first + second
    return PASS


@helper
def filled(state, seat):
    """Return whether a seat's goal is full, with a piece of its own in it."""
    goal = POINT[state[COUNT], seat] + OPPOSITE
    goal -= POINTS if goal >= POINTS else 0
    first, second = POINT_WORDS[state[BOARD], goal, 0], POINT_WORDS[state[BOARD], goal, 1]
    if (first & state[EMPTY]) | (second & state[EMPTY + 1]):
        return False
    return (first & state[PIECES + 2 * seat]) | (second & state[PIECES + 2 * seat + 1]) != 0


@helper
def _go(state, seat, start, end):
    """Move a piece; whoever's goal it filled has won."""
    for field in (start, end):
        state[PIECES + 2 * seat + word_of(field)] ^= bit_of(field)
        state[EMPTY + word_of(field)] ^= bit_of(field)
    goal_of = GOAL_OF[state[BOARD], state[COUNT], end]
    if goal_of != NONE and filled(state, goal_of):
        state[WINNER] = goal_of
        state[SEAT] = OVER


@rule
def play(state, move):
    seat = state[SEAT]
    state[SEAT] = seat + 1 if seat + 1 < state[COUNT] else 0
    state[TURNS] += 1
    if move != PASS:
        _go(state, seat, move >> 7, move & 127)
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
    # The seat and its pieces, and the turns left once they are few.
    late = max(state[TURNS] - (TURNS_EACH * state[COUNT] - LATE), 0)
    return hash_cells(state, EMPTY) ^ late
