"""Asking: two cards each of three suits; a seat names a suit, and the next one says whether it holds it.

A move is the suit asked for. Every seat asks twice; what it earns is the share of its questions answered with yes.
"""

from kibitz.core.cells import cells
from kibitz.core.contract import OVER, UNKNOWN, rule
from kibitz.core.dice import shuffle
from kibitz.core.native import helper
from kibitz.core.options import Option

SEATS = 3
MOST_MOVES = 3
OPTIONS = {
    "fault": Option("none", "what is wrong with the game", choices=("none", "void", "shuffle")),
}

SUITS = 3
HELD = 2  # cards of a seat
CARDS = SEATS * HELD
QUESTIONS = 2
CELLS = cells(
    SEAT=1,  # the seat to move, or OVER
    FAULT=1,  # the index of the option
    ASKED=1,  # questions so far
    YES=SEATS,  # how often each seat was told yes
    ANSWER=SEATS * SUITS,  # for each seat and suit: 0 never asked, NO or SURE
    CARD=CARDS,  # the suit of each card, two for each seat; its own to know
)
SEAT, FAULT, ASKED, YES, ANSWER, CARD = CELLS
SIZE = CELLS.size
NO, SURE = 1, 2
VOID, SHUFFLE = 1, 2  # faults: a guess forgets who has no card of a suit; high suits are dealt first


@helper
def _holds(state, seat, suit):
    return state[CARD + HELD * seat] == suit or state[CARD + HELD * seat + 1] == suit


@helper
def _fits(state):
    """Return whether the cards fit all answers."""
    for seat in range(SEATS):
        for suit in range(SUITS):
            answer = state[ANSWER + SUITS * seat + suit]
            if answer != 0 and _holds(state, seat, suit) != (answer == SURE):
                return False
    return True


@helper
def _spread(state, rng):
    """Shuffle the cards of all seats."""
    shuffle(rng, state, CARD, CARD + CARDS)


@rule
def deal(state, options, rng):
    state[FAULT] = options[1]
    for card in range(CARDS):
        state[CARD + card] = card // HELD
    _spread(state, rng)
    if state[FAULT] == SHUFFLE and state[CARD] < state[CARD + CARDS - 1]:
        state[CARD], state[CARD + CARDS - 1] = state[CARD + CARDS - 1], state[CARD]


@rule
def moves(state, out):
    for suit in range(SUITS):
        out[suit] = suit
    return SUITS


@rule
def play(state, move):
    seat = state[SEAT]
    asked = (seat + 1) % SEATS
    yes = _holds(state, asked, move)
    state[ANSWER + SUITS * asked + move] = SURE if yes else NO
    state[YES + seat] += 1 if yes else 0
    state[ASKED] += 1
    state[SEAT] = OVER if state[ASKED] == QUESTIONS * SEATS else asked


@rule
def payoff(state, out):
    for seat in range(SEATS):
        out[seat] = state[YES + seat] / QUESTIONS


@rule
def view(state, seat, out):
    for cell in range(SIZE):
        out[cell] = state[cell]
    for card in range(CARDS):
        if card // HELD != seat:
            out[CARD + card] = UNKNOWN


@rule
def guess(view, seat, rng):
    own, other = view[CARD + HELD * seat], view[CARD + HELD * seat + 1]
    fits = False
    while not fits:
        for card in range(CARDS):
            view[CARD + card] = card // HELD
        _spread(view, rng)
        same = view[CARD + HELD * seat] == own and view[CARD + HELD * seat + 1] == other
        fits = same and (view[FAULT] == VOID or _fits(view))
