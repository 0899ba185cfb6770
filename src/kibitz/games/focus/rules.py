"""Focus: stacks move as many fields as pieces, whoever is on top moves them, and what exceeds five is captured.

A mask holds a field as bit 8 row + column. The corners of the board are never set. A stack is 13 bits: its height in
the lowest three, then two for the owner of each piece, the top one first. A cell of STACKS holds four fields.

A move is 64 k + the bit of a field. With k = 4 (pieces - 1) + direction, k = 0..19, so many pieces go from there as
many fields. With k = 20 a piece from the reserve is placed there (PLACE). PASS stands by itself: no game reaches it,
but a search may hand the turn to a seat that cannot move.
"""

import numpy as np

from kibitz.core.bits import lowest, nth, popcount
from kibitz.core.cells import cells
from kibitz.core.contract import OVER, rule
from kibitz.core.dice import below
from kibitz.core.hashing import hash_cells
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.games.focus.board import CAN, DIRECTIONS, FIELDS, KINDS, MOST_SEATS, OFFSET, START, TALLEST

VERSION = 1
SEATS = (2, 4)
USUAL_SEATS = 4
SEAT_NAMES = ("red", "green", "blue", "yellow")
MOST_TURNS = 500
PAYOFF_SUM = 1
OPTIONS = {"full": Option(False, "play until only one seat can move, however much is captured")}

CELLS = cells(
    STACKS=16,  # the stacks of four fields in each
    RESERVE=MOST_SEATS,  # the pieces in reserve of each seat
    CAPTURED=MOST_SEATS,  # what each seat has captured: eight bits for each colour
    SEAT=1,  # the seat to move, or OVER
    WAITING=1,  # the seats whose first turn must place a piece: a bit mask
    TOPS=MOST_SEATS,  # the fields whose stack each seat controls: masks
    HIGH=TALLEST,  # the fields with stacks of at least 1, 2, … 5 pieces: masks
    TURNS=1,  # turns made
    WINNER=1,  # the seat that won, or NONE
    COUNT=1,  # the number of seats
    EACH=1,  # the pieces of each seat
    OF_EACH=1,  # to win: so many pieces captured of each other seat
    IN_ALL=1,  # or so many in all
)
STACKS, RESERVE, CAPTURED, SEAT, WAITING, TOPS, HIGH, TURNS, WINNER, COUNT, EACH, OF_EACH, IN_ALL = CELLS
NONE = -1
LATE = 64  # turns before the last; no search looks further ahead

PLACE = 64 * KINDS
PASS = PLACE + 64
MOVES_BELOW = PASS + 1
ALL_PIECES = 52
MOST_MOVES = len(DIRECTIONS) * ALL_PIECES + FIELDS.bit_count()  # each piece goes four ways at most, or into play
OWNERS = (1 << 2 * TALLEST) - 1  # the owners of a full stack
# By number of seats: pieces each, in reserve at the start; captured of each other seat to win, or in all.
NUMBERS = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [18, 0, 6, 6], [13, 1, 3, 10], [13, 0, 2, 10]])


@helper
def stack_on(state, at):
    """Return the stack on a field, 0 if it is free."""
    return (state[STACKS + (at >> 2)] >> ((at & 3) << 4)) & 0xFFFF


@helper
def put_stack(state, at, height, owners):
    """Put a stack on a field in place of what is there, and say who controls it."""
    cell, shift, bit = STACKS + (at >> 2), (at & 3) << 4, 1 << at
    state[cell] ^= (stack_on(state, at) ^ (height | owners << 3)) << shift
    for seat in range(MOST_SEATS):
        state[TOPS + seat] &= ~bit
    if height:
        state[TOPS + (owners & 3)] |= bit
    for less in range(TALLEST):
        state[HIGH + less] = state[HIGH + less] & ~bit | (1 if height > less else 0) << at


@helper
def placing(state, seat):
    """Return the fields on which a seat may place a piece from its reserve."""
    if (state[WAITING] >> seat) & 1:
        return FIELDS & ~state[HIGH]
    return FIELDS if state[RESERVE + seat] else 0


@helper
def can_move(state, seat):
    """Return whether a seat controls a stack or has a piece in reserve."""
    return state[TOPS + seat] != 0 or state[RESERVE + seat] != 0


@helper
def movers(state, seat, kind):
    """Return the fields from which a seat can make a kind of move."""
    return state[TOPS + seat] & state[HIGH + (kind >> 2)] & CAN[kind]


@helper
def kinds_of(state, seat):
    """Return below which number kinds of moves are possible: four for each piece of the tallest stack."""
    if (state[WAITING] >> seat) & 1:
        return 0
    own, pieces = state[TOPS + seat], 0
    while pieces < TALLEST and own & state[HIGH + pieces]:
        pieces += 1
    return 4 * pieces


@helper
def taken(state, seat, captor):
    """Return how many pieces of a seat another one has captured."""
    return (state[CAPTURED + captor] >> 8 * seat) & 255


@helper
def needed(state, seat):
    """Return how many pieces a seat must still capture to win."""
    missing, left = 0, state[IN_ALL]
    for other in range(state[COUNT]):
        if other != seat:
            has = taken(state, other, seat)
            left -= has
            missing += max(state[OF_EACH] - has, 0)
    return max(min(missing, left), 0)


@helper
def _keep_five(state, seat, height, owners):
    """Take what exceeds five off a stack, from the bottom: the seat's pieces to its reserve, others captured."""
    for piece in range(TALLEST, height):
        owner = (owners >> 2 * piece) & 3
        if owner == seat:
            state[RESERVE + seat] += 1
        else:
            state[CAPTURED + seat] += 1 << 8 * owner


@helper
def _land(state, seat, at, pieces, owners):
    """Put pieces on top of what is on a field."""
    below = stack_on(state, at)
    height, owners = (below & 7) + pieces, owners | (below >> 3) << 2 * pieces
    if height > TALLEST:
        _keep_five(state, seat, height, owners)
        if needed(state, seat) == 0:
            state[WINNER] = seat
    put_stack(state, at, min(height, TALLEST), owners & OWNERS)


@helper
def _go(state, seat, kind, at):
    """Move pieces from the top of a stack."""
    pieces, stack = (kind >> 2) + 1, stack_on(state, at)
    owners = stack >> 3
    put_stack(state, at, (stack & 7) - pieces, owners >> 2 * pieces)
    _land(state, seat, at + OFFSET[kind], pieces, owners & ((1 << 2 * pieces) - 1))


@helper
def _place(state, seat, at):
    """Place a piece from the reserve."""
    state[RESERVE + seat] -= 1
    state[WAITING] &= ~(1 << seat)
    _land(state, seat, at, 1, seat)


@helper
def _next_seat(state, seat):
    """Return the next seat that can move, the same one if no other can."""
    for _ in range(state[COUNT]):
        seat = seat + 1 if seat + 1 < state[COUNT] else 0
        if can_move(state, seat):
            return seat
    return seat


@helper
def any_move(state, seat, rng):
    """Draw a legal move of a seat, each with the same chance."""
    kinds, free = kinds_of(state, seat), placing(state, seat)
    n = popcount(free)
    for kind in range(kinds):
        n += popcount(movers(state, seat, kind))
    i = below(rng, max(n, 1))
    for kind in range(kinds):
        found = movers(state, seat, kind)
        if i < popcount(found):
            return 64 * kind + nth(found, i)
        i -= popcount(found)
    return PLACE + nth(free, i) if n else PASS


@rule
def deal(state, options, rng):
    seats = options[0]
    state[COUNT], state[EACH], state[WINNER] = seats, NUMBERS[seats, 0], NONE
    state[OF_EACH] = state[EACH] if options[1] else NUMBERS[seats, 2]
    state[IN_ALL] = (seats - 1) * state[EACH] if options[1] else NUMBERS[seats, 3]
    for seat in range(seats):
        state[RESERVE + seat] = NUMBERS[seats, 1]
        state[WAITING] |= NUMBERS[seats, 1] << seat
        left = START[seats, seat]
        while left:
            put_stack(state, lowest(left), 1, seat)
            left &= left - 1


@rule
def moves(state, out):
    n, seat = 0, state[SEAT]
    for kind in range(kinds_of(state, seat)):
        left = movers(state, seat, kind)
        while left:
            out[n] = 64 * kind + lowest(left)
            left &= left - 1
            n += 1
    left = placing(state, seat)
    while left:
        out[n] = PLACE + lowest(left)
        left &= left - 1
        n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def sample(state, rng):
    return any_move(state, state[SEAT], rng)


@rule
def play(state, move):
    seat = state[SEAT]
    if move < PLACE:
        _go(state, seat, move >> 6, move & 63)
    elif move < PASS:
        _place(state, seat, move & 63)
    state[TURNS] += 1
    following = _next_seat(state, seat)
    if following == seat and state[WINNER] == NONE:
        state[WINNER] = seat
    over = state[WINNER] != NONE or state[TURNS] >= MOST_TURNS
    state[SEAT] = OVER if over else following


@rule
def payoff(state, out):
    winner = state[WINNER]
    for seat in range(state[COUNT]):
        out[seat] = 1 / state[COUNT] if winner == NONE else 0.0
    if winner != NONE:
        out[winner] = 1.0


@rule
def progress(state):
    return state[TURNS]


@rule
def key(state):
    # Stacks, reserves, captures and the seat; the turns left once they are few.
    return hash_cells(state, WAITING + 1) ^ max(state[TURNS] - (MOST_TURNS - LATE), 0)
