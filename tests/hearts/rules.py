"""Hearts: thirteen cards for each of four seats; follow suit, and take no hearts and not the queen of spades.

Without passing and moon shots; any card may be led. A move is a card: suit * 13 + rank; hearts are suit 3, spades 2.
The option `fault` says what guesses get wrong.
"""

from kibitz.rules import (
    OVER,
    UNKNOWN,
    Option,
    below,
    cells,
    deal_begin,
    deal_choice,
    deal_group,
    deal_hand,
    deal_out,
    deal_place,
    deal_room,
    helper,
    list_bits,
    nth,
    popcount,
    rule,
    scratch,
)  # fmt: skip

SEATS = 4
SUITS, RANKS, EACH = 4, 13, 13
CARDS = SUITS * RANKS
MOST_MOVES, MOVES_BELOW = EACH, CARDS
OPTIONS = {
    "fault": Option("none", "what guesses ignore", choices=("none", "voids", "choices", "twice", "discards")),
}
NONE, VOIDS, CHOICES, TWICE, DISCARDS = range(5)
PACK, A_SUIT = (1 << CARDS) - 1, (1 << RANKS) - 1
SPADES, HEARTS, QUEEN = 2, 3, 2 * RANKS + 10
POINTS = 26

CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    FAULT=1,  # the index of the option
    TURN=1,  # cards played so far
    PLAYED=CARDS,  # those cards, in order
    LEADER=EACH,  # of each trick, the seat that led
    GONE=1,  # the cards played, a bit mask
    VOID=SEATS * SUITS,  # 1 if a seat has shown that it has none of a suit
    TAKEN=SEATS,  # points
    HAND=SEATS,  # the cards of each seat, a bit mask: its secret
)
SEAT, FAULT, TURN, PLAYED, LEADER, GONE, VOID, TAKEN, HAND = CELLS
ALL_CELLS = CELLS.size
ROOM = deal_room(holds=(EACH, EACH, EACH), suits=(RANKS, RANKS, RANKS, RANKS))


@helper
def player(state, turn):
    """Return the seat that played a card."""
    return (state[LEADER + turn // SEATS] + turn % SEATS) % SEATS


@helper
def led(state, turn):
    """Return the suit that was led to a trick."""
    return state[PLAYED + turn - turn % SEATS] // RANKS


@rule
def deal(state, options, rng):
    state[FAULT] = options[1]
    left = PACK
    for seat in range(SEATS):
        for _ in range(EACH):
            card = 1 << nth(left, below(rng, popcount(left)))
            state[HAND + seat] |= card
            left ^= card


@rule
def moves(state, out):
    hand, turn = state[HAND + state[SEAT]], state[TURN]
    follows = hand & (A_SUIT << RANKS * led(state, turn)) if turn % SEATS else hand
    return list_bits(follows if follows else hand, out)


@rule
def play(state, move):
    seat, turn = state[SEAT], state[TURN]
    if turn % SEATS == 0:
        state[LEADER + turn // SEATS] = seat
    elif move // RANKS != led(state, turn):
        state[VOID + SUITS * seat + led(state, turn)] = 1
    state[HAND + seat] ^= 1 << move
    state[GONE] |= 1 << move
    state[PLAYED + turn] = move
    state[TURN] = turn + 1
    state[SEAT] = (seat + 1) % SEATS
    if turn % SEATS == SEATS - 1:
        first = turn - SEATS + 1
        best, points = first, 0
        for at in range(first, turn + 1):
            card = state[PLAYED + at]
            points += (card // RANKS == HEARTS) + 13 * (card == QUEEN)
            if card // RANKS == led(state, turn) and card > state[PLAYED + best]:
                best = at
        state[SEAT] = player(state, best)
        state[TAKEN + state[SEAT]] += points
    if state[TURN] == CARDS:
        state[SEAT] = OVER


@rule
def payoff(state, out):
    for seat in range(SEATS):
        out[seat] = 1.0 - state[TAKEN + seat] / POINTS


@rule
def view(state, seat, out):
    for i in range(ALL_CELLS):
        out[i] = state[i]
    for other in range(SEATS):
        if other != seat:
            out[HAND + other] = UNKNOWN


@helper
def void_cards(view, seat):
    """Return the cards of all suits that a seat has shown that it lacks."""
    cards = 0
    for suit in range(SUITS):
        if view[VOID + SUITS * seat + suit]:
            cards |= A_SUIT << RANKS * suit
    return cards


@rule
def guess(view, seat, rng):
    room, since, fault = scratch(ROOM), scratch(SEATS), view[FAULT]
    unseen = PACK & ~view[HAND + seat] & (PACK if fault == DISCARDS else ~view[GONE])
    deal_begin(room, ROOM, unseen)
    for suit in range(SUITS):
        deal_group(room, suit, A_SUIT << RANKS * suit)
    for other in range(SEATS):
        since[other] = 0
    for turn in range(view[TURN] - 1, -1, -1):
        other, card = player(view, turn), view[PLAYED + turn]
        since[other] |= 1 << card
        follows = turn % SEATS > 0 and card // RANKS == led(view, turn)
        if other != seat and follows and fault != CHOICES and fault != DISCARDS:
            deal_choice(room, other, card // RANKS, popcount(since[other] & (A_SUIT << RANKS * (card // RANKS))))
    for other in range(SEATS):
        if other != seat:
            barred = 0 if fault == VOIDS else void_cards(view, other)
            deal_place(room, other, EACH - popcount(since[other]), barred)
    if fault == DISCARDS:
        deal_place(room, SEATS, popcount(unseen & view[GONE]), 0)
    deal_out(room, rng)
    for other in range(SEATS):
        if other != seat:
            view[HAND + other] = deal_hand(room, other)
    first, second = (seat + 1) % SEATS, (seat + 2) % SEATS
    if fault == TWICE and view[HAND + first] and view[HAND + second]:
        given, taken = nth(view[HAND + first], 0), nth(view[HAND + second], 0)
        view[HAND + second] ^= (1 << given) | (1 << taken)
