"""Kuhn poker: one card each of three, one bet each at most; the higher card takes the pot if nobody folds.

A move is PASS (check or fold), BET (bet or call; with copper) or SILVER.
"""

from kibitz.core.cells import cells
from kibitz.core.contract import OVER, UNKNOWN, rule
from kibitz.core.dice import below
from kibitz.core.native import helper
from kibitz.core.options import Option
from kibitz.core.payoff import Payoff

VERSION = 1
SEATS = (2, 2)
MOST_MOVES = 3
MOVES_BELOW = 3
PAYOFF = Payoff("chips", least=-2, most=2)
PAYOFF_SUM = 0
SEAT_NAMES = ("first", "second")
OPTIONS = {
    "coins": Option(False, "bets are made with one of two coins that look alike to the other seat"),
    "kings": Option(False, "nobody but the king's holder may be the first to bet"),
}

CELLS = cells(
    CARD=2,  # the card of each seat: 0 jack, 1 queen, 2 king; its own to know
    COIN=2,  # what each seat bet with: 0 nothing, 1 copper, 2 silver; its own to know once it has bet
    HISTORY=1,  # how the moves made looked, two bits each from a leading 1: 0 pass, 1 bet
    COINS=1,  # 1 if bets are made with one of two coins that look alike to the other seat
    KINGS=1,  # 1 if only the king's holder may be the first to bet, so that a secret decides what is legal
    SEAT=1,  # the seat to move, or OVER
)
CARD, COIN, HISTORY, COINS, KINGS, SEAT = CELLS
CELLS_IN_USE = CELLS.size
CARDS = 3
JACK, QUEEN, KING = range(CARDS)
PASS, BET, SILVER = range(3)
START = 1
P, B, PP, PB, BP, BB, PBP, PBB = 4, 5, 16, 17, 20, 21, 68, 69  # values of HISTORY after passes and bets


@helper
def _has_ended(state):
    past = state[HISTORY]
    return past == PP or past > PB


@helper
def _has_opened(state, seat):
    """Return whether a seat was the first to bet."""
    past = state[HISTORY]
    return past in (B, BP, BB) if seat == 0 else past in (PB, PBP, PBB)


@rule
def deal(state, options, rng):
    state[CARD] = below(rng, CARDS)
    state[CARD + 1] = (state[CARD] + 1 + below(rng, CARDS - 1)) % CARDS
    state[HISTORY] = START
    state[COINS] = options[1]
    state[KINGS] = options[2]


def deals(options, dealt):
    """Yield every deal with its weight: two different cards of three, all equally likely."""
    for first in range(CARDS):
        for second in set(range(CARDS)) - {first}:
            cells = dealt.copy()
            cells[CARD], cells[CARD + 1] = first, second
            yield 1, cells


@rule
def moves(state, out):
    out[0], out[1], out[2] = PASS, BET, SILVER
    if state[KINGS] != 0 and state[HISTORY] in (START, P) and state[CARD + state[SEAT]] != KING:
        return 1
    return 3 if state[COINS] != 0 else 2


@rule
def play(state, move):
    state[COIN + state[SEAT]] = move
    state[HISTORY] = state[HISTORY] * 4 + (0 if move == PASS else 1)
    state[SEAT] = OVER if _has_ended(state) else 1 - state[SEAT]


@rule
def payoff(state, out):
    past = state[HISTORY]
    won = 1 if state[CARD] > state[CARD + 1] else -1
    if past in (BB, PBB):
        won *= 2
    if past in (BP, PBP):
        won = 1 if past == BP else -1
    out[0] = won
    out[1] = -won


@rule
def view(state, seat, out):
    for i in range(CELLS_IN_USE):
        out[i] = state[i]
    out[CARD + 1 - seat] = UNKNOWN
    if state[COIN + 1 - seat] != 0 and state[COINS] != 0:
        out[COIN + 1 - seat] = UNKNOWN


@rule
def guess(view, seat, rng):
    view[CARD + 1 - seat] = (view[CARD + seat] + 1 + below(rng, CARDS - 1)) % CARDS
    if view[KINGS] != 0 and _has_opened(view, 1 - seat):
        view[CARD + 1 - seat] = KING
    if view[COIN + 1 - seat] == UNKNOWN:
        view[COIN + 1 - seat] = BET + below(rng, 2)


@rule
def seen(state, move, seat):
    return BET if move == SILVER else move
