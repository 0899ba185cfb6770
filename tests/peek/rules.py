"""Peek: everybody sees the lowest card of seat 2; the seats play their cards, and who plays the highest last wins."""

from kibitz.rules import (
    OVER,
    UNKNOWN,
    Option,
    below,
    cells,
    deal_begin,
    deal_hand,
    deal_out,
    deal_place,
    deal_room,
    helper,
    list_bits,
    lowest,
    nth,
    popcount,
    rule,
    scratch,
)  # fmt: skip

SEATS, CARDS, EACH = 3, 18, 4
MOST_MOVES = EACH
PACK = (1 << CARDS) - 1
NONE = -1
OPTIONS = {"blind": Option(False, "guess does not heed the card that is seen")}
CELLS = cells(SEAT=1, BLIND=1, TURN=1, GONE=1, PEEK=1, LAST=SEATS, HAND=SEATS)
SEAT, BLIND, TURN, GONE, PEEK, LAST, HAND = CELLS
ALL_CELLS = CELLS.size
ROOM = deal_room(holds=(EACH, EACH, CARDS - 2 * EACH))


@helper
def show(state):
    state[PEEK] = lowest(state[HAND + 1]) if state[HAND + 1] != 0 else NONE


@rule
def deal(state, options, rng):
    state[BLIND] = options[1]
    left = PACK
    for seat in range(SEATS):
        for _ in range(EACH):
            card = 1 << nth(left, below(rng, popcount(left)))
            state[HAND + seat] |= card
            left ^= card
    show(state)


@rule
def moves(state, out):
    return list_bits(state[HAND + state[SEAT]], out)


@rule
def play(state, move):
    seat = state[SEAT]
    state[HAND + seat] ^= 1 << move
    state[GONE] |= 1 << move
    state[LAST + seat] = move
    state[TURN] += 1
    state[SEAT] = OVER if state[TURN] == SEATS * EACH else (seat + 1) % SEATS
    show(state)


@rule
def payoff(state, out):
    for seat in range(SEATS):
        out[seat] = 1.0 if state[LAST + seat] == max(state[LAST], state[LAST + 1], state[LAST + 2]) else 0.0


@rule
def view(state, seat, out):
    for i in range(ALL_CELLS):
        out[i] = state[i]
    for other in range(SEATS):
        if other != seat:
            out[HAND + other] = UNKNOWN


@rule
def guess(view, seat, rng):
    room, shown = scratch(ROOM), 0
    if view[PEEK] != NONE and seat != 1 and view[BLIND] == 0:
        shown = 1 << view[PEEK]
    deal_begin(room, ROOM, PACK & ~view[GONE] & ~view[HAND + seat] & ~shown)
    left = CARDS - popcount(view[GONE]) - popcount(view[HAND + seat])
    for other in range(SEATS):
        if other != seat:
            holds = EACH - (view[TURN] + SEATS - 1 - other) // SEATS
            left -= holds
            holds, barred = (holds - 1, shown - 1) if other == 1 and shown != 0 else (holds, 0)
            deal_place(room, other, holds, barred)
    deal_place(room, SEATS, left, 0)
    deal_out(room, rng)
    for other in range(SEATS):
        if other != seat:
            view[HAND + other] = deal_hand(room, other) | (shown if other == 1 else 0)
