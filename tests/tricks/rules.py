"""Tricks: nine cards each; follow suit if you can; the highest card of the suit led takes the trick.

Three seats play with 27 cards. A move is the number of a card: suit * 9 + rank.
"""

from kibitz.rules import OVER, UNKNOWN, below, cells, helper, nth, popcount, rule

SEATS = 3
RANKS, CARDS, EACH = 9, 27, 9
MOST_MOVES, MOVES_BELOW = EACH, CARDS
NONE = -1
CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    LED=1,  # the suit led, or NONE
    TRICK=3,  # the card that each seat has put into the trick, or NONE
    TAKEN=3,  # the tricks of each seat
    LEFT=3,  # the number of cards of each seat
    VOID=9,  # 1 if a seat has shown that it has none of a suit: seat * 3 + suit
    HAND=3,  # the cards of each seat, a bit mask: its secret
    PLAYED=1,  # the cards played in earlier tricks, a bit mask
)
SEAT, LED, TRICK, TAKEN, LEFT, VOID, HAND, PLAYED = CELLS
ALL_CELLS = CELLS.size


@helper
def of_suit(suit):
    """Return all cards of a suit."""
    return ((1 << RANKS) - 1) << (RANKS * suit)


@rule
def deal(state, options, rng):
    pack = (1 << CARDS) - 1
    for seat in range(SEATS):
        state[TRICK + seat] = NONE
        state[LEFT + seat] = EACH
        for _ in range(EACH):
            card = nth(pack, below(rng, popcount(pack)))
            pack ^= 1 << card
            state[HAND + seat] |= 1 << card
    state[LED] = NONE


@helper
def playable(state):
    """Return the cards that the seat to move may play."""
    hand = state[HAND + state[SEAT]]
    following = hand & of_suit(state[LED]) if state[LED] != NONE else 0
    return following if following != 0 else hand


@rule
def moves(state, out):
    n, cards = 0, playable(state)
    for card in range(CARDS):
        if (cards >> card) & 1:
            out[n] = card
            n += 1
    return n


@rule
def play(state, move):
    seat = state[SEAT]
    state[HAND + seat] ^= 1 << move
    state[LEFT + seat] -= 1
    state[TRICK + seat] = move
    if state[LED] == NONE:
        state[LED] = move // RANKS
    elif move // RANKS != state[LED]:
        state[VOID + 3 * seat + state[LED]] = 1
    following = (seat + 1) % SEATS
    if state[TRICK + following] == NONE:
        state[SEAT] = following
        return
    best = -1
    for other in range(SEATS):
        card = state[TRICK + other]
        if card // RANKS == state[LED] and (best < 0 or card > state[TRICK + best]):
            best = other
    for other in range(SEATS):
        state[PLAYED] |= 1 << state[TRICK + other]
        state[TRICK + other] = NONE
    state[TAKEN + best] += 1
    state[LED] = NONE
    state[SEAT] = best if state[LEFT] > 0 else OVER


@rule
def payoff(state, out):
    for seat in range(SEATS):
        out[seat] = state[TAKEN + seat] / EACH


@rule
def view(state, seat, out):
    for i in range(ALL_CELLS):
        out[i] = state[i]
    for other in range(SEATS):
        if other != seat:
            out[HAND + other] = UNKNOWN


@helper
def allowed(view, seat):
    """Return the cards that a seat may hold as far as voids tell."""
    cards = (1 << CARDS) - 1
    for suit in range(3):
        if view[VOID + 3 * seat + suit] != 0:
            cards &= ~of_suit(suit)
    return cards


@rule
def guess(view, seat, rng):
    unseen = ((1 << CARDS) - 1) & ~view[PLAYED] & ~view[HAND + seat]
    for other in range(SEATS):
        if view[TRICK + other] != NONE:
            unseen &= ~(1 << view[TRICK + other])
    first, second = (seat + 1) % SEATS, (seat + 2) % SEATS
    while True:  # a deal that fits the voids always exists: the true one
        pool, hand = unseen, 0
        for _ in range(view[LEFT + first]):
            card = nth(pool, below(rng, popcount(pool)))
            pool ^= 1 << card
            hand |= 1 << card
        if hand & ~allowed(view, first) == 0 and pool & ~allowed(view, second) == 0:
            view[HAND + first], view[HAND + second] = hand, pool
            return
