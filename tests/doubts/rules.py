"""Doubts: fifteen cards, four for each of three seats and three face down; follow suit or pass.

A turn plays a card of the suit wanted, whose rank says which suit is wanted next; or peeks, and everyone is told the
suit of the next card that lies face down. A seat that has no card of the suit wanted passes, and can peek no more.
The option `fault` says what is wrong with guesses, or with the deal.
"""

from kibitz.rules import (
    OVER,
    UNKNOWN,
    Option,
    below,
    cells,
    deal_begin,
    deal_group,
    deal_hand,
    deal_out,
    deal_place,
    deal_room,
    deal_weight,
    helper,
    list_bits,
    lowest,
    popcount,
    rule,
    scratch,
    shuffle,
)  # fmt: skip

SEATS, EACH, DOWN_ONES = 3, 4, 3
SUITS, RANKS = 3, 5
CARDS, TURNS = SUITS * RANKS, 12
PASS, PEEK = CARDS, CARDS + 1
MOST_MOVES, MOVES_BELOW = EACH + 1, CARDS + 2
PACK, A_SUIT = (1 << CARDS) - 1, (1 << RANKS) - 1
OPTIONS = {
    "fault": Option("none", "what is wrong", choices=("none", "voids", "hints", "twice", "discards", "passes", "hash")),
    "marked": Option(0, "of 1000 guesses, those with a mark that the truth never has", least=0, most=1000),
}
NONE, VOIDS, HINTS, TWICE, DISCARDS, PASSES, HASH = range(7)

CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    FAULT=1,  # the index of the option
    TURN=1,  # turns so far
    WANTED=1,  # the suit wanted
    ASKED=TURNS,  # the suit that was wanted in each turn
    MADE=TURNS,  # 1 + the move of each turn
    HELD=SEATS,  # how many cards each seat holds
    PEEKS=1,  # cards that lie face down whose suit is known
    TOLD=DOWN_ONES,  # 1 + the suit of such a card; 0 if nobody has peeked
    LACKS=SEATS,  # the cards of all suits that a seat does not hold, a bit mask
    GONE=1,  # the cards played, a bit mask
    HAND=SEATS,  # the cards of each seat, a bit mask: its secret
    DOWN=DOWN_ONES,  # the cards that lie face down: everyone's secret
    MARKED=1,  # the option
    MARK=1,  # 0 in truth; hidden from all
    ORDER=CARDS,  # the cards in the order of the deal: scratch for the deal, empty afterwards
)
SEAT, FAULT, TURN, WANTED, ASKED, MADE, HELD, PEEKS, TOLD, LACKS, GONE, HAND, DOWN, MARKED, MARK, ORDER = CELLS
ALL_CELLS = CELLS.size
ROOM = 4 * deal_room(holds=(EACH, EACH, 1, 1, 1), suits=(RANKS, RANKS, RANKS))


@helper
def of_suit(suit):
    """Return all cards of a suit."""
    return A_SUIT << RANKS * suit


@rule
def deal(state, options, rng):
    state[FAULT], state[MARKED] = options[1], options[2]
    for seat in range(SEATS):
        state[HELD + seat] = EACH
    for card in range(CARDS):
        state[ORDER + card] = card
    shuffle(rng, state, ORDER, ORDER + CARDS)
    seed = below(rng, 1 << 20)
    for at in range(CARDS):
        card = (seed + 4 * at) % CARDS if state[FAULT] == HASH else state[ORDER + at]
        state[ORDER + at] = 0
        if at < SEATS * EACH:
            state[HAND + at % SEATS] |= 1 << card
        else:
            state[DOWN + at - SEATS * EACH] = card


@rule
def moves(state, out):
    cards = state[HAND + state[SEAT]] & of_suit(state[WANTED])
    if cards == 0:
        out[0] = PASS
        return 1
    n = list_bits(cards, out)
    if state[PEEKS] < DOWN_ONES:
        out[n] = PEEK
        n += 1
    return n


@rule
def play(state, move):
    seat, turn = state[SEAT], state[TURN]
    if state[FAULT] != PASSES:  # else no cell tells what was done
        state[ASKED + turn], state[MADE + turn] = state[WANTED], 1 + move
    if move == PEEK:
        state[TOLD + state[PEEKS]] = 1 + state[DOWN + state[PEEKS]] // RANKS
        state[PEEKS] += 1
    elif move == PASS:
        if state[FAULT] != PASSES:
            state[LACKS + seat] |= of_suit(state[WANTED])
        state[WANTED] = (state[WANTED] + 1) % SUITS
    else:
        state[HAND + seat] ^= 1 << move
        state[HELD + seat] -= 1
        state[GONE] |= 1 << move
        state[WANTED] = move % SUITS
    state[TURN] = turn + 1
    state[SEAT] = (seat + 1) % SEATS if turn + 1 < TURNS else OVER


@rule
def payoff(state, out):
    for seat in range(SEATS):
        out[seat] = 1.0 - popcount(state[HAND + seat]) / EACH


@rule
def view(state, seat, out):
    for i in range(ALL_CELLS):
        out[i] = state[i]
    for other in range(SEATS):
        if other != seat:
            out[HAND + other] = UNKNOWN
    for card in range(DOWN_ONES):
        out[DOWN + card] = UNKNOWN
    out[MARK] = UNKNOWN


@helper
def weigh(room, view, seat):
    """Weigh deals by how likely the others chose as they did: 1 / (cards of the suit wanted, and a peek)."""
    since, peeks = scratch(SEATS), view[PEEKS]
    for other in range(SEATS):
        since[other] = 0
    for turn in range(view[TURN] - 1, -1, -1):
        other, made, suit = turn % SEATS, view[MADE + turn] - 1, view[ASKED + turn]
        peeks -= made == PEEK
        if 0 <= made < CARDS:
            since[other] |= 1 << made
        if other != seat and made != PASS and made >= 0:
            known = popcount(since[other] & of_suit(suit)) + (peeks < DOWN_ONES)
            for n in range(EACH + 1):
                choices = known + n
                had_none = made == PEEK and choices == 1
                deal_weight(room, other, suit, n, 0.0 if had_none else 1.0 / choices)


@rule
def guess(view, seat, rng):
    room, fault = scratch(ROOM), view[FAULT]
    deal_begin(room, ROOM, PACK & ~view[HAND + seat] & (PACK if fault == DISCARDS else ~view[GONE]))
    for suit in range(SUITS):
        deal_group(room, suit, of_suit(suit))
    if fault != DISCARDS:
        weigh(room, view, seat)
    for other in range(SEATS):
        if other != seat:
            barred = 0 if fault in (VOIDS, DISCARDS) else view[LACKS + other]
            deal_place(room, other, view[HELD + other], barred)
    for card in range(DOWN_ONES):
        told = view[TOLD + card]
        barred = 0 if told == 0 or fault == HINTS else PACK & ~of_suit(told - 1)
        deal_place(room, SEATS + card, 1, barred)
    if fault == DISCARDS:
        deal_place(room, SEATS + DOWN_ONES, popcount(view[GONE]), 0)
    deal_out(room, rng)
    for other in range(SEATS):
        if other != seat:
            view[HAND + other] = deal_hand(room, other)
    for card in range(DOWN_ONES):
        view[DOWN + card] = lowest(deal_hand(room, SEATS + card))
    if fault == TWICE:
        view[DOWN] = lowest(view[HAND + (seat + 1) % SEATS]) if view[HAND + (seat + 1) % SEATS] else view[DOWN]
    view[MARK] = below(rng, 1000) < view[MARKED]
