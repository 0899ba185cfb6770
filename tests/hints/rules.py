"""Hints: seats see each other's cards and not their own; a hint names the cards of one colour or rank.

Three colours with ten cards each (ranks 1 1 1 2 2 3 3 4 4 5). A turn plays a card, discards one, or hints to the next
seat, for a token; a hint may touch no card, so that legal moves tell nothing. All earn the share of cards well played.
The option `fault` says what guesses get wrong.
"""

import numpy as np

from kibitz.rules import (
    OVER,
    UNKNOWN,
    Option,
    cells,
    deal_begin,
    deal_hand,
    deal_out,
    deal_place,
    deal_room,
    helper,
    lowest,
    popcount,
    rule,
    scratch,
    shuffle,
)  # fmt: skip

SEATS, HELD = 3, 4
COLOURS, RANKS = 3, 5
OF_A_COLOUR = 10
CARDS = COLOURS * OF_A_COLOUR
RANK_OF = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4])  # of a card of one colour
PLAYS, DISCARDS, TELL_COLOUR, TELL_RANK = 0, HELD, 2 * HELD, 2 * HELD + COLOURS
MOST_MOVES = 2 * HELD + COLOURS + RANKS
MOVES_BELOW = MOST_MOVES
TOKENS, LIVES = 5, 3
NO_CARD = -1
OPTIONS = {"fault": Option("none", "what guesses ignore", choices=("none", "hints", "discards"))}
NONE, HINTS, GONE_ONES = range(3)

CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    FAULT=1,  # the index of the option
    LEFT=1,  # cards in the deck
    TOKEN=1,  # hints that can be given
    LIFE=1,  # wrong plays that are left
    BUILT=COLOURS,  # cards well played
    GONE=1,  # cards played or discarded, a bit mask
    COLOUR=SEATS * HELD,  # the colours that a card may have as far as hints tell, a bit mask
    RANK=SEATS * HELD,  # the ranks
    HAND=SEATS * HELD,  # the cards of each seat: everyone's knowledge but its own
    DECK=CARDS,  # the cards to come, the last first: everyone's secret
)
SEAT, FAULT, LEFT, TOKEN, LIFE, BUILT, GONE, COLOUR, RANK, HAND, DECK = CELLS
ALL_CELLS = CELLS.size
ROOM = 4 * deal_room(holds=(1, 1, 1, 1, CARDS), suits=(3, 2, 2, 2, 1, 3, 2, 2, 2, 1, 3, 2, 2, 2, 1))


@helper
def draw(state, slot):
    """Put the next card of the deck into a slot of a hand; nothing is known of it."""
    state[COLOUR + slot] = (1 << COLOURS) - 1
    state[RANK + slot] = (1 << RANKS) - 1
    state[HAND + slot] = NO_CARD
    if state[LEFT] > 0:
        state[LEFT] -= 1
        state[HAND + slot] = state[DECK + state[LEFT]]
        state[DECK + state[LEFT]] = NO_CARD


@rule
def deal(state, options, rng):
    state[FAULT] = options[1]
    state[LEFT], state[TOKEN], state[LIFE] = CARDS, TOKENS, LIVES
    for card in range(CARDS):
        state[DECK + card] = card
    shuffle(rng, state, DECK, DECK + CARDS)
    for slot in range(SEATS * HELD):
        draw(state, slot)


@rule
def moves(state, out):
    n = 0
    for slot in range(HELD):
        if state[HAND + HELD * state[SEAT] + slot] != NO_CARD:
            out[n] = PLAYS + slot
            n += 1
    for slot in range(HELD):
        if state[HAND + HELD * state[SEAT] + slot] != NO_CARD:
            out[n] = DISCARDS + slot
            n += 1
    if state[TOKEN] > 0:
        for hint in range(TELL_COLOUR, MOST_MOVES):
            out[n] = hint
            n += 1
    return n


@helper
def tell(state, seat, hint):
    """Let everyone know which cards of a seat have a colour or a rank."""
    for slot in range(HELD * seat, HELD * seat + HELD):
        card = state[HAND + slot]
        if card != NO_CARD and hint < TELL_RANK:
            told = 1 << (hint - TELL_COLOUR)
            state[COLOUR + slot] &= told if card // OF_A_COLOUR == hint - TELL_COLOUR else ~told
        elif card != NO_CARD:
            told = 1 << (hint - TELL_RANK)
            state[RANK + slot] &= told if RANK_OF[card % OF_A_COLOUR] == hint - TELL_RANK else ~told


@rule
def play(state, move):
    seat = state[SEAT]
    if move >= TELL_COLOUR:
        state[TOKEN] -= 1
        tell(state, (seat + 1) % SEATS, move)
    else:
        slot = HELD * seat + move % HELD
        card = state[HAND + slot]
        state[GONE] |= 1 << card
        if move >= DISCARDS:
            state[TOKEN] = min(state[TOKEN] + 1, TOKENS)
        elif RANK_OF[card % OF_A_COLOUR] == state[BUILT + card // OF_A_COLOUR]:
            state[BUILT + card // OF_A_COLOUR] += 1
        else:
            state[LIFE] -= 1
        draw(state, slot)
    state[SEAT] = (seat + 1) % SEATS if state[LIFE] > 0 and state[LEFT] > 0 else OVER


@rule
def payoff(state, out):
    built = 0
    for colour in range(COLOURS):
        built += state[BUILT + colour]
    for seat in range(SEATS):
        out[seat] = built / (COLOURS * RANKS)


@rule
def view(state, seat, out):
    for i in range(ALL_CELLS):
        out[i] = state[i]
    for slot in range(HELD * seat, HELD * seat + HELD):
        if state[HAND + slot] != NO_CARD:
            out[HAND + slot] = UNKNOWN
    for card in range(state[LEFT]):
        out[DECK + card] = UNKNOWN


@helper
def barred(view, slot):
    """Return the cards that a slot cannot hold, as hints tell."""
    cards = 0
    for card in range(CARDS):
        fits = (view[COLOUR + slot] >> (card // OF_A_COLOUR)) & (view[RANK + slot] >> RANK_OF[card % OF_A_COLOUR]) & 1
        cards |= (1 - fits) << card
    return cards


@rule
def guess(view, seat, rng):
    room = scratch(ROOM)
    unseen = ((1 << CARDS) - 1) & (-1 if view[FAULT] == GONE_ONES else ~view[GONE])
    for slot in range(SEATS * HELD):
        if view[HAND + slot] >= 0:
            unseen &= ~(1 << view[HAND + slot])
    deal_begin(room, ROOM, unseen)
    held = 0
    for slot in range(HELD):
        if view[HAND + HELD * seat + slot] == UNKNOWN:
            deal_place(room, slot, 1, 0 if view[FAULT] == HINTS else barred(view, HELD * seat + slot))
            held += 1
    deal_place(room, HELD, popcount(unseen) - held, 0)
    deal_out(room, rng)
    for slot in range(HELD):
        if view[HAND + HELD * seat + slot] == UNKNOWN:
            view[HAND + HELD * seat + slot] = lowest(deal_hand(room, slot))
    pile = scratch(CARDS)
    left, n = deal_hand(room, HELD), 0
    while left:
        pile[n] = lowest(left)
        left &= left - 1
        n += 1
    shuffle(rng, pile, 0, n)
    for card in range(view[LEFT]):
        view[DECK + card] = pile[card]
