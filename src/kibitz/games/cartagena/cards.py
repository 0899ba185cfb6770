"""Cards: piles (how many of each sign), lines (which comes after which), the stock and the open row."""

from kibitz.core.bits import popcount
from kibitz.core.dice import below, dice_in
from kibitz.core.native import compiled, helper
from kibitz.games.cartagena.cells import (
    DISCARDS,
    HAND,
    HELD,
    HIDDEN,
    IN_ROW,
    LEFT,
    REFILL,
    ROW,
    ROW_SIZE,
    SEED,
    SHUFFLES,
    STOCK,
    STOCK_CELLS,
)

LINE = 16  # cards in a cell of the stock
EACH = 0x010101010101  # a pile with one card of each sign
_TOPS = 0x808080808080  # the highest bit of each count; a count never reaches it
_LOW_TWO, _LOW_FOUR = 0xFFFF, 0xFFFFFFFF


@helper
def one(sign):
    """Return a pile of one card."""
    return 1 << 8 * sign


@helper
def count_of(pile, sign):
    """Count the cards of a sign in a pile."""
    return (pile >> 8 * sign) & 0xFF


@helper
def size_of(pile):
    """Count the cards in a pile."""
    threes = pile + (pile >> 24)
    return (threes + (threes >> 8) + (threes >> 16)) & 0xFF


@helper
def signs_in(pile):
    """Return a mask with bit 8 * sign + 7 set for each sign in a pile."""
    return (pile + (_TOPS - EACH)) & _TOPS


@helper
def sign_at(pile, n):
    """Return the sign of card n of a pile, counted from 0 in the order of signs."""
    sums = pile + (pile << 8)
    sums += (sums & _LOW_FOUR) << 16
    sums += (sums & _LOW_TWO) << 32
    return 6 - popcount((sums + _TOPS - (n + 1) * EACH) & _TOPS)


@helper
def draw_from(pile, size, rng):
    """Return the sign of a random card of a pile."""
    return sign_at(pile, below(rng, size))


@helper
def deal_hand(state, seat, n, pile, rng):
    """Give a seat a hand of n random cards of a pile; return the rest."""
    state[HAND + seat] = 0
    for size in range(size_of(pile), size_of(pile) - n, -1):
        card = one(draw_from(pile, size, rng))
        state[HAND + seat] += card
        pile -= card
    return pile


@compiled
def stack(state, pile, rng):
    """Make a pile the stock, in random order."""
    size = size_of(pile)
    state[LEFT] = size
    for k in range(STOCK_CELLS):
        line = 0
        for at in range(min(LINE, size - LINE * k)):
            sign = draw_from(pile, size - LINE * k - at, rng)
            pile -= one(sign)
            line |= (sign + 1) << 4 * at
        state[STOCK + k] = line


@compiled
def _shuffle_discards(state):
    """Make the discards the stock."""
    stack(state, state[DISCARDS], dice_in(state, SEED))
    state[DISCARDS] = 0
    state[SHUFFLES] += 1


@helper
def _pop(state):
    """Take the top card of the stock as a line of one; 0 if there is none, not even among the discards."""
    if state[LEFT] == 0:
        if state[DISCARDS] == 0:
            return 0
        _shuffle_discards(state)
    state[LEFT] -= 1
    at, shift = STOCK + state[LEFT] // LINE, 4 * (state[LEFT] % LINE)
    card = (state[at] >> shift) & 15
    state[at] ^= card << shift
    return card


@helper
def fill_row(state):
    """Lay cards from the stock until the row is full."""
    while state[IN_ROW] < state[ROW_SIZE]:
        card = _pop(state)
        if card == 0:
            return
        state[ROW] |= card << 4 * state[IN_ROW]
        state[IN_ROW] += 1


@helper
def _take_from_row(state):
    if state[IN_ROW] == 0:
        fill_row(state)
    card = state[ROW] & 15
    if card:
        state[ROW] >>= 4
        state[IN_ROW] -= 1
        if state[REFILL] or state[IN_ROW] == 0:
            fill_row(state)
    return card


@helper
def take(state, seat):
    """Give a seat the next card and return it as a line of one; 0 if there is none."""
    card = _pop(state) if state[HIDDEN] else _take_from_row(state)
    if card:
        state[HAND + seat] += one(card - 1)
        state[HELD + seat] += 1
    return card


@helper
def discard(state, seat, sign):
    """Put a card of a seat's hand on the discards."""
    state[HAND + seat] -= one(sign)
    state[HELD + seat] -= 1
    state[DISCARDS] += one(sign)
